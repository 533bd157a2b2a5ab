import { expect, it } from 'vitest';
import { buyerSentence } from '../../src/reports/actions/story.ts';
import { paperTexts } from '../../src/slips/paper.ts';

it('says paper in Vietnamese, in English, or in both side by side', () => {
  expect(paperTexts('vi')('noCash')).toBe('KHÔNG THU TIỀN');
  expect(paperTexts('en')('noCash')).toBe('NO CASH');
  expect(paperTexts('both')('noCash')).toBe('KHÔNG THU TIỀN / NO CASH');
  expect(paperTexts('both')('items', { count: 1_200 })).toBe('1.200 sản phẩm / 1.200 items');
  expect(paperTexts('en')('items', { count: 1 })).toBe('1 item');
});

it('writes to the buyer in one language, or in each on a line of its own', () => {
  const order = { code: 'DH000001', external_code: 'WEB-7', status: 'S' };
  const parcel = { shipping_state: 'delivering', shipping_code: 'GR000001', cod_amount: 795_000 };
  const at = { now: 0, timeZone: 'UTC' };
  const [vi, en] = [
    'Đơn WEB-7 đang giao, mã vận đơn GR000001, thu khi giao 795.000 ₫.',
    'Order WEB-7 is on its way, parcel GR000001, 795.000 ₫ to pay at the door.',
  ];
  expect(buyerSentence(order, [parcel], at)).toBe(vi);
  expect(buyerSentence(order, [parcel], { ...at, language: 'en' })).toBe(en);
  expect(buyerSentence(order, [parcel], { ...at, language: 'both' })).toBe(`${vi}\n${en}`);
});

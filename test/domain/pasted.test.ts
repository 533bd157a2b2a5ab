import { expect, it } from 'vitest';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { cashIn, cashOtherwiseIn } from '../../src/ship/message-cash.ts';
import { type PastedMessage, readMessage } from '../../src/ship/read-message.ts';

const read = (message: string) => readMessage(locationTree, message);
const benNghe = { ward: 'Phường Bến Nghé', district: 'Quận 1', province: 'Thành phố Hồ Chí Minh' };
const dichVong = { ward: 'Phường Dịch Vọng', district: 'Quận Cầu Giấy', province: 'Thành phố Hà Nội' };

it.each<[string, Partial<PastedMessage>]>([
  [
    'Chị Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, 2 áo thun, thu 350k',
    {
      full_name: 'Chị Lan',
      phone: '0901234567',
      address1: '12/3 Lê Lợi',
      ...benNghe,
      goods: [{ product_name: 'áo thun', quantity: 2 }],
      cod_amount: 350_000,
      doubts: [],
      rest: [],
    },
  ],
  [
    'Chị Lan 0987 654 321 số 12 ngõ 5 p dich vong q cau giay hn',
    {
      full_name: 'Chị Lan',
      phone: '0987654321',
      address1: 'số 12 ngõ 5',
      ...dichVong,
      goods: [],
      doubts: [],
      rest: [],
    },
  ],
  [
    'Tên: Nguyễn Văn An\nSĐT: +84 912 345 678\nĐ/c: 45 Lê Lợi, Phường Bến Nghé, Quận 1, TP.HCM, Việt Nam\nSP: 1 áo khoác x, quần jean x2\nCOD: 1tr250\nGhi chú: gọi trước, giờ hành chính',
    {
      full_name: 'Nguyễn Văn An',
      phone: '0912345678',
      address1: '45 Lê Lợi',
      ...benNghe,
      cod_amount: 1_250_000,
      note: 'gọi trước, giờ hành chính',
      doubts: [],
    },
  ],
  [
    '12 ngõ 5 - P.Dịch Vọng-Q.Cầu Giấy-Hà Nội\nanh Minh 0901 234 567\n3 hộp trà và 1 bánh\nđã ck',
    {
      full_name: 'anh Minh',
      phone: '0901234567',
      address1: '12 ngõ 5',
      ...dichVong,
      goods: [
        { product_name: 'hộp trà', quantity: 3 },
        { product_name: 'bánh', quantity: 1 },
      ],
      cod_amount: 0,
      doubts: [],
      rest: [],
    },
  ],
])('reads %j', (message, expected) => {
  expect(read(message)).toMatchObject(expected);
});

it.each<[string, (message: PastedMessage) => unknown, unknown]>([
  ['Lan 0901234567 0907654321 12 Lê Lợi, Bến Nghé, q1, hcm', ({ phone }) => phone, undefined],
  ['Lan 0901234567 12 Lê Lợi, Bến Nghé, q1, hcm, thu 350', ({ cod_amount }) => cod_amount, undefined],
  ['Lan 0901234567 12 Lê Lợi, Bến Nghé, q1, hcm, thu 350k, cod 400k', ({ cod_amount }) => cod_amount, undefined],
  ['Lan 0901234567 12 Lê Lợi, Bến Nghé, q1, hcm, 350k', ({ cod_amount }) => cod_amount, undefined],
  ['Lan 0901234567 12 Lê Lợi, Thanh Xuân', ({ province }) => province, undefined],
])('uses nothing that is doubtful, and says so: %s', (message, part, expected) => {
  const found = read(message);
  expect([part(found), found.doubts.length]).toEqual([expected, 1]);
});

it('takes no street for a ward, and says what it did not understand', () => {
  const found = read('Lan 0901234567 12 Dịch Vọng, Cầu Giấy, HN, giao giờ hành chính');
  expect(found).toMatchObject({ address1: '12 Dịch Vọng', district: 'Quận Cầu Giấy', rest: ['giao giờ hành chính'] });
  expect(found.ward).toBeUndefined();
});

it('reads the name of a province with a hyphen, and no district out of it', () => {
  expect(read('Lan 0901234567, 5 Lê Lợi, Bà Rịa - Vũng Tàu')).toMatchObject({ province: 'Tỉnh Bà Rịa - Vũng Tàu' });
  expect(read('Lan 0901234567, 5 Lê Lợi, Bà Rịa - Vũng Tàu').district).toBeUndefined();
});

it.each([
  ['350k', 350_000],
  ['350.000đ', 350_000],
  ['1.250k', 1_250_000],
  ['12,5k', 12_500],
  ['1tr2', 1_200_000],
  ['1.2tr', 1_200_000],
  ['1tr250', 1_250_000],
  ['2 triệu', 2_000_000],
  ['350 nghìn', 350_000],
  ['1 triệu rưỡi', 1_500_000],
  ['2tr rưỡi', 2_500_000],
  ['0đ', 0],
  ['350', undefined],
  ['1.200', undefined],
  ['350k rưỡi', undefined],
  ['1.35', undefined],
  ['1.2tr3', undefined],
  ['1350.000', undefined],
])('reads %s as %s', (text, amount) => {
  expect(cashIn(text)).toBe(amount);
});

const toLan = 'Lan 0901234567 12 Lê Lợi, Bến Nghé, q1, hcm';

it.each([
  [`${toLan}, thu 1 triệu rưỡi`, 1_500_000],
  [`${toLan}, thu 350000 2 áo thun`, 350_000],
  [`${toLan}, thu 350.000, 2 áo thun`, 350_000],
  [`${toLan}, cod 350 000`, 350_000],
  [`${toLan}, thu hộ: 0đ`, 0],
  [`${toLan}, k thu tiền`, 0],
  // Thu is a name.
  ['Minh Thu 0901234567 12 Lê Lợi, Bến Nghé, q1, hcm', undefined],
  ['Minh Thu 0901 234 567 12 Lê Lợi, Bến Nghé, q1, hcm, thu 350k', 350_000],
  ['0901234567 Chị Thu 12/3 Lê Lợi, Bến Nghé, q1, hcm', undefined],
])('reads the cash of %j, and nothing else for cash', (message, cash) => {
  const { cod_amount, doubts, phone } = read(message);
  expect([cod_amount, doubts, phone]).toEqual([cash, [], '0901234567']);
});

it.each([
  'thu 1.200',
  'COD: 1,250',
  'cod 1tr2k',
  'thu -350k',
  'thu ~350k',
  'không cod 350k',
  'không thu 350k',
  'chưa thu 350k',
  'đã ck, thu 350k',
  'tổng 350.000 đã ck 100.000',
  'đã ck trước 100k',
  'đã chuyển khoản cọc: 100.000đ',
  'thu 350k + ship',
  'thu 350k chưa ship',
  'thu 350k rưỡi',
  'Thu 0123456789',
])('guesses no cash from %j', (text) => {
  const { doubts, cod_amount } = read(`${toLan}, ${text}`);
  expect([doubts.length, cod_amount]).toEqual([1, undefined]);
});

it.each([
  ...['đã ck đủ r nha', 'ck hết', 'ck r', 'đã chuyển khoản đủ ạ', 'bank rồi nha', 'paid', 'đã thanh toán', 'đã trả đủ'],
  ...['đã ck đủ 450k', 'ck đủ 300k nhé'],
])('collects nothing where all is paid, and shows the words: %s', (text) => {
  const { doubts, rest, cod_amount, paid } = read(`${toLan}\n${text}`);
  expect([doubts, rest, cod_amount]).toEqual([[], [], 0]);
  expect(text).toContain(paid);
});

it.each<[string, number | undefined, string | undefined]>([
  ['đã cọc 100k, còn lại 200k', 200_000, 'đã cọc 100k'],
  ['cọc rồi, còn 200k', 200_000, 'cọc rồi'],
  ['tổng 350k đã cọc 100k còn lại 200k', undefined, 'đã cọc 100k'],
  ['1 áo khoác gió đen L 450k\nđã ck đủ r nha', 0, 'đã ck đủ r'],
  ['1 áo khoác gió đen L 450k\nđã ck', undefined, 'đã ck'],
  ['1 áo 450k\nck rồi, còn lại 100k', undefined, 'ck rồi'],
  ['ck cọc rồi', undefined, 'ck cọc rồi'],
  ['đã ck đủ cọc 100k', undefined, 'đã ck đủ cọc 100k'],
  ['đã ck chưa ạ', undefined, undefined],
  ['chưa ck', undefined, undefined],
  ['2 áo, ship 0đ', undefined, undefined],
  ['quà 0đ', undefined, undefined],
])('reads what is left beside what is paid, and keeps the words: %s', (text, cash, words) => {
  const { cod_amount, paid } = read(`${toLan}\n${text}`);
  expect([cod_amount, paid]).toEqual([cash, words]);
});

it.each([
  ['tổng 350.000 đã ck 100.000', undefined, '250,000 of 350,000 may be left'],
  ['2 áo tổng tiền: 350k, đã ck 100k', 500_000, '250,000 of 350,000 may be left'],
  ['đã ck 100k', 350_000, '250,000 of 350,000 may be left'],
  ['đã ck 100k', undefined, 'how much is left to collect is not said'],
  ['đã ck 350k', 350_000, 'how much is left to collect is not said'],
])('leaves the rest of a total as a doubt: %j of %j', (text, total, left) => {
  const { doubts, cod_amount } = readMessage(locationTree, `${toLan}, ${text}`, { total });
  expect([doubts.filter((doubt) => doubt.includes(left)).length, cod_amount]).toEqual([1, undefined]);
});

it.each([
  ['Thanh Khê, ĐN', ['Đà Nẵng', 'Đồng Nai', 'Đắk Nông', 'did you mean Quận Thanh Khê, Thành phố Đà Nẵng?']],
  ['Điện Bàn, Q. Nam', ['"Q. Nam" may be Tỉnh Quảng Nam; did you mean Thị xã Điện Bàn, Tỉnh Quảng Nam?']],
  ['Q. Nam', ['"Q. Nam" may be Tỉnh Quảng Nam']],
  ['Biên Hòa, Đ.Nai', ['did you mean Thành phố Biên Hòa, Tỉnh Đồng Nai?']],
  ['Vĩnh Cửu, đn', ['Đà Nẵng', 'did you mean Huyện Vĩnh Cửu, Tỉnh Đồng Nai?']],
])('takes no province by its initials, and offers all that they may mean: %s', (place, offered) => {
  for (const how of [{}, { isAddress: true }]) {
    const { province, doubts } = readMessage(locationTree, `Lan 0901234567\n12 Lê Lợi, ${place}`, how);
    expect([province, doubts.length]).toEqual([undefined, 1]);
    for (const each of offered) expect(doubts[0]).toContain(each);
  }
});

it.each([
  ['Nam Dương, Hải Châu, ĐN', 'Quận Hải Châu, Thành phố Đà Nẵng'],
  ['Lộc Thọ, Nha Trang, KH.', 'Thành phố Nha Trang, Tỉnh Khánh Hòa'],
  ['P.1, TP Mỹ Tho, TG', 'Thành phố Mỹ Tho, Tỉnh Tiền Giang'],
  ['p. Tân Đông Hiệp, Dĩ An, BD', 'Thị xã Dĩ An, Tỉnh Bình Dương'],
  ['Tân An, Ninh Kiều, ct', 'Quận Ninh Kiều, Thành phố Cần Thơ'],
  ['F. Bến Nghé, Q. 1, HCM', 'Quận 1, Thành phố Hồ Chí Minh'],
  ['P2, Phú Nhuận', 'Quận Phú Nhuận, Thành phố Hồ Chí Minh'],
  ['Phường 2, Đà Lạt', 'Thành phố Đà Lạt, Tỉnh Lâm Đồng'],
  ['Nam Dương, Hải Châu, BD', undefined],
  ['Nam Dương, Hải Châu, Đa Nanh', undefined],
  ['P.1, Châu Thành', undefined],
])(
  'takes a ward and its district for the one place that has them, whatever is short for its province: %s',
  (place, found) => {
    for (const how of [{}, { isAddress: true }]) {
      const { address1, ward, district, province, doubts } = readMessage(
        locationTree,
        `Lan 0901234567\n12 Lê Lợi, ${place}`,
        how,
      );
      if (found === undefined) expect([ward, doubts.length]).toEqual([undefined, 1]);
      else expect([`${district}, ${province}`, ward !== undefined, doubts]).toEqual([found, true, []]);
      if (found !== undefined && 'isAddress' in how === false) expect(address1).toBe('12 Lê Lợi');
    }
  },
);

it('reads any text without failing', () => {
  for (const text of ['', ' , ; \n', '0'.repeat(5_000), 'hcm '.repeat(900), 'p q h tp '.repeat(300)]) {
    expect(read(text).goods).toBeDefined();
  }
});

it.each([
  ['freeship nha shop', 'freeship', undefined],
  ['free ship', 'free ship', undefined],
  ['cod 620k miễn ship', 'miễn ship', undefined],
  ['mien phi ship nhe', 'mien phi ship', undefined],
  ['freeship không shop?', undefined, 'freeship: whether that is granted is not clear'],
  ['đơn 500k thì được freeship', undefined, 'freeship: whether that is granted is not clear'],
  ['freeship, ship 30k', undefined, 'freeship: a fee for the delivery is named, too'],
  ['ship cod', undefined, undefined],
])('reads of "%s" whether the buyer pays the delivery', (text, words, doubt) => {
  const { free_delivery, doubts } = readMessage(locationTree, `Lan 0901234567 12 Lê Lợi, Bến Nghé, q1, hcm\n${text}`);
  expect([free_delivery, doubts.find((each) => /free/.test(each))]).toEqual([words, doubt]);
});

it.each([
  ['5 áo thun, 150k/c giam con 700k\ndc coc 200k', undefined, 'coc 200k: 500,000 of 700,000 may be left to collect'],
  [
    '5 áo thun, giảm giá chỉ còn 700k, đã cọc 200k',
    undefined,
    'đã cọc 200k: 500,000 of 700,000 may be left to collect',
  ],
  ['5 áo thun, sale xuống còn 700k, cọc 200k, còn 500k', 500_000, undefined],
  ['1 áo thun, giảm còn 700k, cọc 200k, còn 400k', undefined, 'cọc 200k: 500,000 of 700,000 may be left to collect'],
  ['1 áo thun\ncọc 100k, còn 80k ship thu đủ 110k', undefined, 'several amounts to collect: '],
  ['1 áo thun\ncọc 100k, còn 80k, ship 30k', undefined, '80,000: the fee beside it may be on top of it'],
  ['1 áo thun\ncọc 100k, còn 80k', 80_000, undefined],
  ['1 áo thun, thu đủ 110k', 110_000, undefined],
  ['1 áo thun, đã thu đủ 110k', undefined, '110k: what it is for is not clear'],
])('reads of "%s" one amount that is left, or none', (text, cash, doubt) => {
  const { cod_amount, doubts } = readMessage(locationTree, `Lan 0901234567 12 Lê Lợi, Bến Nghé, q1, hcm\n${text}`);
  expect([cod_amount, doubt === undefined || doubts.join('\n')]).toEqual([
    cash,
    doubt === undefined || expect.stringContaining(doubt),
  ]);
});

it('takes a lower price in a note for the price, and not for what is taken off it', () => {
  const said = cashOtherwiseIn('giảm còn 300k', 350_000);
  expect([said?.whole, said?.agreed(300_000), said?.agreed(50_000)]).toEqual(['giảm còn 300k', true, false]);
});

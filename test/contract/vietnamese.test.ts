import { afterEach, expect, it } from 'vitest';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { loadOperation } from '../../src/contract/areas.ts';
import { deviationsOf } from '../../src/contract/deviations.ts';
import type { OperationId } from '../../src/contract/operation-id.ts';
import { orderRequest } from '../../src/contract/records/order.ts';
import { isOfMissing } from '../../src/contract/schema/hint.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { lookAt } from '../../src/contract/schema/likeness.ts';
import { beforeCancelling, cancelledWithShipments, notShipped } from '../../src/contract/schema/order-rules.ts';
import { checkRequest } from '../../src/contract/schema/parse.ts';
import { doubtOf } from '../../src/contract/schema/written-values.ts';
import { speak } from '../../src/domain/language.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { leftOver, pseudoLanguage } from '../support/pseudo.ts';

afterEach(() => speak(undefined, 0));

/** What is wrong with a request, by its fields. */
async function wrongWith(id: OperationId, request: unknown): Promise<string[]> {
  const checked = checkRequest(await loadOperation(id), request);
  return checked.ok ? [] : checked.errors.map(({ message }) => message);
}

const order = {
  customer_address: { full_name: 'Lan', phone: '0901234567' },
  lines: [{ product_name: 'Áo', quantity: 0, retail_price: 100, payment_price: 200 }],
  total_items: 3,
  total_amount: -1,
  shipping: { gross_weight: 2000, chargeable_weight: 500 },
};

/** Requests that are refused, each in another way. */
const refused: readonly (readonly [OperationId, unknown])[] = [
  ['shop.Order/CreateOrder', order],
  [
    'shop.Order/CreateOrder',
    { lines: 'a', total_amount: 1.5, payment_method: 'cash', cod_amuont: 1, total_fee: 2 ** 60 },
  ],
  ['shop.Order/GetOrder', {}],
  ['shop.CustomerGroupRelationship/ListRelationships', { filter: { customer_id: '1', group_id: '2' } }],
  ['shop.Order/GetOrder', { id: 2 ** 60 }],
  ['shop.Order/GetOrder', { id: 'abc' }],
  ['shop.Customer/CreateCustomer', { full_name: ' ', gender: 3 }],
  ['shop.Customer/CreateCustomer', { phone: true }],
  ['shop.Webhook/CreateWebhook', { url: 'ftp://a', entities: ['order', 'order'], fields: ['a'] }],
  ['shop.Webhook/CreateWebhook', { url: 'https://a:b@c', entities: [] }],
  ['shop.CustomerAddress/CreateAddress', { customer_id: '1', coordinates: { latitude: 200 } }],
];

const typed =
  /\b(?:[a-z]+_[a-z_]+|lines|quantity|id|code|cod|bank|other|vtpay|order|unknown|male|female|latitude|longitude|url|MAX|filter)\b/g;

const wordsLeft = (text: string) =>
  leftOver(text.replaceAll('⟦', ' ⟦'))
    .replaceAll(typed, ' ')
    .match(/[a-z]{2,}/gi) ?? [];

it.each(refused)('refuses a request of %s in the language of the run', async (id, request) => {
  const english = await wrongWith(id, request);
  speak(pseudoLanguage, 0);
  const said = await wrongWith(id, request);
  expect(said.length).toBe(english.length);
  expect(said.length).toBeGreaterThan(0);
  expect(said.flatMap(wordsLeft)).toEqual([]);
  expect(said.every((text) => text.includes('⟦'))).toBe(true);
});

it('tells what is unusual about an order in the language of the run', async () => {
  const lines = [
    { product_name: 'Á', quantity: 1 },
    { product_name: '3 cái áo', quantity: 1 },
    { product_name: '3 cái áo', quantity: 1 },
  ];
  const address = { phone: '912345678', province: 'Hà Nôii' };
  const unusual = [
    {
      external_id: 'Đơn 1',
      lines,
      total_amount: 1000,
      shipping: { cod_amount: 5000, gross_weight: 0 },
      shipping_address: address,
    },
    { total_amount: 1000, shipping: { cod_amount: 100, gross_weight: 120_000 } },
    { shipping: { gross_weight: 3 } },
  ];
  const looker = { today: '2026-11-30', places: async () => locationTree };
  const notesOf = async () =>
    (await Promise.all(unusual.map((one) => lookAt(jsonSchema(orderRequest), one, looker)))).flatMap(({ notes }) =>
      notes.map(({ message }) => message),
    );
  speak(pseudoLanguage, 0);
  expect((await notesOf()).flatMap(wordsLeft).filter((word) => !'Thành phố Hà Nội Nôii'.includes(word))).toEqual([]);
  speak(vietnamese, 0);
  expect(await notesOf()).toEqual([
    'có vẻ mất số 0 ở đầu; có phải 0912345678 không?',
    '"Hà Nôii" không có trong danh sách địa danh; có phải Thành phố Hà Nội không?',
    'có thể bị hệ thống từ chối: nên dùng 2 đến 100 chữ không dấu, chữ số và -._$#:',
    'chỉ có một ký tự, hệ thống có thể từ chối',
    'trùng với một dòng khác của đơn, và cả hai đều được gửi: xóa một dòng nếu chép nhầm',
    'tên ghi 3 cái, còn số lượng là 1',
    'tên ghi 3 cái, còn số lượng là 1',
    'nhiều hơn tổng tiền của đơn 4.000\u00A0₫ (tổng 1.000\u00A0₫)',
    'là 0 g: phí tính như kiện nhẹ nhất, đơn vị vận chuyển có thể thu thêm',
    'chỉ bằng một phần mười tổng tiền của đơn, 1.000\u00A0₫',
    'là 120.000 g, tức 120 kg: có đúng không?',
    'là 3 g: có phải 3 kg không?',
  ]);
});

const answer = (parcels: readonly object[], more: object = {}) => ({
  order: { id: '1', code: 'DH1', status: 'S', total_amount: 450_000, shipping_address: { full_name: 'Lan' }, ...more },
  fulfillments: parcels,
});

it('says in Vietnamese what a cancellation ends, and what goes on', () => {
  speak(vietnamese, 0);
  const created = { shipping_code: 'TO1', shipping_state: 'created', cod_amount: 450_000 };
  expect(beforeCancelling(answer([created]))).toEqual({
    subject: 'đơn DH1 của Lan: đang xử lý, 450.000\u00A0₫, vận đơn TO1 chờ lấy hàng, thu hộ 450.000\u00A0₫',
    effect: 'đơn bị hủy, cùng với vận đơn TO1',
    endsToo: 'không hủy riêng đơn DH1: vận đơn TO1 chưa được lấy, và sẽ bị hủy theo',
  });
  const away = (shipping_state: string) => beforeCancelling(answer([{ ...created, shipping_state }]));
  expect(away('delivering')).toMatchObject({
    effect: 'đơn bị hủy; vận đơn TO1 đang giao và đi tiếp, còn thu hộ 450.000\u00A0₫',
    goesOn: 'không hủy đơn DH1: vận đơn TO1 đang giao: đơn vị vận chuyển đang giữ hàng, không dừng được nữa',
  });
  expect(away('delivered')?.goesOn).toBe(
    'không hủy đơn DH1: vận đơn TO1 đã giao: khách đã nhận hàng, đã thu hộ 450.000\u00A0₫, và hệ thống không nhận yêu cầu trả hàng',
  );
  expect(away('returning')?.effect).toBe('đơn bị hủy; vận đơn TO1 đang hoàn, hàng tự về');
  expect(beforeCancelling(answer([], { fulfillment_shipping_status: 'S' }))?.goesOn).toBe(
    'không hủy đơn DH1: phần giao hàng đang xử lý, không dừng được nữa',
  );
  const failed = {
    // One that no carrier had yet is cancelled, and not said to stay.
    ...answer(
      [
        { ...created, shipping_state: 'returned' },
        { ...created, shipping_code: 'TO2' },
      ],
      { status: 'N' },
    ),
    fulfillment_errors: [{ code: 'x' }],
  };
  expect(cancelledWithShipments(failed)).toBe('đơn DH1 đã hủy, nhưng vận đơn TO1 đã hoàn, giữ nguyên như vậy');
  expect(notShipped({ shipping: {} })).toBe(
    'phần giao hàng được lưu cùng đơn, nhưng không gửi gì, kể cả khi đơn được xác nhận',
  );
});

it.each([
  [
    350,
    '350.000',
    'ghi là 350.000, máy đọc là 350, có thể là 350.000 hoặc 350: ghi không có dấu chấm, hoặc trong dấu nháy',
  ],
  [1.5, '1.5', 'ghi là 1.5, máy đọc là 1,5: ghi không có dấu chấm, hoặc trong dấu nháy'],
  [16, '0x10', 'ghi là 0x10, máy đọc là 16: ghi bằng chữ số'],
])('says in Vietnamese how %s is doubtful that is written %s', (value, written, wanted) => {
  speak(vietnamese, 0);
  expect(doubtOf({ type: 'integer' }, value, written)).toBe(wanted);
});

it('knows in any language which field is missing, and what a service deviates in stays in English', async () => {
  const get = await loadOperation('shop.Order/GetOrder');
  for (const language of [undefined, vietnamese, pseudoLanguage]) {
    speak(language, 0);
    const webhook = checkRequest(await loadOperation('shop.Webhook/CreateWebhook'), {});
    expect(webhook.ok ? [] : webhook.errors.map(isOfMissing)).toEqual([true, true]);
    expect(deviationsOf(get, { order: { id: '1', total_items: 'a' } })).toEqual([
      { path: 'order.total_items', kind: 'breaks', expected: 'an integer', seen: 'text of 1 characters' },
    ]);
  }
});

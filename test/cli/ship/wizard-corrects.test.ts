import { describe, expect, it } from 'vitest';
import { PromptEnded } from '../../../src/platform/terminal/prompter.ts';
import { orderFields } from '../../support/sandbox-order.ts';
import type { ScriptedAnswer } from '../../support/scripted-prompter.ts';
import { type Between, type ShopWorld, shopWorld } from '../../support/shop-world.ts';

const terminal = { terminal: true, env: { TERM: 'xterm' } } as const;
const ship = ['ship', '--profile', 'shop', '--pick', 'cheapest'];

const place = { typed: 'p dich vong cau giay hn' };
const pickup: ScriptedAnswer[] = [
  ...['Kho Liên Chiểu', '0905123456', { typed: 'p hoa khanh nam lien chieu da nang' }, 'Lô 7 KCN'],
];
const newRecipient: ScriptedAnswer[] = [
  ...[{ typed: 'Trần Thị Bưởi', taken: 'somebody else: Trần Thị Bưởi' }, '0912345687', place, '1 Lê Lợi'],
];
const goods: ScriptedAnswer[] = [
  ...[{ typed: 'Trà', taken: 'something else: Trà' }, '2', '100000', '90000', 'that is all'],
];
const parcel: ScriptedAnswer[] = ['0', '0', '0', { typed: '1200' }, '180000', 'yes, insured', 'nothing'];
const typed = [...pickup, ...newRecipient, ...goods, ...parcel];

/** A shop with one customer, who has an address, and one product. */
async function stocked(
  between?: Between,
): Promise<ShopWorld & { readonly sent: () => Promise<Record<string, unknown>> }> {
  const world = await shopWorld(between);
  const { post, shop } = world.service;
  const lan = { full_name: 'Nguyễn Thị Lan', phone: '0901234567' };
  const { body: customer } = await post('shop.Customer/CreateCustomer', lan, shop.apiKey);
  const address = { ...orderFields.shipping_address, ...lan, customer_id: customer.id };
  await post('shop.CustomerAddress/CreateAddress', address, shop.apiKey);
  await post('shop.Product/CreateProduct', { name: 'Balo vải bố', retail_price: 250_000 }, shop.apiKey);
  const sent = async () => (await post('shop.Order/ListOrders', {}, shop.apiKey)).body.orders[0];
  return { ...world, sent };
}

/** Takes what a question proposes. */
const proposed: ScriptedAnswer = ({ initial = '' }) => initial;

describe('correcting the recipient at the review', () => {
  it('asks for phone, place and street of another person again, each proposed', async () => {
    const world = await stocked();
    const { exit, prompter } = await world.run(ship, {
      ...terminal,
      answers: [
        ...typed,
        'change: recipient',
        { typed: 'Năm Roi', taken: 'somebody else: Năm Roi' },
        ({ initial }) => {
          expect(initial).toBe('0912345687');
          return '0987654321';
        },
        { typed: 'ben nghe q1 hcm' },
        proposed,
        ...['send it', false],
      ],
    });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(await world.sent()).toMatchObject({
      shipping_address: { full_name: 'Năm Roi', phone: '0987654321', ward: 'Phường Bến Nghé', address1: '1 Lê Lợi' },
    });
  });

  it('starts from the recipient as it is: Enter alone changes nothing of the name', async () => {
    const world = await stocked();
    const { exit } = await world.run(ship, {
      ...terminal,
      answers: [
        ...typed,
        'change: recipient',
        ...[{ typed: '' }, '0912345687', { typed: '' }, '2 Lê Lợi', 'send it', false],
      ] as ScriptedAnswer[],
    });
    expect(exit).toBe(0);
    expect(await world.sent()).toMatchObject({
      shipping_address: {
        full_name: 'Trần Thị Bưởi',
        phone: '0912345687',
        ward: 'Phường Dịch Vọng',
        address1: '2 Lê Lợi',
      },
    });
  });
});

describe('changing a line', () => {
  it('starts from its product: Enter alone keeps it', async () => {
    const world = await stocked();
    const { exit, prompter } = await world.run(ship, {
      ...terminal,
      answers: [
        ...typed,
        ...['change: lines', 'change 2 x Trà at 90,000', { typed: '' }, '3', proposed, proposed, 'that is all'],
        ...['270000', 'send it', false],
      ] as ScriptedAnswer[],
    });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    const { lines } = await world.sent();
    expect(lines).toMatchObject([{ product_name: 'Trà', quantity: 3, retail_price: 100_000, payment_price: 90_000 }]);
  });
});

it('a price that was taken back is proposed no more once another one was typed', async () => {
  const world = await stocked();
  const prices: (string | undefined)[] = [];
  const look: ScriptedAnswer = ({ initial = '' }) => {
    prices.push(initial);
    return initial;
  };
  const other: ScriptedAnswer[] = [{ typed: 'Trà', taken: 'something else: Trà' }, '2', '1tr2', '<', '90000', '90000'];
  const { exit, prompter } = await world.run(ship, {
    ...terminal,
    answers: [
      ...[...pickup, ...newRecipient, ...other, 'that is all', ...parcel],
      ...['change: lines', 'change 2 x Trà at 90,000', { typed: '' }, '2', look, look, 'that is all'],
      ...['send it', false],
    ] as ScriptedAnswer[],
  });
  expect([exit, prompter.left(), prices]).toEqual([0, 0, ['90000', '90000']]);
});

describe('going back to something that was searched for', () => {
  it('proposes first what was chosen: a customer, a place, a product, a parcel', async () => {
    const world = await stocked();
    const { post, shop } = world.service;
    await post('shop.Product/CreateProduct', { name: 'Áo mưa', retail_price: 90_000 }, shop.apiKey);
    for (const [full_name, phone] of [
      ['Ngô Quốc Huy', '0910000822'],
      ['Bùi Văn Ba', '0910000833'],
    ]) {
      await post('shop.Customer/CreateCustomer', { full_name, phone }, shop.apiKey);
    }
    const [again, back] = [{ typed: '' }, { typed: '<' }];
    const { exit, prompter } = await world.run(ship, {
      ...terminal,
      answers: [
        ...['Kho Liên Chiểu', '0905123456', { typed: 'lien chieu' }, back, again, { typed: 'khanh nam' }, '<', again],
        ...['Lô 7 KCN', { typed: 'quoc huy' }, back, again, place, '12 ngõ 5'],
        ...[{ typed: 'balo' }, '<', again, '2', proposed, 'that is all', '0', '0', '0'],
        ...[{ typed: '1200 30x20x10' }, '<', again, '500000', 'yes, insured', 'nothing', 'send it', false],
      ] as ScriptedAnswer[],
    });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(await world.sent()).toMatchObject({
      shipping_address: { full_name: 'Ngô Quốc Huy' },
      lines: [{ product_name: 'Balo vải bố', quantity: 2, retail_price: 250_000 }],
      shipping: {
        pickup_address: { district: 'Quận Liên Chiểu', ward: 'Phường Hòa Khánh Nam' },
        gross_weight: 1_200,
        length: 30,
      },
    });
  });
});

const ofMai = 'Lê Thị Mai, 0912345678, ';
const stored = 'Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội';
it.each<[string, object, string, string[]]>([
  ['a street, which is asked for', { address1: '-' }, `${ofMai}${stored}`, ['9 ngõ 7']],
  ['a name, which is the customer', { full_name: '-' }, `0912345678, 12 ngõ 5, ${stored}`, []],
  ['a phone, which is the one of the customer', { phone: '-' }, `Lê Thị Mai, 12 ngõ 5, ${stored}`, []],
])('takes nothing for what an address of a customer has a dash for: %s', async (_, dashed, shown, asked) => {
  const world = await stocked();
  const { post, shop } = world.service;
  const mai = { full_name: 'Lê Thị Mai', phone: '0912345678' };
  const { body: customer } = await post('shop.Customer/CreateCustomer', mai, shop.apiKey);
  const address = { ...orderFields.shipping_address, ...mai, customer_id: customer.id, ...dashed };
  await post('shop.CustomerAddress/CreateAddress', address, shop.apiKey);
  const { exit, prompter, stderr } = await world.run(ship, {
    ...terminal,
    answers: [
      ...[...pickup, { typed: 'le thi mai', taken: 'Lê Thị Mai, 0912345678, KH000002' }, shown, ...asked],
      ...[...goods, ...parcel, 'send it', false],
    ] as ScriptedAnswer[],
  });
  expect([exit, prompter.left(), exit === 0 || stderr]).toEqual([0, 0, true]);
  expect(await world.sent()).toMatchObject({ shipping_address: { full_name: 'Lê Thị Mai', phone: '0912345678' } });
  expect(JSON.stringify(await world.sent())).not.toContain('"-"');
});

it('finds a customer behind the newest thousand', async () => {
  const world = await stocked();
  const { post, shop } = world.service;
  const more = Array.from({ length: 1001 }, (_, index) => ({ full_name: `Khách ${index}`, phone: '0901234567' }));
  for (const customer of more) await post('shop.Customer/CreateCustomer', customer, shop.apiKey);
  const { prompter } = await world.run(ship, {
    ...terminal,
    answers: [...pickup, { typed: 'nguyen thi lan', taken: 'Nguyễn Thị Lan, 0901234567, KH000001' }, new PromptEnded()],
  });
  expect(prompter.asked.at(-1)).toBe('Recipient: which address?');
});

it('finds any of the customers of a large shop', async () => {
  const first = { full_name: 'Hoa Sen Đầu Tiên', phone: '0901234567' };
  const many = 60_000;
  const page = (from: number) =>
    Array.from({ length: Math.min(1000, many - from) }, (_, index) => {
      const last = from + index === many - 1;
      return { id: String(1000 + from + index), full_name: `Khách ${from + index}`, ...(last ? first : {}) };
    });
  const world = await stocked((transport) => async (request) => {
    if (!request.url.endsWith('ListCustomers')) return transport(request);
    const from = Number(JSON.parse(request.body ?? '{}').paging.after ?? 0);
    const customers = page(from);
    const paging = { next: String(from + customers.length), prev: null };
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ customers, paging }),
    };
  });
  const { prompter } = await world.run(ship, {
    ...terminal,
    answers: [...pickup, { typed: 'hoa sen', taken: 'Hoa Sen Đầu Tiên, 0901234567' }, new PromptEnded()],
  });
  expect(prompter.asked.at(-1)).not.toBe('Recipient: name or phone of a customer');
});

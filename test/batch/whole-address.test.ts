import { expect, it } from 'vitest';
import { BatchError } from '../../src/batch/batch-error.ts';
import { rowSchemaOf } from '../../src/batch/plan/record-finders.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { mappingOf } from '../../src/sheets/mapping/mapping.ts';
import { proposeMapping } from '../../src/sheets/mapping/propose-mapping.ts';
import { batchWorld, orderCells, orderHeader, orderSheet } from './batch-world.ts';

const isOfPlace = (name: string) => /^shipping_address\.(?!full_name|phone)/.test(name);

/** A sheet whose parcel's address is in one column, with other columns left out. */
function wholeSheet(text: string, without: readonly string[] = []): string {
  const left = (name: string) => isOfPlace(name) || without.includes(name);
  const header = [...orderHeader.filter((name) => !left(name)), 'shipping_address.full'];
  const cells = orderCells(1).filter((_, index) => !left(orderHeader[index] ?? ''));
  return orderSheet([[...cells, text]], header);
}

async function faultsOf(sheet: string, changes: { readonly ignored?: readonly string[] } = {}): Promise<string[]> {
  const world = await batchWorld();
  const error = await world.run(sheet, changes).catch((reason: unknown) => reason);
  if (!(error instanceof BatchError)) throw error;
  expect(await world.orders()).toEqual([]);
  return error.faults.map(({ message }) => message);
}

const person = ['shipping_address.full_name', 'shipping_address.phone'];
const goods = ['lines.product_name', 'lines.quantity', 'shipping.cod_amount'];

it('ships to an address that is in one column', async () => {
  const world = await batchWorld();
  const { summary } = await world.run(wholeSheet('12/3 Lê Lợi, p.Bến Nghé, q1, hcm'));
  expect(summary.counts.done).toBe(1);
  const place = { ward: 'Phường Bến Nghé', district: 'Quận 1', province: 'Thành phố Hồ Chí Minh' };
  expect(await world.orders()).toMatchObject([
    { shipping_address: { address1: '12/3 Lê Lợi', ...place, full_name: 'Khách 1' } },
  ]);
});

it('takes recipient, goods and cash from the message of a buyer, and says how it was read', async () => {
  const world = await batchWorld();
  const message = 'Chị Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, 2 áo thun, thu 350k, giao sớm';
  const sheet = wholeSheet(message, [...person, ...goods]);
  const planned = await world.plan(sheet, { isLookupOnly: true });
  if (planned.kind !== 'planned') throw new Error('it was planned before');
  planned.release();
  expect(planned.facts.remarks.readings.map(({ message: reported }) => reported)).toEqual([
    'is read as Chị Lan, 0901234567, 12/3 Lê Lợi, Phường Bến Nghé, Quận 1, Thành phố Hồ Chí Minh, 2 × áo thun, cash 350,000',
  ]);
  expect(planned.facts.remarks.warnings).toMatchObject([
    { code: 'not_understood', message: 'is not understood, and left out' },
    // The price has a column of its own: two of them are 900,000.
    { code: 'cash_below_total' },
  ]);
  await world.run(sheet);
  expect(await world.orders()).toMatchObject([
    { lines: [{ product_name: 'áo thun', quantity: 2 }], shipping: { cod_amount: 350_000 } },
  ]);
  const inPart = await world.plan(
    wholeSheet(message.replace('thu 350k', 'cọc 550k, còn thu 350k'), [...person, ...goods]),
    {
      isLookupOnly: true,
    },
  );
  if (inPart.kind !== 'planned') throw new Error('it was planned before');
  inPart.release();
  expect(inPart.facts.remarks.warnings.map(({ code }) => code)).toEqual(['not_understood']);
});

it('lets a column of its own count more than the text', async () => {
  const world = await batchWorld();
  await world.run(wholeSheet('Chị Lan 0999999999, 12/3 Lê Lợi, p.Bến Nghé, q1, hcm, thu 1tr'));
  const [order] = await world.orders();
  expect(order).toMatchObject({
    shipping_address: { full_name: 'Khách 1', phone: '0910000001' },
    shipping: { cod_amount: 900_000 },
  });
});

it.each([
  ['12/3 Lê Lợi, p.Bến Nghé, q1, Sài Thành', 'no province is named; did you mean '],
  ['p.Bến Nghé, q1, hcm', 'names no street'],
  ['12 Lê Lợi, q1, hcm', 'names no ward'],
  ['12 Lê Lợi, p.Bến Nghé, q1, hcm, thu 350', 'thu 350: the amount can be read in more than one way'],
  ['0901234567 0907654321, 12 Lê Lợi, p.Bến Nghé, q1, hcm', 'several phone numbers: 0901234567, 0907654321'],
])('sends nothing where %s leaves a doubt about money or place', async (text, message) => {
  expect(await faultsOf(wholeSheet(text))).toContainEqual(expect.stringContaining(message));
});

it('reports once what a text lacks', async () => {
  expect(await faultsOf(wholeSheet('12 Lê Lợi, phường lạ, quận lạ, hcm'))).toEqual([
    expect.stringMatching(/^names no district; it is read as .*12 Lê Lợi, phường lạ, quận lạ/),
  ]);
});

it('takes the pickup from one text for all rows, whatever a shop calls its place, and says what is missing', async () => {
  const world = await batchWorld();
  const file = 'Mã,Tên,SĐT,Đ/c,Hàng,SL,Giá\nA-1,Lan,0901234567,"12 Lê Lợi, p.Bến Nghé, q1, hcm",Áo,1,150000\n';
  const columns = {
    Mã: 'external_id',
    Tên: person[0],
    SĐT: person[1],
    'Đ/c': 'shipping_address.full',
    Hàng: goods[0],
    SL: goods[1],
  };
  const mapped = (pickup: string, price: object) =>
    mappingOf(
      {
        columns: { ...columns, ...price },
        constants: {
          'shipping.pickup_address.full': pickup,
          'shipping.gross_weight': 500,
          'shipping.try_on': 'open',
        },
      },
      'test',
    );
  const place = 'Lô 7, Hòa Khánh Nam, Liên Chiểu, Đà Nẵng';
  const priced = { Giá: 'lines.retail_price' };
  await world.run(file, { mapping: mapped(`Kho A, 0905123456, ${place}`, priced) });
  expect(await world.orders()).toMatchObject([
    { shipping: { pickup_address: { full_name: 'Kho A', address1: 'Lô 7' } } },
  ]);
  const wrong = async (pickup: string, price: object) => {
    const error = await world.run(file, { mapping: mapped(pickup, price) }).catch((reason: unknown) => reason);
    return error instanceof BatchError ? error.faults.map(({ message }) => message) : [];
  };
  const read = /^names no person, no phone number; it is read as Lô 7, /;
  expect(await wrong(place, priced)).toEqual([expect.stringMatching(read)]);
  const lacks = 'lines.retail_price is required, and no column has it: add one, or a constant of a mapping';
  expect(await wrong(`Kho A, 0905123456, ${place}`, { Giá: null })).toEqual([lacks]);
});

it('proposes one column for the whole address where no other has the province', async () => {
  const schema = rowSchemaOf(await findWork('ship', 'partner'));
  const fieldsOf = (header: readonly string[]) => proposeMapping(header, schema).map(({ mapping }) => mapping?.field);
  expect(fieldsOf(['Tên khách', 'Địa chỉ'])).toEqual(['shipping_address.full_name', 'shipping_address.full']);
  expect(fieldsOf(['Địa chỉ', 'Tỉnh'])).toEqual(['shipping_address.address1', 'shipping_address.province']);
  const [name, phone, whole] = ['full_name', 'phone', 'full'].map((field) => `shipping_address.${field}`);
  const everyday = ['Khách', 'Di động', 'Đ/c giao', 'Nội dung hàng'];
  expect(fieldsOf(everyday)).toEqual([name, phone, whole, 'lines.product_name']);
  expect(fieldsOf(['Khách', 'SĐT', 'Items', 'TP'])).toEqual([
    name,
    phone,
    'lines.product_name',
    'shipping_address.province',
  ]);
  // Who pays is another one than who receives.
  const two = ['Khách', 'SĐT', 'Người nhận', 'SĐT nhận', 'Địa chỉ'];
  expect(fieldsOf(two)).toEqual([undefined, undefined, name, phone, whole]);
});

it.each([
  ['', 'đã ck 100k', 1],
  ['all', 'khách đã chuyển khoản cọc 100.000đ', 1],
  ['all', 'đã cọc 100k', 1],
  ['', 'cọc trước 100 nghìn', 1],
  ['all', 'đã ck 100k', 1, 'order_note'],
  ['rest', 'đã cọc 100k', 0, 'order_note'],
  ['rest', 'đã ck 100k', 0],
  ['', 'đã ck', 0],
  ['all', 'hộp bọc cọc 4', 0],
  ['delivered', 'đã ck 100k', 1],
  ['delivered', 'cọc 100k', 1],
  ['less', 'cọc 100k', 1],
  ['rest delivered', 'đã ck 100k', 1],
  ['rest delivered', 'đã ck 100k, ship 30k', 0],
  ['rest delivered', 'cọc 100k', 0, 'shipping.shipping_note', '30000'],
  ['delivered', 'cọc 100k', 1, 'shipping.shipping_note', '30000'],
  ['rest', 'VCB 100k', 0],
  ['all', 'vcb 100k', 1],
])(
  'with the cash "%s" and the note "%s", what is left of a part that is paid is %s doubt',
  async (cash, note, count, field = 'shipping.shipping_note', fee = '') => {
    const header = [...orderHeader, field, 'buyer_shipping_fee'];
    const cells = orderCells(1);
    const at = (name: string) => cells[orderHeader.indexOf(name)] ?? '';
    const total = Number(at('lines.quantity')) * Number(at('lines.retail_price').replaceAll('.', ''));
    const amounts: Readonly<Record<string, string>> = {
      all: String(total),
      rest: String(total - 100_000),
      delivered: String(total + 30_000),
      less: String(total - 50_000),
      'rest delivered': String(total - 70_000),
    };
    const given = cells.with(orderHeader.indexOf('shipping.cod_amount'), amounts[cash] ?? '');
    const sheet = orderSheet([[...given, note, fee]], header);
    const [whole, left_] = [total + Number(fee), total + Number(fee) - 100_000];
    const left = `${left_.toLocaleString('en')} of ${whole.toLocaleString('en')} may be left to collect`;
    const faults = count === 0 ? [] : await faultsOf(sheet);
    expect(faults).toEqual(Array(count).fill(expect.stringContaining(left)));
    if (count === 0) expect((await (await batchWorld()).run(sheet)).summary.counts.done).toBe(1);
  },
);

it.each<[string, string, string, string]>([
  ['', 'thu 350k', 'line 2, column shipping.shipping_note says that 350,000 are collected, and no cash is', ''],
  ['0', 'COD 350.000', 'line 2, column shipping.shipping_note says that 350,000 are collected, and no cash is', ''],
  ['350000', 'thu 350k', '', ''],
  ['350000', 'thu hộ 300k', '', 'speaks of 300,000 to collect, and 350,000 are collected'],
  [
    '900000',
    'đã ck',
    'line 2, column shipping.shipping_note says that nothing is left to pay, and 900,000 are collected',
    '',
  ],
  ...[
    'không thu tiền',
    'ck rồi',
    'đã momo',
    'momo rồi',
    'đã thanh toán',
    'khách đã chuyển khoản',
    'da tt',
    'đã nhận tiền',
    'đã nhận 100% tiền',
    'đã chuyển tiền',
    'đã thu tiền',
    'không lấy tiền khách',
    'paid',
    'đơn 0đ',
  ].map((note): [string, string, string, string] => [
    '900000',
    note,
    'line 2, column shipping.shipping_note says that nothing is left to pay, and 900,000 are collected',
    '',
  ]),
  ...['cọc 50', 'coc 200', 'đã cọc', 'cọc rồi', 'cọc 50%'].map((note): [string, string, string, string] => [
    '900000',
    note,
    `line 2, column shipping.shipping_note says ${JSON.stringify(note)}: how much is left to collect is not said`,
    '',
  ]),
  ...['cod', 'ship cod'].map((note): [string, string, string, string] => [
    '0',
    note,
    'line 2, column shipping.shipping_note says that it is paid on delivery, and no cash is collected',
    '',
  ]),
  ...['cod 250', 'thu hộ 250'].map((note): [string, string, string, string] => [
    '900000',
    note,
    '',
    `says ${note}: the amount can be read in more than one way, and 900,000 are collected`,
  ]),
  ...['cod 900', 'thu 900.000', 'thu 900000'].map((note): [string, string, string, string] => ['900000', note, '', '']),
  [
    '0',
    'thu 250',
    'line 2, column shipping.shipping_note says thu 250: the amount can be read in more than one way, and no cash is collected',
    '',
  ],
  ['900000', 'ship cod', '', ''],
  ['900000', 'ship 0đ', '', ''],
  ['900000', 'tặng khăn 0đ', '', ''],
  ['850000', 'cọc 50', '', ''],
  ['450000', 'cọc 50%', '', ''],
  ...['đã cọc', 'ck trước một nửa', 'ck trước 50%'].map((note): [string, string, string, string] => [
    '930000',
    note,
    `line 2, column shipping.shipping_note says ${JSON.stringify(note)}: how much is left to collect is not said`,
    '',
  ]),
  ['800000', 'đã cọc', '', 'says "đã cọc": are 800,000 what is left?'],
  [
    '930000',
    'khách đã ck ship 30k',
    'line 2, column shipping.shipping_note says "đã ck ship 30k": 870,000 of 900,000 may be left to collect',
    '',
  ],
  ...['thu thêm 20k ship', 'giảm 10%', 'khách dặn bớt 20k', 'free', 'vip, free'].map(
    (note): [string, string, string, string] => [
      '900000',
      note,
      `line 2, column shipping.shipping_note says ${JSON.stringify(note.replace(/^khách dặn |^vip, | ship$/, ''))}, and 900,000 are collected`,
      '',
    ],
  ),
  ['930000', 'free ship', 'line 2, column shipping.shipping_note says "free ship", and 930,000 are collected', ''],
  ['900000', 'freeship', '', ''],
  ['920000', 'thu thêm 20k ship', '', ''],
  ['810000', 'giảm 10%', '', ''],
  ['880000', 'khách dặn bớt 20k', '', ''],
  ['0', 'đã momo', '', ''],
  ['900000', 'thu thêm gì thì gọi, mã 1234', '', ''],
])('with the cash "%s", a note that says "%s" is invalid, or a warning', async (cash, note, fault, warning) => {
  const cells = orderCells(1).with(orderHeader.indexOf('shipping.cod_amount'), cash);
  const world = await batchWorld();
  const sheet = orderSheet([[...cells, note]], [...orderHeader, 'shipping.shipping_note']);
  const planned = await world.plan(sheet, { skipBad: true });
  planned.release();
  if (planned.kind !== 'planned') throw new Error('the sheet is known');
  const { faults, remarks } = planned.facts;
  expect(faults.map(({ cell, message }) => `${cell} ${message.split(';')[0]}`)).toEqual(fault === '' ? [] : [fault]);
  const said = remarks.warnings.flatMap(({ code, message }) => (code === 'cash_in_note' ? [message] : []));
  expect(said).toEqual(warning === '' ? [] : [warning]);
});

it.each([
  ['gọi trước khi giao, cho xem hàng', false],
  ['giao cho chị Lan sau 17h, không cho thử', false],
  ['ứng 100', true],
  ['công nợ', true],
  ['- 20k', true],
  ['giao cty: 5 Trần Phú', true],
  ['giao cho Trần Phú, tầng 5', false],
  ['6/12', true],
  ['06/12/2026', true],
])('a note that says "%s" is passed on, with a warning unless it only says how to deliver', async (note, isUnread) => {
  const world = await batchWorld();
  const sheet = orderSheet([[...orderCells(1), note]], [...orderHeader, 'shipping.shipping_note']);
  const planned = await world.plan(sheet, {});
  planned.release();
  if (planned.kind !== 'planned') throw new Error('the sheet is known');
  const { faults, remarks } = planned.facts;
  expect([faults, remarks.warnings.filter(({ code }) => code === 'unread_note').length]).toEqual([
    [],
    isUnread ? 1 : 0,
  ]);
});

it.each([
  ['open', 'Không cho xem hàng', 'none'],
  ['open', 'ko cho khách xem, gọi trước', 'none'],
  ['open', 'Cho thử hàng', 'try'],
  ['none', 'cho xem hàng, không thử', 'open'],
  ['none', 'đồng kiểm', 'open'],
  ['try', 'không được thử', 'open or none'],
  ['open', 'cho xem hàng không thử', ''],
  ['open', 'không cho thử', ''],
  ['try', 'cho khách thử', ''],
  ['none', 'cho thu hộ cả ship', ''],
])('with try_on %s, a note that says "%s" is a warning where it does not agree', async (tryOn, note, meant) => {
  const header = [...orderHeader.filter((name) => name !== 'shipping.try_on'), 'shipping.try_on', 'order_note'];
  const cells = orderCells(1).filter((_, at) => orderHeader[at] !== 'shipping.try_on');
  const world = await batchWorld();
  const planned = await world.plan(orderSheet([[...cells, tryOn, note]], header), {});
  planned.release();
  if (planned.kind !== 'planned') throw new Error('the sheet is known');
  const said = planned.facts.remarks.warnings.flatMap(({ code, message }) =>
    code === 'try_on_in_note' ? [message] : [],
  );
  const whole = `says what the buyer may do before paying (${meant}), and the order is sent with try_on ${tryOn}`;
  expect(said).toEqual(meant === '' ? [] : [whole]);
});

it('a comment, or a column that is not read, that says the order is paid is invalid beside cash', async () => {
  const sheet = orderSheet([[...orderCells(1), 'ck rồi nhé']], [...orderHeader, 'Ghi thêm']);
  const faults = await faultsOf(sheet, { ignored: ['*'] });
  expect(faults).toEqual([expect.stringContaining('says that nothing is left to pay, and 900,000 are collected')]);
});

it.each([
  ['partially_paid', '900000', 'says "partially_paid": how much is left to collect is not said'],
  ['thanh toán một phần', '900000', 'says "thanh toán một phần": how much is left to collect is not said'],
  // A fee of the delivery is on top of the goods.
  ['đã ck 100k', '930000', 'says "đã ck 100k": 800,000 of 900,000 may be left to collect'],
])('that a part is paid (%s) is invalid beside cash of %s', async (note, cash, message) => {
  const cells = orderCells(1).with(orderHeader.indexOf('shipping.cod_amount'), cash);
  const sheet = orderSheet([[...cells, note]], [...orderHeader, 'shipping.shipping_note']);
  expect(await faultsOf(sheet)).toEqual([expect.stringContaining(message)]);
});

it.each([
  ['shipping_address.full_name', 'Lan (đã ck)', 'nothing is left to pay'],
  ['shipping_address.full_name', 'Lan - đã ck', 'nothing is left to pay'],
  ['shipping_address.full_name', 'Lan đã ck', 'nothing is left to pay'],
  ['shipping_address.full_name', 'Lan (cọc 100)', 'how much is left to collect is not said'],
  ['lines.product_name', 'Áo (đã ck)', 'nothing is left to pay'],
  ['external_id', 'DH7 (ck rồi)', 'nothing is left to pay'],
  ['shipping_address.full', '12/3 Lê Lợi, p.Bến Nghé, q1, hcm (đã ck)', 'nothing is left to pay'],
  [
    'shipping_address.full',
    '12/3 Lê Lợi, p.Bến Nghé, q1, hcm (đặt cọc rồi)',
    'how much is left to collect is not said',
  ],
  ['shipping_address.address1', '12/3 Lê Lợi (đã ck)', 'nothing is left to pay'],
  ['shipping_address.full_name', 'Thu (0)', ''],
  ['lines.product_name', 'Cọc tiêu (COD)', ''],
])('beside cash, what stands behind %s as "%s" is invalid where it says that it is paid', async (name, text, says) => {
  const isInParts = name === 'shipping_address.address1';
  const header = isInParts ? orderHeader : [...orderHeader.filter((one) => !isOfPlace(one)), 'shipping_address.full'];
  const ofPlace = orderCells(1).filter((_, at) => !isOfPlace(orderHeader[at] ?? ''));
  const cells = isInParts ? orderCells(1) : [...ofPlace, '5 Lê Lợi, p.Bến Nghé, q1, hcm'];
  const sheet = orderSheet([cells.with(header.indexOf(name), text)], header);
  if (says !== '') expect(await faultsOf(sheet)).toEqual([expect.stringContaining(says)]);
  else expect((await (await batchWorld()).run(sheet)).summary.counts.done).toBe(1);
});

it('a day of delivery that is to come is asked about as such, and not as one of dispatch, as of the day on which the file is planned', async () => {
  const planOf = async (day: string) => {
    const world = await batchWorld();
    await world.clock.wait(Date.parse('2026-11-29T18:00:00Z') - world.clock.now(), undefined);
    return world.plan(orderSheet([[...orderCells(1), day]], [...orderHeader, 'Ngày giao']), { ignored: ['*'] });
  };
  await expect(planOf('01/12/2026')).rejects.toThrow('"Ngày giao: a day to come" in 1 row');
  // In Vietnam it is the next day already.
  await expect(planOf('30/11/2026')).rejects.toThrow('day of dispatch');
});

it('constants of lines are those of goods that a message names, too', async () => {
  const world = await batchWorld();
  const mapping = mappingOf({ columns: {}, constants: { 'lines.retail_price': 125_000 } }, 'test');
  const planned = await world.plan(wholeSheet('Lan 0901234567, 12/3 Lê Lợi, p.Bến Nghé, q1, hcm, 2 áo thun'), {
    mapping,
  });
  planned.release();
  if (planned.kind !== 'planned') throw new Error('the sheet is known');
  expect(planned.facts.faults).toEqual([]);
});

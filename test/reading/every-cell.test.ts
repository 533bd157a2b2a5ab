/*
 * Each filled cell of an order's line is in the request, in a column that is left out, or in what is said of the file. What is
 * none of these may say anything without any difference: so each cell is changed in turn, and something has to differ.
 */
import { expect, it } from 'vitest';
import type { Answers } from '../../src/sheets/account/questions.ts';
import { orderCells, orderHeader } from '../sheets/service/sheets.ts';
import { randomFrom } from '../support/random-from.ts';
import { testSeed } from '../support/test-seed.ts';
import { bookOf } from './books.ts';
import { exampleExport } from './exports.ts';
import { plantedColumns, plantSheet } from './generated-sheets.ts';
import { csvOf, readSheet } from './read-sheet.ts';

type Cells = readonly (readonly unknown[])[];
type How = Parameters<typeof readSheet>[2];

/** What a file amounts to: its orders, and whatever is said of its cells. */
async function readings(columns: readonly string[], lines: Cells, how: How) {
  const read = await readSheet('o.csv', csvOf(columns, ...lines), how);
  const { orders, rows, reported, leftOut, questions } = read;
  const ofCells = rows.map(({ faults, notes }) => [faults, notes]);
  const said = JSON.stringify([orders, ofCells, reported, leftOut, questions]);
  const gone = new Set(leftOut.map((one) => Number(/^line (\d+)/.exec(one)?.[1])));
  return { said, gone, unread: new Set(read.unread), orders: orders.length };
}

/** Another text than that of a cell, which nothing takes for the same. */
const another = (cell: unknown) => `${cell} khác 7`;

/** The cells of these lines that may say anything without any difference. */
async function silentCells(columns: readonly string[], lines: Cells, how: How, chosen: (at: number) => boolean) {
  const whole = await readings(columns, lines, how);
  const silent: string[] = [];
  let count = 0;
  for (const [row, cells] of lines.entries()) {
    if (whole.gone.has(row + 2)) continue;
    for (const [at, cell] of cells.entries()) {
      if (String(cell).trim() === '' || whole.unread.has(columns[at] ?? '')) continue;
      count += 1;
      if (!chosen(count)) continue;
      const changed = lines.map((line, index) => (index === row ? line.with(at, another(cell)) : line));
      const said = await readings(columns, changed, how).then((read) => read.said, String);
      if (said === whole.said) silent.push(`${columns[at]} in line ${row + 2}: ${String(cell)}`);
    }
  }
  return { silent, count, orders: whole.orders };
}

it('each filled cell of planted sheets makes a difference', async () => {
  let count = 0;
  for (let seed = 1; seed <= 6; seed += 1) {
    const planted = plantSheet(testSeed() * 1_000_000 + seed);
    const random = randomFrom(seed);
    const columns = [...plantedColumns, 'Cột của tôi', 'status'];
    const lines = planted.tab.lines.map((line) => [...line, 'ghi', '']);
    const how = { mapping: mappingOf(plantedColumns) };
    const found = await silentCells(columns, lines, how, () => random() < 0.2);
    expect({ seed, silent: found.silent }).toEqual({ seed, silent: [] });
    count += found.count;
  }
  expect(count).toBeGreaterThan(500);
});

/** A mapping that leaves out the columns of one's own. */
const mappingOf = (columns: readonly string[]) => ({
  columns: {
    ...Object.fromEntries(columns.map((column) => [column, column])),
    'Cột của tôi': null,
    status: null,
  },
});

it.each(['shopee.csv', 'tiktok.csv', 'lazada.csv', 'kiotviet.csv', 'sapo.csv'])(
  'each filled cell of %s makes a difference, or stands in a column that is left out',
  async (name) => {
    const { columns, lines } = exampleExport(name);
    const cells = lines.map((line) => columns.map((column) => line[column] ?? ''));
    const { silent, orders } = await silentCells(columns, cells, { isExport: true, command: 'ship' }, () => true);
    expect(orders).toBeGreaterThan(0);
    expect(silent).toEqual([]);
  },
);

it('each filled cell of an order sheet of the service makes a difference, but for those that it computes', async () => {
  const lines = [orderHeader.map((name) => orderCells[name] ?? '')].map((line) =>
    line.map((cell) => (cell === 0.35 ? '35%' : cell)),
  );
  const { silent } = await silentCells(orderHeader, lines, {}, () => true);
  // docs/sheets.md: "not read: calculated", and "not read".
  expect(silent.map((one) => one.split(' in line ')[0])).toEqual(['VUI LÒNG KHÔNG SỬA cột này!']);
});

/** What is asked of rows with these cells in one more column, which is read where it is a field. */
async function asked(column: string, cells: readonly string[], answers: Answers = {}, today?: string) {
  const columns = [column, ...plantedColumns.slice(0, 8)];
  const lines = cells.map((own, at) => [own, `SO-${at}`, 'Lan', '0901234567', '12 ngõ 5', 'Áo', '1', '100000', '0']);
  const read = columns.map((one) => [one, plantedColumns.includes(one) ? one : null] as const);
  const { questions, left } = await readSheet('o.csv', csvOf(columns, ...lines), {
    command: 'ship',
    today,
    mapping: { columns: Object.fromEntries(read.filter(([one]) => one !== '')) },
    answers,
  });
  return { questions: questions.map(({ id, subjects }) => [id, ...subjects.map(({ name }) => name)]), left };
}

it.each([
  ['Mã vận đơn', 'GHN123'],
  ['MVĐ', 'SPX-1'],
  ['Tracking', '8600'],
  ['Tracking number', '8600'],
  ['Ngày gửi', '25/11'],
  ['Ngày giao hàng', '25/11/2026'],
  ['Đã gửi', 'x'],
  ['Đã gửi?', '✓'],
  ['Gửi', 'done'],
  ['Gửi chưa', 'rồi'],
  ['Done', 'ok'],
  ['Shop điền: đã gửi?', 'x'],
])('a filled column %s ("%s") of an ordinary sheet is asked about', async (header, cell) => {
  const { questions } = await asked(header, [cell, '']);
  expect(questions).toEqual([['tracked', '']]);
  const skipped = await asked(header, [cell, ''], { tracked: 'skip' });
  expect([skipped.questions, skipped.left]).toEqual([[], [[`${header} is filled`, 1]]]);
  expect((await asked(header, ['', 'chưa'])).questions).toEqual([]);
  expect((await asked(header, [cell], { ignore_columns: [header] })).questions).toEqual([]);
});

it.each([
  ['Ngày', '25/11'],
  ['Ship', '30k'],
  ['Ship', '30.000'],
  ['Ship', 'freeship'],
  ['Ship', '30k/đơn'],
  ['Ship', 'GHTK'],
  ['Ship', 'J&T'],
  ['Giao', 'Viettel Post'],
  ['Gửi chưa', 'chưa gửi'],
  ['Nguồn', 'FB'],
  ['Người gửi', 'Hương'],
])('a column %s ("%s") says nothing of the dispatch', async (header, cell) => {
  expect((await asked(header, [cell, ''])).questions).toEqual([]);
});

it('a day of delivery that is to come is asked about apart from those of dispatch, and one that is past is asked about', async () => {
  const on = async (day: string, header = 'Ngày giao') => (await asked(header, [day], {}, '2026-11-29')).questions;
  for (const day of ['30/11/2026', '5-12-26', '2026-12-05', '01.01.2027'])
    expect([day, await on(day)]).toEqual([day, [['status', 'Ngày giao: a day to come']]]);
  for (const day of ['5/12', 'sáng T7']) expect([day, await on(day)]).toEqual([day, [['status', `Ngày giao: ${day}`]]]);
  for (const day of ['29/11/2026', '5/12/2025', '2026-11-28', '28/11', 'rồi'])
    expect([day, await on(day)]).toEqual([day, [['tracked', '']]]);
  expect(await on('30/11/2026', 'Ngày gửi')).toEqual([['tracked', '']]);
});

it.each([
  ['Hủy', 'x', 'Hủy: x'],
  ['Cancelled at', '2026-11-20 10:00:00 +0700', 'Cancelled at: a day'],
  ['Khách hủy', '✓', 'Khách hủy: ✓'],
  ['Lý do hủy', 'đổi ý', 'Lý do hủy: đổi ý'],
  ['Hoàn', 'TRUE', 'Hoàn: TRUE'],
  ['Đơn hoàn', '1', 'Đơn hoàn: 1'],
  ['Bom', '1', 'Bom: 1'],
  ['Boom hàng', 'x', 'Boom hàng: x'],
  ['Giữ hàng', 'x', 'Giữ hàng: x'],
  ['Đã đóng gói', 'TRUE', 'Đã đóng gói: TRUE'],
  ['Ngày hẹn giao', '2026-12-20', 'Ngày hẹn giao: a day to come'],
  ['Hẹn giao', '5/12/2026', 'Hẹn giao: a day to come'],
  ['Khách hẹn', '20/12', 'Khách hẹn: 20/12'],
  ['Khách hẹn', 'sau tết', 'Khách hẹn: sau tết'],
])('a column %s that nobody reads is asked about with "%s"', async (header, cell, name) => {
  const cash = (amount: string) => (at: number, own: string) =>
    plantedColumns[at] === 'shipping.cod_amount' ? amount : own;
  const of = (amount: string, answers: Answers = {}) => {
    const lines = [cell, ''].map((own, at) => [
      own,
      ...plainRow(`SO-${at}`).map((text, place) => cash(amount)(place, text)),
    ]);
    return readSheet('o.csv', csvOf([header, ...plantedColumns], ...lines), {
      command: 'ship',
      today: '2026-11-29',
      mapping: { columns: { [header]: null, ...Object.fromEntries(plantedColumns.map((one) => [one, one])) } },
      answers,
    });
  };
  const namesOf = ({ questions }: Awaited<ReturnType<typeof of>>) =>
    questions.flatMap(({ subjects }) => subjects.map((one) => [one.name, one.count]));
  expect(namesOf(await of('100000'))).toEqual([[name, 1]]);
  const skipped = await of('100000', { status: { [name]: 'skip' } });
  expect([skipped.questions, skipped.orders.map(({ external_id }) => external_id)]).toEqual([[], ['SO-1']]);
  expect(namesOf(await of('100000', { status: { [name]: 'ship' } }))).toEqual([]);
  expect(namesOf(await of('100000', { ignore_columns: [header] }))).toEqual([]);
  expect(namesOf(await of('0'))).toEqual([[name, 1]]);
});

it.each([
  ['cancelled_at', '2026-11-20T10:00:00Z', 'cancelled_at: a day'],
  ['cancel_reason', 'khách hủy', 'cancel_reason: khách hủy'],
  ['status', 'cancelled', 'cancelled'],
])(
  'a field %s that no order is created with is asked about with "%s", in a table and in a list',
  async (field, value, name) => {
    const lines = [value, ''].map((own, at) => [own, ...plainRow(`SO-${at}`)]);
    const records = [value, ''].map((own, at) => ({
      external_id: `SO-${at}`,
      lines: [{ product_name: 'Áo', quantity: 1, retail_price: 100_000 }],
      [field]: own,
    }));
    for (const [file, content] of [
      ['o.csv', csvOf([field, ...plantedColumns], ...lines)],
      ['o.json', JSON.stringify(records)],
    ] as const) {
      const of = (answers: Answers = {}) => readSheet(file, content, { command: 'ship', today: '2026-11-29', answers });
      const asked = (await of()).questions.flatMap(({ subjects }) => subjects.map((one) => [one.name, one.count]));
      expect([file, asked]).toEqual([file, [[name, 1]]]);
      const skipped = await of({ status: { [name]: 'skip' } });
      expect([skipped.questions, skipped.orders.map(({ external_id }) => external_id)]).toEqual([[], ['SO-1']]);
      expect((await of({ status: { [name]: 'ship' } })).orders.length).toBe(2);
    }
  },
);

it.each([
  ['Thanh toán', 'CK', 'CK'],
  ['Thanh toán', 'Chuyển khoản', 'Chuyển khoản'],
  ['HTTT', 'VCB', 'VCB'],
  ...['Chuyển khoản ngân hàng', 'Thẻ ATM nội địa', 'Visa', 'Đã thanh toán online', 'Apple Pay', 'CK ngân hàng rồi'].map(
    (paid) => ['Hình thức thanh toán', paid, paid] as const,
  ),
  ['Trạng thái thanh toán', 'Đã thanh toán', 'Đã thanh toán'],
  ['Đã TT', 'x', 'Đã TT: x'],
  ['Đã thanh toán', 'rồi', 'rồi'],
  ['Đã CK', 'Momo', 'Momo'],
] as const)(
  'a column %s that nobody reads leaves open with "%s" whether cash is collected',
  async (header, cell, name) => {
    const of = (cash: string, answers: Answers = {}) => {
      const lines = [cell, ''].map((own, at) => [
        own,
        ...plainRow(`SO-${at}`).map((text, place) => (plantedColumns[place] === 'shipping.cod_amount' ? cash : text)),
      ]);
      return readSheet('o.csv', csvOf([header, ...plantedColumns], ...lines), {
        command: 'ship',
        mapping: { columns: { [header]: null, ...Object.fromEntries(plantedColumns.map((one) => [one, one])) } },
        answers,
      });
    };
    const asked = (await of('100000')).questions.map(({ id, subjects }) => [id, subjects.map((one) => one.name)]);
    expect(asked).toEqual([['payment', [name]]]);
    const cashOf = async (answer: 'paid' | 'cash') => {
      const { questions, orders } = await of('100000', { payment: { [name]: answer } });
      expect(questions).toEqual([]);
      return orders.map(({ shipping }) => (shipping as { cod_amount: number }).cod_amount);
    };
    expect([await cashOf('paid'), await cashOf('cash')]).toEqual([
      [0, 100_000],
      [100_000, 100_000],
    ]);
    expect((await of('100000', { ignore_columns: [header] })).questions).toEqual([]);
    // What is paid is no question where nothing is collected.
    expect((await of('0')).questions).toEqual([]);
  },
);

it.each([
  ['Hủy', ''],
  ['Hủy', '0'],
  ['Hoàn', 'FALSE'],
  ['Đóng gói', 'FALSE'],
  ['Hoàn', 'không'],
  ['Phí hoàn', '15000'],
  ['Giữ lạnh', 'x'],
  ['Thanh toán', 'COD'],
  ['Thanh toán', 'tiền mặt'],
  ['Thanh toán', 'chưa'],
  ['Đã TT', ''],
  ['Hẹn giao', '28/11/2026'],
  ['Giờ hẹn', '8h-10h'],
  ['Huyện', 'x'],
  ['TT', '1'],
])('a column %s that nobody reads says nothing with "%s"', async (header, cell) => {
  expect((await asked(header, [cell, ''], {}, '2026-11-29')).questions).toEqual([]);
});

it.each([
  ['Đã CK', 'FALSE', true],
  ['Đã thanh toán', 'chưa', true],
  ['Trạng thái thanh toán', 'Chưa thanh toán', true],
  ['Đã CK', '', false],
  ['Đã CK', 'x', false],
  ['Hỏa tốc', 'FALSE', false],
])('blank cash beside a column %s with "%s" is a fault: %s', async (header, cell, isFault) => {
  const faultsOf = async (cash: string, method?: string) => {
    const line = plainRow('SO-1').map((text, at) => (plantedColumns[at] === 'shipping.cod_amount' ? cash : text));
    const mapping = {
      columns: { [header]: null, ...Object.fromEntries(plantedColumns.map((one) => [one, one])) },
      ...(method && { constants: { payment_method: method } }),
    };
    const content = csvOf([header, ...plantedColumns], [cell, ...line]);
    return (await readSheet('o.csv', content, { command: 'ship', mapping })).faults;
  };
  const fault = `is blank, and ${header} says "${cell}": write the cash to collect, or 0`;
  expect(await faultsOf('')).toEqual(isFault ? [expect.stringContaining(fault)] : []);
  expect([await faultsOf('0'), await faultsOf('100000'), await faultsOf('', 'cod')]).toEqual([[], [], []]);
});

it.each(['Tự lấy', 'Khách lấy', 'Grab', 'shop ship', 'Ahamove', 'xe khách'])(
  'a column of carriers with "%s" is asked about by that word, and answered apart from what was sent',
  async (word) => {
    for (const header of ['Ship', 'ĐVVC', 'Giao hàng']) {
      const { questions } = await asked(header, ['GHN', word, '']);
      expect([header, questions]).toEqual([header, [['status', word]]]);
    }
    const { questions } = await asked('Ship', ['đã gửi', word], { tracked: 'ship' });
    expect(questions).toEqual([['status', word]]);
  },
);

const held = [
  ...['KHOAN GỬI', 'khoan gui', 'Khoan đã', 'khách hủy', 'khách huỷ rồi', 'khach huy', 'HỦY', 'huy don', 'Đã hủy'],
  ...['hẹn 5/12', 'hen 5/12 giao', 'hẹn tuần sau', 'giao ngày 5/12', 'sau 5/12 hãy giao', 'chưa gửi', 'chua gui nhe'],
  ...['đừng gửi', 'dung gui', 'Đừng giao vội', 'giữ lại', 'giu lai giup', 'không gửi nữa', 'ko giao', 'cancel'],
  ...['áo đẹp; khách báo hủy', 'chờ khách xác nhận', 'đợi hàng về', 'hết hàng', 'đã gửi', 'đã gửi 25/11', 'gửi rồi'],
  ...['không lấy nữa', 'hoãn giao', 'đổi địa chỉ: 5 Lê Lợi', 'đc mới 7 ngõ 3', 'giao về 12 Lê Lợi, Quận 1'],
  ...['giao sang quận 3 giúp em', 'gọi số 0987 654 321 nhé', 'sđt nhận: 0987654321'],
  ...['đơn hoàn về rồi', 'hoàn tiền cho khách', 'KH boom', 'khách bom hàng', 'chờ về hàng', 'khách chưa chốt'],
  ...['khách bảo thôi', 'khach bao thoi', 'đợi thứ 2 mới ship', 'thứ 5 hãy gửi', 'pre-order', 'sdt sai', 'ko nghe máy'],
  ...[
    'chuyển cho kho HN gửi',
    'gửi xe khách Phương Trang',
    'giao chung với đơn chị Lan',
    'gộp đơn',
    'test',
    'shop ship',
  ],
  ...['hàng đổi, thu hồi hàng cũ', 'giao hỏa tốc grab', 'khách qua shop lấy', 'tự giao', 'không liên lạc được'],
  ...['khách lấy', 'chung đơn với Lan', 'khách đổi ý', 'k lấy nx', 'mai gửi', 'thứ 2 gửi', 'từ từ gửi', 'đừng đi vội'],
  ...[
    'hết size',
    'thiếu hàng',
    'hàng chưa về',
    'đặt trước',
    'gửi r',
    'đã nhận hàng',
    'gửi xe',
    'số ảo',
    'chuyển địa chỉ',
  ],
  ...[
    '1 áo 450k hủy giúp em',
    '❌',
    '???',
    '⛔⛔',
    '🔴',
    '✅ đã gửi',
    'đã gửi rồi ạ',
    'đãgửi',
    'treo',
    'chờ',
    'từ từ',
    'k nhận',
    'đổi trả',
  ],
  ...['đặt nhầm', 'trả hàng', 'Hàng trả', 'gửi sau nhé', 'gửi lại sau', 'ngâm đơn', 'đơn đã giao khách'],
  ...['không ship trước thứ 5 nhé shop', 'đừng giao trước 5/12', 'ko giao trước tết', 'nhận sau thứ 5', 'giao sau cn'],
  ...['gọi xác nhận rồi hẵng gửi', 'khách xn xong mới gửi', 'đã gửi hết', '28/11 đã gửi hết rồi', 'gửi hết rồi'],
  ...['Dòng ví dụ, xóa trước khi tải lên', 'dòng mẫu'],
  ...['ship về cơ quan, k ship nhà', 'phường mới là Hòa Cường', 'thêm 1 áo', 'sửa lại 2 cái', 'đổi sang size L'],
];

it.each(held)('"%s" is asked about in a note, in a column of no name, and in one that is not read', async (text) => {
  for (const column of ['order_note', '', 'Ghi thêm']) {
    const { questions } = await asked(column, [text, 'xin chào']);
    const names = questions.flatMap(([, ...own]) => own);
    // A phone number beside the note may be that of anybody.
    if (column === 'order_note' || !text.includes('0987'))
      expect([column, names]).toEqual([column, expect.arrayContaining([text])]);
  }
  const { left, questions } = await asked('order_note', [text], { status: { [text]: 'skip' } });
  expect([questions, left]).toEqual([[], [[`held back (${JSON.stringify(text)})`, 1]]]);
});

const everyday = [
  ...[
    'giao giờ hành chính',
    'giao gio hanh chinh',
    'gọi trước khi giao',
    'goi truoc khi giao',
    'hàng dễ vỡ',
    'gói kỹ giúp em',
  ],
  ...[
    'không giao giờ hành chính',
    'Không giao cuối tuần',
    'giao trước 5/12',
    'hẹn giờ trước khi giao',
    'giữ lạnh',
    'giao sau 17h',
  ],
  ...[
    'đừng gửi bảo vệ',
    'không gửi hàng cho hàng xóm',
    'giao cho anh Huy',
    'Huy nhận giúp',
    'nếu hết hàng gọi em',
    'giao nhanh 5-7 ngày',
  ],
  ...[
    'giao tận tay',
    'giao tới cổng công ty',
    'gửi quà tặng, không kèm hóa đơn',
    'cho xem hàng',
    'chưa kèm pin',
    'đúng size M',
    'ship nhanh',
  ],
  ...[
    'không nghe máy thì gọi lại',
    'đã gửi ảnh cho khách',
    'khách quen',
    'tặng kèm khăn',
    'cạnh chùa, giao buổi sáng',
    'gọi 0901234567 trước',
  ],
  ...[
    'tặng thêm 1 khăn',
    'được đổi size trong 7 ngày',
    'thu thêm 30k ship',
    'nhận hàng rồi gọi shop',
    'qua nhà hỏi chị Lan',
    'mới chuyển nhà, gọi trước',
    'hoàn thiện gói quà',
    'lấy 2 cái',
    'bảo vệ nhận giúp',
    'gửi chung đơn MB1001 nếu được',
    'test kỹ trước khi gửi',
  ],
  ...[
    'cho khach xem hang',
    'giao buổi sáng nhé',
    'để trước cửa',
    'áo 2 cái, quần 3 cái',
    'giao hàng cẩn thận',
    'shop gửi đúng màu đen',
  ],
  ...[
    'không giao trước 9h',
    'khong giao truoc khi thu tien',
    'gọi trước rồi hãy giao',
    'kèm hàng mẫu',
    'giao qua một người bạn',
  ],
  ...['!!!', '❤️❤️', '⚠️ hàng dễ vỡ', '-', 'gọi trước nhé 😊', 'giao sau 18h', 'nhận hàng trả tiền', 'hàng trả góp'],
  ...['được trả hàng nếu lỗi', 'cho đổi trả trong 3 ngày', 'không nhận tiền lẻ', 'cho xem ❌ không cho thử'],
];

it.each(['✅', 'x', 'X', '☑'])(
  '"%s" alone is asked about as a note, and says nothing in a column of no note',
  async (mark) => {
    expect((await asked('order_note', [mark])).questions).toEqual([['status', mark]]);
    expect((await asked('Quà', [mark])).questions).toEqual([]);
  },
);

it.each(everyday)('the everyday note "%s" is sent as it is', async (text) => {
  for (const column of ['order_note', 'Ghi thêm']) expect((await asked(column, [text])).questions).toEqual([]);
});

it.each([
  ['SO-1 - KHOAN GỬI', 0],
  ['SO-1 (hủy)', 0],
  ['Lan (khách hủy)', 1],
  ['Áo thun - chưa gửi', 4],
  ['SO-1 (đã gửi)', 0],
  ['Lan (đã gửi)', 1],
  ['Lan - chờ hàng', 1],
  ['Lan (giữ lại)', 1],
  ['Lan đã gửi', 1],
  ['Đã gửi Lan', 1],
  ['Na (tự lấy)', 1],
  ['Lan (hoàn)', 1],
  ['Lan (gộp đơn)', 1],
  ['Cúc BOM', 1],
  ['A4 đã gửi', 0],
  ['A7/hoàn', 0],
  ['Áo hết hàng', 4],
  ['SO-01 HOÀN', 0],
  ['SO-01 đã gửi', 0],
  ['SO_01 hủy', 0],
  ['An Bình hoàn', 1],
  ['Lan - đổi trả', 1],
  ['Lan (k nhận)', 1],
  ['Lan ❌', 1],
  ['Lan ???', 1],
  ['Áo - đổi từ đơn cũ, thu hồi', 4],
  ['12 ngõ 5 (đổi địa chỉ: 5 Lê Duẩn)', 3],
])('"%s" in a code, a name or goods is asked about', async (text, at) => {
  const cells = ['SO-1', 'Nguyễn Huy Hoàn', '0901234567', '5 ngõ 12/3', 'Giữ nhiệt', '1', '100000', '0', ''].with(
    at,
    text,
  );
  const of = (line: readonly string[]) => readSheet('o.csv', csvOf(plantedColumns, line), { command: 'ship' });
  expect((await of(cells)).questions.map(({ subjects }) => subjects.map(({ name }) => name))).toEqual([[text]]);
  for (const name of ['Huy', 'Mẹ Bom', 'Áo Hoàn', 'Đỗ Giao', 'Ngõ 5 Huy', 'Lan 🌸'])
    expect((await of(cells.with(at, name))).questions).toEqual([]);
});

it.each([
  ['ĐƠN KHÁCH TỰ LẤY', 0],
  ['Hàng hoàn', 0],
  ['Đơn hủy', 1],
  ['Đơn hủy (2)', 0],
])('what a heading "%s" says against sending holds for the rows below it, until the next one', async (heading, at) => {
  const row = (code: string) => [code, 'Lan', '0901234567', '12 ngõ 5', 'Áo', '1', '100000', '0', ''];
  const alone = (text: string, index: number) => plantedColumns.map((_, place) => (place === index ? text : ''));
  const lines = [row('SO-1'), alone(heading, at), row('SO-2'), row('SO-3'), alone('Đơn mới', 0), row('SO-4')];
  const of = (status = {}) =>
    readSheet('o.csv', csvOf(plantedColumns, ...lines), { command: 'ship', answers: { status } });
  const { questions } = await of();
  expect(questions.map(({ subjects }) => subjects.map(({ name, count }) => [name, count]))).toEqual([[[heading, 2]]]);
  const { orders } = await of({ [heading]: 'skip' });
  expect(orders.map(({ external_id }) => external_id)).toEqual(['SO-1', 'SO-4']);
});

it('a header that is repeated below a heading does not end it, and ends none', async () => {
  const lines = [plainRow('SO-1'), aloneIn('ĐƠN HOÀN VỀ'), plantedColumns, plainRow('SO-2'), aloneIn('Đơn tỉnh')];
  const content = csvOf(
    plantedColumns,
    ...lines,
    plantedColumns,
    plainRow('SO-3'),
    aloneIn('ĐƠN CHỜ HÀNG'),
    plainRow('SO-4'),
  );
  const { questions } = await readSheet('o.csv', content, { command: 'ship' });
  expect(questions.map(({ subjects }) => subjects.map(({ name, count }) => [name, count]))).toEqual([
    [
      ['ĐƠN HOÀN VỀ', 1],
      ['ĐƠN CHỜ HÀNG', 1],
    ],
  ]);
});

it.each(['Đơn đã gửi 27-11', 'Hàng hoàn', 'ĐÃ GIAO', 'Đơn chờ hàng'])(
  'the name "%s" of a sheet that says not to send holds for all its rows, whatever headings they have',
  async (tab) => {
    const lines = [plainRow('SO-1'), aloneIn('Đơn tỉnh'), plainRow('SO-2'), aloneIn('Đơn hủy'), plainRow('SO-3')];
    const of = (name: string, status = {}) =>
      readSheet('o.xlsx', bookOf([{ name, columns: plantedColumns, lines }]), { command: 'ship', answers: { status } });
    const subjects = (await of(tab)).questions.flatMap((one) => one.subjects.map(({ name, count }) => [name, count]));
    expect(subjects).toEqual([
      [tab, 2],
      ['Đơn hủy', 1],
    ]);
    expect((await of(tab, { [tab]: 'skip', 'Đơn hủy': 'skip' })).orders).toEqual([]);
    for (const name of ['Đơn 27-11', 'Sheet1', 'Đơn gửi 28-11'])
      expect((await of(name, { 'Đơn hủy': 'ship' })).questions).toEqual([]);
  },
);

const plainRow = (code: string) => [code, 'Lan', '0901234567', '12 ngõ 5', 'Áo', '1', '100000', '0', ''];
const aloneIn = (text: string, at = 0) => plantedColumns.map((_, place) => (place === at ? text : ''));

it.each([
  'Đỏ: khách hủy',
  'Xanh: đã gửi | Đỏ: khách hủy',
  'Màu vàng là đơn hoàn',
  'tô xám = chờ hàng',
  'Gạch chéo xám = khách boom',
  'Vàng = đã giao ĐVVC',
  'gạch ngang: hủy',
])(
  'what a colour means, "%s", is asked about wherever it stands, since nobody knows which rows have it',
  async (legend) => {
    const rows = [plainRow('SO-1'), plainRow('SO-2')];
    const files = {
      below: csvOf(plantedColumns, ...rows, aloneIn(legend)),
      above: csvOf([legend, ...plantedColumns.slice(1).map(() => '')], plantedColumns, ...rows),
    };
    for (const [where, content] of Object.entries(files)) {
      const of = (answers: Answers = {}) => readSheet('o.csv', content, { command: 'ship', answers });
      const { questions } = await of();
      expect([where, questions.map(({ subjects }) => subjects.map(({ name }) => name))]).toEqual([where, [[legend]]]);
      expect((await of({ status: { [legend]: 'ship' } })).orders).toHaveLength(2);
      await expect(of({ status: { [legend]: 'skip' } })).rejects.toThrow('not which rows have them');
    }
    const blanks = Array.from(plantedColumns, () => '');
    for (const lines of [[[...plainRow('SO-1'), legend]], [plainRow('SO-1'), [...blanks, '', legend]]]) {
      const book = bookOf([{ name: 'T', columns: plantedColumns, lines }]);
      const { questions } = await readSheet('o.xlsx', book, { command: 'ship' });
      expect(questions.map(({ subjects }) => subjects.map(({ name }) => name))).toEqual([[legend]]);
    }
  },
);

it.each(['Đỏ: khách VIP', 'Áo đỏ, quần xanh', 'Vàng: gọi trước'])(
  'a legend or a text of colours "%s" says nothing against sending',
  async (text) => {
    const { questions } = await readSheet('o.csv', csvOf(plantedColumns, plainRow('SO-1'), aloneIn(text)), {
      command: 'ship',
    });
    expect(questions).toEqual([]);
  },
);

it('a title of a day that was sent holds until a row with the next day, whatever that says', async () => {
  const columns = ['STT', ...plantedColumns];
  const alone = (text: string) => columns.map((_, at) => (at === 0 ? text : ''));
  const row = (code: string) => ['1', ...plainRow(code)];
  const lines = [row('SO-1'), alone('NGÀY 29/11 - chưa gửi'), row('SO-2'), alone('Ngày 30/11/2026'), row('SO-3')];
  const content = csvOf(alone('NGÀY 28/11/2026 (đã gửi hết)'), columns, ...lines);
  const mapping = { columns: { STT: null, ...Object.fromEntries(plantedColumns.map((one) => [one, one])) } };
  const { questions, left } = await readSheet('o.csv', content, { command: 'ship', mapping, headerRow: 2 });
  expect(questions.map(({ subjects }) => subjects.map(({ name, count }) => [name, count]))).toEqual([
    [
      ['NGÀY 28/11/2026 (đã gửi hết)', 1],
      ['NGÀY 29/11 - chưa gửi', 1],
    ],
  ]);
  expect(left.map(([reason]) => reason)).toEqual(['a note: "NGÀY 29/11 - chưa gửi"', 'a note: "Ngày 30/11/2026"']);
});

it('a title above the header that says not to send holds for all rows, and a day in it says nothing', async () => {
  const titled = (title: string) =>
    readSheet('o.csv', csvOf([title, ...plantedColumns.slice(1).map(() => '')], plantedColumns, plainRow('SO-1')), {
      command: 'ship',
    });
  const held = ['CÁC ĐƠN HỦY', 'Đơn hoàn tháng 11', 'ĐƠN KHÁCH TỰ LẤY', 'ĐƠN ĐÃ GỬI', 'ĐƠN ĐÃ GIAO 28/11', 'HÀNG TRẢ'];
  held.push('NGÀY 28/11/2026 (đã gửi hết)', '28/11 đã gửi hết rồi', 'Hàng 28/11 đã đi', 'GỬI HẾT RỒI');
  for (const title of held)
    expect([title, (await titled(title)).questions.map(({ id }) => id)]).toEqual([title, ['status']]);
  for (const title of ['Đơn gửi ngày 28/11', 'ĐƠN HÀNG THÁNG 11', 'Shop Hoàn Mỹ', 'Đơn giao sáng mai'])
    expect([title, (await titled(title)).questions]).toEqual([title, []]);
});

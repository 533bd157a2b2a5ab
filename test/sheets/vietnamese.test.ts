import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { loadOperation } from '../../src/contract/areas.ts';
import type { OperationId } from '../../src/contract/operation-id.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { type Spoken, speak } from '../../src/domain/language.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { Account } from '../../src/sheets/account/account.ts';
import { type Answers, questionKinds, questionOf } from '../../src/sheets/account/questions.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import { type Cell, placeText, SheetError } from '../../src/sheets/formats/sheet.ts';
import { exportOf } from '../../src/sheets/mapping/exports.ts';
import { type Mapping, mappedCell, mappingOf } from '../../src/sheets/mapping/mapping.ts';
import { sourceRows } from '../../src/sheets/source-rows.ts';
import { readCell } from '../../src/sheets/values.ts';
import { workbookOf, xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';
import {
  orderCells as batchCells,
  orderHeader as batchHeader,
  orderSheet as batchSheet,
} from '../batch/batch-world.ts';
import { leftOver, pseudoLanguage } from '../support/pseudo.ts';
import { shopWorld } from '../support/shop-world.ts';
import { orderCells, orderHeader } from './service/sheets.ts';

afterEach(() => speak(undefined, 0));

async function* bytesOf(content: string | Uint8Array) {
  yield typeof content === 'string' ? Buffer.from(content) : content;
}

/** How a file is read. */
interface How {
  readonly command?: string;
  readonly operation?: OperationId;
  readonly answers?: Answers;
  readonly mapping?: Mapping;
  readonly sheet?: string;
  readonly headerRow?: number;
}

const known = (cells: readonly Cell[]) => cells.filter((cell) => /^[a-z_.]+$/.test(String(cell))).length;

/** Everything that is said of a file that is read. */
async function saidOf(name: string, content: string | Uint8Array, how: How = {}): Promise<string[]> {
  const { command = 'orders create', operation = 'shop.Order/CreateOrder', answers = {}, sheet, headerRow } = how;
  const account = new Account(answers);
  const said: string[] = [];
  try {
    const schema = jsonSchema((await loadOperation(operation)).request);
    const options = { sheet, headerRow, score: known, account };
    const read = await sheetFormatOf(name).read({ name, bytes: bytesOf(content) }, options);
    const mapping =
      how.mapping ?? (read.kind === 'table' ? exportOf(read.columns, command)?.mapping : undefined) ?? undefined;
    const { rows, leftOut, recognised } = sourceRows(read, {
      schema,
      shown: [],
      ignored: [],
      nameFields: ['external_id', 'external_code'],
      blankClears: false,
      command,
      mapping,
      today: '2026-11-30',
      places: async () => locationTree,
      account,
    });
    if (read.kind === 'table' && read.found !== undefined) said.push(read.found);
    for await (const row of rows) {
      for (const { cell, message } of [...row.faults, ...row.notes]) said.push(placeText(cell), message);
      account.ask(...(row.asks ?? []));
    }
    account.warnOfUnused(answers);
    said.push(...leftOut.values(), recognised ?? '');
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    said.push(error.message, error.hint ?? '');
  }
  const { warnings, questions, sheetsInWords, leftOutInWords } = account;
  return [...said, ...warnings.map(({ message }) => message), ...questions.map(({ text }) => text)].concat(
    sheetsInWords,
    leftOutInWords,
  );
}

const ours = 'external_id,shipping_address.full_name,shipping_address.phone,lines.product_name,lines.quantity,';
const header = `${ours}lines.retail_price,shipping.cod_amount,shipping.shipping_note\n`;
const row = (id: string, more = 'Áo,1,450000,450000,') => `${id},Lan,0901234567,${more}\n`;

const mapped = (columns: Parameters<typeof mappingOf>[0] extends infer Value ? Value : never): Mapping =>
  mappingOf(columns, 'm');

const people = 'Mã,Tên,SĐT,Hàng,Giá,COD,TT,Trạng thái\n';
const byName = mapped({
  columns: {
    Mã: 'external_id',
    Tên: 'shipping_address.full_name',
    SĐT: 'shipping_address.phone',
    Hàng: 'lines.product_name',
    Giá: 'lines.retail_price',
    COD: { field: 'shipping.cod_amount', when: { TT: ['COD'] } },
    TT: null,
    'Trạng thái': null,
  },
  leave_out: { 'Trạng thái': ['Hủy'] },
});

const service = (changes: Readonly<Record<string, Cell>>, other: Readonly<Record<string, Cell>> = {}) =>
  xlsxOf(
    orderHeader,
    [orderCells, { ...orderCells, ...changes }, { ...orderCells, 'Mã đơn hàng': 'B-1', ...other }].map((cells) =>
      orderHeader.map((name) => cells[name] ?? ''),
    ),
  );

/** Files, and all that can be said of them: each with a name for the test. */
const given: readonly (readonly [name: string, content: string | Uint8Array, how?: How])[] = [
  [
    'a.csv',
    `${header}${row('A', 'Áo,hai,1.35,12.345,')}${row('B', '"[1, 2]",1.5,5e6,12%,')}${row('C', 'Áo,0,1e9x,#N/A,')}`,
  ],
  ['b.csv', `${header}${row('A', 'Áo,2 cái,450k,300,')}${row('B', 'Áo,1,450000,450000,')}`],
  ['b2.csv', `${header}${row('A', 'Áo,1,450,450,')}`, { answers: { unit: 'thousand' } }],
  ['b3.csv', `${header}${row('A', 'Áo,1,450,450,')}${row('B')}`, { answers: { unit: 'thousand' } }],
  ['c.csv', `${header}${row('A')}${row('A').replace('Lan', 'Mai')}${row('A')}${row('A')}`],
  ['d.csv', `${header}${row('A', 'Áo,1,450000,450000,khách báo hủy')}${row('B')}Tổng,,,,,,900000,\nghi chú,,,,,,,\n`],
  [
    'd2.csv',
    `${header}${row('A', 'Áo,1,450000,450000,khách báo hủy')}`,
    { answers: { status: { 'khách báo hủy': 'skip' } } },
  ],
  [
    'd3.csv',
    `${header}${row('A')}${row('B')}Cộng ngày 26,,,,,,800000,\n,,,,,900000,800000,\nTổng,,,Áo,,900000,900000,\n`,
  ],
  ['d4.csv', `${header}${row('A').replace('450000,450000', '450000,')}Tổng,,,,,,900000,\n`],
  ['d5.csv', `${header}${row('A')}external_id,shipping_address.phone,shipping_address.full_name,lines.quantity,,,,\n`],
  ['d6.csv', `${header}${row('A')}${header}${row('B')}`],
  ['d7.csv', `${header}${row('A')}Đỏ: khách hủy,,,,,,,\n`],
  ['d8.csv', `${header}${row('A')}Đỏ: khách hủy,,,,,,,\n`, { answers: { status: { 'Đỏ: khách hủy': 'skip' } } }],
  ['d9.csv', `${header}${row('A')}28/11,,,,,,,\n,,,,2,,,\n`],
  [
    'e.csv',
    `${header}A,L?n,123,12-Mar,1,450000,450000,\nB,N***n,0901234567,+,1,1,1,\nC,Lan,912345678,Áo,1,1000,1000,\n`,
  ],
  ['e2.csv', `${header}1234567890123456e3,NguyÔn ThÞ Lan,0901234567,Nguyá»…n,1,450000,450000,\n`],
  ['f.csv', `${ours}unknown\nA,Lan,0901234567,Áo,1,x\n`],
  ['f2.csv', `${ours}lines.quantity\nA,Lan,0901234567,Áo,1,2\n`],
  ['f3.csv', 'một,hai,ba,bốn\n1,2,3,4\n'],
  ['f4.csv', `${header}A,Lan\n${row('B')}`],
  ['f5.csv', `${header}${row('A').trim()},thừa,nữa\n`],
  ['f6.csv', `${header}"A,Lan\n`],
  ['f7.csv', `${header}A"x,Lan,"y"z,\n`],
  ['f8.csv', ''],
  ['f9.csv', header, { headerRow: 9 }],
  ['f10.csv', `Đơn hàng ngày 26\n${header}${row('A')}`],
  ['g.json', '[{"external_id":"A","lines":[{"product_name":"Áo","quantity":1.5}],"shipping":{"cod_amount":12.345}}]'],
  ['g2.json', '[{"external_id":"A"}'],
  ['g3.json', '[{"external_id":"A","external_id":"B"}]'],
  ['g4.json', '[1]'],
  ['g5.jsonl', '{"external_id":"A"}\n{"a":}\n'],
  ['g6.json', '[{"external_id":"A","shipping":{"shipping_note":"khách báo hủy","cod_amount":"350k"}}]'],
  ['g7.json', '[] x'],
  ['g8.yaml', '- external_id: A\n  shipping: { cod_amount: 350.000 }\n'],
  [
    'h.csv',
    `${people}A,Lan,0901234567,Áo,450000,450000,momo pay,Mới\nB,Mai,0901234568,Áo,1,5000,CK,Hủy\n`,
    { mapping: byName },
  ],
  ['h2.csv', 'Mã,Tên,SĐT,Hàng,Giá,COD\nA,Lan,0901234567,Áo,1000,1000\n', { mapping: byName }],
  ['h3.csv', `${people}A,Lan,0901234567,Áo,450000,450000,COD,Đang đóng\n`, { mapping: byName }],
  [
    'h4.csv',
    `${people}A,Lan,0901234567,Áo,450000,450000,#REF!,Mới\n,Lan,0901234567,Áo,1000,1000,COD,Mới\n`,
    { mapping: byName },
  ],
  ['i.xlsx', service({ 'Số lượng': 3, 'Tên khách hàng': 'Mai', 'Thu hộ': 'Không', 'Giảm giá\n(%)': '50' })],
  ['i2.xlsx', service({ 'Mã đơn hàng': 'A-2', 'Số điện thoại': '12', 'Địa chỉ giao hàng (tỉnh)': '', 'Tổng phí': 5 })],
  [
    'i3.xlsx',
    service(
      { 'Mã đơn hàng': 'C', 'Đơn giá': 0, 'Ghi chú xem hàng': 'thử', 'Tổng khối lượng (kg)': 'nặng' },
      { 'Mã đơn hàng': 'A-1' },
    ),
  ],
  ['i4.xlsx', service({}), { command: 'customers create', operation: 'shop.Customer/CreateCustomer' }],
  ['i5.xlsx', xlsxOf(orderHeader.toSpliced(1, 1), [])],
  [
    'j.xlsx',
    workbookOf([
      { name: 'Thứ 2', columns: header.trim().split(','), lines: [row('A').trim().split(',')] },
      { name: 'Thứ 3', columns: header.trim().split(','), lines: [row('B').trim().split(',')] },
      { name: 'khác', columns: ['x'], lines: [] },
    ]),
  ],
  [
    'j9.xlsx',
    xlsxOf(['external_id', 'shipping.shipping_note'], [['2026-03-12', '2026-03-12']], 'Sheet1', {
      kinds: ['day', 'day'],
    }),
  ],
  ['j2.xlsx', xlsxOf(['x'], []), { sheet: 'không có' }],
  ['j3.xlsx', 'không phải bảng'],
  ['j4.xlsx', '%PDF-1'],
  ['j5.csv', '%PDF-1.4 …'],
  ['j6.ods', ''],
  ['j7.abc', ''],
  ['j8.csv', Uint8Array.from([0x61, 0xff, 0x62, 0x0a])],
];

const files = given.map(([name, content, how = {}]) => [name, content, how] as const);

/** What is typed: names of fields, formats and answers, and what is written in an example; it stands outside of texts. */
const typed = new Set(
  `external_id shipping_address lines shipping full_name phone product_name quantity retail_price cod_amount shipping_note
  orders create customers unknown csv tsv xlsx json jsonl yaml ods abc customer_address order fee status
  hidden_rows fill text returned of day come read skip ship each once`.split(/\s+/),
);

/** The words of texts that are in no catalogue, and neither typed nor in what was read. */
function englishIn(texts: readonly string[], content: string): string[] {
  const data = new Set(content.match(/\p{L}{2,}/gu));
  return texts.flatMap((text) =>
    (leftOver(text.replaceAll('⟦', ' ⟦')).match(/(?<![\p{L}\d_])[a-z_]{2,}(?![\p{L}\d_])/giu) ?? []).filter(
      (word) => !typed.has(word) && !data.has(word),
    ),
  );
}

const inLanguage = async <Value>(language: Spoken | undefined, work: () => Promise<Value>): Promise<Value> => {
  speak(language, Date.UTC(2026, 10, 30));
  return work();
};

it.each(files)('everything that is said of %s is in the language of the run', async (name, content, how) => {
  const texts = await inLanguage(pseudoLanguage, () => saidOf(name, content, how));
  const data = typeof content === 'string' ? content : [...orderHeader, ...Object.values(orderCells)].join(' ');
  const left = englishIn(texts, `${data} ${name} ${header} ${people}`);
  expect(left, texts.join('\n')).toEqual([]);
  expect(texts.some((text) => text.includes('⟦'))).toBe(true);
});

it.each(files)('%s is read alike in every language', async (name, content, how) => {
  const without = async (language: Spoken | undefined) =>
    (await inLanguage(language, () => saidOf(name, content, how))).length;
  expect(await without(vietnamese)).toBe(await without(undefined));
});

it('asks every kind of question in the language of the run, and names rows in it', async () => {
  speak(pseudoLanguage, 0);
  const subjects = [{ name: 'Đã chốt', rows: ['line 2, column Mã', 'Đơn!F3', 'entry 4, status'], count: 9 }];
  const texts = Object.keys(questionKinds).map((id) => questionOf(id as keyof typeof questionKinds, subjects).text);
  expect(texts.flatMap((text) => englishIn([text], ''))).toEqual([]);
});

it.each([
  [{ columns: 3 }],
  [{ columns: { A: { field: 'id', unit: 'lb', whenn: 1 } } }],
  [{ columns: { A: { field: 'id', when: { TT: 3 } } } }],
  [{ columns: { A: 3 }, hidden_rows: 'maybe', command: '' }],
])('says what is wrong with the mapping %o', (value) => {
  speak(pseudoLanguage, 0);
  const message = () => mappingOf(value, 'm.yaml');
  let said = '';
  try {
    message();
  } catch (error) {
    said = error instanceof SheetError ? `${error.message} ${error.hint}` : '';
  }
  expect(said).toContain('⟦');
  expect(
    englishIn(
      [said],
      'm.yaml columns TT unit lb whenn kg thousand field when hidden_rows read skip command hidden rows',
    ),
  ).toEqual([]);
});

it.each([
  ['1.200', { field: 'a', unit: 'thousand' }],
  ['30000', { field: 'a', unit: 'thousand' }],
  ['1,2345', { field: 'a', unit: 'kg' }],
  ['500', { field: 'a', unit: 'kg' }],
  ['nặng', { field: 'a', unit: 'kg' }],
  ['nhiều', { field: 'a', unit: 'thousand' }],
  ['1tr2', { field: 'a', unit: 'thousand' }],
  ['gì', { field: 'a', words: { Có: 'yes' } }],
  ['gì', { field: 'a', words: { '*': 'yes' } }],
  ['31/2', { field: 'a', dates: 'DD/MM/YYYY' }],
] as const)('says how %s is mapped by %o', (cell, to) => {
  speak(pseudoLanguage, 0);
  const read = mappedCell(cell, to);
  const said = read.ok ? (read.note ?? '') : read.message;
  expect(said).toContain('⟦');
  expect(englishIn([said], 'yes kg DD MM YYYY')).toEqual([]);
});

it.each([
  ['boolean', { type: 'boolean' }],
  ['number', { type: 'number' }],
  ['enum', { type: 'string', enum: ['open', 'try'] }],
  ['list', { type: 'array', items: { type: 'object', properties: {} } }],
  ['object', { type: 'object', properties: {} }],
  ['integer', { type: 'integer', unit: 'g' }],
] as const)('says what a cell of %s must be', (_, schema) => {
  speak(pseudoLanguage, 0);
  const read = readCell('gì đó', schema, 'x');
  expect(read.kind === 'wrong' && englishIn([read.message], 'open try')).toEqual([]);
});

it('says of a sheet in Vietnamese what a packer has to mend', async () => {
  const bad = [
    row('A', 'Áo,hai,1.35,450000,'),
    'B,Lan,12,Áo,1,450000,450000,khách báo hủy\n',
    'C,N***n,0901234567,Áo,1,450000,400,\n',
    'Tổng,,,,,,900000,\n',
  ].join('');
  expect(await inLanguage(vietnamese, () => saidOf('don.csv', `${header}${bad}`))).toEqual([
    'dòng 2, cột lines.quantity',
    'phải là một số',
    'dòng 2, cột lines.retail_price',
    'có thể đọc theo nhiều cách: ghi như 1350000, 1.350.000 hoặc 1,350,000',
    'dòng 4, cột shipping_address.full_name',
    'bị sàn che: ghi đầy đủ',
    'dòng 4, cột shipping.cod_amount',
    'là tiền thu hộ dưới 1.000\u00A0₫: không ai thu ít như vậy',
    '',
    'dòng 5, cột shipping.cod_amount: dòng tổng ghi 900.000, các dòng trên cộng lại 900.400',
    'cột "shipping.cod_amount" có số tiền nhỏ cạnh số lớn hơn: dòng 4, cột shipping.cod_amount',
    'trạng thái, ghi chú hoặc màu chưa cho biết có gửi đơn không: "khách báo hủy" ở 1 dòng (dòng 3, cột shipping.shipping_note); gửi (ship) hay bỏ qua (skip)?',
    'số tiền nhỏ: "shipping.cod_amount" ở dòng 4, cột shipping.cod_amount; tính bằng nghìn đồng (thousand), hay đúng như ghi (one)?',
    'bỏ qua 1 dòng: dòng tổng (dòng 5, cột external_id)',
  ]);
});

it.each([
  [
    'order',
    service({ 'Số lượng': 3, 'Tên khách hàng': 'Mai' }),
    [
      'Sheet1!B3',
      'không khớp với "Nguyễn Thị Lan" ở Sheet1!B2: cả hai thuộc một đơn',
      'Sheet1!H3',
      'phải là 3 × 175.000 = 525.000',
      'Sheet1!K3',
      'phải là 341.250',
    ],
  ],
])('says of the service’s own %s sheet in Vietnamese what differs', async (_, content, wanted) => {
  const said = await inLanguage(vietnamese, () => saidOf('i.xlsx', content));
  expect(said.slice(0, wanted.length)).toEqual(wanted);
  expect(said).toContain('bảng đơn hàng');
});

/** A shop with a sheet of one good order and one that is not. */
async function world() {
  const { run, directory } = await shopWorld();
  const cells = batchCells(2).with(2, '12').with(8, 'hai');
  writeFileSync(join(directory, 'don.csv'), batchSheet([batchCells(1), cells]));
  return { run, directory };
}

it('tells a program the same of cells whatever the run speaks', async () => {
  const { run } = await world();
  const plan = ['batch', 'plan', 'don.csv', '-o', 'json'];
  const [english, other] = [await run(plan), await run(plan, { env: { SHOPCTL_LANG: 'vi' } })];
  expect([other.exit, other.stdout, other.stderr]).toEqual([english.exit, english.stdout, english.stderr]);
  expect(english.stdout + english.stderr).toContain('must be a number');
});

it('stores what is wrong with cells in English, whatever the run speaks', async () => {
  const { run, directory } = await world();
  const ran = await run(['batch', 'run', 'don.csv', '--skip-bad', '--yes'], { spoken: pseudoLanguage });
  expect(ran.stderr).toContain('⟦');
  const { stdout } = await run(['batch', 'rows', '-o', 'json']);
  expect(stdout).toContain('must be a number');
  expect(stdout).not.toMatch(/[⟦⟧]/u);
  await run(['batch', 'result', '--to', 'result.csv'], { spoken: pseudoLanguage });
  const result = readFileSync(join(directory, 'result.csv'), 'utf8');
  expect(result).toContain('must be a number');
  expect(result).not.toMatch(/[⟦⟧]/u);
  expect(batchHeader.length).toBeGreaterThan(0);
});

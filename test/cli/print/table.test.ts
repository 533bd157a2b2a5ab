import { expect, test } from 'vitest';
import type { View } from '../../../src/cli/print/document.ts';
import { displayWidth } from '../../../src/platform/terminal/text-width.ts';
import { fc } from '../../support/fast-check.ts';
import { anything, orders, orderView, printedList, printedRecord } from './orders.ts';

test('a list is a header row and aligned rows, numbers to the right, status letters with their word', async () => {
  expect(await printedList(orders)).toBe(
    [
      'ID                   NAME             STATUS           TOTAL  CREATED (GMT+7)   DELETED',
      `1234567890123456789  ${orders[0]?.full_name}  Z new        1,380,000  2026-01-31 08:00  no`,
      `9007199254740993     ${orders[1]?.full_name}     NS returned         -5                    yes`,
      '',
    ].join('\n'),
  );
});

test('a record is a sheet of names and values', async () => {
  expect(await printedRecord(orders[0])).toBe(
    [
      'id       1234567890123456789',
      `name     ${orders[0]?.full_name}`,
      'status   Z new',
      'total    1,380,000',
      'created  2026-01-31 08:00 (GMT+7)',
      'deleted  no',
      '',
    ].join('\n'),
  );
});

test('a record without a view shows every field it has, nested ones as compact JSON', async () => {
  const text = await printedRecord({ id: '1', shipping: { cod_amount: 5 }, none: null }, {}, anything);
  expect(text).toBe('id        1\nshipping  {"cod_amount":5}\n');
  const asked = await printedRecord({ id: '1', none: null }, { fields: ['id', 'none'] }, anything);
  expect(asked).toBe('id    1\nnone\n');
});

test('a table within a sheet leaves out the optional columns that it has no room for, never others, and names them', async () => {
  const view: View = {
    columns: [
      {
        path: 'parcels',
        heads: true,
        each: [
          { path: 'code' },
          { path: 'also', optional: true },
          { path: 'due', kind: 'number' },
          { path: 'fee', kind: 'number', optional: true },
          { path: 'words', optional: true },
        ],
      },
    ],
    name: 'parcels',
  };
  const parcels = [{ code: 'GR000001', also: 'provisional charge', due: 1_380_000, fee: 22_000, words: 'a b c' }];
  const named: (readonly string[])[] = [];
  const onColumns = (_: readonly string[], leftOut: readonly string[]) => void named.push(leftOut);
  const printed = await printedRecord({ parcels }, { columns: 40, onColumns }, view);
  expect(printed.split('\n')).toEqual([
    'parcels  CODE            DUE     FEE',
    '           WORDS',
    '         GR000001  1,380,000  22,000  a',
    '           b c',
    '',
  ]);
  expect(named).toEqual([['parcels.also']]);
  const narrow = await printedRecord({ parcels }, { columns: 30, onColumns }, view);
  expect(narrow).toContain('1,380,000');
  expect(narrow).not.toContain('22,000');
});

test('the entries of a list stand below each other in a sheet, and long texts are broken between their words', async () => {
  const view = {
    columns: [
      { path: 'note' },
      {
        path: 'lines',
        each: [{ path: 'quantity', kind: 'number' }, { path: 'name' }, { path: 'attributes.value' }],
      },
      { path: 'state', kind: 'state' },
    ],
  } as const;
  const lines = [
    { quantity: 2, name: 'Áo khoác', attributes: [] },
    { quantity: 12, name: 'Trà', attributes: [] },
  ];
  const record = { note: 'giao giờ hành chính nhé', lines, state: 'undeliverable' };
  const text = await printedRecord(record, { columns: 28, colour: true }, view);
  expect(text.replaceAll(/\x1b\[(?:1|22)m/g, '').split('\n')).toEqual([
    ...['note   giao giờ hành chính', '       nhé', 'lines   2  Áo khoác', '       12  Trà'],
    ...['state  \x1b[31mundeliverable\x1b[39m', ''],
  ]);
});

test('a value is never cut in a sheet', async () => {
  const note = 'x'.repeat(300);
  expect(await printedRecord({ note }, { columns: 40 }, anything)).toBe(`note  ${note}\n`);
});

test('a list without rows is its header alone, and nothing where no column is known', async () => {
  expect(await printedList([])).toBe('ID  NAME  STATUS  TOTAL  CREATED  DELETED\n');
  expect(await printedList([], {}, anything)).toBe('');
});

test('times are those of a zone that the heading names, or UTC with a Z; what is not a time is shown as it is', async () => {
  const view = { columns: [{ path: 'at', kind: 'time' as const }] };
  const rows = [{ at: '2026-01-31T17:30:59.120Z' }, { at: '2026-02-01T00:30:00+07:00' }, { at: 'soon' }, { at: '' }];
  expect(await printedList(rows, {}, view)).toBe('AT (GMT+7)\n2026-02-01 00:30\n2026-02-01 00:30\nsoon\n\n');
  expect(await printedList(rows, { timeZone: 'UTC' }, view)).toContain('2026-01-31 17:30Z\n2026-01-31 17:30Z\n');
});

test('an unknown status letter and a value that does not fit its kind are shown as they are', async () => {
  const view = {
    columns: [
      { path: 's', kind: 'status' as const },
      { path: 'n', kind: 'number' as const },
    ],
  };
  const text = await printedList(
    [
      { s: 'Q', n: 10.7769 },
      { s: 'constructor', n: 'many' },
      { s: 4, n: [1] },
    ],
    {},
    view,
  );
  expect(text.split('\n').slice(1, 4)).toEqual([
    'Q            10.7769',
    'constructor     many',
    '4                  1',
  ]);
});

test('the header is bold with colour, and colour changes nothing else', async () => {
  const plain = await printedList(orders);
  const [header = '', ...rest] = plain.split('\n');
  const coloured = await printedList(orders, { colour: true });
  expect(coloured.replaceAll(/\x1b\[3[19]m|\x1b\[33m/g, '')).toBe([`\x1b[1m${header}\x1b[22m`, ...rest].join('\n'));
});

test('colour marks what needs a person, in the place of its own cell', async () => {
  const view = {
    columns: [{ path: 'id' }, { path: 'status', kind: 'status' }, { path: 'state', kind: 'state' }],
  } as const;
  const rows = [
    { id: '1', status: 'N', state: 'undeliverable' },
    { id: '2', status: 'NS', state: 'returned' },
    { id: '3', status: 'P', state: 'delivered' },
    { id: '4', status: 'P', state: 'fail' },
  ];
  const [, ...lines] = (await printedList(rows, { colour: true }, view)).split('\n');
  expect(lines).toEqual([
    '1   \x1b[31mN cancelled\x1b[39m  \x1b[31mundeliverable\x1b[39m',
    '2   \x1b[33mNS returned\x1b[39m  \x1b[33mreturned\x1b[39m',
    ...['3   P done       delivered', '4   P done       \x1b[31mfail\x1b[39m', ''],
  ]);
});

test('a row never breaks at the end of the line: what does not fit is left out, but for what names it', async () => {
  const view = {
    columns: [{ path: 'id' }, { path: 'code' }, ...['a', 'b', 'c'].map((path) => ({ path, kind: 'time' as const }))],
  };
  const [a, b, c] = Array.from({ length: 3 }, () => '2026-01-31T08:00:00Z');
  const text = await printedList([{ id: '1234567890123456789', code: 'DH000001', a, b, c }], { columns: 80 }, view);
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  expect(text).toContain('DH000001');
  expect(text.split('\n')[0]).toMatch(/^ID +CODE +A \(GMT\+7\) +B$/);
});

test('at 80 columns rows fit, prose is cut with an ellipsis and ids are whole', async () => {
  const rows = orders.map((order) => ({ ...order, full_name: order.full_name.repeat(9) }));
  const lines = (await printedList(rows, { columns: 80 })).split('\n');
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  expect(lines[1]).toContain('1234567890123456789');
  expect(lines[1]).toContain('1,380,000');
  expect(lines[1]).toMatch(/ Nguyễn…? *…? {2}/);
  expect(lines[1]).toContain('…');
});

test('nothing is cut without a terminal, nor at a width that is not known', async () => {
  const rows = [{ id: '1', full_name: 'x'.repeat(500) }];
  expect(await printedList(rows)).toContain('x'.repeat(500));
  expect(await printedList(rows, { columns: 0 })).toContain('x'.repeat(500));
});

test('on a terminal too narrow for the ids prose stays readable', async () => {
  const text = await printedList([{ id: '1234567890123456789', full_name: 'Nguyễn Thị Hồng' }], { columns: 20 });
  expect(text).toContain('1234567890123456789');
  expect(text).toContain('Nguyễn Thị Hồng');
});

test('a later row wider than the rows that decided is whole and moves its own line only', async () => {
  const rows = Array.from({ length: 1060 }, (_, index) => ({ id: String(index), full_name: 'An', total_amount: 1 }));
  rows[1040] = { id: '1040', full_name: 'Nguyễn Thị Hồng', total_amount: 1 };
  const lines = (await printedList(rows)).split('\n');
  expect(lines).toHaveLength(1062);
  expect(lines[1041]).toMatch(/^1040 {2}Nguyễn Thị Hồng {2}/);
  expect(lines[1042]).toBe(lines[1040]?.replace('1039', '1041'));
});

const name = fc.oneof(
  fc.constantFrom(
    'Nguyễn Thị Hồng',
    'Trần Văn Đức'.normalize('NFD'),
    '王小明',
    'ｆｕｌｌ',
    'สมชาย ใจดี',
    '한글'.normalize('NFD'),
    '👍🏽 ok',
    '❤️',
    '🇻🇳',
    'e\u20dd',
    '_',
    '',
  ),
  fc.string({ unit: 'grapheme' }),
);

test('every cell starts in its column, whatever the names are made of', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, name), { minLength: 1, maxLength: 40 }), async (pairs) => {
      const rows = pairs.map(([first, second]) => ({ first, second, end: '|' }));
      const view = { columns: [{ path: 'first' }, { path: 'second' }, { path: 'end' }] };
      const lines = (await printedList(rows, {}, view)).split('\n').slice(0, -1);
      expect(lines).toHaveLength(rows.length + 1);
      const [header = '', ...body] = lines;
      for (const line of body) expect(displayWidth(line)).toBe(header.lastIndexOf('END') + 1);
    }),
    { numRuns: 100 },
  );
});

test('a mark with nothing to stand on does not change the cell before it', async () => {
  expect(await printedList([{ a: 'x', b: '\u0301y' }], {}, anything)).toBe('A  B\nx  \u25cc\u0301y\n');
});

test('a view that is asked for other fields shows them as columns, arrays mapped', async () => {
  expect(await printedList(orders, { fields: ['id', 'lines.quantity', 'shipping.cod_amount'] }, orderView)).toBe(
    [
      'ID                   LINES.QUANTITY  SHIPPING.COD_AMOUNT',
      '1234567890123456789  2, 1                        120,000',
      '9007199254740993',
      '',
    ].join('\n'),
  );
});

test('optional columns are left out of a terminal that is too narrow, the last one first, and of nothing else', async () => {
  const view: View = {
    columns: [
      { path: 'id' },
      { path: 'note', optional: true },
      { path: 'amount', kind: 'number' },
      { path: 'created', optional: true },
    ],
  };
  const rows = [
    { id: '1234567890123456789', note: 'a note of some length', amount: 1200, created: '2026-01-31T08:00:00Z' },
  ];
  const heading = async (settings: object) => (await printedList(rows, settings, view)).split('\n')[0]?.split(/ {2,}/);
  expect(await heading({ columns: 100 })).toEqual(['ID', 'NOTE', 'AMOUNT', 'CREATED (GMT+7)']);
  expect(await heading({ columns: 50 })).toEqual(['ID', 'NOTE', 'AMOUNT']);
  expect(await heading({ columns: 30 })).toEqual(['ID', 'AMOUNT']);
  expect(await heading({})).toEqual(['ID', 'NOTE', 'AMOUNT', 'CREATED (GMT+7)']);
  expect(await heading({ columns: 30, fields: ['id', 'note', 'created'] })).toEqual(['ID', 'NOTE', 'CREATED (GMT+7)']);
});

test('the zone is named once, by the first column of times that is shown, or behind the first time of a record', async () => {
  const times = (width: number, view: View, settings: object = {}) =>
    printedList(
      [{ id: '1', made: '2026-01-31T08:00:00Z', sent: '2026-07-31T08:00:00Z' }],
      { columns: width, ...settings },
      view,
    );
  const view: View = {
    columns: [{ path: 'id' }, { path: 'made', kind: 'time', optional: true }, { path: 'sent', kind: 'time' }],
  };
  expect(await times(80, view)).toBe('ID  MADE (GMT+7)      SENT\n1   2026-01-31 15:00  2026-07-31 15:00\n');
  expect(await times(25, view)).toBe('ID  SENT (GMT+7)\n1   2026-07-31 15:00\n');
  // Where clocks are set, their distance from UTC is not that of all rows.
  expect(await times(80, view, { timeZone: 'Europe/Berlin' })).toBe(
    'ID  MADE (Europe/Berlin)  SENT\n1   2026-01-31 09:00      2026-07-31 10:00\n',
  );
  expect(await times(80, view, { timeZone: 'UTC' })).toBe(
    'ID  MADE               SENT\n1   2026-01-31 08:00Z  2026-07-31 08:00Z\n',
  );
  const record = { id: '1', made: '2026-01-31T08:00:00Z', sent: '2026-07-31T08:00:00Z' };
  const sheet = await printedRecord(record, {}, view);
  expect(sheet).toBe('id    1\nmade  2026-01-31 15:00 (GMT+7)\nsent  2026-07-31 15:00\n');
});

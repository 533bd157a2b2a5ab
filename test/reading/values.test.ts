import { readFileSync } from 'node:fs';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { readCell } from '../../src/sheets/values.ts';
import { bookOf } from './books.ts';
import { csvOf, readSheet } from './read-sheet.ts';

const columns = [
  'external_id',
  'shipping_address.full_name',
  'lines.product_name',
  'lines.retail_price',
  'shipping.cod_amount',
];
const header = (rest: readonly (readonly unknown[])[]) => csvOf(columns, ...rest);
const one = async (cells: readonly unknown[], answers = {}) => readSheet('o.csv', header([cells]), { answers });

it.each([
  ['450k', 450_000],
  ['1tr2', 1_200_000],
  ['1tr25', 1_250_000],
  ['350 nghìn', 350_000],
  ['1,2 triệu', 1_200_000],
])('%s is read, and told', async (text, amount) => {
  const { orders, notes } = await one(['A', 'An', 'Áo', text, '']);
  expect([orders, notes]).toMatchObject([
    [{ lines: [{ retail_price: amount }] }],
    [expect.stringContaining('is read as ')],
  ]);
});

it.each(['1tr2k', '450k-500k', '1 triệu rưỡi', '12.345', '0x1F'])('the amount %s is never guessed', async (text) => {
  // 12.345 as a text is 12,345; as the number of a formula it is doubtful.
  const book = bookOf([{ name: 'T', columns, lines: [['A', 'An', 'Áo', text === '12.345' ? 12.345 : text, '']] }]);
  expect((await readSheet('o.xlsx', book)).faults.length).toBe(1);
});

it('amounts below 1,000 are thousands if that is said of a column that has no others, and cash of them is invalid', async () => {
  const lines = [
    ['A', 'An', 'Áo', '250', '250'],
    ['B', 'Bình', 'Áo', '99', '0'],
  ];
  const asked = await readSheet('o.csv', header(lines));
  expect([asked.questions.map(({ id, subjects }) => [id, subjects.length]), asked.faults.length]).toEqual([
    [['unit', 2]],
    1,
  ]);
  const said = await readSheet('o.csv', header(lines), { answers: { unit: 'thousand' } });
  expect([said.orders, said.faults]).toMatchObject([
    [
      { lines: [{ retail_price: 250_000 }], shipping: { cod_amount: 250_000 } },
      { lines: [{ retail_price: 99_000 }], shipping: { cod_amount: 0 } },
    ],
    [],
  ]);
  const mixed = [...lines, ['C', 'Chi', 'Áo', '350000', '']];
  const found = await readSheet('o.csv', header(mixed.map((line) => [...line.slice(0, 4), '0'])));
  expect([found.questions, found.told.join()]).toEqual([
    [],
    expect.stringContaining('amounts of "lines.retail_price" below 1,000 beside larger ones: line 2'),
  ]);
  await expect(readSheet('o.csv', header(mixed), { answers: { unit: 'thousand' } })).rejects.toThrow(
    'it is not in thousands',
  );
});

it('a number of more than 15 digits is invalid in every field, and digits are exact as a text', () => {
  for (const field of ['external_id', 'full_name', 'product_name', 'order_note']) {
    expect(readCell(12_345_678_901_234_567_000, { type: 'string' }, field)).toMatchObject({ kind: 'wrong' });
    expect(readCell(123_456_789_012_345, { type: 'string' }, field)).toMatchObject({ value: '123456789012345' });
    expect(readCell('1234567890123456789', { type: 'string' }, field)).toMatchObject({ value: '1234567890123456789' });
  }
});

/** A workbook in which these cells have formats. */
function formatted(book: Uint8Array, formats: Readonly<Record<string, string>>): Uint8Array {
  const entries = Object.entries(formats);
  const files = Object.entries(unzipSync(book)).map(([path, bytes]) => {
    let xml = strFromU8(bytes);
    if (path === 'xl/styles.xml') {
      const own = entries.map(([, code], at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`).join('');
      const xfs = entries.map((_, at) => `<xf xfId="0" numFmtId="${200 + at}" applyNumberFormat="1"/>`).join('');
      xml = xml.replace(/<numFmts[^>]*>/, (tag) => tag + own).replace('</cellXfs>', `${xfs}</cellXfs>`);
    }
    if (path === 'xl/worksheets/sheet1.xml') {
      const first = (
        strFromU8(unzipSync(book)['xl/styles.xml'] ?? new Uint8Array())
          .match(/<cellXfs[\s\S]*<\/cellXfs>/)?.[0]
          .match(/<xf /g) ?? []
      ).length;
      for (const [index, [cell]] of entries.entries())
        xml = xml.replace(new RegExp(`<c r="${cell}"(?: s="\\d+")?`), `<c r="${cell}" s="${first + index}"`);
    }
    return [path, strToU8(xml)] as const;
  });
  return zipSync(Object.fromEntries(files));
}

it('a number is read with the zeros that its format shows', async () => {
  const book = bookOf([{ name: 'T', columns, lines: [[42, 'An', 'Áo', 7, '']] }]);
  const { orders } = await readSheet('o.xlsx', formatted(book, { A2: '000000', D2: '0000' }), {
    answers: { unit: 'one' },
  });
  expect(orders).toMatchObject([{ external_id: '000042', lines: [{ retail_price: 7 }] }]);
});

it.each(['="12 ngõ 5"', "'00124", '="nói ""có"""'])(
  'what another program marks as text is unwrapped: %s',
  async (text) => {
    const { orders } = await one(['A', 'An', text, '1000', '']);
    const meant = { '="12 ngõ 5"': '12 ngõ 5', "'00124": '00124', '="nói ""có"""': 'nói "có"' }[text];
    expect(orders).toMatchObject([{ lines: [{ product_name: meant }] }]);
  },
);

it.each([
  ['N******n', 'is hidden by the marketplace'],
  ['Nguyễn V* A*', 'is hidden by the marketplace'],
  ['Nguy\ufffdn', 'is damaged text'],
  ['Nguyá»…n Thá»‹ Lan', 'is damaged text'],
])('the name %s is invalid', async (name, message) => {
  expect((await one(['A', name, 'Áo', '1000', ''])).faults.join()).toContain(message);
});

it.each(['Nguyễn Văn Á', 'Â Ê Ô', 'Café “Đà Lạt” – số 5', 'Size M*'])(
  'the name %s is as it is written',
  async (name) => {
    expect((await one(['A', name, name, '1000', ''])).faults).toEqual([]);
  },
);

it.each([
  ['r01-sharedcase.xlsx', { external_id: 'R01-1' }],
  ['r06-zeros.xlsx', { external_id: '000042' }],
  ['r13c-float.xlsx', { lines: [{ retail_price: 165_000 }] }],
  ['r15b-title.csv', { external_id: 'R15B-1' }],
  ['r15m-nul.csv', { shipping_address: { full_name: 'Nguyễn Lan' } }],
  [
    'r17d-names.csv',
    { shipping_address: { full_name: 'Lan\u00a0Anh', address1: '12 ngõ 5' }, lines: [{ product_name: 'Áo khoác' }] },
  ],
  [
    'r25c-eqnames.csv',
    { shipping_address: { full_name: 'Nguyễn Thị Lan', address1: '12 ngõ 5' }, lines: [{ product_name: 'Áo khoác' }] },
  ],
  ['r32a-rowpercell.xlsx', { lines: [{ quantity: 1 }] }],
])('%s is read as it is meant', async (name, order) => {
  const { orders, faults } = await readSheet(name, readFileSync(new URL(`files/${name}`, import.meta.url)));
  expect([orders[0], faults]).toMatchObject([order, []]);
});

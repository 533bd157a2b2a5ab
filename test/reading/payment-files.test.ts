/* Carriers' payment files are read as batches are: what is hidden, damaged, small or unusual, and the account of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { layoutOf } from '../../src/cod/sheet/layout.ts';
import { readPayments } from '../../src/cod/sheet/read-payments.ts';
import { Account } from '../../src/sheets/account/account.ts';
import type { Answers } from '../../src/sheets/account/questions.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import { paidWorld } from '../cli/cod/paid-world.ts';
import { csvOf } from './read-sheet.ts';

const columns = { Mã: 'shipping_code', Kỳ: 'session', COD: 'cod', Phí: { field: 'delivery', optional: true } };
const layout = layoutOf({ columns }, 'own');
const header = ['Mã', 'Kỳ', 'COD', 'Phí'];

async function read(rows: readonly (readonly unknown[])[], answers: Answers = {}, text = csvOf(header, ...rows)) {
  const account = new Account(answers);
  const open = () => ({
    name: 'k.csv',
    bytes: (async function* () {
      yield Buffer.from(text);
    })(),
  });
  const file = await readPayments({ name: 'k.csv', format: sheetFormatOf('k.csv'), open, layouts: [layout], account });
  return {
    ...file,
    amounts: file.lines.map(({ shippingCode, kind, amount }) => `${shippingCode} ${kind} ${amount}`),
    reported: file.problems.map(({ cell, problem }) => `${cell} ${problem}`),
  };
}

const asked = (rows: readonly (readonly unknown[])[], answers: Answers = {}) =>
  read(rows, answers).then(
    () => [],
    ({ questions }) =>
      questions.map(({ id, subjects }: { id: string; subjects: { name: string }[] }) => [
        id,
        subjects.map(({ name }) => name),
      ]),
  );

it.each([
  ['a hidden code', ['S1.**71', 's1', 350_000, 0], 'A2 Mã is hidden by asterisks'],
  ['a damaged code', ['S\ufffd71', 's1', 350_000, 0], 'A2 Mã is damaged text'],
  ['a damaged session', ['S71', 'Ká»³ mÆ°á»\u009di', 350_000, 0], 'B2 Kỳ is damaged text'],
  ['a hidden session', ['S71', '**', 350_000, 0], 'B2 Kỳ is hidden by asterisks'],
  ['cash of 1', ['S71', 's1', 1, 0], 'C2 COD is cash below 1,000'],
  ['cash of 999', ['S71', 's1', 999, 0], 'C2 COD is cash below 1,000'],
])('a row with %s is not counted', async (_, row, problem) => {
  const { amounts, unread, reported } = await read([row, ['S72', 's1', 150_000, 0]]);
  expect([amounts, unread, reported]).toEqual([['S72 cod 150000'], 1, [expect.stringContaining(problem)]]);
});

it('cash of 0 and of 1,000 is counted', async () => {
  const { amounts, reported } = await read([
    ['S71', 's1', 0, 0],
    ['S72', 's1', 1_000, 0],
  ]);
  expect([amounts, reported]).toEqual([['S71 cod 0', 'S72 cod 1000'], []]);
});

const thousands = [
  ['S71', 's1', 350, 22],
  ['S72', 's1', 850, 0],
  ['Tổng', '', 1_200, 22],
];

it('whether amounts are in thousands is asked of columns in which all are below 1,000, and sums follow', async () => {
  expect(await asked(thousands)).toEqual([['unit', ['COD', 'Phí']]]);
  const said = await read(thousands, { unit: 'thousand' });
  expect(said.amounts).toEqual(['S71 cod 350000', 'S71 delivery -22000', 'S72 cod 850000']);
  expect([said.reported, said.sumRows]).toEqual([[], [4]]);
  expect(said.readings.map(({ cell, message }) => `${cell} ${message}`)).toEqual([
    'C2 is read as 350,000, in thousands',
    'D2 is read as 22,000, in thousands',
    'C3 is read as 850,000, in thousands',
  ]);
  const one = await read(thousands, { unit: 'one' });
  expect([one.amounts, one.unread]).toEqual([[], 2]);
});

it('a small fee beside larger ones is a warning, and no question', async () => {
  const rows = [
    ['S71', 's1', 350_000, 500],
    ['S72', 's1', 150_000, 22_000],
  ];
  const { warnings, amounts } = await read(rows);
  expect(warnings).toEqual([{ code: 'small_amounts', message: 'small amounts of "Phí" beside larger ones: D2' }]);
  expect(amounts).toContain('S71 delivery -500');
  await expect(read(rows, { unit: 'thousand' })).rejects.toThrow('may be in ₫ or in thousands');
});

it('what is said of cells and lines is the account of a batch', async () => {
  const { reported, warnings, cautions, readings, leftOut } = await read(
    [],
    {},
    'Mã,Kỳ,COD,Phí\n12-Mar,s1,450k,0\nS72,s1,350000\nTổng,,800000,0\n',
  );
  expect(reported).toEqual([]);
  expect(warnings).toEqual([
    { code: 'cells_missing', message: expect.stringContaining('line 3 has fewer cells than the header') },
  ]);
  expect(cautions).toMatchObject([{ code: 'made_a_date', cell: 'A2', value: '12-Mar', row: 2 }]);
  expect(readings).toMatchObject([{ cell: 'C2', value: '450k', message: 'is read as 450,000' }]);
  expect(leftOut).toEqual([{ cell: 'A4', reason: 'sums of other rows' }]);
});

it('a file in thousands is refused with its flag, and imported with it', async () => {
  const world = await paidWorld([]);
  writeFileSync(join(world.directory, 'k.csv'), csvOf(header, ...thousands));
  writeFileSync(join(world.directory, 'k.yaml'), JSON.stringify({ columns }));
  const words = ['cod', 'import', 'k.csv', '--layout', './k.yaml', '--json'];
  const refused = await world.run(words);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--unit')]);
  const { exit, stdout, stderr } = await world.run([...words, '--unit', 'thousand']);
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  const [{ amount, read: account }] = JSON.parse(stdout);
  expect([amount, account.lines, account.rows, account.warnings]).toEqual([1_178_000, 3, 2, []]);
  expect(account.readings).toHaveLength(3);
  // What is unusual stands on the screen as well, with its cell.
  writeFileSync(
    join(world.directory, 'd.csv'),
    readFileSync(join(world.directory, 'k.csv'), 'utf8').replace('S71', '3-Dec'),
  );
  const reported = await world.run(['cod', 'import', 'd.csv', '--layout', './k.yaml', '--unit', 'thousand']);
  expect(reported.stderr).toContain('d.csv: warning: A2: "3-Dec" Mã looks like a date');
});

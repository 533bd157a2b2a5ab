import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { orderCells, orderHeader } from '../batch/batch-world.ts';
import { shopWorld } from '../support/shop-world.ts';
import { bookOf, type LivedIn } from './books.ts';

const tab = (name: string, numbers: readonly number[], more: Partial<LivedIn> = {}): LivedIn => ({
  name,
  columns: orderHeader,
  lines: numbers.map((number) => orderCells(number)),
  ...more,
});

/** The lines of an example export, with other cells by line and column. */
function exportWith(
  name: string,
  cells: Readonly<Record<number, Readonly<Record<string, string>>>>,
  added: string[] = [],
) {
  const [head = '', ...lines] = readFileSync(new URL(`../../examples/exports/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const columns = [...head.split(','), ...added];
  const changed = lines.map((line, index) => {
    const own = line.match(/"[^"]*"|[^,]+|(?<=,|^)(?=,|$)/g) ?? [];
    const given = cells[index + 1] ?? {};
    return columns.map((column, at) => given[column] ?? own[at] ?? '').join(',');
  });
  return `${[columns.join(','), ...changed].join('\n')}\n`;
}

interface Case {
  readonly file: string;
  readonly content: string | Uint8Array;
  /** What the message has without a terminal. */
  readonly asks: readonly string[];
  /** Each way to answer by flags, with the orders that are sent then. */
  readonly flags: readonly (readonly [readonly string[], readonly string[]])[];
  /** The same by the keys of a mapping. */
  readonly keys: readonly (readonly [object, readonly string[]])[];
  /** The same at a terminal. */
  readonly answers: readonly (readonly [readonly string[], readonly string[]])[];
}

const cases: Readonly<Record<string, Case>> = {
  sheet: {
    file: 'o.xlsx',
    content: bookOf([
      tab('Cũ', [9], { state: 'hidden' }),
      tab('Thứ 2', [1]),
      tab('Thứ 3', [2]),
      tab('Sâu', [8], { state: 'veryHidden' }),
    ]),
    asks: [
      'several sheets have rows below a header ("Thứ 2", "Thứ 3"): which one is read?',
      "--sheet 'Thứ 2', --sheet 'Thứ 3'",
    ],
    flags: [
      [['--sheet', 'Thứ 2'], ['SO-1']],
      [['--sheet', 'Thứ 3'], ['SO-2']],
      [['--sheet', 'Cũ'], ['SO-9']],
      [['--sheet', 'Sâu'], ['SO-8']],
    ],
    keys: [[{ sheet: 'Thứ 3' }, ['SO-2']]],
    answers: [[['Thứ 3'], ['SO-2']]],
  },
  hidden_rows: {
    file: 'o.xlsx',
    content: bookOf([tab('T', [1, 2, 3], { hiddenRows: [2, 4] })]),
    asks: ['2 rows are hidden, as by a filter (T!A2, T!A4): read or skip?', '--hidden-rows read|skip'],
    flags: [
      [['--hidden-rows', 'skip'], ['SO-2']],
      [
        ['--hidden-rows', 'read'],
        ['SO-1', 'SO-2', 'SO-3'],
      ],
    ],
    keys: [[{ hidden_rows: 'skip' }, ['SO-2']]],
    answers: [
      [['skip'], ['SO-2']],
      [['read'], ['SO-1', 'SO-2', 'SO-3']],
    ],
  },
  struck_rows: {
    file: 'o.xlsx',
    // A price that is struck through is a price that was.
    content: bookOf([tab('T', [1, 2, 3], { struck: ['A2', 'B4', 'J3'] })]),
    asks: ['2 rows are struck through (T!A2, T!A4): read or skip?', '--struck-rows read|skip'],
    flags: [
      [['--struck-rows', 'skip'], ['SO-2']],
      [
        ['--struck-rows', 'read'],
        ['SO-1', 'SO-2', 'SO-3'],
      ],
    ],
    keys: [[{ struck_rows: 'skip' }, ['SO-2']]],
    answers: [[['skip'], ['SO-2']]],
  },
  ignore_columns: {
    file: 'lazada.csv',
    content: exportWith('lazada.csv', { 1: { 'Return Reason': 'x' } }, ['Colour of box', 'Return Reason']),
    asks: [
      'new columns of the export may say what is to be shipped or collected ("Return Reason"): leave them out?',
      '--ignore-columns',
    ],
    flags: [[['--ignore-columns'], ['400100200300', '400100200301']]],
    keys: [[{ ignore_columns: ['Return Reason'] }, ['400100200300', '400100200301']]],
    answers: [[['leave them out'], ['400100200300', '400100200301']]],
  },
};

const pickup = readFileSync(new URL('../../examples/exports/pickup.yaml', import.meta.url), 'utf8');

async function world({ file, content }: Case) {
  const made = await shopWorld();
  writeFileSync(join(made.directory, file), content);
  const plan = async (keys: object, words: readonly string[], how = {}) => {
    const more = Object.keys(keys).length === 0 ? '' : stringify(keys);
    writeFileSync(join(made.directory, 'map.yaml'), `${pickup}\n${more}`);
    const map = file.endsWith('.csv') || more !== '' ? ['--map', 'map.yaml'] : [];
    const as = 'terminal' in how ? [] : ['-o', 'json'];
    const ran = await made.run(['batch', 'plan', file, ...map, ...as, ...words], how);
    return { ...ran, ids: [...new Set(ran.stdout.match(/SO-\d+|4001\d+/g))].sort() };
  };
  return { ...made, plan };
}

it.each(Object.entries(cases))(
  'a question about %s is refused without a terminal, with what answers it',
  async (id, one) => {
    const { plan } = await world(one);
    for (const yes of [[], ['--yes']]) {
      const { exit, stderr, stdout } = await plan({}, yes);
      expect([exit, stdout]).toEqual([2, '']);
      const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
      expect(error).toMatchObject({ code: 'usage', field_errors: [{ path: id }] });
      for (const text of one.asks) expect(error.message).toContain(text);
    }
  },
);

it.each(Object.entries(cases))('a question about %s is answered by a flag', async (_, one) => {
  const { plan } = await world(one);
  for (const [words, ids] of one.flags) expect(await plan({}, words)).toMatchObject({ exit: 0, ids });
});

it.each(Object.entries(cases))('a question about %s is answered by a key of a mapping', async (_, one) => {
  const { plan } = await world(one);
  for (const [keys, ids] of one.keys) expect(await plan(keys, [])).toMatchObject({ exit: 0, ids });
});

it.each(Object.entries(cases))('a question about %s is answered at a terminal, with --yes as well', async (_, one) => {
  const { plan } = await world(one);
  for (const yes of [[], ['--yes']]) {
    for (const [answers, ids] of one.answers) {
      expect(await plan({}, yes, { terminal: true, answers })).toMatchObject({ exit: 0, ids });
    }
  }
});

const both = bookOf([tab('Thứ 2', [1, 2, 3], { hiddenRows: [2], struck: ['A3'] }), tab('Thứ 3', [4])]);

it('all open questions are in one message, and asked one after another at a terminal', async () => {
  const { plan } = await world({ file: 'o.xlsx', content: both, asks: [], flags: [], keys: [], answers: [] });
  const { exit, stderr } = await plan({}, []);
  expect([exit, JSON.parse(stderr).error.field_errors.map(({ path }: { path: string }) => path)]).toEqual([
    2,
    ['sheet', 'hidden_rows', 'struck_rows'],
  ]);
  expect(stderr).toContain("--sheet 'Thứ 2', --sheet 'Thứ 3', --hidden-rows read|skip, --struck-rows read|skip");
  const answers = ['Thứ 2', 'skip', 'read'];
  expect((await plan({}, [], { terminal: true, answers })).ids).toEqual(['SO-2', 'SO-3']);
  expect(
    (await plan({}, ['--sheet', 'Thứ 2', '--struck-rows', 'skip'], { terminal: true, answers: ['read'] })).ids,
  ).toEqual(['SO-1', 'SO-3']);
});

it('answers are kept with the saved mapping that reads the file, and a flag counts more', async () => {
  const { plan, run } = await world({
    file: 'o.xlsx',
    content: both,
    asks: [],
    flags: [],
    keys: [],
    answers: [],
  });
  const mapped = await run(['batch', 'map', 'o.xlsx', '--sheet', 'Thứ 2', '--save', 'daily']);
  expect(mapped.exit).toBe(0);
  const answers = ['Thứ 2', 'skip', 'read', true];
  expect((await plan({}, [], { terminal: true, answers })).ids).toEqual(['SO-2', 'SO-3']);
  expect(await plan({}, [])).toMatchObject({ exit: 0, ids: ['SO-2', 'SO-3'] });
  expect((await plan({}, ['--hidden-rows', 'read'])).ids).toEqual(['SO-1', 'SO-2', 'SO-3']);
});

it('a hidden row that is there already is not asked about, nor half of an order left out', async () => {
  const { run, plan, directory } = await world({
    file: 'o.xlsx',
    content: both,
    asks: [],
    flags: [],
    keys: [],
    answers: [],
  });
  writeFileSync(join(directory, 'first.xlsx'), bookOf([tab('T', [1])]));
  expect((await run(['batch', 'run', 'first.xlsx', '--yes'])).exit).toBe(0);
  writeFileSync(join(directory, 'o.xlsx'), bookOf([tab('T', [1, 2], { hiddenRows: [2] })]));
  expect(await plan({}, [])).toMatchObject({ exit: 0, ids: ['SO-2'] });
  const lines = [orderCells(5), orderCells(5)];
  writeFileSync(join(directory, 'o.xlsx'), bookOf([tab('T', [], { lines, hiddenRows: [3] })]));
  const { exit, stderr } = await plan({}, ['--hidden-rows', 'skip']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('is hidden, and other rows of the same order are not')]);
});

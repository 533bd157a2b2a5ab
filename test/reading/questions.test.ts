import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { questionsDecided } from '../../src/batch/actions/answering.ts';
import { Account } from '../../src/sheets/account/account.ts';
import { orderCells, orderHeader } from '../batch/batch-world.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';
import { bookOf, type LivedIn } from './books.ts';
import { exportWith, exportWithLines } from './exports.ts';

const tab = (name: string, numbers: readonly number[], more: Partial<LivedIn> = {}): LivedIn => ({
  name,
  columns: orderHeader,
  lines: numbers.map((number) => orderCells(number)),
  ...more,
});

interface Case {
  readonly file: string;
  readonly content: string | Uint8Array;
  /** How a mapping reads its columns. */
  readonly columns?: object;
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
      'several sheets have rows below a header ("Thứ 2", "Thứ 3"): which one is read, or all of them?',
      "--sheet 'Thứ 2', --sheet 'Thứ 3', --all-sheets",
    ],
    flags: [
      [['--sheet', 'Thứ 2'], ['SO-1']],
      [['--sheet', 'Thứ 3'], ['SO-2']],
      [['--all-sheets'], ['SO-1', 'SO-2']],
      [['--sheet', 'Cũ'], ['SO-9']],
      [['--sheet', 'Sâu'], ['SO-8']],
    ],
    keys: [
      [{ sheet: 'Thứ 3' }, ['SO-2']],
      [{ all_sheets: true }, ['SO-1', 'SO-2']],
    ],
    answers: [
      [['Thứ 3'], ['SO-2']],
      [['all of them'], ['SO-1', 'SO-2']],
    ],
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
    content: bookOf([tab('T', [1, 2, 3], { struck: ['A2', 'B4'] })]),
    asks: ['2 rows are struck through, as a whole or in a cell (T!A2, T!B4): read or skip?', '--struck-rows read|skip'],
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
  equal_rows: {
    file: 'o.xlsx',
    content: bookOf([tab('T', [1, 1, 2])]),
    asks: ['1 row is equal to the row above, with the same code (T!A3): count once or each?', '--equal-rows once|each'],
    flags: [
      [
        ['--equal-rows', 'once'],
        ['SO-1', 'SO-2'],
      ],
    ],
    keys: [[{ equal_rows: 'once' }, ['SO-1', 'SO-2']]],
    answers: [[['once'], ['SO-1', 'SO-2']]],
  },
  line_cash: {
    file: 'o.xlsx',
    content: bookOf([
      tab('T', [], {
        lines: [1, 1].map((number, at) =>
          orderCells(number).map((cell, column) =>
            at === 1 && column > 0 && column < 3 ? '' : column === 7 ? `Áo ${at}` : column === 11 ? '400000' : cell,
          ),
        ),
      }),
    ]),
    asks: [
      '1 row is of an order whose cash also stands on the row above (T!L3): is it collected once, or for each row?',
      '--line-cash once|each',
    ],
    flags: [
      [['--line-cash', 'once'], ['SO-1']],
      [['--line-cash', 'each'], ['SO-1']],
    ],
    keys: [[{ line_cash: 'each' }, ['SO-1']]],
    answers: [[['each'], ['SO-1']]],
  },
  same_recipient: {
    file: 'o.xlsx',
    content: bookOf([
      tab('T', [], { lines: [orderCells(1), orderCells(1).with(0, '').with(7, 'Mũ').with(11, ''), orderCells(2)] }),
    ]),
    columns: Object.fromEntries(orderHeader.map((name) => [name, name])),
    asks: [
      '1 row is without a code, and of the recipient of the row above (T!A3): one order with it, or an order each?',
      '--same-recipient one|each',
    ],
    flags: [
      [
        ['--same-recipient', 'one'],
        ['SO-1', 'SO-2'],
      ],
      [
        ['--same-recipient', 'each', '--blank-cash', 'zero'],
        ['SO-1', 'SO-2'],
      ],
    ],
    keys: [[{ same_recipient: 'one' }, ['SO-1', 'SO-2']]],
    answers: [[['one'], ['SO-1', 'SO-2']]],
  },
  blank_cash: {
    file: 'o.xlsx',
    content: bookOf([tab('T', [], { lines: [orderCells(1), orderCells(2).with(11, '')] })]),
    asks: [
      'cash is blank beside cells with cash: "shipping.cod_amount" in 1 row (T!L3); is the total of the order collected (total), or nothing (zero)?',
      '--blank-cash total|zero',
    ],
    flags: [
      [
        ['--blank-cash', 'zero'],
        ['SO-1', 'SO-2'],
      ],
      [
        ['--blank-cash', 'total'],
        ['SO-1', 'SO-2'],
      ],
    ],
    keys: [[{ blank_cash: 'total' }, ['SO-1', 'SO-2']]],
    answers: [[['zero'], ['SO-1', 'SO-2']]],
  },
  pieces: {
    file: 'o.xlsx',
    content: bookOf([tab('T', [], { lines: [orderCells(1).with(7, 'Áo x3'), orderCells(2)] })]),
    asks: [
      'goods name other pieces than their quantity: "Áo x3" in 1 row (T!H2); does the quantity count (quantity), or are these cells invalid (ask)?',
      '--pieces quantity|ask',
    ],
    flags: [
      [
        ['--pieces', 'quantity'],
        ['SO-1', 'SO-2'],
      ],
    ],
    keys: [[{ pieces: 'quantity' }, ['SO-1', 'SO-2']]],
    answers: [[['quantity'], ['SO-1', 'SO-2']]],
  },
  status: {
    file: 'lazada.csv',
    content: exportWithLines('lazada.csv', [
      { 'Order Number': '400100', Status: 'packed' },
      { 'Order Number': '400101', Status: 'pending' },
      { 'Order Number': '400102', Status: '' },
    ]),
    asks: [
      'a status, a note or a colour leaves open whether orders are to be shipped: "packed" in 1 row (line 2, column Status), blank in 1 row (line 4, column Status); ship or skip?',
      "--status 'packed=ship|skip', --status '=ship|skip'",
    ],
    flags: [
      [
        ['--status', 'packed=ship', '--status', '=skip'],
        ['400100', '400101'],
      ],
    ],
    keys: [[{ status: { Packed: 'skip', '': 'ship' } }, ['400101', '400102']]],
    answers: [[['skip', 'skip'], ['400101']]],
  },
  tracked: {
    file: 'kiotviet.csv',
    content: exportWithLines('kiotviet.csv', [
      { 'Mã hóa đơn': '400100', 'Mã vận đơn': 'GHN1' },
      { 'Mã hóa đơn': '400101' },
    ]),
    asks: [
      '1 row is of orders with a tracking code, a day of dispatch or a mark that they were sent (line 2, column Mã vận đơn): ship or skip?',
      '--tracked ship|skip',
    ],
    flags: [
      [
        ['--tracked', 'ship'],
        ['400100', '400101'],
      ],
    ],
    keys: [[{ tracked: 'skip' }, ['400101']]],
    answers: [[['skip'], ['400101']]],
  },
  payment: {
    file: 'lazada.csv',
    content: exportWithLines('lazada.csv', [
      { 'Order Number': '400100', 'Payment Method': 'COD' },
      { 'Order Number': '400101', 'Payment Method': 'Trả sau' },
      { 'Order Number': '400102', 'Payment Method': '' },
    ]),
    asks: [
      'a word of payment leaves open whether cash is collected: "Trả sau" in 1 row (line 3, column Payment Method), blank in 1 row (line 4, column Payment Method); cash or paid?',
      "--payment 'Trả sau=cash|paid', --payment '=cash|paid'",
    ],
    flags: [
      [
        ['--payment', 'Trả sau=cash', '--payment', '=paid'],
        ['400100', '400101', '400102'],
      ],
    ],
    keys: [[{ payment: { 'trả sau': 'paid', '': 'cash' } }, ['400100', '400101', '400102']]],
    answers: [
      [
        ['cash', 'paid'],
        ['400100', '400101', '400102'],
      ],
    ],
  },
  unit: {
    file: 'o.xlsx',
    content: bookOf([
      tab('T', [], {
        lines: [1, 2].map((number) =>
          orderCells(number).map((cell) => cell.replace(/^450\.000$|^900000$/, `${number}50`)),
        ),
      }),
    ]),
    asks: [
      'amounts are small: "lines.retail_price" in T!J2, T!J3; "shipping.cod_amount" in T!L2, T!L3; are they in thousands (thousand), or right as they are (one)?',
      '--unit thousand|one',
    ],
    flags: [
      [
        ['--unit', 'thousand'],
        ['SO-1', 'SO-2'],
      ],
    ],
    keys: [[{ unit: 'thousand' }, ['SO-1', 'SO-2']]],
    answers: [[['thousand'], ['SO-1', 'SO-2']]],
  },
  new_wards: {
    file: 'o.xlsx',
    content: bookOf([
      tab('T', [], {
        lines: [1, 2].map((number) =>
          orderCells(number).map((cell, at) =>
            number === 1 ? cell : ({ 3: 'HCM', 4: '', 5: 'P. Bến Thành' }[at] ?? cell),
          ),
        ),
      }),
    ]),
    asks: [
      'wards of 2025 without a former district: "P. Bến Thành" in T!F3; is the former ward of the same name meant (same-name), or are these cells invalid (ask)?',
      "--new-wards 'ask|same-name'",
    ],
    flags: [
      [
        ['--new-wards', 'same-name'],
        ['SO-1', 'SO-2'],
      ],
    ],
    keys: [[{ new_wards: 'same-name' }, ['SO-1', 'SO-2']]],
    answers: [[['same-name'], ['SO-1', 'SO-2']]],
  },
  ignore_columns: {
    file: 'lazada.csv',
    content: exportWith('lazada.csv', { 1: { 'Return Reason': 'x' } }, ['Colour of box', 'Return Reason']),
    asks: [
      'columns that nothing reads may say what is to be shipped, collected or paid ("Return Reason"): leave them out?',
      '--ignore-columns',
    ],
    flags: [[['--ignore-columns'], ['400100200300', '400100200301']]],
    keys: [[{ ignore_columns: ['Return Reason'] }, ['400100200300', '400100200301']]],
    answers: [[['leave them out'], ['400100200300', '400100200301']]],
  },
};

const pickup = readFileSync(new URL('../../examples/exports/pickup.yaml', import.meta.url), 'utf8');

async function world({ file, content, columns }: Case) {
  const made = await shopWorld();
  writeFileSync(join(made.directory, file), content);
  const plan = async (keys: object, words: readonly string[], how = {}) => {
    const all = { ...(columns && { columns }), ...keys };
    const more = Object.keys(all).length === 0 ? '' : stringify(all);
    writeFileSync(join(made.directory, 'map.yaml'), `${pickup}\n${more}`);
    const map = file.endsWith('.csv') || more !== '' ? ['--map', 'map.yaml'] : [];
    const as = 'terminal' in how ? [] : ['-o', 'json'];
    const ran = await made.run(['batch', 'plan', file, ...map, ...as, ...words], how);
    return { ...ran, ids: [...new Set(ran.stdout.match(/SO-\d+|\b4001\d+/g))].sort() };
  };
  return { ...made, plan };
}

const sentence = 'a question about %s is refused without a terminal, and answered by flags, by keys and by a person';

it.each(Object.entries(cases))(sentence, async (id, one) => {
  const { plan } = await world(one);
  const { exit, stderr, stdout } = await plan({}, ['--yes']);
  expect([exit, stdout]).toEqual([2, '']);
  const error = errorOf(stderr);
  expect(error).toMatchObject({
    code: 'usage',
    field_errors: expect.arrayContaining([expect.objectContaining({ path: id })]),
  });
  for (const text of one.asks) expect(error.message).toContain(text);
  for (const [words, ids] of one.flags) {
    const answered = await plan({}, words);
    expect(answered).toMatchObject({ exit: 0, ids });
    expect(answered.stdout).not.toContain('answer_unused');
  }
  for (const [keys, ids] of one.keys) expect(await plan(keys, [])).toMatchObject({ exit: 0, ids });
  for (const [answers, ids] of one.answers) {
    expect(await plan({}, ['--yes'], { terminal: true, answers })).toMatchObject({ exit: 0, ids });
  }
});

it('an answer that a file has no question for is reported, and changes nothing', async () => {
  const { run, directory } = await shopWorld();
  writeFileSync(join(directory, 'customers.csv'), 'full_name,phone\nLan,0912345678\n');
  const ofShop = ['--profile', 'shop'];
  const flags = Object.values(cases).flatMap((one) => one.flags.map(([words]) => words));
  for (const words of [...flags, ['--status', 'fill FFFF00=skip']]) {
    const ran = await run([
      'batch',
      'plan',
      'customers.csv',
      '--do',
      'customers create',
      ...words,
      ...ofShop,
      '-o',
      'json',
    ]);
    expect(ran.exit).toBe(0);
    const { counts, read } = JSON.parse(ran.stdout);
    const said = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).replace('-', '_'));
    const reported = read.warnings.map(({ code, message }: { code: string; message: string }) => {
      return [
        code,
        message.split(' ')[0],
        message.endsWith(' answers nothing that this file asks: it changes nothing'),
      ];
    });
    expect([counts.left, reported]).toEqual([1, said.map((name) => ['answer_unused', name, true])]);
  }
  const colour = ['--do', 'customers create', '--status', 'fill FFFF00=skip', ...ofShop, '--yes'];
  const { exit, stderr } = await run(['batch', 'run', 'customers.csv', ...colour]);
  expect([exit, stderr]).toEqual([0, expect.stringContaining('warning: status "fill FFFF00=skip" answers nothing')]);
});

const both = bookOf([tab('Thứ 2', [1, 2, 3], { hiddenRows: [2], struck: ['A3'] }), tab('Thứ 3', [4])]);

it('all open questions are in one message, and asked one after another at a terminal', async () => {
  const { plan } = await world({ file: 'o.xlsx', content: both, asks: [], flags: [], keys: [], answers: [] });
  const { exit, stderr } = await plan({}, []);
  expect([exit, errorOf(stderr).field_errors.map(({ path }: { path: string }) => path)]).toEqual([
    2,
    ['sheet', 'hidden_rows', 'struck_rows'],
  ]);
  expect(stderr).toContain(
    "--sheet 'Thứ 2', --sheet 'Thứ 3', --all-sheets, --hidden-rows read|skip, --struck-rows read|skip",
  );
  const answers = ['Thứ 2', 'skip', 'read'];
  expect((await plan({}, [], { terminal: true, answers })).ids).toEqual(['SO-2', 'SO-3']);
  expect(
    (await plan({}, ['--sheet', 'Thứ 2', '--struck-rows', 'skip'], { terminal: true, answers: ['read'] })).ids,
  ).toEqual(['SO-1', 'SO-3']);
});

it('each question that was decided is in the JSON of a plan, with what was said and by whom', async () => {
  const { run, directory } = await shopWorld();
  writeFileSync(join(directory, 'o.xlsx'), both);
  const decided = async (words: readonly string[]) => {
    const { exit, stdout, stderr } = await run(['batch', 'plan', 'o.xlsx', ...words, '-o', 'json']);
    expect([exit, exit === 0 ? '' : stderr]).toEqual([0, '']);
    const { questions } = JSON.parse(stdout).read;
    return questions.map(({ id, key, flag, exit: code, answers }: Record<string, unknown>) => {
      expect([key, flag, code]).toEqual([id, id, 2]);
      return [id, (answers as object[]).map((one) => Object.values(one))];
    });
  };
  const words = ['--sheet', 'Thứ 2', '--struck-rows', 'skip'];
  const sheets = [
    ['Thứ 2', 'read', 'flag', 1, []],
    ['Thứ 3', 'skip', 'flag', 1, []],
  ];
  const struck = ['struck_rows', [['struck through', 'skip', 'flag', 1, ['Thứ 2!A3']]]];
  expect(await decided([...words, '--hidden-rows', 'read'])).toEqual([
    ['sheet', sheets],
    ['hidden_rows', [['hidden', 'read', 'flag', 1, ['Thứ 2!A2']]]],
    struck,
  ]);
  writeFileSync(join(directory, 'm.yaml'), stringify({ columns: {}, hidden_rows: 'skip' }));
  expect(await decided([...words, '--map', './m.yaml'])).toEqual([
    ['sheet', sheets],
    ['hidden_rows', [['hidden', 'skip', 'mapping', 1, ['Thứ 2!A2']]]],
    struck,
  ]);
  const account = new Account();
  for (const name of ['Mới', 'Xong', 'Bom']) account.ask({ id: 'status', name, cell: 'A2', answer: 'skip' });
  const said = { byFlag: { status: { xong: 'skip' } }, atPrompt: { status: { Mới: 'skip' } } } as const;
  const [of] = questionsDecided(account.decided, said);
  expect(of?.answers.map(({ name, by }) => [name, by])).toEqual([
    ['Mới', 'prompt'],
    ['Xong', 'flag'],
    ['Bom', 'mapping'],
  ]);
  // What no row needs is no question.
  writeFileSync(join(directory, 'o.xlsx'), bookOf([tab('T', [1])]));
  expect(await decided(['--struck-rows', 'skip', '--unit', 'thousand'])).toEqual([]);
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

it('an order that stands on two sheets alike is one, and with other content it is invalid', async () => {
  const { run, directory } = await shopWorld();
  const plan = (...tabs: readonly LivedIn[]) => {
    writeFileSync(join(directory, 'o.xlsx'), bookOf(tabs));
    return run(['batch', 'plan', 'o.xlsx', '--all-sheets', '-o', 'json']);
  };
  const alike = await plan(tab('Thứ 2', [1, 2]), tab('Thứ 3', [2, 3]));
  expect([alike.exit, JSON.parse(alike.stdout).counts.rows]).toEqual([0, 3]);
  expect(noticeText(alike)).toContain('1 line is left out: the order stands at Thứ 2!A3 as well');
  expect(noticeText(alike)).toContain('sheets "Thứ 2", "Thứ 3" are read');
  const other = [orderCells(9, 'SO-1')];
  const { exit, stderr } = await plan(tab('Thứ 2', [1]), tab('Thứ 3', [], { lines: other }));
  expect([exit, stderr]).toEqual([2, expect.stringContaining('is the same as at Thứ 2!A2')]);
  const fewer = { columns: orderHeader.slice(1), lines: [orderCells(4).slice(1)] };
  expect(await plan(tab('Thứ 2', [1]), tab('Thứ 3', [], fewer))).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('the columns of sheet \\"Thứ 3\\" are not those of \\"Thứ 2\\"'),
  });
});

it('sheets whose columns are the same in another order are read together, and others are refused by their names', async () => {
  const { run, directory } = await shopWorld();
  const turned = (cells: readonly string[]) => [...cells].reverse();
  const book = (columns: readonly string[], lines: readonly (readonly string[])[]) =>
    writeFileSync(join(directory, 'o.xlsx'), bookOf([tab('Thứ 2', [1]), tab('Thứ 3', [], { columns, lines })]));
  book(turned(orderHeader), [turned(orderCells(2)), turned(orderCells(1)), turned(orderCells(3).with(10, 'nặng'))]);
  const plan = await run(['batch', 'plan', 'o.xlsx', '--all-sheets', '--skip-bad', '-o', 'json']);
  const { rows, read } = JSON.parse(plan.stdout);
  expect([plan.exit, [...new Set(JSON.stringify(rows).match(/SO-\d/g))]]).toEqual([9, ['SO-1', 'SO-2']]);
  // The same order in another order of columns is one.
  expect([read.lines, read.left_out]).toMatchObject([4, [{ cell: 'Thứ 3!S3' }]]);
  expect(noticeText(plan)).toContain('Thứ 3!I4: "nặng"');
  book([...orderHeader.slice(1), 'Mã lạ'], [[...orderCells(2).slice(1), 'x']]);
  const refused = await run(['batch', 'plan', 'o.xlsx', '--all-sheets']);
  expect([refused.exit, refused.stderr]).toEqual([
    2,
    expect.stringContaining('are not those of "Thứ 2": it has "Mã lạ"; it lacks "external_id"'),
  ]);
});

it('an order that stands on a sheet of cancelled ones as well is asked about, whichever sheet is read', async () => {
  const { run, directory } = await shopWorld();
  const [code, cash] = [orderHeader.indexOf('external_id'), orderHeader.indexOf('shipping.cod_amount')];
  const other = orderCells(2).with(code, 'CU-77').with(cash, '170000');
  const lines = [orderCells(1), other];
  const plan = async (name: string, ...words: readonly string[]) => {
    writeFileSync(join(directory, 'o.xlsx'), bookOf([tab('Hôm nay', [1, 2, 3]), tab(name, [], { lines })]));
    const ran = await run(['batch', 'plan', 'o.xlsx', '-o', 'json', ...words]);
    return { ...ran, rows: ran.exit === 0 ? JSON.parse(ran.stdout).counts.rows : 0 };
  };
  for (const name of ['Khách hủy', 'Đơn hoàn', 'Đã hủy', 'Bom hàng', 'Cancelled', 'Trả hàng 28-11']) {
    for (const words of [['--sheet', 'Hôm nay'], ['--all-sheets']]) {
      const asked = await plan(name, ...words);
      expect([name, words, asked.exit, asked.stderr]).toEqual([
        name,
        words,
        2,
        expect.stringContaining('Hôm nay!A2 = '),
      ]);
      expect(asked.stderr).toContain(`Hôm nay!A3 = ${name}!A3`);
      expect(asked.stderr).not.toContain('Hôm nay!A4');
    }
    expect((await plan(name, '--sheet', 'Hôm nay', '--status', `${name}=skip`)).rows).toBe(1);
    expect((await plan(name, '--sheet', 'Hôm nay', '--status', `${name}=ship`)).rows).toBe(3);
  }
  expect((await plan('Hôm qua', '--sheet', 'Hôm nay')).rows).toBe(3);
  // Such a sheet needs no known header, and counts as far as a spreadsheet shows it.
  const short = { columns: ['Đơn', 'Vì sao'], lines: [['SO-2', 'đổi ý']] };
  for (const [more, exit] of [
    [{}, 2],
    [{ state: 'hidden' }, 0],
  ] as const) {
    const book = bookOf([tab('Hôm nay', [1, 2]), { name: 'Đơn hủy', ...short, ...more }]);
    writeFileSync(join(directory, 'o.xlsx'), book);
    expect((await run(['batch', 'plan', 'o.xlsx', '-o', 'json'])).exit).toBe(exit);
  }
});

it('a header that stands twice is that of the column that has cells, or of both if they are alike', async () => {
  const { run, directory } = await shopWorld();
  const phone = orderHeader.indexOf('shipping_address.phone');
  const columns = [...orderHeader, 'shipping_address.phone'];
  const plan = async (cells: readonly string[], ...words: readonly string[]) => {
    const lines = cells.map((cell, at) => [...orderCells(at + 1), cell]);
    writeFileSync(join(directory, 'o.xlsx'), bookOf([tab('T', [], { columns, lines })]));
    const ran = await run(['batch', 'plan', 'o.xlsx', '-o', 'json', ...words]);
    return { ...ran, json: ran.exit === 0 ? JSON.parse(ran.stdout) : undefined };
  };
  const own = [1, 2].map((number) => orderCells(number)[phone] ?? '');
  const alike = await plan(own);
  expect([alike.exit, alike.json?.read.readings]).toEqual([
    0,
    [
      {
        cell: 'T!T1',
        value: 'shipping_address.phone',
        message: 'has the same in every line as column C, which is read',
      },
    ],
  ]);
  const blank = await plan(['', '']);
  expect([blank.exit, blank.json?.read.readings]).toEqual([0, []]);
  const unlike = await plan([own[0] ?? '', '0987654321']);
  expect([unlike.exit, unlike.stderr]).toEqual([
    2,
    expect.stringContaining('appears twice, in C and T, with other cells'),
  ]);
  for (const [left, sent] of [
    ['T', own[1]],
    ['shipping_address.phone (2)', own[1]],
    ['C', '0987654321'],
  ] as const) {
    writeFileSync(join(directory, 'm.yaml'), stringify({ ignore_columns: [left] }));
    const said = await plan([own[0] ?? '', '0987654321'], '--map', 'm.yaml');
    expect([left, said.exit, said.stderr]).toEqual([left, 0, expect.anything()]);
    expect(JSON.stringify(said.json.rows)).toContain(sent);
  }
});

it('a parcel without a code that stands on two sheets with other cells is asked about', async () => {
  const { run, directory } = await shopWorld();
  const columns = orderHeader.slice(1);
  const [code, cash] = [orderHeader.indexOf('external_id'), columns.indexOf('shipping.cod_amount')];
  expect(code).toBe(0);
  const line = (number: number) => orderCells(number).slice(1);
  const tabs = [
    { name: 'Thứ 2', columns, lines: [line(1), line(2)] },
    { name: 'Thứ 3', columns, lines: [line(1), line(2).with(cash, '170000'), line(3)] },
  ];
  writeFileSync(join(directory, 'o.xlsx'), bookOf(tabs));
  const plan = (...words: string[]) => run(['batch', 'plan', 'o.xlsx', '--all-sheets', '-o', 'json', ...words]);
  const { exit, stderr } = await plan();
  const name = 'the parcel of another sheet, with other cells';
  expect([exit, stderr]).toEqual([2, expect.stringContaining(`\\"${name}\\" in 1 row (Thứ 3!`)]);
  const counted = async (answer: string) =>
    JSON.parse((await plan('--status', `${name}=${answer}`)).stdout).counts.rows;
  expect([await counted('skip'), await counted('ship')]).toEqual([3, 4]);
});

it('payments of several sheets are asked about, and imported together, each line once', async () => {
  const { run, directory } = await shopWorld();
  writeFileSync(join(directory, 'p.xlsx'), readFileSync(new URL('files/c01-two-sheets.xlsx', import.meta.url)));
  const asked = await run(['cod', 'import', 'p.xlsx', '-o', 'json']);
  expect([asked.exit, asked.stderr]).toEqual([2, expect.stringContaining('--all-sheets')]);
  const { exit, stdout } = await run(['cod', 'import', 'p.xlsx', '--all-sheets', '-o', 'json']);
  const [{ rows, lines }] = JSON.parse(stdout);
  // Each of the two parcels has its cash and its fee.
  expect([exit, rows, lines]).toEqual([0, 2, 4]);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testMachine } from '../support/context.ts';
import { errorOf } from '../support/stderr-lines.ts';

const order = {
  external_id: 'A-1',
  lines: [{ product_name: 'Trà', quantity: 2, retail_price: 5, payment_price: 4 }],
  fee_lines: [{ type: 'shipping', amount: 3 }],
  shipping: { gross_weight: 100, length: 10, width: 10, height: 10 },
};
const sums = { total_items: 2, basket_value: 10, total_discount: 2, total_fee: 3, total_amount: 11 };

const machine = () =>
  testMachine(() => {
    throw new Error('totals must not call the service');
  });

it('fills what is missing, so that a check then finds everything right', async () => {
  const { run } = machine();
  const filled = await run(['totals', 'fill', '-'], { stdin: JSON.stringify(order) });
  expect(filled.exit).toBe(0);
  expect(JSON.parse(filled.stdout)).toMatchObject({ ...sums, shipping: { chargeable_weight: 200 } });
  const checked = await run(['totals', 'check', '-', '--json'], { stdin: filled.stdout });
  expect([checked.exit, checked.stderr]).toEqual([0, '']);
});

it('says every formula with what is expected and given, and exits with 11 when one differs', async () => {
  const { run } = machine();
  const stdin = JSON.stringify({ ...order, ...sums, basket_value: 9 });
  const { exit, stdout } = await run(['totals', 'check', '-', '--json'], { stdin });
  expect(exit).toBe(11);
  const rows: { field: string }[] = JSON.parse(stdout);
  expect(rows.map(({ field }) => field)).toEqual([
    'total_fee',
    'total_discount',
    'basket_value',
    'total_amount',
    'total_items',
    'shipping.chargeable_weight',
  ]);
  expect(rows.find(({ field }) => field === 'basket_value')).toEqual({
    order: 'A-1',
    field: 'basket_value',
    given: 9,
    expected: 10,
    result: 'different',
    formula: '2 * 5',
  });
});

it('names an order by its external code, else by its external id, else by its place', async () => {
  const { run } = machine();
  const named = async (names: object) => {
    const stdin = JSON.stringify([{ ...order, ...sums, external_id: '', ...names }]);
    const { stdout } = await run(['totals', 'check', '-', '--json'], { stdin });
    return JSON.parse(stdout)[0].order;
  };
  expect(await named({ external_id: 'A-1', external_code: 'POS-7' })).toBe('POS-7');
  expect(await named({ external_id: 'A-1', external_code: '' })).toBe('A-1');
  expect(await named({ external_code: null })).toBe('#1');
});

it('keeps a wrong sum and reports it, unless it may overwrite', async () => {
  const { run } = machine();
  const stdin = JSON.stringify({ ...order, basket_value: 9 });
  const kept = await run(['totals', 'fill', '-'], { stdin });
  expect([kept.exit, JSON.parse(kept.stdout).basket_value]).toEqual([11, 9]);
  const replaced = await run(['totals', 'fill', '-', '--overwrite'], { stdin });
  expect([replaced.exit, JSON.parse(replaced.stdout).basket_value]).toEqual([0, 10]);
});

it('reads many orders from JSON lines and YAML, and names each', async () => {
  const { run, directory } = machine();
  const lines = join(directory, 'orders.jsonl');
  writeFileSync(lines, `${JSON.stringify(order)}\n\n${JSON.stringify({ ...order, external_id: undefined })}\n`);
  const { stdout } = await run(['totals', 'check', lines, '-o', 'jsonl']);
  const names = new Set(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).order),
  );
  expect([...names]).toEqual(['A-1', '#2']);
  const yaml = await run(['totals', 'fill', '-', '-o', 'yaml'], {
    stdin: '- lines:\n    - {quantity: 2, retail_price: 5, payment_price: 5}\n',
  });
  expect(yaml.stdout).toContain('basket_value: 10');
});

it('names the field of a number that cannot be summed', async () => {
  const { run } = machine();
  const stdin = JSON.stringify({ lines: [{ quantity: 1.5, retail_price: 2 }] });
  const { exit, stderr } = await run(['totals', 'check', '-', '--json'], { stdin });
  expect(exit).toBe(2);
  expect(errorOf(stderr).field_errors[0].path).toBe('lines[0].quantity');
});

it('proposes no cash on delivery unless the order says that it is paid so, and keeps what was decided', async () => {
  const { run } = machine();
  const shipping = { gross_weight: 100 };
  const codOf = async (changes: object) => {
    const { stdout } = await run(['totals', 'fill', '-'], {
      stdin: JSON.stringify({ ...order, shipping, ...changes }),
    });
    return JSON.parse(stdout).shipping?.cod_amount;
  };
  expect(await codOf({})).toBeUndefined();
  expect(await codOf({ payment_method: 'bank' })).toBeUndefined();
  expect(await codOf({ payment_method: 'cod' })).toBe(11);
  expect(await codOf({ payment_method: 'cod', shipping: { ...shipping, cod_amount: 0 } })).toBe(0);
  expect(await codOf({ payment_method: 'cod', shipping: null })).toBeUndefined();
});

it('fills orders of csv, which then are found right as csv and as JSON', async () => {
  const { run, directory } = machine();
  const file = join(directory, 'orders.csv');
  const rows = [
    'external_id,shipping_address.phone,lines.0.product_name,lines.0.quantity,lines.0.retail_price,lines.0.payment_price,lines.1.product_name,lines.1.quantity,lines.1.retail_price,fee_lines,shipping.gross_weight,payment_method',
    'A-1,0901234567,"Trà, ""ô long""",2,5,4,,,,"[{""type"":""shipping"",""amount"":3}]",100,cod',
    'A-2,\'+84901234567,"hai\r\ndòng",1,7,7,Cà phê,3,2,,250,',
    '',
  ];
  writeFileSync(file, `\uFEFF${rows.join('\r\n')}`);
  const filled = await run(['totals', 'fill', file]);
  expect([filled.exit, filled.stderr]).toEqual([0, '']);
  const complete = join(directory, 'complete.csv');
  writeFileSync(complete, filled.stdout);
  const json = await run(['totals', 'fill', complete, '-o', 'json']);
  expect(JSON.parse(json.stdout)).toMatchObject([
    {
      external_id: 'A-1',
      shipping_address: { phone: '0901234567' },
      lines: [{ product_name: 'Trà, "ô long"', quantity: 2, payment_price: 4 }],
      ...sums,
      shipping: { gross_weight: 100, chargeable_weight: 100, cod_amount: 11 },
    },
    {
      shipping_address: { phone: '+84901234567' },
      lines: [{ product_name: 'hai\r\ndòng' }, { product_name: 'Cà phê', retail_price: 2, payment_price: 2 }],
      total_items: 4,
      basket_value: 13,
      total_amount: 13,
    },
  ]);
  const checked = await run(['totals', 'check', complete]);
  expect(checked.exit).toBe(0);
  const piped = await run(['totals', 'check', '-', '--csv', '-o', 'csv'], { stdin: filled.stdout });
  expect([piped.exit, piped.stdout.split('\r\n').length]).toEqual([0, 14]);
});

it('names the line and the column of csv that it cannot read', async () => {
  const { run } = machine();
  const failing = async (stdin: string) => {
    const { exit, stderr } = await run(['totals', 'check', '-', '--csv', '--json'], { stdin });
    return [exit, errorOf(stderr).message];
  };
  expect(await failing('external_id,lines\nA-1,nonsense\n')).toEqual([
    2,
    expect.stringContaining('line 2: lines "nonsense" must be a list as JSON'),
  ]);
  expect(await failing('external_id,external_id\n')).toEqual([2, expect.stringContaining('external_id appears twice')]);
  expect(await failing('external_id\n"A-1\n')).toEqual([
    2,
    expect.stringContaining('a quote is not closed near line 2'),
  ]);
  expect(await failing('external_id\nA-1,more\n')).toEqual([
    2,
    expect.stringContaining('line 2 has 2 cells, and the header has 1'),
  ]);
  expect(await failing('lines.0.quantity,lines.0.retail_price\ntwo,5\n')).toEqual([
    2,
    expect.stringContaining('line 2: lines.0.quantity "two" must be a number'),
  ]);
});

it('reads csv of a country whose list mark is ;, and refuses in a cell of JSON what a batch refuses', async () => {
  const { run } = machine();
  const filled = async (stdin: string) => run(['totals', 'fill', '-', '--csv', '-o', 'json'], { stdin });
  const { exit, stdout } = await filled('external_id;lines.0.quantity;lines.0.retail_price\nA-1;2,0;"150.000"\n');
  expect([exit, JSON.parse(stdout)]).toMatchObject([
    0,
    [{ external_id: 'A-1', total_items: 2, basket_value: 300_000 }],
  ]);
  for (const [entry, message] of [
    ['""quantity"":2,""quantity"":3,""retail_price"":5', 'has the key \\"quantity\\" twice'],
    ['""quantity"":2,""retail_price"":150.000', '[0].retail_price is written 150.000'],
  ]) {
    const refused = await filled(`external_id,lines\nA-1,"[{${entry}}]"\n`);
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining(message ?? '')]);
  }
});

it('fills JSON lines from stdin, a line each', async () => {
  const { run } = machine();
  const stdin = `${JSON.stringify(order)}\n${JSON.stringify({ ...order, external_id: 'A-2' })}\n`;
  const { exit, stdout } = await run(['totals', 'fill', '-'], { stdin });
  const lines = stdout.trim().split('\n');
  expect([exit, lines.map((line) => JSON.parse(line).total_amount)]).toEqual([0, [11, 11]]);
});

it('finds sums below zero, which the service refuses, right as they are', async () => {
  const { run } = testMachine(() => {
    throw new Error('nothing is to be sent');
  });
  const order = {
    lines: [{ product_name: 'Tea', quantity: 1, retail_price: 100, payment_price: 50 }],
    fee_lines: [{ type: 'shipping', amount: -5000 }],
  };
  const stdin = JSON.stringify({
    ...order,
    total_items: 1,
    basket_value: 100,
    total_discount: 50,
    total_amount: -4950,
  });
  const checked = await run(['totals', 'check', '-', '--json', '--query', "[?result=='negative'].field"], { stdin });
  expect([checked.exit, JSON.parse(checked.stdout)]).toEqual([11, ['total_fee', 'total_amount']]);
  expect(checked.stderr).toContain('below zero, which the service refuses: 2 of 5');
  const filled = await run(['totals', 'fill', '-'], { stdin: JSON.stringify(order) });
  expect([filled.exit, JSON.parse(filled.stdout).total_amount]).toEqual([11, -4950]);
  expect(filled.stderr).toContain('total_amount is below zero');
});

it('holds zeros against the formulas, and expects what the formula gives', async () => {
  const order = {
    lines: [{ product_name: 'Trà', quantity: 1, retail_price: 100, payment_price: 100 }],
    fee_lines: [{ type: 'shipping', amount: 30 }],
    total_fee: 0,
    total_discount: 0,
    basket_value: 100,
    total_amount: 130,
    total_items: 1,
    shipping: { gross_weight: 1, chargeable_weight: 0 },
  };
  const { run } = machine();
  const checked = await run(['totals', 'check', '-', '--json'], { stdin: JSON.stringify(order) });
  expect(checked.exit).toBe(11);
  const rows: { field: string; result: string; expected: number }[] = JSON.parse(checked.stdout);
  expect(rows.filter(({ result }) => result !== 'ok').map(({ field, expected }) => [field, expected])).toEqual([
    ['total_fee', 30],
    ['shipping.chargeable_weight', 1],
  ]);
  const heavy = { ...order, total_fee: 30, shipping: { gross_weight: 1, chargeable_weight: 7 } };
  const above = await run(['totals', 'check', '-', '--json'], { stdin: JSON.stringify(heavy) });
  expect([above.exit, JSON.parse(above.stdout).at(-1)]).toMatchObject([0, { given: 7, expected: 1, result: 'ok' }]);
  const filled = await run(['totals', 'fill', '-', '--json'], { stdin: JSON.stringify(order) });
  expect([filled.exit, filled.stderr]).toEqual([11, expect.stringContaining('total_fee is 0, should be 30')]);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testMachine } from '../support/context.ts';

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
  expect(JSON.parse(stderr).error.field_errors[0].path).toBe('lines[0].quantity');
});

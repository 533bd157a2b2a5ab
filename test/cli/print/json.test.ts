import { expect, test } from 'vitest';
import { fc } from '../../support/fast-check.ts';
import { orders, printedList, printedRecord } from './orders.ts';

test('a list is exactly the indented array of its records', async () => {
  expect(await printedList(orders, { format: 'json' })).toBe(`${JSON.stringify(orders, null, 2)}\n`);
});

test('a list without records is an empty array', async () => {
  expect(await printedList([], { format: 'json' })).toBe('[]\n');
});

test('a record is itself, its field names and order kept', async () => {
  expect(await printedRecord(orders[0], { format: 'json' })).toBe(`${JSON.stringify(orders[0], null, 2)}\n`);
});

test('jsonl is a record a line, and nothing for none', async () => {
  const lines = orders.map((order) => `${JSON.stringify(order)}\n`);
  expect(await printedList(orders, { format: 'jsonl' })).toBe(lines.join(''));
  expect(await printedRecord(orders[0], { format: 'jsonl' })).toBe(lines[0]);
  expect(await printedList([], { format: 'jsonl' })).toBe('');
});

test('whatever the records hold, both read back the same and jsonl keeps to its lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 3 })), async (rows) => {
      const expected = JSON.parse(JSON.stringify(rows));
      expect(JSON.parse(await printedList(rows, { format: 'json' }))).toEqual(expected);
      const lines = (await printedList(rows, { format: 'jsonl' })).split('\n').slice(0, -1);
      expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fc } from '../../support/fast-check.ts';
import { anything, orders, printedList, printedRecord } from './orders.ts';

test('a list is one sequence and a record one mapping', async () => {
  expect(parse(await printedList(orders, { format: 'yaml' }))).toEqual(orders);
  expect(parse(await printedRecord(orders[0], { format: 'yaml' }))).toEqual(orders[0]);
  expect(await printedList([], { format: 'yaml' })).toBe('[]\n');
});

test('strings that a reader could take for something else are quoted', async () => {
  const record = {
    id: '1234567890123456789',
    status: 'N',
    at: '2026-01-31T01:00:00Z',
    on: 'yes',
    code: '0123',
    eq: '=',
  };
  expect(await printedRecord(record, { format: 'yaml' }, anything)).toBe(
    [
      'id: "1234567890123456789"',
      'status: "N"',
      'at: "2026-01-31T01:00:00Z"',
      '"on": "yes"',
      'code: "0123"',
      'eq: "="',
      '',
    ].join('\n'),
  );
});

test('a record that appears twice is written twice, without anchors', async () => {
  const shared = { a: 1 };
  expect(await printedRecord({ one: shared, two: shared }, { format: 'yaml' }, anything)).not.toMatch(/[&*]/);
});

test('whatever the records hold, they read back the same in YAML 1.2 and 1.1', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 2 }))),
      async (rows) => {
        const text = await printedList(rows, { format: 'yaml' });
        const expected = JSON.parse(JSON.stringify(rows));
        expect(JSON.parse(JSON.stringify(parse(text)))).toEqual(expected);
        expect(JSON.parse(JSON.stringify(parse(text, { version: '1.1', merge: false })))).toEqual(expected);
      },
    ),
    { numRuns: 100 },
  );
});

import { expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/errors/usage-error.ts';
import { checkPrintSettings } from '../../../src/cli/print/print-document.ts';
import { knownFields } from '../../../src/cli/print/select-fields.ts';
import { anything, orders, orderView, printedList, printedRecord, settings } from './orders.ts';

async function refusal(fields: readonly string[]): Promise<UsageError> {
  const failure = await checkPrintSettings(settings({ fields }), orderView).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  return failure as UsageError;
}

test('json keeps the asked paths, nested and in the asked order, lists mapped', async () => {
  const fields = ['lines.quantity', 'shipping.cod_amount', 'lines.product_name', 'id'];
  expect(JSON.parse(await printedRecord(orders[0], { format: 'json', fields }))).toEqual({
    lines: [
      { quantity: 2, product_name: 'Trà' },
      { quantity: 1, product_name: 'Cà phê' },
    ],
    shipping: { cod_amount: 120000 },
    id: '1234567890123456789',
  });
  expect(await printedRecord(orders[0], { format: 'jsonl', fields: ['status', 'id'] })).toBe(
    '{"status":"Z","id":"1234567890123456789"}\n',
  );
});

test('what a record lacks is null, so that all have the same shape', async () => {
  const rows = [{ id: '1', a: { b: 2 } }, { id: '2', a: null }, { id: '3' }];
  expect(await printedList(rows, { format: 'jsonl', fields: ['id', 'a.b'] }, anything)).toBe(
    '{"id":"1","a":{"b":2}}\n{"id":"2","a":null}\n{"id":"3","a":null}\n',
  );
});

test('a value asked for whole and in part is whole', async () => {
  expect(await printedRecord({ a: { b: 1, c: 2 } }, { format: 'jsonl', fields: ['a.b', 'a'] }, anything)).toBe(
    '{"a":{"b":1,"c":2}}\n',
  );
});

test('names of the language itself are fields like any other', async () => {
  const record = JSON.parse('{"__proto__":{"x":1},"constructor":"c"}');
  const fields = ['__proto__.x', 'constructor', 'toString'];
  expect(await printedRecord(record, { format: 'jsonl', fields }, anything)).toBe(
    '{"__proto__":{"x":1},"constructor":"c","toString":null}\n',
  );
  expect(await printedRecord({}, { fields: ['constructor'] }, anything)).toBe('constructor\n');
});

test('an unknown field is refused with what was likely meant', async () => {
  expect(await refusal(['id', 'ful_name'])).toMatchObject({
    message: 'unknown field in --fields: ful_name',
    hint: 'did you mean full_name?',
    fieldErrors: [{ path: 'ful_name' }],
  });
  expect((await refusal(['cod_amount', 'nothing_like_it'])).message).toBe(
    'unknown fields in --fields: cod_amount, nothing_like_it',
  );
  expect((await refusal(['cod_amount'])).hint).toContain('shipping.cod_amount');
  expect((await refusal(['zzz'])).hint).toContain('--fields without a value lists');
});

test('empty names are refused', async () => {
  expect((await refusal([])).message).toContain('separated by commas');
  expect((await refusal(['a..b'])).message).toContain('separated by commas');
});

test('a view that does not say its fields allows any', async () => {
  await expect(checkPrintSettings(settings({ fields: ['what.ever'] }), anything)).resolves.toBeUndefined();
});

test('the known fields are those of the columns and of the view, once each', () => {
  expect(knownFields(anything)).toBeUndefined();
  expect(knownFields({ columns: [{ path: 'id' }], fields: ['id', 'note'] })).toEqual(['id', 'note']);
});

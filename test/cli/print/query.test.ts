import { expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/errors/usage-error.ts';
import { checkPrintSettings } from '../../../src/cli/print/print-document.ts';
import { checkQuery } from '../../../src/cli/print/select-query.ts';
import { orders, orderView, printedList, printedRecord, settings } from './orders.ts';

async function refusal(query: string): Promise<UsageError> {
  const failure = await checkPrintSettings(settings({ query }), orderView).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  return failure as UsageError;
}

test('a query sees the whole list, over all pages', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => ({ id: String(index) }));
  expect(await printedList(rows, { format: 'json', query: 'length(@)' })).toBe('1000\n');
});

test('ids keep their digits', async () => {
  expect(await printedList(orders, { format: 'json', query: 'reverse([].id)' })).toBe(
    '[\n  "9007199254740993",\n  "1234567890123456789"\n]\n',
  );
});

test('a list of objects is a table of their keys', async () => {
  expect(await printedList(orders, { query: '[].{id: id, cod: shipping.cod_amount}' })).toBe(
    'ID                       COD\n1234567890123456789  120,000\n9007199254740993\n',
  );
});

test('values and lists out of a query have no header', async () => {
  expect(await printedList(orders, { query: '[].id' })).toBe('1234567890123456789\n9007199254740993\n');
  expect(await printedList(orders, { query: '[].[status, total_amount]' })).toBe('Z   1,380,000\nNS         -5\n');
  expect(await printedList(orders, { query: '[].[status, total_amount]', format: 'csv' })).toBe(
    'Z,1380000\r\nNS,-5\r\n',
  );
  expect(await printedList(orders, { query: '[].id', format: 'name' })).toBe('1234567890123456789\n9007199254740993\n');
});

test('a bare value is its text in a table, its JSON in json, and null is nothing in a table', async () => {
  expect(await printedRecord(orders[0], { query: 'full_name' })).toBe(`${orders[0]?.full_name}\n`);
  expect(await printedRecord(orders[0], { query: 'full_name', format: 'json' })).toBe(`"${orders[0]?.full_name}"\n`);
  expect(await printedRecord(orders[0], { query: 'nothing' })).toBe('');
  expect(await printedRecord(orders[0], { query: 'nothing', format: 'json' })).toBe('null\n');
});

test('fields are those of the result of the query', async () => {
  expect(await printedList(orders, { query: '[].{x: id, y: status}', fields: ['y'], format: 'jsonl' })).toBe(
    '{"y":"Z"}\n{"y":"NS"}\n',
  );
});

test.each([
  ['foo bar', 5],
  ['foo[', 5],
  ['a.#b', 3],
  ['[].{a b}', 7],
  ['a."unclosed', 3],
  ['', 1],
])('%j is refused at character %i', async (query, position) => {
  const { message, hint } = await refusal(query);
  expect(message).toContain(`at character ${position} `);
  expect(hint).toContain('jmespath');
});

test('an expression as people write them is read on a machine that is busy with others, however long that takes', async () => {
  await checkQuery(`a${' + a'.repeat(450)}`, 1);
  await expect(checkQuery(`a${' + a'.repeat(900)}`, 1)).rejects.toThrow('takes too long to read');
});

test('an expression that takes too long to read is refused in its time', async () => {
  expect((await refusal(`${'a.'.repeat(50_000)}]`)).message).toContain('of 100001 characters takes too long to read');
});

test('an unknown function is refused before anything is called', async () => {
  expect(await refusal('lenght(id)')).toMatchObject({
    message: '--query: there is no function lenght(), at character 1',
    hint: 'did you mean length?',
  });
});

test.each(["[?id = '1']", '{a: id = code}', "let $x = [?id = '1'] in $x", 'id = code'])(
  'one = where two compare is refused, because everything would pass: %s',
  async (expression) => {
    expect(await refusal(expression)).toMatchObject({
      message: `--query: one = after id compares nothing in ${JSON.stringify(expression)}`,
      hint: 'compare with ==: id == …',
    });
  },
);

test('let still gives names', async () => {
  await checkQuery('let $x = [0], $y = $x.id in [$x, $y]');
});

test('a function that cannot take the value is a usage error too', async () => {
  await expect(printedList(orders, { query: 'sum([].id)' })).rejects.toBeInstanceOf(UsageError);
});

test('a field of a list is told as that, and nothing else that is null', async () => {
  const fields: string[] = [];
  const onFieldOfList = (field: string) => void fields.push(field);
  for (const query of ['orders[].code', 'length(@)', '[].nothing', '[?id == `7`] | [0]', 'to_number(@)'])
    await printedList(orders, { format: 'json', query, onFieldOfList });
  await printedRecord(orders[0], { query: 'nothing', onFieldOfList });
  expect(fields).toEqual(['orders']);
});

test('a quote that is not closed is told with its place, and one within another quote is none', async () => {
  for (const [query, at] of [
    ["[?name == 'a].id", 11],
    ['[?name == "it\'s] | [0]', 11],
    ['[?n == `1`] | [?m == `2]', 22],
    ["[?name == 'a\\'].id", 11],
  ] as const)
    expect(await refusal(query)).toMatchObject({
      message: expect.stringContaining(`not closed at character ${at} of`),
    });
  expect(await printedList(orders, { format: 'json', query: "[?id == 'it\\'s \"'].id" })).toBe('[]\n');
});

test('a number that is not in backquotes is told how to be written', async () => {
  expect(await refusal('[?total_amount > 5]')).toMatchObject({ hint: 'a number stands in backquotes: [?fee > `5`]' });
});

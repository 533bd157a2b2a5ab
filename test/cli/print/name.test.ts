import { expect, test } from 'vitest';
import { orders, printedList, printedRecord } from './orders.ts';

test('a list is an id a line, with all digits', async () => {
  expect(await printedList(orders, { format: 'name' })).toBe('1234567890123456789\n9007199254740993\n');
  expect(await printedList([], { format: 'name' })).toBe('');
});

test('the view says where the id is, inside of lists too', async () => {
  const answer = { order: { id: '7' }, fulfillments: [{ id: '8' }, { id: '9' }] };
  expect(await printedRecord(answer, { format: 'name' }, { columns: [], name: 'order.id' })).toBe('7\n');
  expect(await printedRecord(answer, { format: 'name' }, { columns: [], name: 'fulfillments.id' })).toBe('8\n9\n');
});

test('a record without an id gives no line', async () => {
  expect(await printedList([{ id: null }, {}, { id: '' }, { id: '3' }], { format: 'name' })).toBe('3\n');
});

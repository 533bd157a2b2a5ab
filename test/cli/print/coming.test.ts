import { expect, test } from 'vitest';
import { formatNames } from '../../../src/cli/print/formats.ts';
import { printDocument } from '../../../src/cli/print/print-document.ts';
import { memorySink } from '../../support/sinks.ts';
import { settings } from './orders.ts';

const view = { columns: [{ path: 'total', kind: 'number' as const }, { path: 'parcels' }], name: 'total' };
const rowsOf = (length: number) => Array.from({ length }, (_, index) => ({ id: String(index), also: ['Đổi\n', null] }));

async function* coming(length: number, onRow: () => void = () => {}) {
  for (const row of rowsOf(length)) {
    onRow();
    yield row;
  }
}

async function printed(value: unknown, how: Parameters<typeof settings>[0]): Promise<string> {
  const stdout = memorySink();
  await printDocument({ kind: 'record', value, view }, settings(how), stdout);
  return stdout.text;
}

for (const format of formatNames) {
  test.each([0, 1, 3])(
    `${format}: a record whose list of %i is still coming is printed like one that has it`,
    async (n) => {
      const record = { total: n, none: undefined, sums: [{ a: [] }] };
      const whole = await printed({ ...record, parcels: rowsOf(n), last: null }, { format });
      expect(await printed({ ...record, parcels: coming(n), last: null }, { format })).toBe(whole);
    },
  );
}

test('fields and a query see the whole list', async () => {
  const record = () => ({ total: 2, parcels: coming(2) });
  expect(JSON.parse(await printed(record(), { format: 'json', query: 'parcels[].id' }))).toEqual(['0', '1']);
  expect(JSON.parse(await printed(record(), { format: 'json', fields: ['parcels'] }))).toMatchObject({
    parcels: [{ id: '0' }, { id: '1' }],
  });
});

test('json: the list is written as it comes', async () => {
  let [read, ahead, written] = [0, 0, 0];
  const stdout = memorySink({
    onWrite: (text) => {
      written += text.split('Đổi').length - 1;
      ahead = Math.max(ahead, read - written);
    },
  });
  const value = { total: 1, parcels: coming(20_000, () => (read += 1)) };
  await printDocument({ kind: 'record', value, view }, settings({ format: 'json' }), stdout);
  expect(written).toBe(20_000);
  expect(ahead).toBeLessThanOrEqual(200);
});

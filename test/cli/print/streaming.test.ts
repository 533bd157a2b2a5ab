import { expect, test } from 'vitest';
import { formatNames } from '../../../src/cli/print/formats.ts';
import { printDocument } from '../../../src/cli/print/print-document.ts';
import { memorySink } from '../../support/sinks.ts';
import { anything, orderView, printedRecord, settings } from './orders.ts';

/** How many rows are printed: many times what any format reads ahead. */
const LENGTH = 5_000;

/** How far a format reads ahead: the first 1,000 rows of a table decide how wide its columns are. */
const mostAhead = (format: string) => (format === 'table' ? 1000 : 200);

/** Rows that count how many were fetched, and fail or end after so many. */
function pages(length: number, failure?: Error) {
  const source = {
    fetched: 0,
    ended: false,
    async *rows() {
      try {
        for (let index = 0; index < length; index += 1) {
          source.fetched += 1;
          yield { id: String(index), full_name: 'Nguyễn Thị Hồng' };
        }
        if (failure) throw failure;
      } finally {
        source.ended = true;
      }
    },
  };
  return source;
}

for (const format of formatNames) {
  test(`${format}: a long list is printed as it comes, never more than a few rows ahead`, async () => {
    const source = pages(LENGTH);
    let written = 0;
    let ahead = 0;
    const stdout = memorySink({
      onWrite: (text) => {
        written += text.split('Hồng').length - 1;
        if (format === 'name') written += text.split('\n').length - 1;
        ahead = Math.max(ahead, source.fetched - written);
      },
    });
    const result = await printDocument(
      { kind: 'list', rows: source.rows(), view: orderView },
      settings({ format }),
      stdout,
    );
    expect(result).toEqual({ rows: LENGTH, closed: false });
    expect(ahead).toBeLessThanOrEqual(mostAhead(format));
    expect(written).toBe(LENGTH);
  });

  test(`${format}: a slow reader is waited for`, async () => {
    let busy = 0;
    const stdout = memorySink({
      onWrite: async () => {
        busy += 1;
        await Promise.resolve();
        expect(busy).toBe(1);
        busy -= 1;
      },
    });
    await printDocument({ kind: 'list', rows: pages(300).rows(), view: orderView }, settings({ format }), stdout);
    expect(stdout.closed).toBe(false);
  });

  test(`${format}: when the reader goes away, no more rows are fetched and it is success`, async () => {
    const source = pages(100_000);
    const stdout = memorySink({ closesAfter: 3 });
    const result = await printDocument(
      { kind: 'list', rows: source.rows(), view: orderView },
      settings({ format }),
      stdout,
    );
    expect(result.closed).toBe(true);
    expect(result.rows).toBeLessThan(200);
    expect(source.fetched).toBeLessThanOrEqual(mostAhead(format));
    expect(source.ended).toBe(true);
  });

  test(`${format}: nothing is fetched for a reader that is gone already`, async () => {
    const source = pages(10);
    const stdout = memorySink({ closesAfter: 0 });
    const result = await printDocument(
      { kind: 'list', rows: source.rows(), view: orderView },
      settings({ format }),
      stdout,
    );
    expect(result).toEqual({ rows: 0, closed: true });
    expect(source.fetched).toBe(0);
  });

  // Few rows are a page that is drawn at once, and many are not.
  test.each([150, 5])(
    `${format}: when fetching fails after %i rows, they are printed and the failure goes on`,
    async (length) => {
      const failure = new Error('the service is gone');
      const stdout = memorySink();
      const rows = pages(length, failure).rows();
      await expect(printDocument({ kind: 'list', rows, view: orderView }, settings({ format }), stdout)).rejects.toBe(
        failure,
      );
      const last = String(length - 1);
      expect(stdout.text).toContain(format === 'name' ? last : 'Nguyễn Thị Hồng');
      expect(stdout.text).toContain(last);
    },
  );
}

test('json: an array that was cut short does not parse', async () => {
  for (const length of [0, 1, 150]) {
    const stdout = memorySink();
    const rows = pages(length, new Error('gone')).rows();
    await expect(
      printDocument({ kind: 'list', rows, view: anything }, settings({ format: 'json' }), stdout),
    ).rejects.toThrow();
    expect(() => JSON.parse(stdout.text)).toThrow();
  }
});

test('a failing query over a list that breaks prints nothing', async () => {
  const stdout = memorySink();
  const rows = pages(5, new Error('gone')).rows();
  await expect(
    printDocument({ kind: 'list', rows, view: anything }, settings({ format: 'jsonl', query: '[].id' }), stdout),
  ).rejects.toThrow('gone');
  expect(stdout.text).toBe('');
});

test('text is printed as it is, and nothing is nothing, in every format', async () => {
  for (const format of formatNames) {
    const stdout = memorySink();
    expect(await printDocument({ kind: 'text', text: 'complete -F _shopctl\n' }, settings({ format }), stdout)).toEqual(
      {
        rows: 0,
        closed: false,
      },
    );
    expect(await printDocument({ kind: 'none' }, settings({ format }), stdout)).toEqual({ rows: 0, closed: false });
    expect(stdout.text).toBe('complete -F _shopctl\n');
  }
});

test('a record counts as one row', async () => {
  const stdout = memorySink();
  const result = await printDocument({ kind: 'record', value: { id: '1' }, view: anything }, settings(), stdout);
  expect(result).toEqual({ rows: 1, closed: false });
  expect(await printedRecord({}, {}, anything)).toBe('');
});

test('a table of what comes as it ends writes each row before it asks for the next; elsewhere rows are in their order', async () => {
  const comes = { inOrder: ['a', 'b', 'c'], widths: [4] };
  const view = { columns: [{ path: 'id' }, { path: 'found' }], comes };
  const printed = async (format: string) => {
    const stdout = memorySink();
    const before: string[] = [];
    async function* rows() {
      for (const id of ['b', 'c', 'a']) {
        before.push(stdout.text);
        yield { id, found: `${id}!` };
      }
    }
    await printDocument({ kind: 'list', rows: rows(), view }, settings({ format }), stdout);
    return { text: stdout.text, before };
  };
  const table = await printed('table');
  expect(table).toEqual({
    text: 'ID    FOUND\nb     b!\nc     c!\na     a!\n',
    before: ['', 'ID    FOUND\nb     b!\n', 'ID    FOUND\nb     b!\nc     c!\n'],
  });
  expect((await printed('name')).text).toBe('a\nb\nc\n');
});

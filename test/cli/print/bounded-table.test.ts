import { expect, test } from 'vitest';
import { type Alignment, boundedLines, rowLine } from '../../../src/cli/print/cell.ts';
import { displayWidth } from '../../../src/platform/terminal/text-width.ts';
import { fc } from '../../support/fast-check.ts';

const cell = fc.oneof(
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll(/[^ -~]/g, '')),
  fc.constantFrom('', 'Đặng Thị Ánh', '1.350.000 ₫', 'Nguyễn', '한국', 'e\u0301', '👩‍👩‍👧', 'a  b', '…'),
);
const table = fc.integer({ min: 1, max: 5 }).chain((columns) =>
  fc.record({
    rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 8 }),
    alignments: fc.array(fc.constantFrom<Alignment>('left', 'right'), { minLength: columns, maxLength: columns }),
  }),
);

const widthsOf = (rows: readonly (readonly string[])[], columns: number) =>
  Array.from({ length: columns }, (_, index) => Math.max(1, ...rows.map((row) => displayWidth(row[index] ?? ''))));

test('a page looks as a list of any length does, row by row, whatever its letters are', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ rows, alignments }) => {
      const widths = widthsOf(rows, alignments.length);
      const lines = await boundedLines({ rows, widths, alignments });
      expect(lines).toEqual(rows.map((row) => rowLine(row, widths, alignments)));
    }),
    { numRuns: 300 },
  );
});

test('what dresses a cell takes no room', async () => {
  const rows = [
    ['Lan', '5'],
    ['Phượng', '120'],
  ];
  const lines = await boundedLines({
    rows,
    widths: [6, 3],
    alignments: ['left', 'right'],
    dress: (text, row, column) => (row === 0 && column === 0 ? `\x1b[31m${text}\x1b[39m` : text),
  });
  expect(lines).toEqual(['\x1b[31mLan\x1b[39m       5', 'Phượng  120']);
});

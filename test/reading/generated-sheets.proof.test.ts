import { expect, it } from 'vitest';
import { testSeed } from '../support/test-seed.ts';
import { bookOf } from './books.ts';
import { type Planted, plantedColumns, plantSheet } from './generated-sheets.ts';
import { csvOf, readSheet } from './read-sheet.ts';

const sheets = Number(process.env.SHOPCTL_TEST_SHEETS ?? 400);

/** A referee's words for what was read: it knows what was planted, and nothing of the reader. */
function asPlanted(order: Record<string, unknown>): Planted {
  const address = order.shipping_address as Record<string, string>;
  const lines = order.lines as { product_name: string; quantity: number; retail_price: number }[];
  const { cod_amount = 0 } = (order.shipping ?? {}) as { cod_amount?: number };
  return {
    id: String(order.external_id),
    name: address.full_name ?? '',
    phone: address.phone ?? '',
    address: address.address1 ?? '',
    cash: cod_amount,
    goods: lines.map(({ product_name, quantity, retail_price }) => ({
      name: product_name,
      quantity,
      price: retail_price,
    })),
  };
}

const kindOf = (reason: string) =>
  reason.includes('sums')
    ? 'sums'
    : reason.includes('note')
      ? 'notes'
      : reason.includes('header')
        ? 'headers'
        : reason.includes('hidden')
          ? 'hidden'
          : 'struck';

it('every planted order is read with every word and amount, and every other line is left out with its reason', async () => {
  const sums = { sheets: 0, orders: 0, lines: 0, left: 0 };
  const answers = { hidden_rows: 'skip', struck_rows: 'skip' } as const;
  for (let seed = 1; seed <= sheets; seed += 1) {
    const planted = plantSheet(testSeed() * 1_000_000 + seed);
    const { hidden, struck } = planted.left;
    const files: (readonly [string, string | Uint8Array])[] = [['o.xlsx', bookOf([planted.tab])]];
    // A text file hides nothing.
    if (hidden + struck === 0)
      files.push(['o.csv', csvOf(plantedColumns, ...planted.tab.lines.map((line) => [...line]))]);
    for (const [name, content] of files) {
      const { orders, faults, rows, left, reported } = await readSheet(name, content, { answers });
      expect({ seed, name, faults, reported }).toEqual({ seed, name, faults: [], reported: [] });
      expect({ seed, name, orders: orders.map(asPlanted) }).toEqual({ seed, name, orders: planted.orders });
      const found = { sums: 0, notes: 0, headers: 0, hidden: 0, struck: 0 };
      for (const [reason, count] of left) found[kindOf(reason)] += count;
      expect({ seed, name, found }).toEqual({ seed, name, found: planted.left });
      const used = rows.reduce((sum, { cells }) => sum + cells.length, 0);
      const leftOut = Object.values(found).reduce((sum, count) => sum + count, 0);
      expect({ seed, name, lines: used + leftOut }).toEqual({ seed, name, lines: planted.lines });
      sums.sheets += 1;
      sums.orders += orders.length;
      sums.lines += planted.lines;
      sums.left += leftOut;
    }
  }
  console.log(
    `${sums.sheets} files × ${sums.orders} orders × ${sums.lines} lines, ${sums.left} of them left out with their reason × 0 wrong × 0 lost`,
  );
});

import { expect, it } from 'vitest';
import type { BatchContext } from '../../src/batch/batch-context.ts';
import { findWork } from '../../src/batch/row-work.ts';
import { work } from '../../src/batch/runs.ts';
import { mappingOf } from '../../src/sheets/mapping/mapping.ts';
import { type BatchWorld, batchWorld } from '../batch/batch-world.ts';
import { testSeed } from '../support/test-seed.ts';
import { bookOf } from './books.ts';
import {
  type Difficulty,
  difficultyKinds,
  type Planted,
  type PlantedFile,
  plantedColumns,
  plantFile,
  plantSheet,
} from './generated-sheets.ts';
import { csvOf, readSheet } from './read-sheet.ts';

/** `SHOPCTL_TEST_SHEETS=400 SHOPCTL_TEST_FILES=2000 npm run proof -- test/reading/generated-sheets` for a long run. */
const sheets = Number(process.env.SHOPCTL_TEST_SHEETS ?? 200);

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

const kinds = { sums: 'sums', note: 'notes', header: 'headers', hidden: 'hidden', struck: 'struck' } as const;

function kindOf(reason: string): keyof PlantedFile['left'] {
  const [, kind = 'status'] = Object.entries(kinds).find(([word]) => reason.includes(word)) ?? [];
  return kind;
}

const nothing = { sums: 0, notes: 0, headers: 0, hidden: 0, struck: 0, status: 0 };

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
      const found = { ...nothing };
      for (const [reason, count] of left) found[kindOf(reason)] += count;
      expect({ seed, name, found }).toEqual({ seed, name, found: { ...planted.left, status: 0 } });
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

/** The name of a place without its unit, as the referee compares it. */
const bare = (place: unknown) =>
  String(place)
    .toLowerCase()
    .replace(/^(?:thành phố|tỉnh|quận|huyện|thị xã|thị trấn|phường|xã)\s+/, '');

/** A request, or what the service has of it, beside what was planted. */
function asMeant(order: Record<string, unknown>): PlantedFile['orders'][number] {
  const { ward, district, province } = order.shipping_address as Record<string, unknown>;
  return { ...asPlanted(order), place: [ward, district, province].map(bare) };
}

const byId = (one: Planted, other: Planted) => (one.id < other.id ? -1 : 1);

async function planned(world: BatchWorld, context: BatchContext, seed: number, words: string) {
  const file = plantFile(seed);
  async function* bytes() {
    yield file.content;
  }
  const plan = await world
    .plan('', {
      do: words,
      context,
      source: { name: file.name, bytes: bytes() },
      mapping: mappingOf(file.mapping, 'everyday'),
      answers: file.answers,
    })
    .catch((error: Error) => {
      throw new Error(`the file of seed ${seed} is refused: ${error.message}`, { cause: error });
    });
  if (plan.kind !== 'planned') throw new Error(`the file of seed ${seed} is known`);
  const { faults, read } = plan.facts;
  const found = { ...nothing };
  for (const { reason } of read.leftOut) found[kindOf(reason)] += 1;
  expect({ seed, faults, found }).toEqual({ seed, faults: [], found: file.left });
  expect({ seed, lines: read.lines, accounted: read.used + read.leftOutLines }).toEqual({
    seed,
    lines: file.lines,
    accounted: file.lines,
  });
  return { file, plan };
}

/** Adds up what files have of each kind. */
class Difficulties {
  readonly #of = new Map<Difficulty, number>();

  add(planted: PlantedFile['difficulties']): void {
    for (const kind of difficultyKinds) this.#of.set(kind, (this.#of.get(kind) ?? 0) + planted[kind]);
  }

  get all(): number {
    return [...this.#of.values()].reduce((sum, count) => sum + count, 0);
  }

  get table(): string {
    return [...this.#of].map(([kind, count]) => `${kind} ${count}`).join(', ');
  }

  get absent(): readonly Difficulty[] {
    return difficultyKinds.filter((kind) => (this.#of.get(kind) ?? 0) === 0);
  }
}

const files = Number(process.env.SHOPCTL_TEST_FILES ?? 200);

it('files as shops have them are planned with every word, place and amount of their orders', async () => {
  const world = await batchWorld('shop');
  const context = await world.context();
  const sums = { files: 0, orders: 0, lines: 0 };
  const difficulties = new Difficulties();
  for (let seed = 1; seed <= files; seed += 1) {
    const { file, plan } = await planned(world, context, testSeed() * 1_000_000 + seed, 'orders create');
    const orders: PlantedFile['orders'][number][] = [];
    for await (const { payload } of context.rows.each({ batch: plan.batch.number }))
      orders.push(asMeant(JSON.parse(payload)));
    expect({ seed, orders }).toEqual({ seed, orders: file.orders });
    plan.release();
    sums.files += 1;
    sums.orders += orders.length;
    sums.lines += file.lines;
    difficulties.add(file.difficulties);
  }
  await context.close();
  // However few the files are, none of the kinds is left out.
  expect(difficulties.absent).toEqual([]);
  console.log(
    `${sums.files} files × ${difficulties.all} planted difficulties × 0 wrong × 0 unreported, ${sums.orders} orders of ${sums.lines} lines\n${difficulties.table}`,
  );
});

it('sixty of them are sent, and the service has what was planted, each once', async () => {
  const sums = { files: 0, orders: 0 };
  const difficulties = new Difficulties();
  for (let seed = 1; seed <= 60; seed += 1) {
    const world = await batchWorld('shop');
    const context = await world.context();
    const { file, plan } = await planned(world, context, testSeed() * 2_000_000 + seed, 'ship');
    await work(context, plan.batch, await findWork('ship', 'shop'));
    plan.release();
    await context.close();
    const orders = (await world.orders()).map((order) => asMeant({ ...order })).sort(byId);
    expect({ seed, orders }).toEqual({ seed, orders: [...file.orders].sort(byId) });
    sums.files += 1;
    sums.orders += orders.length;
    difficulties.add(file.difficulties);
  }
  expect(difficulties.absent).toEqual([]);
  console.log(
    `${sums.files} files × ${difficulties.all} planted difficulties × 0 wrong at the service × 0 unreported, ${sums.orders} orders`,
  );
});

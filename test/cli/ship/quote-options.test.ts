import { expect, it } from 'vitest';
import { plainOrder } from '../../support/plain-order.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';

interface Row {
  readonly code: string;
  readonly fee: number;
  readonly marks: readonly string[];
  readonly estimated_delivery_at: string;
  readonly fee_per_day_saved: number | null;
}

async function quoting() {
  const world = await shopWorld();
  const input = plainOrder(world);
  const quote = async (...words: string[]) => world.run(['quote', '--order', input, '--json', ...words]);
  const rows = async (...words: string[]): Promise<Row[]> => JSON.parse((await quote(...words)).stdout);
  return { world, quote, rows, all: await rows() };
}

it('quote marks the best value, and tells what each day saved costs', async () => {
  const { all } = await quoting();
  const [cheapest] = all;
  const best = all.filter(({ marks }) => marks.includes('best_value'));
  const perDay = all.flatMap(({ fee_per_day_saved: fee }) => (fee === null ? [] : [fee]));
  expect(best.map(({ fee_per_day_saved: fee }) => fee)).toEqual(best.map(() => Math.min(...perDay)));
  expect(cheapest?.fee_per_day_saved).toBeNull();
});

it('quote explains a column where the terminal has room for it, and only there', async () => {
  const world = await shopWorld();
  const words = ['quote', '--order', plainOrder(world)];
  for (const [columns, isThere] of [
    [150, true],
    [80, false],
  ] as const) {
    const { stdout, stderr } = await world.run(words, { terminal: true, columns });
    expect([stdout.includes('PER_DAY_SAVED'), stderr.includes('the extra fee for each day')]).toEqual([
      isThere,
      isThere,
    ]);
  }
});

it('quote --pick prints the one offer that ship would take', async () => {
  const { rows, quote, all } = await quoting();
  for (const [pick, mark] of [
    ['cheapest', 'cheapest'],
    ['fastest', 'fastest'],
    ['best-value', 'best_value'],
  ] as const) {
    expect(await rows('--pick', pick)).toEqual([all.find(({ marks }) => marks.includes(mark))]);
  }
  const { code } = all.at(-1) ?? { code: '' };
  expect((await rows('--pick', code)).map((row) => row.code)).toEqual([code]);
  expect((await quote('--pick', 'NONE')).exit).toBe(12);
});

it('quote --max-fee leaves out what is dearer, and exits with 12 where everything is', async () => {
  const { rows, quote, all } = await quoting();
  const most = all[2]?.fee ?? 0;
  expect(await rows('--max-fee', String(most))).toEqual(all.filter(({ fee }) => fee <= most));
  const refused = await quote('--max-fee', '1');
  expect([refused.exit, errorOf(refused.stderr).code]).toEqual([12, 'fee_above_max']);
  expect((await quote('--max-fee', '1.5')).exit).toBe(2);
});

it('quote --by leaves out what is later, and marks the best of the rest', async () => {
  const { rows, quote, all } = await quoting();
  const by = '2026-02-05T00:00:00Z';
  const inTime = all.filter(({ estimated_delivery_at: time }) => Date.parse(time) <= Date.parse(by));
  const found = await rows('--by', by);
  expect(found.map(({ code }) => code)).toEqual(inTime.map(({ code }) => code));
  expect(found.length).toBeLessThan(all.length);
  expect(found[0]?.marks).toContain('cheapest');
  const day = await rows('--by', '2026-02-02');
  const end = new Date(2026, 1, 3).getTime();
  expect(day).toHaveLength(all.filter(({ estimated_delivery_at: time }) => Date.parse(time) < end).length);
  for (const wrong of ['tomorrow', '2026-02-30', '2026-13-01', '2026-02-01T10:00']) {
    expect([wrong, (await quote('--by', wrong)).exit]).toEqual([wrong, 2]);
  }
});

it('takes an order as its whole input, too', async () => {
  const world = await shopWorld();
  const input = plainOrder(world);
  const [named, whole] = await Promise.all([
    world.run(['quote', '--order', input, '--json']),
    world.run(['quote', '--input', input, '--json']),
  ]);
  expect([whole.exit, whole.stderr]).toEqual([0, '']);
  expect(JSON.parse(whole.stdout)).toEqual(JSON.parse(named.stdout));
  expect((await world.run(['quote', '--input', input, '--pick', 'cheapest', '-o', 'name'])).exit).toBe(0);
  for (const other of [
    ['--order', input],
    ['--chargeable-weight', '500'],
  ]) {
    const { exit, stderr } = await world.run(['quote', '--input', input, ...other]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('describes the whole parcel')]);
  }
});

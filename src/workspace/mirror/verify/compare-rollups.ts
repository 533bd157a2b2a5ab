import { openParcels, openParcelsOf } from '../schema/open-parcels.ts';
import { type RollupTable, rollupTables } from '../schema/rollup-tables.ts';
import { ROLLUP_ZONE, readFact } from '../store/facts.ts';
import type { AnyRow, Mirror } from '../store/mirror.ts';
import { computeRollups } from '../write/rebuild-rollups.ts';
import type { Difference } from './compare.ts';

/** The sums of a rollup by the names of its group. */
type Sums = ReadonlyMap<string, readonly number[]>;

/** What is stored in a rollup, or what the rows of a query would be in it. */
function sumsIn({ dimensions, sums }: RollupTable, rows: readonly AnyRow[]): Sums {
  const nameOf = (row: AnyRow) => dimensions.map(({ name }) => String(row[name])).join(' ');
  return new Map(rows.map((row) => [nameOf(row), sums.map(({ name }) => Number(row[name]))]));
}

function differencesOf({ name: area, sums }: RollupTable, stored: Sums, expected: Sums): Difference[] {
  return [...new Set([...stored.keys(), ...expected.keys()])].flatMap((id) =>
    sums.flatMap(({ name: field }, index) => {
      const [mirror, service] = [stored.get(id)?.[index] ?? 0, expected.get(id)?.[index] ?? 0];
      return mirror === service ? [] : [{ area, id, field, mirror, service }];
    }),
  );
}

/** Compares the rollups of a shop with what the records add up to. Throws the signal's reason once it is aborted. */
export async function compareRollups(mirror: Mirror, shopId: string, signal: AbortSignal): Promise<Difference[]> {
  const { dialect } = mirror;
  return mirror.read(async (session) => {
    const zone = await readFact(session, ROLLUP_ZONE);
    if (zone === undefined) return [];
    const stored = async (rollup: RollupTable) =>
      sumsIn(rollup, await session.run(`select * from ${dialect.table(rollup.name)} where shop_id = ?`, [shopId]));
    const computed = await computeRollups(session, mirror, zone, signal);
    const differences: Difference[] = [];
    for (const rollup of rollupTables) {
      const own = computed.of(rollup.name).filter(({ group }) => group[0] === shopId);
      const expected = new Map(own.map(({ group, adds }) => [group.join(' '), adds]));
      differences.push(...differencesOf(rollup, await stored(rollup), expected));
    }
    const open = sumsIn(openParcels, await session.run(openParcelsOf(dialect, 'f.shop_id = ?'), [shopId]));
    return [...differences, ...differencesOf(openParcels, await stored(openParcels), open)];
  });
}

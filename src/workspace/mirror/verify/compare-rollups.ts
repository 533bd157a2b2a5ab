import { rollupTables } from '../schema/rollup-tables.ts';
import { ROLLUP_ZONE, readFact } from '../store/facts.ts';
import type { Mirror } from '../store/mirror.ts';
import { computeRollups } from '../write/rebuild-rollups.ts';
import type { Difference } from './compare.ts';

/** Compares the rollups of a shop with what the records add up to. */
export async function compareRollups(mirror: Mirror, shopId: string): Promise<Difference[]> {
  return mirror.read(async (session) => {
    const zone = await readFact(session, ROLLUP_ZONE);
    if (zone === undefined) return [];
    const computed = await computeRollups(session, mirror, zone);
    const differences: Difference[] = [];
    for (const { name, dimensions, sums } of rollupTables) {
      const groups = dimensions.map((dimension) => dimension.name);
      const rows = await session.run(`select * from ${mirror.dialect.table(name)} where shop_id = ?`, [shopId]);
      const stored = new Map(rows.map((row) => [groups.map((group) => String(row[group])).join(' '), row]));
      const expected = new Map(
        computed
          .of(name)
          .filter(({ group }) => group[0] === shopId)
          .map(({ group, adds }) => [group.join(' '), adds]),
      );
      for (const id of new Set([...stored.keys(), ...expected.keys()])) {
        for (const [index, sum] of sums.entries()) {
          const [mirrored, service] = [Number(stored.get(id)?.[sum.name] ?? 0), expected.get(id)?.[index] ?? 0];
          if (mirrored !== service) differences.push({ area: name, id, field: sum.name, mirror: mirrored, service });
        }
      }
    }
    return differences;
  });
}

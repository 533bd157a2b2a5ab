import { openParcels, openParcelsOf } from '../schema/open-parcels.ts';
import { type RollupTable, rollupTables } from '../schema/rollup-tables.ts';
import { ROLLUP_ZONE, readFact } from '../store/facts.ts';
import type { AnyRow, Mirror, MirrorSession } from '../store/mirror.ts';
import { computeRollups } from '../write/rebuild-rollups.ts';
import type { Difference } from './compare.ts';

/** The values of a row for the names of its group. */
const groupOf = ({ dimensions }: RollupTable, row: AnyRow) => dimensions.map(({ name }) => String(row[name]));

/** The sums in which a row differs from what it should be; a row that is missing has none. */
function differencesOf(
  { name: area, sums }: RollupTable,
  group: readonly string[],
  stored: AnyRow,
  expected: readonly unknown[],
): Difference[] {
  return sums.flatMap(({ name: field }, index) => {
    const [mirror, service] = [Number(stored[field] ?? 0), Number(expected[index] ?? 0)];
    return mirror === service ? [] : [{ area, id: group.join(' '), field, mirror, service }];
  });
}

/** The rows of a rollup, those of a day at a time. */
async function* storedRows({ run }: MirrorSession, table: string, shopId: string) {
  const days = await run(`select distinct day from ${table} where shop_id = ? order by day`, [shopId]);
  for (const { day } of days) yield* await run(`select * from ${table} where shop_id = ? and day = ?`, [shopId, day]);
}

async function compareOpenParcels(session: MirrorSession, { dialect }: Mirror, shopId: string): Promise<Difference[]> {
  const stored = await session.run(`select * from ${dialect.table(openParcels.name)} where shop_id = ?`, [shopId]);
  const computed = await session.run(openParcelsOf(dialect, 'f.shop_id = ?'), [shopId]);
  const byGroup = (rows: readonly AnyRow[]) => new Map(rows.map((row) => [groupOf(openParcels, row).join(' '), row]));
  const [before, after] = [byGroup(stored), byGroup(computed)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const expected = openParcels.sums.map(({ name }) => after.get(id)?.[name]);
    return differencesOf(openParcels, [id], before.get(id) ?? {}, expected);
  });
}

/** Compares the rollups of a shop with what the records add up to. Throws the signal's reason once it is aborted. */
export async function compareRollups(mirror: Mirror, shopId: string, signal: AbortSignal): Promise<Difference[]> {
  const { table } = mirror.dialect;
  return mirror.read(async (session) => {
    const zone = await readFact(session, ROLLUP_ZONE);
    if (zone === undefined) return [];
    const computed = await computeRollups(session, mirror, zone, signal);
    const differences: Difference[] = [];
    for (const rollup of rollupTables) {
      for await (const row of storedRows(session, table(rollup.name), shopId)) {
        const group = groupOf(rollup, row);
        differences.push(...differencesOf(rollup, group, row, computed.take(rollup.name, group)));
      }
      const missing = computed.of(rollup.name).filter(({ group }) => group[0] === shopId);
      differences.push(...missing.flatMap(({ group, adds }) => differencesOf(rollup, group, {}, adds)));
    }
    return [...differences, ...(await compareOpenParcels(session, mirror, shopId))];
  });
}

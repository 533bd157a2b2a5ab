import { recordsIn } from '../../../domain/json/value-at.ts';
import type { ChildTable, MirrorArea } from '../declared/areas.ts';
import { at } from '../declared/columns.ts';
import { quoted } from '../schema/ensure.ts';
import type { MirrorDialect } from '../store/dialect.ts';
import type { MirrorSession } from '../store/mirror.ts';
import { rowValues, type Stored } from './row-values.ts';
import { forIds, inserterFor } from './statements.ts';

/** A record with its id, as it is written to its tables. */
export interface WrittenRecord {
  readonly id: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** Separates the parts of an id that consists of several fields. */
const BETWEEN = '-';

/** The id of a record: the fields of its area's key, joined. Empty if one of them is missing. */
export function idOf({ key }: MirrorArea, record: Readonly<Record<string, unknown>>): string {
  const parts = key.map((name) => record[name]);
  return parts.every((part) => typeof part === 'string' && part !== '') ? parts.join(BETWEEN) : '';
}

/** The id of a row, as SQL: the columns of its area's key, joined. */
export const keySql = (key: readonly string[]): string => key.map(quoted).join(` || '${BETWEEN}' || `);

/** The rows of a record in a table of its parts. */
function partRows(
  child: ChildTable,
  { id, record }: WrittenRecord,
  shopId: string,
  dialect: MirrorDialect,
): Stored[][] {
  const { columns, sources, place } = child;
  if (place === 'kind') {
    return sources.flatMap(({ path, kind = '' }) => {
      const address = at(record, path);
      if (typeof address !== 'object' || address === null) return [];
      return [[shopId, id, kind, ...rowValues(columns, address, dialect)]];
    });
  }
  const [source] = sources;
  return recordsIn(at(record, source?.path ?? [])).map((part, index) => [
    shopId,
    id,
    index + 1,
    ...rowValues(columns, part, dialect),
  ]);
}

/** Writes the records of one area to its tables. */
export interface AreaTables {
  /** Replaces records; `known` are the ids of those that are there already. */
  write(
    session: MirrorSession,
    page: {
      readonly shopId: string;
      readonly seenAt: string;
      readonly records: readonly WrittenRecord[];
      readonly known: ReadonlySet<string>;
    },
  ): Promise<void>;
  /** Marks records as deleted; their last values stay. */
  remove(session: MirrorSession, shopId: string, ids: readonly string[], seenAt: string): Promise<void>;
}

/** The tables of an area in a dialect. */
export function areaTables(area: MirrorArea, dialect: MirrorDialect): AreaTables {
  const { name, key, columns, children } = area;
  const own = ['shop_id', ...columns.map((column) => column.name), 'mirrored_at', 'deleted_at'];
  const main = inserterFor(dialect, name, own, { key: [...key, 'shop_id'] });
  const parts = children.map((child) => ({
    child,
    inserter: inserterFor(dialect, child.name, [
      'shop_id',
      child.owner,
      child.place,
      ...child.columns.map((column) => column.name),
      'mirrored_at',
      'deleted_at',
    ]),
  }));
  const idColumn = keySql(key);
  const hasFlag = columns.some((column) => column.name === 'deleted');
  const isDeleted = dialect.bound('boolean', true);
  return {
    async write(session, { shopId, seenAt, records, known }) {
      await main.insert(
        session,
        records.map(({ record }) => [shopId, ...rowValues(columns, record, dialect), seenAt, null]),
      );
      const replaced = records.map(({ id }) => id).filter((id) => known.has(id));
      for (const { child, inserter } of parts) {
        await forIds(
          session,
          replaced,
          (list) => `delete from ${dialect.table(child.name)} where shop_id = ? and ${child.owner} in (${list})`,
          [shopId],
        );
        const rows = records.flatMap((one) => partRows(child, one, shopId, dialect));
        await inserter.insert(
          session,
          rows.map((row) => [...row, seenAt, null]),
        );
      }
    },
    async remove(session, shopId, ids, seenAt) {
      const flag = hasFlag ? ', deleted = ?' : '';
      const values = hasFlag ? [seenAt, seenAt, isDeleted, shopId] : [seenAt, seenAt, shopId];
      await forIds(
        session,
        ids,
        (list) =>
          `update ${dialect.table(name)} set deleted_at = ?, mirrored_at = ?${flag} where shop_id = ? and ${idColumn} in (${list})`,
        values,
      );
      for (const { child } of parts) {
        await forIds(
          session,
          ids,
          (list) =>
            `update ${dialect.table(child.name)} set deleted_at = ? where shop_id = ? and ${child.owner} in (${list})`,
          [seenAt, shopId],
        );
      }
    },
  };
}

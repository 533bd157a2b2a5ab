import { type Fields, readFields, recordsIn, writeJson } from '../../../domain/json/values.ts';
import type { ChildTable, MirrorArea } from '../declared-areas.ts';
import { at } from '../declared-columns.ts';
import { quoted } from '../ensure-tables.ts';
import type { MirrorDialect, Statement } from '../mirror.ts';
import { addRow, type Stored } from './contributions.ts';
import { inserterFor, statementsForIds } from './statements.ts';

/** What JSON writes for a NUL character, and for half of a surrogate pair. */
const MARKS = ['\\u0000', '\\ud'];
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})/g;

/**
 * A record and its JSON as every database stores them. PostgreSQL takes no NUL character, and no database half of a
 * surrogate pair: the one is left out, the other becomes U+FFFD.
 */
export function storable(record: Fields): { readonly record: Fields; readonly json: string } {
  const json = writeJson(record);
  if (!MARKS.some((mark) => json.includes(mark))) return { record, json };
  const clean = json.replaceAll(
    UNSTORABLE,
    (_, before: string, code: string) => `${before}${code === '0000' ? '' : '\ufffd'}`,
  );
  return { record: readFields(clean), json: clean };
}

/** A record with its id, as it is written to its tables. */
export interface WrittenRecord {
  readonly id: string;
  readonly record: Fields;
}

/** Separates the parts of an id that consists of several fields. */
const BETWEEN = '-';

/** The id of a record: the fields of its area's key, joined. Empty if one of them is missing. */
export function idOf({ key }: MirrorArea, record: Fields): string {
  const parts = key.map((name) => record[name]);
  return parts.every((part) => typeof part === 'string' && part !== '') ? parts.join(BETWEEN) : '';
}

/** The id of a row, as SQL: the columns of its area's key, joined. */
export const keySql = (key: readonly string[]): string => key.map(quoted).join(` || '${BETWEEN}' || `);

/** Adds the rows of a record in a table of its parts. */
function addParts(
  into: Stored[],
  child: ChildTable,
  { id, record }: WrittenRecord,
  { shopId, seenAt, dialect }: { readonly shopId: string; readonly seenAt: string; readonly dialect: MirrorDialect },
): void {
  const { columns, sources, place } = child;
  const add = (where: string | number, part: unknown) => {
    into.push(shopId, id, where);
    addRow(into, columns, part, dialect);
    into.push(seenAt, null);
  };
  if (place === 'kind') {
    for (const { path, kind = '' } of sources) {
      const address = at(record, path);
      if (typeof address === 'object' && address !== null) add(kind, address);
    }
    return;
  }
  const [source] = sources;
  for (const [index, part] of recordsIn(at(record, source?.path ?? [])).entries()) add(index + 1, part);
}

/** Writes the records of one area to its tables: adds the statements for it to a list. */
export interface AreaTables {
  /**
   * Replaces records; `known` are the ids of those that are there already. With `isNew` none may be there: writing fails
   * otherwise.
   */
  write(
    into: Statement[],
    page: {
      readonly shopId: string;
      readonly seenAt: string;
      readonly records: readonly WrittenRecord[];
      readonly known: ReadonlySet<string>;
      readonly isNew: boolean;
    },
  ): void;
  /** Marks records as deleted; their last values stay. */
  remove(into: Statement[], shopId: string, ids: readonly string[], seenAt: string): void;
}

/** The tables of an area in a dialect. */
export function areaTables(area: MirrorArea, dialect: MirrorDialect): AreaTables {
  const { name, key, columns, children } = area;
  const own = ['shop_id', ...columns.map((column) => column.name), 'mirrored_at', 'deleted_at'];
  const main = inserterFor(dialect, name, own, { key: [...key, 'shop_id'] });
  const mainOfNew = inserterFor(dialect, name, own);
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
    write(into, { shopId, seenAt, records, known, isNew }) {
      const values: Stored[] = [];
      for (const { record } of records) {
        values.push(shopId);
        addRow(values, columns, record, dialect);
        values.push(seenAt, null);
      }
      (isNew ? mainOfNew : main).insert(into, values);
      const replaced = records.map(({ id }) => id).filter((id) => known.has(id));
      for (const { child, inserter } of parts) {
        const removal = (list: string) =>
          `delete from ${dialect.table(child.name)} where shop_id = ? and ${child.owner} in (${list})`;
        into.push(...statementsForIds(replaced, removal, [shopId]));
        const rows: Stored[] = [];
        for (const one of records) addParts(rows, child, one, { shopId, seenAt, dialect });
        inserter.insert(into, rows);
      }
    },
    remove(into, shopId, ids, seenAt) {
      const flag = hasFlag ? ', deleted = ?' : '';
      const values = hasFlag ? [seenAt, seenAt, isDeleted, shopId] : [seenAt, seenAt, shopId];
      const marking = (list: string) =>
        `update ${dialect.table(name)} set deleted_at = ?, mirrored_at = ?${flag} where shop_id = ? and ${idColumn} in (${list})`;
      into.push(...statementsForIds(ids, marking, values));
      for (const { child } of parts) {
        const markingPart = (list: string) =>
          `update ${dialect.table(child.name)} set deleted_at = ? where shop_id = ? and ${child.owner} in (${list})`;
        into.push(...statementsForIds(ids, markingPart, [seenAt, shopId]));
      }
    },
  };
}

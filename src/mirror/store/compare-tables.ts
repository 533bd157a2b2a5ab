import { isDeepStrictEqual } from 'node:util';
import { type Fields, recordsIn } from '../../domain/json/values.ts';
import type { ChildTable, MirrorArea } from './declared-areas.ts';
import { at, type ColumnType, type MirrorColumn, momentText } from './declared-columns.ts';
import type { AnyRow, Mirror, MirrorDialect, MirrorSession } from './mirror.ts';
import { idOf, keySql, storable } from './write/area-tables.ts';
import { columnValue } from './write/contributions.ts';
import { forIds } from './write/statements.ts';

/** A field in which the mirror and the service differ; what is absent is null. */
export interface Difference {
  readonly area: string;
  readonly id: string;
  /** The field, or `record` if one of the two does not have the record at all. */
  readonly field: string;
  readonly mirror: unknown;
  readonly service: unknown;
}

type Found = Omit<Difference, 'area' | 'id'>;
/** What is in a column, in the form in which a record's value for it is written. */
function inColumn(type: ColumnType, value: unknown, { name }: MirrorDialect): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'time':
      return momentText(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : Number(value) === 1;
    case 'integer':
    case 'number':
      return Number(value);
    case 'json':
      // PostgreSQL's driver has read it: there, a text is one of JSON.
      return name === 'sqlite' ? value : JSON.stringify(value);
    default:
      return String(value);
  }
}

/** Whether two texts have the same JSON: PostgreSQL puts the fields of an object in an order of its own. */
const isSameJson = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && isDeepStrictEqual(JSON.parse(one), JSON.parse(other));

/** The fields of a row that differ from those of a record. */
function fieldsThatDiffer(
  columns: readonly MirrorColumn[],
  row: AnyRow,
  record: unknown,
  dialect: MirrorDialect,
): Found[] {
  return columns.flatMap(({ name, type, path }) => {
    const [mirror, service] = [inColumn(type, row[name], dialect), columnValue(type, at(record, path))];
    const isSame =
      mirror === service || (type === 'json' && dialect.name === 'postgres' && isSameJson(mirror, service));
    return isSame ? [] : [{ field: name, mirror, service }];
  });
}

/** The parts of a record that have a table of their own, each with its place. */
function partsOf({ sources, place }: ChildTable, record: Fields): [place: string, part: unknown][] {
  if (place === 'line') {
    return recordsIn(at(record, sources[0]?.path ?? [])).map((part, index) => [String(index + 1), part]);
  }
  return sources.flatMap(({ path, kind = '' }): [string, unknown][] => {
    const part = at(record, path);
    return typeof part === 'object' && part !== null ? [[kind, part]] : [];
  });
}

function partsThatDiffer(child: ChildTable, rows: readonly AnyRow[], record: Fields, dialect: MirrorDialect): Found[] {
  const { name, place, columns } = child;
  const stored = new Map(rows.map((row) => [String(row[place]), row]));
  const parts = new Map(partsOf(child, record));
  const places = [...new Set([...parts.keys(), ...stored.keys()])];
  return places.flatMap((one): Found[] => {
    const [row, part] = [stored.get(one), parts.get(one)];
    const field = `${name}[${one}]`;
    if (row === undefined) return [{ field, mirror: null, service: part }];
    if (part === undefined) return [{ field, mirror: 'present', service: null }];
    return fieldsThatDiffer(columns, row, part, dialect).map((one) => ({ ...one, field: `${field}.${one.field}` }));
  });
}

/** An area of a shop in a mirror. */
export interface ComparedArea {
  readonly mirror: Mirror;
  readonly area: MirrorArea;
  readonly shopId: string;
}

/** The rows of the mirror for some records of an area, and of their parts, by id. */
async function storedRows(session: MirrorSession, { mirror, area, shopId }: ComparedArea, ids: readonly string[]) {
  const { name, key, children } = area;
  const { dialect } = mirror;
  const rows = await forIds(
    session,
    ids,
    (list) => `select * from ${dialect.table(name)} where shop_id = ? and ${keySql(key)} in (${list})`,
    [shopId],
  );
  const byId = new Map(rows.map((row) => [key.map((part) => String(row[part])).join('-'), row]));
  const parts = new Map<string, Map<string, AnyRow[]>>();
  for (const child of children) {
    const found = await forIds(
      session,
      ids,
      (list) => `select * from ${dialect.table(child.name)} where shop_id = ? and ${child.owner} in (${list})`,
      [shopId],
    );
    const byOwner = new Map<string, Map<string, AnyRow>>();
    for (const row of found) {
      const owner = String(row[child.owner]);
      // A list of ids repeats its last one, so that a row may come twice.
      byOwner.set(owner, (byOwner.get(owner) ?? new Map<string, AnyRow>()).set(String(row[child.place]), row));
    }
    parts.set(child.name, new Map([...byOwner].map(([owner, places]) => [owner, [...places.values()]])));
  }
  return { byId, parts };
}

/**
 * Compares records, as the service has them, with the typed columns that SQL reads. `alive` are the ids that the mirror
 * should have for the same question: what is among them, and not among the records, is gone at the service.
 */
export async function compareRecords(
  compared: ComparedArea,
  records: readonly Fields[],
  alive: readonly string[] = [],
): Promise<Difference[]> {
  const { mirror, area } = compared;
  const present = new Map(records.map((record) => [idOf(area, record), record]));
  present.delete('');
  const ids = [...new Set([...present.keys(), ...alive])];
  const { byId, parts } = await mirror.read((session) => storedRows(session, compared, ids));
  return ids.flatMap((id): Difference[] => {
    const [row, record] = [byId.get(id), present.get(id)];
    const named = (found: Found): Difference => ({ area: area.name, id, ...found });
    const isGone = record === undefined || record.deleted === true;
    const isMissing = row === undefined || row.deleted_at !== null;
    if (isGone || isMissing) {
      if (isGone === isMissing) return [];
      return [named({ field: 'record', mirror: isMissing ? null : 'present', service: isGone ? null : 'present' })];
    }
    const differing = (as: Fields) => [
      ...fieldsThatDiffer(area.columns, row, as, mirror.dialect),
      ...area.children.flatMap((child) =>
        partsThatDiffer(child, parts.get(child.name)?.get(id) ?? [], as, mirror.dialect),
      ),
    ];
    // Few records have anything that is stored differently.
    return (differing(record).length === 0 ? [] : differing(storable(record).record)).map(named);
  });
}

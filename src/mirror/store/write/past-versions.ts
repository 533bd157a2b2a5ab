import { canonicalText } from '../../../domain/canonical-text.ts';
import { type Fields, readFields, writeJson } from '../../../domain/json/values.ts';
import type { MirrorArea } from '../declared-areas.ts';
import { momentOf, momentText } from '../declared-columns.ts';
import type { AnyRow, MirrorDialect, MirrorSession, Statement } from '../mirror.ts';
import type { Stored } from './contributions.ts';
import { forIds, inserterFor } from './statements.ts';

/** A version that was seen of a record; moments are milliseconds since 1970, by the service's clock. */
export interface Version {
  readonly id: string;
  readonly seenAt: number;
  readonly source: string;
  readonly json: string;
  readonly record: Fields;
  /** Its place among the versions of the record. */
  readonly rank: number;
}

/** A version that another one has replaced. */
interface PastVersion extends Version {
  readonly replacedAt: number;
}

/** The stored versions of records, by id. */
export interface StoredVersions {
  readonly present: ReadonlyMap<string, Version>;
  /** Those that were replaced, as far as they decide where others belong. */
  readonly past: ReadonlyMap<string, readonly PastVersion[]>;
}

/** Whose versions they are. */
export interface Owner {
  readonly area: MirrorArea;
  readonly shopId: string;
}

/** The rank of a version: its time, and at equal times the service's present answer above what a webhook brought. */
export function versionOf(milliseconds: number, source: string): number {
  return 2 * milliseconds + (source === 'webhook' ? 0 : 1);
}

/** The time of a version that ranks so, in milliseconds since 1970. */
export const timeOf = (rank: number): number => Math.floor(rank / 2);

/** A stored version, as a row of `records_json` or `past_versions` has it. */
export function versionIn({ isTimed }: MirrorArea, { id, seen_at, source, json }: AnyRow): Version {
  const text = typeof json === 'string' ? json : writeJson(json);
  const record = readFields(text);
  const seenAt = momentOf(seen_at) ?? 0;
  const time = isTimed && record.deleted !== true ? momentOf(record.updated_at) : undefined;
  const from = String(source);
  return { id: String(id), seenAt, source: from, json: text, record, rank: versionOf(time ?? seenAt, from) };
}

const isSameSecond = (one: number, other: number) => Math.floor(one / 1_000) === Math.floor(other / 1_000);

const isSameContent = (one: Version, other: Version) =>
  one.record.updated_at === other.record.updated_at && canonicalText(one.record) === canonicalText(other.record);

/** Whether two versions are one, seen twice: what one second has with the same content. */
const isSame = (one: Version, other: Version) => timeOf(one.rank) === timeOf(other.rank) && isSameContent(one, other);

/** The end of a version that no other one of its record has: the service tells whole seconds, in which several may end. */
function endOf(versions: readonly PastVersion[], seenAt: number, replacedAt: number): number {
  const isTaken = (end: number) => versions.some((one) => one.seenAt === seenAt && one.replacedAt === end);
  let end = replacedAt;
  while (isTaken(end)) end += 1;
  return end;
}

/** Where a version belongs that came late. */
interface Place {
  /** The one before it, which ended when this one began; undefined if it is the first. */
  readonly before: PastVersion | undefined;
  /** When it was replaced. */
  readonly replacedAt: number;
}

/** The place of a version that came late among those of its record; undefined if it is known. */
function placeOf(late: Version, past: readonly PastVersion[], last: Version): Place | undefined {
  const inOrder = [...past].sort((one, other) => one.rank - other.rank || one.replacedAt - other.replacedAt);
  const before = inOrder.findLast(({ rank }) => rank <= late.rank);
  const after = inOrder.find(({ rank }) => rank > late.rank) ?? last;
  if (past.some((one) => isSame(one, late)) || isSameContent(after, late)) return undefined;
  // Without a change in between, the one before is still the same.
  if (before !== undefined && isSameContent(before, late)) return undefined;
  return { before, replacedAt: Math.max(late.seenAt, after.seenAt) };
}

/** The end of a version as text, always with milliseconds: so those within a second are in order as texts too. */
const ended = (at: number) => new Date(at).toISOString();

/** Writes the versions of records that others have replaced. */
export class PastWriter {
  readonly #dialect: MirrorDialect;
  readonly #past: ReturnType<typeof inserterFor>;
  readonly #where = 'where area = ? and id = ? and shop_id = ? and replaced_at = ? and seen_at = ?';

  constructor(dialect: MirrorDialect) {
    this.#dialect = dialect;
    const columns = ['area', 'id', 'shop_id', 'seen_at', 'source', 'json', 'replaced_at'];
    this.#past = inserterFor(dialect, 'past_versions', columns, { onConflict: 'on conflict do nothing' });
  }

  /** The versions of some records that others have replaced, by id. */
  async read(session: MirrorSession, { area, shopId }: Owner, ids: readonly string[]) {
    const sql = (list: string) =>
      `select id, seen_at, source, json, replaced_at from ${this.#dialect.table('past_versions')} where area = ? and shop_id = ? and id in (${list})`;
    const found = new Map<string, PastVersion[]>();
    for (const row of await forIds(session, ids, sql, [area.name, shopId])) {
      const version = { ...versionIn(area, row), replacedAt: momentOf(row.replaced_at) ?? 0 };
      found.set(version.id, [...(found.get(version.id) ?? []), version]);
    }
    return found;
  }

  /** Whether others of the record may have the time of a version that is replaced: the service tells whole seconds. */
  isCrowded(one: Version, next: Version): boolean {
    return isSameSecond(one.seenAt, next.seenAt) || timeOf(one.rank) === timeOf(next.rank);
  }

  /** Moves the present version of a record to the past: another one replaces it. One that is seen again stays. */
  replace(
    into: Statement[],
    owner: Owner,
    next: Version & { readonly replacedAt: number },
    stored: StoredVersions,
  ): void {
    const one = stored.present.get(next.id);
    const past = stored.past.get(next.id) ?? [];
    if (one === undefined) return;
    // Of two within a second, the webhook that came last is not always the newer one.
    const again = past.filter((version) => isSame(version, next));
    for (const version of again)
      into.push({ sql: `delete from ${this.#table} ${this.#where}`, parameters: this.#key(owner, version) });
    if (isSame(one, next)) return;
    const replacedAt = endOf(past, one.seenAt, next.replacedAt);
    this.#past.insert(into, this.#row(owner, { ...one, replacedAt }));
  }

  /**
   * Adds a version that came late in its place before the last one of its record; one that is known is left out. Returns
   * whether it is the last one itself, which a record that was deleted since may get.
   */
  addLate(into: Statement[], owner: Owner, late: Version, stored: StoredVersions): boolean {
    const past = stored.past.get(late.id) ?? [];
    const last = stored.present.get(late.id);
    const place = last === undefined ? undefined : placeOf(late, past, last);
    if (last === undefined || place === undefined) return false;
    if (late.rank > last.rank) {
      this.replace(into, owner, { ...late, replacedAt: late.seenAt }, stored);
      return true;
    }
    const { before, replacedAt } = place;
    let others = past;
    if (before !== undefined && before.replacedAt > late.seenAt) {
      const end = endOf(past, before.seenAt, Math.max(before.seenAt, late.seenAt));
      const sql = `update ${this.#table} set replaced_at = ? ${this.#where}`;
      into.push({ sql, parameters: [ended(end), ...this.#key(owner, before)] });
      others = [...past, { ...before, replacedAt: end }];
    }
    this.#past.insert(into, this.#row(owner, { ...late, replacedAt: endOf(others, late.seenAt, replacedAt) }));
    return false;
  }

  get #table(): string {
    return this.#dialect.table('past_versions');
  }

  #key({ area, shopId }: Owner, { id, seenAt, replacedAt }: PastVersion): string[] {
    return [area.name, id, shopId, ended(replacedAt), momentText(new Date(seenAt)) ?? ''];
  }

  #row({ area, shopId }: Owner, { id, seenAt, source, json, replacedAt }: PastVersion): Stored[] {
    return [area.name, id, shopId, momentText(new Date(seenAt)), source, json, ended(replacedAt)];
  }
}

import { hash } from 'node:crypto';
import type { Fields } from '../../../domain/json/values.ts';
import type { MirrorArea } from '../declared-areas.ts';
import { momentOf, momentText } from '../declared-columns.ts';
import type { MirrorDialect, MirrorSession, Statement } from '../mirror.ts';
import { STALE } from '../own-tables.ts';
import { addOpenParcels } from '../rollup-tables.ts';
import { type AreaTables, areaTables, idOf, storable } from './area-tables.ts';
import type { Stored } from './contributions.ts';
import { contributionsOf, hasRollups } from './contributions.ts';
import type { DayOf } from './days.ts';
import { PastWriter, type StoredVersions, timeOf, type Version, versionIn, versionOf } from './past-versions.ts';
import { RollupChanges, rollupWriter } from './rollups.ts';
import { forIds, type Inserter, inserterFor, statementsForIds } from './statements.ts';

/** Where a version of a record was seen. */
export type Source = 'list' | 'webhook' | 'poll';

/** Records of one area of one shop, as they were seen together. */
export interface SeenPage {
  readonly area: MirrorArea;
  readonly shopId: string;
  /** The service's time when they were read, in milliseconds since 1970. */
  readonly seen: number;
  readonly source: Source;
  readonly records: readonly Fields[];
  /** Ids of records that were deleted, besides those that say so themselves. */
  readonly gone?: readonly string[];
  /** The whole walk that met them, which marks them. */
  readonly walk?: number | undefined;
  /**
   * Whether the service's answer replaces whatever is there. Otherwise an older version replaces nothing, and at equal
   * times the service's answer wins over what a webhook brought.
   */
  readonly isPresent: boolean;
}

/** What writing a page changes. */
export interface WrittenPage {
  readonly created: readonly string[];
  readonly updated: readonly string[];
  readonly deleted: readonly string[];
}

/** How a page is written, and what that changes. */
export interface PlannedPage {
  readonly statements: readonly Statement[];
  readonly written: WrittenPage;
}

interface Known {
  readonly version: number;
  readonly fingerprint: string;
  /** Whether its tables lack columns that they have gained since it was written. */
  readonly isStale: boolean;
  readonly gone: boolean;
  readonly walk: number;
}

interface Seen extends Version {
  readonly fingerprint: string;
  readonly gone: boolean;
}

/** The column of a shipment that has the id of a record, for areas whose records are in the rollup of the present. */
const ownersOfParcels: ReadonlyMap<string, string> = new Map([
  ['orders', 'f.order_id'],
  ['fulfillments', 'f.id'],
]);

/** A hash of a record's JSON: equal for the same answer. */
export function fingerprintOf(json: string): string {
  return hash('sha1', json, 'base64url');
}

function seenRecord(page: SeenPage, read: Fields): Seen {
  const { record, json } = storable(read);
  const gone = record.deleted === true;
  const time = page.area.isTimed && !gone ? momentOf(record.updated_at) : undefined;
  return {
    id: idOf(page.area, record),
    record,
    json,
    fingerprint: fingerprintOf(json),
    seenAt: page.seen,
    source: page.source,
    rank: versionOf(time ?? page.seen, page.source),
    gone,
  };
}

/** What is written of a page. */
interface Choice {
  readonly seen: readonly Seen[];
  readonly known: ReadonlyMap<string, Known>;
  /** Versions that are new in the mirror. */
  readonly changed: readonly Seen[];
  /** Records that are written although nothing in them has changed. */
  readonly same: readonly Seen[];
  /** Versions that are older than what the mirror has. */
  readonly late: readonly Seen[];
  /** The ids of records that no answer names any more. */
  readonly lost: readonly string[];
  /** Whether the mirror is expected to have none of the records. */
  readonly isNew: boolean;
}

const NOTHING: StoredVersions = { present: new Map(), past: new Map() };

/** A page being written: what was known of its records, and what it changes in the rollups. */
interface Writing {
  /** The statements so far. */
  readonly into: Statement[];
  readonly page: SeenPage;
  readonly choice: Choice;
  readonly stored: StoredVersions;
  readonly changes: RollupChanges;
}

/** Writes pages of records to a mirror: their tables, their history and the rollups, in one transaction each. */
export class PageWriter {
  readonly #dialect: MirrorDialect;
  readonly #dayOf: DayOf;
  readonly #rewritesAll: boolean;
  readonly #keepsNews: boolean;
  readonly #news: Inserter;
  readonly #tables = new Map<string, AreaTables>();
  readonly #records: Inserter;
  /** Fails for a record that is there already. */
  readonly #newRecords: Inserter;
  readonly #json: Inserter;
  readonly #newJson: Inserter;
  readonly #past: PastWriter;
  readonly #rollups: ReturnType<typeof rollupWriter>;

  /**
   * With `rewritesAll`, records are written that have not changed either; with `keepsNews`, what lists have changed is
   * kept for a listener.
   */
  constructor(
    dialect: MirrorDialect,
    dayOf: DayOf,
    { rewritesAll = false, keepsNews = false }: { readonly rewritesAll?: boolean; readonly keepsNews?: boolean } = {},
  ) {
    this.#keepsNews = keepsNews;
    this.#dialect = dialect;
    this.#rewritesAll = rewritesAll;
    this.#dayOf = dayOf;
    const key = ['area', 'id', 'shop_id'];
    const known = [...key, 'version', 'fingerprint', 'walk', 'gone'];
    this.#records = inserterFor(dialect, 'mirror_records', known, { key });
    this.#newRecords = inserterFor(dialect, 'mirror_records', known);
    const json = [...key, 'seen_at', 'source', 'json'];
    this.#json = inserterFor(dialect, 'records_json', json, { key });
    this.#newJson = inserterFor(dialect, 'records_json', json);
    this.#past = new PastWriter(dialect);
    this.#news = inserterFor(dialect, 'mirror_news', [...key, 'change_type', 'changed', 'looks'], {
      onConflict: `on conflict (area, id, shop_id) do update set changed = excluded.changed, looks = 0, change_type =
case when t.change_type = 'create' and excluded.change_type = 'update' then 'create' else excluded.change_type end`,
    });
    this.#rollups = rollupWriter(dialect);
  }

  #tablesOf(area: MirrorArea): AreaTables {
    const known = this.#tables.get(area.name);
    if (known !== undefined) return known;
    const made = areaTables(area, this.#dialect);
    this.#tables.set(area.name, made);
    return made;
  }

  /** Writes a page in the caller's transaction, and says what that has changed. */
  async write(session: MirrorSession, page: SeenPage): Promise<WrittenPage> {
    const { statements, written } = await this.plan(session, page);
    for (const { sql, parameters } of statements) await session.run(sql, parameters);
    return written;
  }

  /**
   * Looks at what a mirror has of a page's records, and says how to write the page. Nobody else may write to the shop's
   * records until that is done.
   */
  async plan(session: MirrorSession, page: SeenPage): Promise<PlannedPage> {
    const seen = this.#seen(page);
    const ids = [...seen.map(({ id }) => id), ...(page.gone ?? [])];
    const known = await this.#known(session, page, ids);
    const choice = this.#choose(page, seen, known);
    return this.#planned(page, choice, await this.#stored(session, page, choice));
  }

  /**
   * Says how to write a page of which the mirror is expected to have no record, without looking. If it has one, writing
   * fails by the key of that record, and changes nothing.
   */
  planNew(page: SeenPage): PlannedPage {
    return this.#planned(page, { ...this.#choose(page, this.#seen(page), new Map()), isNew: true }, NOTHING);
  }

  /** The records of a page; one that it has twice counts as it stands last. */
  #seen(page: SeenPage): Seen[] {
    const byId = new Map(page.records.map((record) => [idOf(page.area, record), seenRecord(page, record)]));
    byId.delete('');
    return [...byId.values()];
  }

  #choose(page: SeenPage, seen: readonly Seen[], known: ReadonlyMap<string, Known>): Choice {
    const { isPresent } = page;
    const isSame = ({ id, fingerprint, gone }: Seen) => {
      const before = known.get(id);
      return before?.fingerprint === fingerprint && before.gone === gone;
    };
    const isNew = (one: Seen) => {
      const before = known.get(one.id);
      return before === undefined || (!isSame(one) && (isPresent || one.rank >= before.version));
    };
    const ids = new Set(seen.map(({ id }) => id));
    const version = versionOf(page.seen, page.source);
    const lost = (page.gone ?? []).filter((id) => {
      const before = ids.has(id) ? undefined : known.get(id);
      return before !== undefined && !before.gone && (isPresent || version >= before.version);
    });
    const isWritten = ({ id }: Seen) => this.#rewritesAll || known.get(id)?.isStale === true;
    const same = seen.filter((one) => !one.gone && isSame(one) && isWritten(one));
    const late = seen.filter((one) => !one.gone && !isNew(one) && !isSame(one));
    return { seen, known, changed: seen.filter(isNew), same, late, lost, isNew: false };
  }

  #planned(page: SeenPage, choice: Choice, stored: StoredVersions): PlannedPage {
    const { area } = page;
    const { seen, known, changed, lost } = choice;
    const into: Statement[] = [];
    const writing: Writing = { into, page, choice, stored, changes: new RollupChanges() };
    this.#keepPast(writing);
    const openParcels = this.#openParcels(area, [...changed.map(({ id }) => id), ...lost]);
    into.push(...openParcels.before);
    this.#writeRecords(writing);
    this.#remove(writing, lost, versionOf(page.seen, page.source));
    this.#rollups.write(into, writing.changes);
    into.push(...openParcels.after);
    const ids = new Set(changed.map(({ id }) => id));
    const inWalk = seen.map(({ id }) => id).filter((id) => !ids.has(id));
    if (page.walk !== undefined) into.push(...this.#marking(page, inWalk));
    const wasThere = (id: string) => known.get(id)?.gone === false;
    const written: WrittenPage = {
      created: changed.filter((one) => !one.gone && !wasThere(one.id)).map(({ id }) => id),
      updated: changed.filter((one) => !one.gone && wasThere(one.id)).map(({ id }) => id),
      deleted: [...changed.filter((one) => one.gone && wasThere(one.id)).map(({ id }) => id), ...lost],
    };
    if (this.#keepsNews && page.source === 'list') {
      this.#storeNews(writing, written, new Map(changed.map((one) => [one.id, one.rank])));
    }
    return { statements: into, written };
  }

  #storeNews(
    { into, page: { area, shopId, seen } }: Writing,
    { created, updated, deleted }: WrittenPage,
    ranks: ReadonlyMap<string, number>,
  ): void {
    const of = (ids: readonly string[], type: string) =>
      ids.flatMap((id) => [area.name, id, shopId, type, timeOf(ranks.get(id) ?? 2 * seen), 0]);
    this.#news.insert(into, [...of(created, 'create'), ...of(updated, 'update'), ...of(deleted, 'delete')]);
  }

  async #known(
    session: MirrorSession,
    { area, shopId }: SeenPage,
    ids: readonly string[],
  ): Promise<Map<string, Known>> {
    const rows = await forIds(
      session,
      ids,
      (list) =>
        `select id, version, fingerprint, gone, walk from ${this.#dialect.table('mirror_records')} where area = ? and shop_id = ? and id in (${list})`,
      [area.name, shopId],
    );
    return new Map(
      rows.map(({ id, version, fingerprint, gone, walk }) => [
        String(id),
        {
          version: Number(version),
          fingerprint: String(fingerprint).replace(STALE, ''),
          isStale: String(fingerprint).startsWith(STALE),
          gone: Number(gone) === 1,
          walk: Number(walk),
        },
      ]),
    );
  }

  /** Takes the shipments that records are, or belong to, from the rollup of the present, and adds them as they are then. */
  #openParcels({ name }: MirrorArea, ids: readonly string[]): Readonly<Record<'before' | 'after', Statement[]>> {
    const column = ownersOfParcels.get(name);
    if (column === undefined) return { before: [], after: [] };
    const adding = (sign?: '-') =>
      statementsForIds(ids, (list) => addOpenParcels(this.#dialect, `${column} in (${list})`, sign));
    return { before: adding('-'), after: adding() };
  }

  /** The versions of records that are replaced, deleted, or of which an older one came. */
  async #stored(
    session: MirrorSession,
    page: SeenPage,
    { changed, lost, late, known }: Choice,
  ): Promise<StoredVersions> {
    const { area, shopId } = page;
    const lateIds = late.map(({ id }) => id);
    const ids = [...changed.map(({ id }) => id), ...lost, ...lateIds].filter((id) => known.has(id));
    const sql = (list: string) =>
      `select id, seen_at, source, json from ${this.#dialect.table('records_json')} where area = ? and shop_id = ? and id in (${list})`;
    const rows = await forIds(session, ids, sql, [area.name, shopId]);
    const present = new Map(rows.map((row) => [String(row.id), versionIn(area, row)]));
    const crowded = changed.filter((next) => {
      const one = present.get(next.id);
      return one !== undefined && this.#past.isCrowded(one, next);
    });
    const ofPast = [...late, ...crowded].map(({ id }) => id);
    return { present, past: await this.#past.read(session, page, ofPast) };
  }

  /** Moves what is replaced to the past, adds what came late, and takes what is no longer from the rollups. */
  #keepPast({ into, page, choice: { changed, lost, late, known }, stored, changes }: Writing): void {
    const { area, shopId, seen } = page;
    for (const id of [...changed.map((one) => one.id), ...lost]) {
      const one = stored.present.get(id);
      if (one === undefined || !hasRollups(area.name) || known.get(id)?.gone !== false) continue;
      changes.change(contributionsOf(area.name, one.record, shopId, this.#dayOf), -1);
    }
    for (const one of changed) {
      const before = known.get(one.id);
      const deletedAt = before?.gone === true ? timeOf(before.version) : 0;
      const isEnded = deletedAt > (stored.present.get(one.id)?.seenAt ?? deletedAt);
      const replacedAt = isEnded ? deletedAt : seen;
      this.#past.replace(into, page, { ...one, replacedAt }, stored);
    }
    for (const one of late) {
      const isLast = this.#past.addLate(into, page, one, stored);
      const seenAt = momentText(new Date(seen));
      if (isLast) this.#json.insert(into, [area.name, one.id, shopId, seenAt, one.source, one.json]);
    }
  }

  #writeRecords({ into, page, choice, changes }: Writing): void {
    const { known, changed, same, isNew } = choice;
    const { area, shopId, seen, source, walk } = page;
    if (changed.length + same.length === 0) return;
    const seenAt = new Date(seen).toISOString().replace('.000Z', 'Z');
    const tables = this.#tablesOf(area);
    // A deleted record comes without its fields: those that are known stay.
    const stubs = changed.filter((one) => one.gone && known.has(one.id));
    const whole = changed.filter((one) => !one.gone || !known.has(one.id));
    tables.write(into, { shopId, seenAt, records: [...whole, ...same], known: new Set(known.keys()), isNew });
    const gone = [...stubs, ...whole.filter((one) => one.gone)].map(({ id }) => id);
    tables.remove(into, shopId, gone, seenAt);
    if (hasRollups(area.name)) {
      for (const { record, gone: isGone } of whole) {
        if (!isGone) changes.change(contributionsOf(area.name, record, shopId, this.#dayOf), 1);
      }
    }
    const records: Stored[] = [];
    const texts: Stored[] = [];
    for (const { id, rank, fingerprint, gone: isGone, json } of changed) {
      // What a whole walk has met stays met.
      const inWalk = walk ?? known.get(id)?.walk ?? 0;
      records.push(area.name, id, shopId, rank, fingerprint, inWalk, isGone ? 1 : 0);
      texts.push(area.name, id, shopId, seenAt, source, json);
    }
    const stale = same.map(({ id }) => id).filter((id) => known.get(id)?.isStale === true);
    const unmarking = (list: string) =>
      `update ${this.#dialect.table('mirror_records')} set fingerprint = substr(fingerprint, 2) where area = ? and shop_id = ? and id in (${list})`;
    into.push(...statementsForIds(stale, unmarking, [area.name, shopId]));
    (isNew ? this.#newRecords : this.#records).insert(into, records);
    (isNew ? this.#newJson : this.#json).insert(into, texts);
  }

  /** Marks records as deleted that no answer names any more. */
  #remove({ into, page: { area, shopId, seen } }: Writing, ids: readonly string[], version: number): void {
    if (ids.length === 0) return;
    const seenAt = new Date(seen).toISOString().replace('.000Z', 'Z');
    this.#tablesOf(area).remove(into, shopId, ids, seenAt);
    const marking = (list: string) =>
      `update ${this.#dialect.table('mirror_records')} set gone = 1, version = ? where area = ? and shop_id = ? and id in (${list})`;
    into.push(...statementsForIds(ids, marking, [version, area.name, shopId]));
  }

  /** Marks records that a whole walk has met unchanged. */
  #marking({ area, shopId, walk }: SeenPage, ids: readonly string[]): Statement[] {
    const marking = (list: string) =>
      `update ${this.#dialect.table('mirror_records')} set walk = ? where area = ? and shop_id = ? and id in (${list})`;
    return statementsForIds(ids, marking, [walk, area.name, shopId]);
  }
}

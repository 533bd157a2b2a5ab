import { sql } from 'kysely';
import { changesInWords } from '../../client/settle/compare.ts';
import { readFields } from '../../domain/json/values.ts';
import { inEnglish } from '../../domain/language.ts';
import { type KeyRule, wantOf } from '../../ledger/planned-keys.ts';
import { markReported } from '../../ledger/store/intents.ts';
import {
  isOfEqual,
  isOfUnknownRecord,
  type Key,
  type KeyOutcome,
  keyOf,
  keysAt,
  lockingEqual,
  type MadeUnder,
  type Moment,
  makersNamed,
  makersOf,
  settleKeys,
  takeKeys,
  type Want,
} from '../../ledger/store/keys.ts';
import { holderOf, mayLackShipment, setUndone } from '../../ledger/store/undone.ts';
import { sqlOf } from '../../store/kysely-sql.ts';
import { placeholders, type Sql } from '../../store/sql.ts';
import type { WorkspaceTables } from '../../store/tables.ts';
import { batchTexts } from '../texts.ts';
import { rowsHolding } from './earlier-rows.ts';
import type { Row, RowWithRequest } from './row.ts';
import { resentBy } from './undone.ts';

/** The record that a row changes, as far as it was found out before the row is claimed. */
export interface RowRecord {
  /** Whether its id is known: then the row's request and its key have it. */
  readonly hasId: boolean;
  /** The name that it may have been made under; undefined if it has none. */
  readonly name: MadeUnder | undefined;
}

/** What the ledger has to know about the rows of a batch in order to guard them. */
export interface RowRule extends KeyRule {
  /** Whether a row creates a record, and so keeps its key; a change holds it only while it may be on its way. */
  readonly creates: boolean;
  /** Whether a row ends a record: who made it has made nothing then. */
  readonly ends: boolean;
  /** Whether a row undoes another one. */
  readonly undoes?: boolean;
  /** Where a row ships what it makes: the operations that do. Of what another one has made, that is not known. */
  readonly shippers?: readonly string[];
  /**
   * An order without a name of its own is refused if an equal one was sent within so many milliseconds, by any other work or
   * by commands alone, and waits for one whose outcome is not known; without `within`, what was sent and told is passed, and
   * what a command has made and told nobody is what it asks for.
   */
  readonly equals: { readonly within?: number; readonly by: 'any' | 'commands' } | undefined;
  /** Whether so many milliseconds have passed since a moment; `unknown` if the service has to be asked first. */
  hasPassed(milliseconds: number, since: Moment): boolean | 'unknown';
  /**
   * Where rows change records that they may call by another name than the id: those of the rows that were found out, by
   * number. No other row is claimed.
   */
  readonly records?: ReadonlyMap<number, RowRecord>;
  /** The identity under which changes of the record with this id have their key. */
  changesOf(id: string): string;
  /** What a request calls the record that it ends: its id, or else a name. */
  endedRecord(payload: string): { readonly id?: string; readonly name?: MadeUnder };
  /** The fields in which two requests differ. */
  differences(one: string, other: string): readonly string[];
  /** A row without a name of its own under another number. */
  renumbered(row: RowWithRequest, number: number): RowWithRequest;
}

/**
 * A row whose key somebody else has: its outcome is not known yet, or it is `done`, and the row may want more of the
 * record than that.
 */
export interface Blocked {
  readonly row: RowWithRequest;
  readonly key: Key | undefined;
  /** Whether only the service knows how long ago the order was made that equals it. */
  readonly isUndated?: boolean;
}

/** What the keys of rows say: which may be sent, which have ended without a call, and which have to wait. */
export interface Judged {
  readonly granted: readonly RowWithRequest[];
  readonly ended: readonly RowWithRequest[];
  readonly blocked: readonly Blocked[];
}

/** The work that has made the record of a row: who holds its key, and the row that did it, if that is known. */
export interface Maker extends Pick<Key, 'holder' | 'recordId' | 'request' | 'equal'> {
  readonly row: RowWithRequest | undefined;
}

/** What a row is told whose record is there under this name, and not shipped as it is to be. */
export const notShipped = (name: string) => ({
  state: 'failed' as const,
  error_code: 'not_shipped',
  error_message: batchTexts.row.notShipped({ name }),
});

/**
 * The fields in which a request differs from what a maker sent, none of them known where only a digest tells; undefined if
 * it is the same, and `unknown` if nothing tells.
 */
export function differencesOf(payload: string, maker: Maker, rule: RowRule): readonly string[] | 'unknown' | undefined {
  const { request, ...equality } = rule.digestsOf(payload);
  // Where no digest of the request is stored, only its row tells it.
  if (maker.request === null && maker.row === undefined) return 'unknown';
  // Commands and batches fill an order differently, and it is the same order.
  if (maker.request === request || isOfEqual(maker, equality)) return undefined;
  if (maker.row === undefined) return [];
  const fields = rule.differences(payload, maker.row.payload);
  return fields.length === 0 ? undefined : fields;
}

/** Whether nothing tells what was sent under the name of a row: then the service is asked for its record. */
export const isUnknown = ({ named, payload }: Pick<RowWithRequest, 'named' | 'payload'>, maker: Maker, rule: RowRule) =>
  named === 1 && differencesOf(payload, maker, rule) === 'unknown';

/** A row whose record another piece of work has made: it existed, unless its name was given to another content. */
export function existed<Existing extends RowWithRequest>(row: Existing, maker: Maker, rule: RowRule): Existing {
  const fields = row.named === 0 ? undefined : differencesOf(row.payload, maker, rule);
  if (fields !== undefined && fields !== 'unknown') {
    const sent = maker.row === undefined ? {} : readFields(maker.row.payload);
    const changes = inEnglish(() => changesInWords(fields, sent, readFields(row.payload)).join(', '));
    const { sentBefore, itsContent } = batchTexts.row;
    const error_message = sentBefore({ name: row.name, changes: changes || itsContent });
    const id = maker.row?.id ?? maker.recordId;
    return { ...row, id, made_by: maker.holder, state: 'failed', error_code: 'differs', error_message };
  }
  const { id, code, shipping_code, carrier, fee } = maker.row ?? { ...row, id: null, carrier: null, fee: null };
  const facts = { id: id ?? maker.recordId, code, shipping_code, carrier, fee };
  return {
    ...row,
    ...facts,
    state: 'existed',
    error_code: null,
    error_message: null,
    error_fields: null,
    made_by: maker.holder,
  };
}

function stateOf(rule: RowRule, { state, id, made_by }: Row): KeyOutcome['state'] {
  if (state === 'unclear') return 'unclear';
  // What was found at the service, and nobody in this ledger has made, would otherwise be made again under another name.
  const isThere = state === 'done' || (state === 'existed' && id !== null && made_by === null);
  return isThere && rule.creates ? 'done' : 'free';
}

/** Whether a row has left its key: one whose service was chosen anew is still on its way. */
export const isOver = ({ state }: Row) => state !== 'sending';

/** What becomes of the key of a row with this outcome. */
export function keyOutcomeOf(rule: RowRule, row: Row, now: Moment): KeyOutcome & { readonly row: number } {
  const { account, resource } = rule;
  const place = { account, resource, identity: row.identity, holder: holderOf(row) };
  return { ...place, row: row.row, state: stateOf(rule, row), owner: row.worker ?? null, recordId: row.id, ...now };
}

/** On a server: keeps out whoever asks for orders equal to these until the transaction ends; undefined if none is an order. */
export function equalLock({ account }: RowRule, wants: readonly Want[]) {
  const texts = wants.flatMap(({ equal }) => equal ?? []);
  return texts.length === 0 ? undefined : lockingEqual(account, texts);
}

/** What was made and told to nobody: by a command whose result was not written, or a batch whose summary was not. */
const UNTOLD = `state = 'done' and (holder in (select id from intents where reported_at is null) or exists (
  select 1 from batches where (batches.state <> 'finished' or batches.source like '%"isUntold":true%')
    and ledger_keys.holder like 'batch ' || batches.number || ' %'))`;

/** Finds keys of orders equal to these, of other work, that were sent or may be, whenever; undefined if none is asked for. */
export function equalQuery({ equals, account }: RowRule, batch: number, wants: readonly Want[]) {
  const texts = wants.flatMap((want) => (want.derived && want.equal !== null ? [want.equal] : []));
  if (equals === undefined || texts.length === 0) return undefined;
  const ours = equals.by === 'any' ? `batch ${batch} %` : 'batch %';
  const states =
    equals.within === undefined
      ? `state in ('sending', 'unclear') or ${UNTOLD}`
      : "state in ('sending', 'unclear', 'done')";
  const text = `select * from ledger_keys where account = ? and equal in ${placeholders(1, texts.length)} and equal is not null
        and (${states}) and holder not like ?`;
  return { text, values: [account, ...texts, ours] };
}

/** The keys of the rows of a batch, in one transaction. */
export class RowKeys {
  readonly #database: WorkspaceTables;
  readonly #sql: Sql;
  readonly #isServer: boolean;
  readonly #rule: RowRule;

  constructor(database: WorkspaceTables, isServer: boolean, rule: RowRule) {
    this.#database = database;
    this.#isServer = isServer;
    this.#sql = sqlOf(database, isServer);
    this.#rule = rule;
  }

  /** Takes the keys of planned rows, and decides about those whose key somebody has. */
  async take(rows: readonly RowWithRequest[], owner: string): Promise<Judged> {
    const early = await this.#early(rows);
    const mayEnd = rows.filter((row) => early.every((one) => one.row !== row));
    const wanted = new Map(mayEnd.map((row) => [this.#want(row, owner), row]));
    const lock = this.#isServer ? equalLock(this.#rule, [...wanted.keys()]) : undefined;
    if (lock !== undefined) await this.#sql(lock.text, lock.values);
    const taken = await takeKeys(this.#sql, [...wanted.keys()]);
    const lost = [...wanted].filter(([want]) => !taken.has(want)).map(([, row]) => row);
    const granted = [...wanted].flatMap(([want, row]) => (taken.has(want) ? [{ row, want }] : []));
    const judged = lost.length === 0 ? { granted: [], ended: [], blocked: [] } : await this.#judge(lost, owner);
    const renumbered = judged.granted.map((row) => ({ row, want: this.#want(row, owner) }));
    const mine = [...granted, ...renumbered];
    const { refused, blocked } = await this.#equalBefore(mine);
    const held = [...refused, ...blocked.map(({ row }) => row)];
    await this.settle(held.map((row) => ({ ...row, worker: owner })));
    const numbers = new Set(held.map(({ row }) => row));
    return {
      granted: mine.map(({ row }) => row).filter(({ row }) => !numbers.has(row)),
      ended: [...refused, ...judged.ended],
      blocked: [...early, ...blocked, ...judged.blocked],
    };
  }

  /**
   * Rows whose records nobody knows yet, and rows that end a record of which nobody knows yet whether it was made: those
   * with the key of who makes it.
   */
  async #early(rows: readonly RowWithRequest[]): Promise<readonly Blocked[]> {
    const { account, resource, records, ends } = this.#rule;
    if (records === undefined) return [];
    const names = ends ? rows.flatMap(({ row }) => records.get(row)?.name ?? []) : [];
    const makers = await makersNamed(this.#sql, account, resource, names);
    return rows.flatMap((row): Blocked[] => {
      const { hasId = false, name } = records.get(row.row) ?? {};
      const key = makers.get(name?.name ?? '');
      if (key?.state === 'sending' || key?.state === 'unclear') return [{ row, key }];
      return hasId ? [] : [{ row, key: undefined }];
    });
  }

  /** Marks as undone what has made the records that these rows have ended. */
  async undo(rows: readonly Row[], by: number): Promise<void> {
    const { account, resource, ends, undoes } = this.#rule;
    if (!ends && undoes !== true) return;
    const keys: Key[] = [];
    if (ends) for (const row of rows) keys.push(...(await this.#makersEnded(row)));
    const holders = new Set([...rows.flatMap(({ made_by }) => made_by ?? []), ...keys.map(({ holder }) => holder)]);
    await setUndone(this.#sql, { account, resource, by, at: this.#rule.now().at }, [...holders], keys);
  }

  /** Who made the record that a row has ended. */
  async #makersEnded({ batch, row, id }: Row): Promise<readonly Key[]> {
    const { account, resource } = this.#rule;
    const at = sql`where batch = ${batch} and row = ${row}`;
    const read = sql<{ payload: string }>`select payload from batch_contents ${at}`;
    const called = (await read.execute(this.#database)).rows.map(({ payload }) => this.#rule.endedRecord(payload));
    const names = called.flatMap(({ name }) => name ?? []);
    const known = this.#rule.records?.get(row)?.name;
    // Under a name that is derived, or kept unique, there is no other record.
    const isAlone = known !== undefined && (known.identity === undefined || resource === 'order');
    const unknown = [...(await makersNamed(this.#sql, account, resource, isAlone ? [known] : [])).values()];
    const ids = new Set([id ?? [], ...called.map((one) => one.id ?? [])].flat());
    const makers = [...(await makersNamed(this.#sql, account, resource, names)).values()];
    for (const one of ids) makers.push(...(await makersOf(this.#sql, account, resource, one)));
    return [...makers, ...unknown.filter(isOfUnknownRecord)];
  }

  /** Makes a worker the owner of keys that another one left; rows that a backup had as planned have none yet. */
  async own(rows: readonly RowWithRequest[], owner: string): Promise<void> {
    if (rows.length === 0) return;
    await takeKeys(
      this.#sql,
      rows.map((row) => this.#want(row, owner)),
    );
    const holders = rows.map(holderOf);
    const [account, resource, list] = [this.#rule.account, this.#rule.resource, placeholders(1, rows.length)];
    const text = `update ledger_keys set owner = ? where account = ? and resource = ? and identity in ${list} and holder in ${list}
      and state in ('sending', 'unclear')`;
    const identities = rows.map(({ identity }) => identity);
    await this.#sql(text, [owner, account, resource, ...identities, ...holders]);
  }

  /** Writes to the keys what became of rows; returns those whose key somebody else has meanwhile. */
  async settle(rows: readonly Row[]): Promise<ReadonlySet<number>> {
    const now = this.#rule.now();
    const outcomes = rows.map((row) => keyOutcomeOf(this.#rule, row, now));
    const others = await settleKeys(this.#sql, outcomes);
    const twice = new Set<number>();
    for (const late of others.filter(({ state }) => state === 'done')) {
      const row = rows.find((one) => one.row === late.row);
      // Its key was given back when somebody else found that it had failed.
      const isFree = row !== undefined && (await takeKeys(this.#sql, [this.#want(row, '')])).size === 1;
      if (isFree) await settleKeys(this.#sql, [late]);
      else twice.add(late.row);
    }
    return twice;
  }

  #want(row: Row & { readonly payload?: string }, owner: string): Want {
    return wantOf(this.#rule, row, owner);
  }

  /** Rows without a name of their own whose order another piece of work has sent a short while ago, or is sending. */
  async #equalBefore(
    granted: readonly { readonly row: RowWithRequest; readonly want: Want }[],
  ): Promise<{ readonly refused: readonly RowWithRequest[]; readonly blocked: readonly Blocked[] }> {
    const own = granted.filter(({ want }) => want.derived && want.equal !== null);
    const wants = own.map(({ want }) => want);
    const { equals } = this.#rule;
    const query = equalQuery(this.#rule, own[0]?.row.batch ?? 0, wants);
    if (equals === undefined || query === undefined) return { refused: [], blocked: [] };
    const keys = (await this.#sql(query.text, query.values)).map(keyOf);
    const refused: RowWithRequest[] = [];
    const blocked: Blocked[] = [];
    const reported = new Set<string>();
    for (const { row, want } of own) {
      const equal = keys.filter((key) => isOfEqual(key, want));
      const open = equal.find(({ state }) => state !== 'done');
      const passed = (is: boolean | 'unknown') =>
        equal.find((key) => this.#rule.hasPassed(equals.within ?? 0, key) === is);
      const done = passed(false);
      const undated = passed('unknown');
      const untold = equal.find(({ state, holder }) => state === 'done' && !reported.has(holder));
      if (open !== undefined) blocked.push({ row, key: open });
      else if (equals.within === undefined && untold !== undefined) {
        reported.add(untold.holder);
        await markReported(this.#sql, untold.holder, this.#rule.now().at);
        refused.push(existed(row, { ...untold, row: undefined }, this.#rule));
      } else if (done === undefined && undated !== undefined) blocked.push({ row, key: undated, isUndated: true });
      else if (done !== undefined) {
        const { equalOrder, noId } = batchTexts.row;
        const error_message = equalOrder({ order: done.recordId ?? noId });
        refused.push({ ...row, state: 'failed', error_code: 'sent_before', error_message });
      }
    }
    return { refused, blocked };
  }

  async #judge(lost: readonly RowWithRequest[], owner: string): Promise<Judged> {
    const { account, resource } = this.#rule;
    const identities = lost.map(({ identity }) => identity);
    const keys = await this.#withoutGivenUp(await keysAt(this.#sql, account, resource, identities), lost);
    const makers = await rowsHolding(
      this.#database,
      [...keys.values()].filter(({ state }) => state === 'done'),
    );
    const unshipped = await mayLackShipment(this.#sql, [...keys.values()], this.#rule.shippers);
    const ending = await this.#ending([...keys.values()]);
    const judged: { granted: RowWithRequest[]; ended: RowWithRequest[]; blocked: Blocked[] } = {
      granted: [],
      ended: [],
      blocked: [],
    };
    const held: RowWithRequest[] = [];
    for (const row of lost) {
      const key = keys.get(row.identity);
      if (key?.state === 'done') {
        const maker = { ...key, row: makers.get(key.holder) };
        const there = existed(row, maker, this.#rule);
        const end = ending.get(this.#rule.changesOf(key.recordId ?? ''));
        // Only the service has what is forgotten, or not known.
        const isSeen = unshipped.has(key.holder) || isUnknown(row, maker, this.#rule);
        if (there.state === 'existed' && end !== undefined) judged.blocked.push({ row, key: end });
        else if (there.state === 'existed' && isSeen) judged.blocked.push({ row: there, key });
        else judged.ended.push(there);
      } else if (key?.state === 'undone') {
        const next = await this.#again(key, row, owner);
        (next.isOurs ? judged.granted : held).push(next.row);
      } else judged.blocked.push({ row, key });
    }
    if (held.length === 0) return judged;
    const { granted, ended, blocked } = await this.#judge(held, owner);
    return {
      granted: [...judged.granted, ...granted],
      ended: [...judged.ended, ...ended],
      blocked: [...judged.blocked, ...blocked],
    };
  }

  /**
   * Gives up the keys of records that have ended and that rows are to send again: only those of the makers whose records
   * were seen, so that nothing is sent again twice.
   */
  async #withoutGivenUp(
    keys: ReadonlyMap<string, Key>,
    rows: readonly RowWithRequest[],
  ): Promise<ReadonlyMap<string, Key>> {
    const left = new Map(keys);
    const at = 'account = ? and resource = ? and identity = ? and holder = ?';
    const text = `update ledger_keys set state = 'undone', owner = null where ${at} and state = 'done' returning identity`;
    for (const row of this.#rule.creates ? rows : []) {
      const key = keys.get(row.identity);
      if (key?.state !== 'done' || key.holder !== resentBy(row)) continue;
      const { account, resource, identity, holder } = key;
      const given = await this.#sql(text, [account, resource, identity, holder]);
      if (given.length === 1) left.set(row.identity, { ...key, state: 'undone' });
    }
    return left;
  }

  /** A row whose record was undone: a name that was given is free, and one that was derived gets a number. */
  async #again(
    { derived }: Key,
    row: RowWithRequest,
    owner: string,
  ): Promise<{ row: RowWithRequest; isOurs: boolean }> {
    if (derived) return this.#nextNumber(row, owner);
    return { row, isOurs: (await takeKeys(this.#sql, [this.#want(row, owner)])).size === 1 };
  }

  /** Those of the records of these keys that somebody may have ended, with the key of who did. */
  async #ending(made: readonly Key[]): Promise<ReadonlyMap<string, Key>> {
    const { account, resource, changesOf } = this.#rule;
    const ids = made.flatMap(({ state, recordId }) => (state === 'done' && recordId !== null ? [recordId] : []));
    if (ids.length === 0) return new Map();
    const changes = await keysAt(this.#sql, account, resource, ids.map(changesOf));
    return new Map([...changes].filter(([, { state }]) => state === 'sending' || state === 'unclear'));
  }

  /**
   * The number of what was undone is never used again. The next one that no other row of the batch has, and that was not
   * undone: if another piece of work has it, that has made again what was undone.
   */
  async #nextNumber(row: RowWithRequest, owner: string): Promise<{ row: RowWithRequest; isOurs: boolean }> {
    const { account, resource } = this.#rule;
    const { rows } = await sql<{ identity: string }>`select identity from batch_rows
      where batch = ${row.batch} and content = ${row.content} and named = 0`.execute(this.#database);
    const own = new Set(rows.map(({ identity }) => identity));
    for (let number = rows.length + 1; ; number += 1) {
      const next = this.#rule.renumbered(row, number);
      if (own.has(next.identity)) continue;
      const isOurs = (await takeKeys(this.#sql, [this.#want(next, owner)])).size === 1;
      const key = isOurs ? undefined : (await keysAt(this.#sql, account, resource, [next.identity])).get(next.identity);
      if (key?.state === 'undone') continue;
      const { identity, name, payload } = next;
      const at = sql`where batch = ${row.batch} and row = ${row.row}`;
      await sql`update batch_rows set identity = ${identity}, name = ${name} ${at}`.execute(this.#database);
      await sql`update batch_contents set payload = ${payload} ${at}`.execute(this.#database);
      return { row: next, isOurs };
    }
  }
}

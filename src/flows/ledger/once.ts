import { type Answer, call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { CallError, OutcomeUnknownError, ServiceError } from '../../client/errors.ts';
import { requestDigest } from '../../client/settle/compare.ts';
import { isHalfDone, isOver, recordIn } from '../../client/settle/found-record.ts';
import {
  asAnswered,
  createNamed,
  type Made,
  NotShippedError,
  RecordOverError,
  settleEarlier,
} from '../../client/settle/settle.ts';
import { isRefusedForGood } from '../../client/settle/settling.ts';
import { loadOperation } from '../../contract/areas.ts';
import type { Operation, RequestOf } from '../../contract/operation.ts';
import { fieldsIn } from '../../domain/json/value-at.ts';
import { type IntentState, intentAt, markReported, putIntent, removeIntent } from '../../workspace/ledger/intents.ts';
import { type Key, settleKeys, takeKeys, takeOverKey } from '../../workspace/ledger/keys.ts';
import type { Owner } from '../../workspace/ledger/owner.ts';
import type { LedgerStore } from '../../workspace/ledger/store.ts';
import { setUndone } from '../../workspace/ledger/undone.ts';
import type { Sql } from '../../workspace/sql/sql.ts';
import { differencesFrom } from './differences-from.ts';
import { DiffersError, DraftError, EndedError, HeldByError, OtherFamilyError, SentBeforeError } from './errors.ts';
import { ledgerAccount } from './identity.ts';
import { type Intent, restored, stored } from './intents/intent.ts';
import { lookupOf, takesName } from './lookup.ts';
import { type FreeKey, type Meeting, meet, type Sought } from './meet.ts';
import { asKnown, type Sending, sendingOver } from './sending.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What creating once depends on besides the intent. */
export interface OnceDesk<Create extends Operation = Operation> {
  /** Opens the ledger; it is closed before the answer is printed. */
  readonly open: () => Promise<LedgerStore>;
  readonly create: Create;
  readonly connection: Connection;
  /** How long to wait for another process that is sending the same. */
  readonly waitMs: number;
  /** Called with the name before the first byte is sent under it. */
  readonly onName?: (name: string) => Promise<void>;
  /** Called once if another process has to be waited for. */
  readonly onWait?: () => void;
}

/**
 * How an intent got its answer: sent by this run; settled after the answer was lost, or was not reported; sent and
 * reported by an earlier run; or sent by a concurrent run.
 */
export type How = 'now' | 'settled' | 'before' | 'together';

/** A record that was created, and the service's answer about it. */
export interface SentOnce<Create extends Operation = Operation> {
  /** Undefined if a row of a batch sent it. */
  readonly intent: Intent | undefined;
  readonly answer: Answer<Create>;
  readonly how: How;
  /** The paths at which the service has the record otherwise than it was sent, where it was looked up. */
  readonly different: readonly string[];
  /** To be called when stdout has taken the last byte of the answer. */
  readonly told: () => Promise<void>;
  /** Why the ledger could not be updated, if so: the next run settles it again. */
  readonly unkept?: string;
}

/** Decisions left to the caller. */
export interface OnceDeeds {
  /**
   * Returns the intent with its complete request, but for the name. Throws if it must not be sent. What it asks over
   * `looks` tells the service's time.
   */
  readonly prepare: (looks: Connection) => Promise<Intent>;
  /**
   * For an equal order that was sent and reported within a day: whether to send another one, or to report it again.
   * Throws to do neither.
   */
  readonly afterAnswer: (before: SentBeforeError) => Promise<'another' | 'tell'>;
  /** Whether to send another one though nobody knows what became of an equal one. */
  readonly passUnclear?: (message: string) => Promise<boolean>;
}

/** What the caller is looking for; the moment is asked for each time. */
export type Wanted = Omit<Sought, 'now' | 'passUnclear'>;

const WAIT_STEP_MS = 100;

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const isoOf = (milliseconds: number) => new Date(milliseconds).toISOString();

/** The open ledger, and who sends. */
interface Held {
  readonly store: LedgerStore;
  readonly owner: Owner;
}

/** One create on its way through the ledger. */
class Once<Create extends Operation> {
  readonly #desk: OnceDesk<Create>;
  readonly #store: LedgerStore;
  readonly #deeds: OnceDeeds;
  readonly #sending: Sending;
  readonly #owner: string;
  readonly #deadline: number;
  #sought: Sought;
  #prepared: Intent | undefined;
  /** How the record came about, if an earlier run sent it. */
  #how: How = 'settled';
  #different: readonly string[] = [];
  #waited = false;

  constructor(desk: OnceDesk<Create>, { store, owner }: Held, wanted: Wanted, deeds: OnceDeeds) {
    this.#desk = desk;
    this.#store = store;
    this.#owner = owner.id;
    this.#deeds = deeds;
    this.#sending = sendingOver(desk.connection, owner);
    this.#sought = { ...wanted, passUnclear: false, now: this.#sending.now() };
    this.#deadline = desk.connection.clock.now() + desk.waitMs;
  }

  /** Meets what the ledger knows, prepares what is to be sent, and takes its key; then sends it. */
  async run(): Promise<SentOnce<Create>> {
    for (;;) {
      const met = await this.#store.read((sql) => this.#meet(sql));
      if (met.kind !== 'free') {
        const end = await this.#after(met);
        if (end !== undefined) return end;
        continue;
      }
      this.#prepared ??= await this.#deeds.prepare(this.#sending.looks);
      const claimed = await this.#claim(this.#prepared);
      if (claimed !== undefined) return await this.#send(claimed);
    }
  }

  #meet(sql: Sql): Promise<Meeting> {
    this.#sought = { ...this.#sought, now: this.#sending.now() };
    return meet(sql, this.#store.id, this.#sought);
  }

  /** What a create does about one that is there before it; undefined to look again. */
  async #after(met: Exclude<Meeting, { kind: 'free' }>): Promise<SentOnce<Create> | undefined> {
    switch (met.kind) {
      case 'other family':
        throw new OtherFamilyError(met.key.family);
      case 'unreported':
        return this.#afterUnreported(met.key, met.isOfThisRun ? 'together' : this.#how);
      case 'recent':
        return this.#afterRecent(met.key);
      case 'done':
        return this.#afterDone(met.key);
      case 'in flight':
        await this.#afterInFlight(met.key);
        return undefined;
    }
  }

  async #afterUnreported(key: Key, how: How): Promise<SentOnce<Create>> {
    await this.#requireEqual(key);
    return this.#tellAgain(key, how);
  }

  async #afterRecent(key: Key): Promise<SentOnce<Create> | undefined> {
    const facts = { order_id: key.recordId ?? '', external_id: key.name ?? '', answered_at: isoOf(key.at) };
    if ((await this.#deeds.afterAnswer(new SentBeforeError(facts))) === 'tell') return this.#tellAgain(key, 'before');
    this.#sought = { ...this.#sought, again: true };
    return undefined;
  }

  /** The given name was used through this ledger: the record is read before anything is said about it. */
  async #afterDone(key: Key): Promise<SentOnce<Create> | undefined> {
    const found = await this.#readRecord(key);
    if (found !== undefined && !isOver(found.record)) {
      await this.#requireEqual(key);
      return this.#told(await this.#holderOf(key), this.#asked(key, found), 'before');
    }
    if (!this.#sought.again) {
      throw new EndedError(key.name ?? '', { ...factsOf(key), status: textIn(found?.record.status) ?? '' });
    }
    const undone = { ...key, at: this.#sending.now() };
    await this.#store.write((sql) => setUndone(sql, undone, [key.holder], [key]));
    return undefined;
  }

  /** Throws a DiffersError if a key's holder sent other content under its name. */
  async #requireEqual(key: Key): Promise<void> {
    const asked = fieldsIn(this.#prepared?.request ?? this.#sought.asked);
    if (key.derived || key.request === requestDigest(asked)) return;
    if (key.equal !== null && key.equal === this.#sought.equal) return;
    const fields = await this.#store.read((sql) => differencesFrom(sql, key.holder, asked));
    if (fields !== undefined && fields.length === 0) return;
    throw new DiffersError(key.name ?? '', isoOf(key.at), fields ?? [], factsOf(key));
  }

  /** Waits for a holder that lives, and settles one that does not. Throws a HeldByError if that cannot be done. */
  async #afterInFlight(key: Key): Promise<void> {
    const { clock, signal } = this.#desk.connection;
    if (key.state === 'sending' && key.owner !== null && (await this.#store.isAlive(key.owner))) {
      if (clock.now() >= this.#deadline) {
        throw new DraftError('draft_busy', 'another shopctl is sending the same: nothing was sent now');
      }
      if (!this.#waited) this.#desk.onWait?.();
      this.#waited = true;
      this.#how = 'together';
      await clock.wait(WAIT_STEP_MS, signal);
      return;
    }
    if (this.#sought.again && key.state === 'unclear' && (await this.#mayPass(key))) return;
    await this.#settleHolder(key);
  }

  async #mayPass(key: Key): Promise<boolean> {
    const message = `Nobody knows whether ${key.name ?? `intent ${key.holder}`} was created. Send another one like it?`;
    if ((await this.#deeds.passUnclear?.(message)) !== true) return false;
    this.#sought = { ...this.#sought, passUnclear: true };
    return true;
  }

  async #settleHolder(key: Key): Promise<void> {
    const intent = await this.#holderOf(key);
    if (intent === undefined) throw heldByBatch(key);
    const create = await loadOperation(intent.target.operation);
    const lookup = intent.external_id === '' ? undefined : await lookupOf(create, 'external_id');
    const state = lookup === undefined ? ('unclear' as const) : ('sending' as const);
    const isOurs = await this.#store.write(async (sql) => {
      if (!(await takeOverKey(sql, key, this.#owner, this.#sending.now()))) return false;
      await this.#put(sql, { ...intent, state }, state === 'unclear' ? 'unclear' : undefined);
      return true;
    });
    if (!isOurs) return;
    if (lookup === undefined) throw heldByIntent(intent);
    const named = this.#named(create, lookup, intent, key.derived);
    try {
      const { response, different } = await settleEarlier(named);
      this.#different = different;
      await this.#done(intent, response);
    } catch (error) {
      // A parcel that came back had been shipped: nobody wants it sent once more.
      const isBack = error instanceof RecordOverError && error.meta.status !== 'N';
      if (!isBack) {
        await this.#failed(intent, error, true);
        throw withIntent(error, intent);
      }
      await this.#done({ ...intent, order_id: error.meta.id }, undefined);
    }
    this.#how = 'settled';
  }

  #named<O extends Operation>(operation: O, lookup: Operation, intent: Intent, derived: boolean) {
    const { connection, looks, left } = this.#sending;
    const request = { ...intent.request, external_id: intent.external_id };
    const unique = operation.settlement !== undefined;
    const name = intent.external_id;
    return { operation, request: request as RequestOf<O>, name, lookup, unique, derived, connection, looks, left };
  }

  /** Takes the key, in the transaction that makes the intent `sending`; undefined if somebody else was faster. */
  async #claim(prepared: Intent): Promise<{ intent: Intent; key: FreeKey } | undefined> {
    return this.#store.write(async (sql) => {
      const met = await this.#meet(sql);
      if (met.kind !== 'free') return undefined;
      const { key } = met;
      const name = takesName(this.#desk.create) ? key.name : '';
      const request = { ...prepared.request, ...(name === '' ? {} : { external_id: name }) };
      const { identity } = key;
      const intent: Intent = {
        ...prepared,
        state: 'sending',
        identity,
        external_id: name,
        request,
        failure: undefined,
      };
      const { account, resource, equal } = this.#sought;
      const want = {
        account: ledgerAccount(account),
        resource,
        identity,
        holder: intent.id,
        family: account.family,
        derived: key.derived,
        name: name === '' ? null : name,
        equal,
        request: requestDigest(request),
        owner: this.#owner,
        at: this.#sending.now(),
      };
      if ((await takeKeys(sql, [want])).size === 0) return undefined;
      await putIntent(sql, stored(intent, want.at));
      return { intent, key };
    });
  }

  async #send({ intent, key }: { intent: Intent; key: FreeKey }): Promise<SentOnce<Create>> {
    const { create } = this.#desk;
    const lookup = intent.external_id === '' ? undefined : await lookupOf(create, 'external_id');
    const request = { ...intent.request };
    if (intent.external_id !== '') await this.#desk.onName?.(intent.external_id);
    try {
      const made =
        lookup === undefined
          ? await this.#sendUnnamed(request)
          : await createNamed(this.#named(create, lookup, intent, key.derived));
      this.#different = made.different;
      const { sent, unkept } = await this.#done(intent, made.response);
      const how = made.how === 'sent' ? 'now' : made.how === 'existed' ? 'before' : 'settled';
      return this.#told(sent, made.response, how, unkept);
    } catch (error) {
      const known = error instanceof CallError ? this.#known(error, request, false) : error;
      await this.#failed(intent, known, false);
      throw withIntent(known, intent);
    }
  }

  async #sendUnnamed(request: object): Promise<Made<Create>> {
    const { create } = this.#desk;
    const response = await call(create, request as RequestOf<Create>, this.#sending.connection);
    return { response, how: 'sent', different: [] };
  }

  #known(error: CallError, request: object, earlier: boolean): CallError {
    const before = earlier || this.#sending.left() > 1;
    return asKnown(error, before, this.#desk.connection, JSON.stringify(request));
  }

  /** Writes that an intent is done; a failure to write is reported in the result and is not an error: it exists. */
  async #done(intent: Intent, answer: Answer<Create> | object | undefined): Promise<{ sent: Intent; unkept?: string }> {
    const { failure: _, ...rest } = intent;
    const order_id = textIn(recordIn(answer)?.id);
    const sent: Intent = { ...rest, state: 'done', answer, ...(order_id === undefined ? {} : { order_id }) };
    const { answer: __, ...small } = sent;
    let reason: unknown;
    for (const version of [sent, small]) {
      try {
        await this.#store.write((sql) => this.#put(sql, version, 'done'));
        return { sent };
      } catch (error) {
        reason = error;
      }
    }
    return { sent, unkept: reason instanceof Error ? reason.message : String(reason) };
  }

  /** Writes what a failure means: given back where it proves that nothing was applied, unclear otherwise. */
  async #failed(intent: Intent, error: unknown, earlier: boolean): Promise<void> {
    const isEnded = error instanceof RecordOverError;
    const known = error instanceof CallError ? error : undefined;
    const neverLeft = !earlier && this.#sending.left() === 0;
    const isProven = neverLeft || (known?.outcome === 'not_applied' && (!earlier || isRefusedForGood(known)));
    const failure = known && { code: known.code, message: known.message };
    // Whoever continues an ended one has decided to send it anew.
    const state: IntentState = isEnded || isProven ? 'failed' : 'unclear';
    const ofKey = isEnded ? 'undone' : isProven ? 'free' : 'unclear';
    const order_id = isEnded ? error.meta.id : intent.order_id;
    const settled: Intent = { ...intent, state, failure, ...(order_id === undefined ? {} : { order_id }) };
    // The failure itself is what has to be reported, whatever happens to its record.
    await this.#store.write((sql) => this.#put(sql, settled, ofKey)).catch(() => {});
  }

  /** Writes an intent and what became of its key, in one transaction. */
  async #put(sql: Sql, intent: Intent, state: 'done' | 'unclear' | 'undone' | 'free' | undefined): Promise<void> {
    const at = this.#sending.now();
    const attempts = intent.attempts + this.#sending.left();
    const { account, resource, identity } = stored(intent, at);
    if (state !== undefined && identity !== null) {
      const place = { account, resource, identity, holder: intent.id };
      await settleKeys(sql, [{ ...place, state, recordId: intent.order_id, at }]);
    }
    // A draft of `ship` stays, so that it can be looked at and continued; a request that was given as it is does not.
    const isSpent = intent.state === 'failed' && intent.accepted === undefined && intent.order_id === undefined;
    if (isSpent) await removeIntent(sql, intent.id);
    else await putIntent(sql, stored({ ...intent, attempts }, at));
  }

  async #holderOf({ holder }: Key): Promise<Intent | undefined> {
    const row = await this.#store.read((sql) => intentAt(sql, holder));
    return row && row.body !== '{}' ? restored(row) : undefined;
  }

  async #readRecord(key: Key): Promise<{ record: Fields; answer: Fields } | undefined> {
    const by = key.recordId === null ? ('external_id' as const) : ('id' as const);
    const lookup = await lookupOf(this.#desk.create, by);
    if (lookup === undefined) return undefined;
    try {
      const answer = fieldsIn(await call(lookup, { [by]: key.recordId ?? key.name }, this.#sending.looks));
      const record = recordIn(answer);
      return record && { record, answer };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return undefined;
      throw error;
    }
  }

  /** The answer about a record that an earlier run sent: as it was stored, or read again. */
  async #tellAgain(key: Key, how: How): Promise<SentOnce<Create>> {
    const intent = await this.#holderOf(key);
    const isKept = intent?.answer !== undefined && intent.target.operation === this.#desk.create.id;
    if (isKept && how !== 'before') return this.#told(intent, intent.answer, how);
    const found = await this.#readRecord(key);
    if (found === undefined || (isOver(found.record) && found.record.status === 'N')) {
      throw new EndedError(key.name ?? '', { ...factsOf(key), status: textIn(found?.record.status) ?? '' });
    }
    return this.#told(intent, this.#asked(key, found), how);
  }

  /** A record that was read, as the create answers it. Throws a NotShippedError if more was asked for than was done. */
  #asked({ name }: Key, { record, answer }: { readonly record: Fields; readonly answer: Fields }) {
    const { create } = this.#desk;
    if (isHalfDone(create, answer, record)) throw new NotShippedError(create.id, name ?? '', record);
    return asAnswered(create, answer, record);
  }

  #told(intent: Intent | undefined, answer: unknown, how: How, unkept?: string): SentOnce<Create> {
    const { open, connection } = this.#desk;
    const told = async () => {
      if (intent === undefined) return;
      // If it fails, the next run reports the record once more, and sends nothing.
      const store = await open().catch(() => undefined);
      await store?.write((sql) => markReported(sql, intent.id, connection.clock.now())).catch(() => {});
      await store?.close().catch(() => {});
    };
    const different = this.#different;
    return {
      intent,
      answer: answer as Answer<Create>,
      how,
      different,
      told,
      ...(unkept === undefined ? {} : { unkept }),
    };
  }
}

/** An unknown outcome, with the id under which a person can settle it. */
function withIntent(error: unknown, { id }: Intent): unknown {
  if (!(error instanceof OutcomeUnknownError)) return error;
  const { operation = '', message, cause, meta } = error;
  return new OutcomeUnknownError(operation, message, { cause, meta: { ...meta, intent: id } });
}

function factsOf({ name, recordId }: Key): Record<string, string> {
  return { ...(name === null ? {} : { external_id: name }), ...(recordId === null ? {} : { order_id: recordId }) };
}

function heldByIntent({ id, external_id }: Intent): HeldByError {
  const what = external_id === '' ? `intent ${id}` : `${external_id} (intent ${id})`;
  const message = `an equal create was sent before, and its outcome is not known: ${what}; nothing was sent now`;
  return new HeldByError(message, { intent: id, ...(external_id === '' ? {} : { external_id }) });
}

function heldByBatch({ holder, name }: Key): HeldByError {
  const [, number = '', row = ''] = holder.split(' ');
  const message = `row ${row} of batch number ${number} has sent an equal create, and its outcome is not known`;
  return new HeldByError(`${message}; nothing was sent now`, {
    holder,
    ...(name === null ? {} : { external_id: name }),
  });
}

/**
 * Creates a record once, whatever happened to earlier runs. Its key is taken in the transaction that marks the intent
 * as `sending`, with the complete request, before the first byte leaves. Where an equal create
 * - is being sent by a process that lives, it is waited for;
 * - was sent by one that is gone, or is unclear, it is looked up first, and sent again only where the service keeps its
 *   name unique;
 * - is done and was reported to nobody, or since this run began, its answer is the answer;
 * - is an order of the last 24 hours, `afterAnswer` decides.
 * Throws what calls, the caller's functions and the ledger throw; an intent with an unknown outcome stays in the ledger.
 */
export async function createOnce<Create extends Operation>(
  desk: OnceDesk<Create>,
  wanted: Wanted,
  deeds: OnceDeeds,
): Promise<SentOnce<Create>> {
  const store = await desk.open();
  try {
    return await new Once(desk, { store, owner: await store.own() }, wanted, deeds).run();
  } finally {
    await store.close().catch(() => {});
  }
}

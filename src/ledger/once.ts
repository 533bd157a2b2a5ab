import { type Answer, call } from '../client/call.ts';
import type { Connection } from '../client/connection.ts';
import { RequestError } from '../client/errors.ts';
import { answeredId, readAnswered } from '../client/settle/answered-id.ts';
import { differences, requestDifferences, requestDigest } from '../client/settle/compare.ts';
import {
  asAnswered,
  createNamed,
  type Made,
  NotShippedError,
  RecordOverError,
  settleEarlier,
} from '../client/settle/create-named.ts';
import { isGone, isHalfDone, isOver, recordIn } from '../client/settle/found-record.ts';
import { loadOperation } from '../contract/areas.ts';
import type { Operation, RequestOf } from '../contract/operation.ts';
import { type Fields, fieldsIn, readFields } from '../domain/json/values.ts';
import { isDerivedName } from '../domain/named-by.ts';
import { type Sql, textOf } from '../store/sql.ts';
import { type Conflict, type CreateQuery, conflictOf } from './conflict.ts';
import { differs, ended, heldBy, type LedgerRefusal, ofOtherFamily, sentBefore, withIntent } from './errors.ts';
import { ledgerAccount, targetIdentity } from './identity.ts';
import { type Intent, stored } from './intents/intent.ts';
import { holderOf, type Put, putDone, putFailed, putOutcome, putReported, type Taken } from './intents/outcomes.ts';
import { idOf } from './intents/unsettled.ts';
import { foundTwice } from './known/changed-record.ts';
import { reportsBefore } from './known/form-mark.ts';
import { lookupOf, takesName } from './read-operations.ts';
import { intentAt, isHolderAlive, putIntent } from './store/intents.ts';
import { isOfEqual, type Key, keysAt, lockingEqual, takeKeys, takeOverKey } from './store/keys.ts';
import { setUndone } from './store/undone.ts';
import { say } from './texts.ts';
import { type Writing, type WritingContext, writing } from './writing.ts';

/** What the holder of a key sent; undefined if it was forgotten. */
async function requestOfHolder(sql: Sql, holder: string): Promise<Fields | undefined> {
  const [kind, batch = '', row = ''] = holder.split(' ');
  if (kind === 'batch') {
    const [found] = await sql('select payload from batch_contents where batch = ? and row = ?', [
      Number(batch),
      Number(row),
    ]);
    return found && readFields(textOf(found, 'payload'));
  }
  const intent = await intentAt(sql, holder);
  const request = intent && fieldsIn(readFields(intent.body).request);
  return request !== undefined && Object.keys(request).length > 0 ? request : undefined;
}

/**
 * The paths at which a request differs from what the holder of its name sent; undefined if that is forgotten.
 */
async function differencesFrom(sql: Sql, holder: string, asked: Fields): Promise<string[] | undefined> {
  const sent = await requestOfHolder(sql, holder);
  if (sent === undefined) return undefined;
  const { locationTree } = await import('../domain/places/place-data.ts');
  return requestDifferences(asked, sent, locationTree);
}

/** The paths at which a request differs from a record, as the service has it. */
async function differencesFromRecord(asked: Fields, record: Fields): Promise<string[]> {
  const { locationTree } = await import('../domain/places/place-data.ts');
  return differences(asked, record, locationTree);
}

/** What creating once depends on besides the intent. */
export interface OnceContext<Create extends Operation = Operation> extends WritingContext {
  readonly create: Create;
  /** Called with the name before the first byte is sent under it. */
  readonly onName?: (name: string) => Promise<void>;
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
  /** Whether it is told in place of another one that was asked for: nobody had been told of it. */
  readonly isInstead?: boolean;
  /** To be called when stdout has taken the last byte of the answer. */
  readonly reported: () => Promise<void>;
  /** Why the ledger could not be updated, if so: the next run settles it again. */
  readonly unkept?: string;
  /** The id of an equal write that was sent while its answer was on its way, if so: there may be two records. */
  readonly beside?: string;
}

/** Decisions left to the caller. */
export interface OnceCallbacks {
  /**
   * Returns the intent with its complete request, but for the name. Throws if it must not be sent. What it asks over
   * `looks` tells the service's time.
   */
  readonly prepare: (lookups: Connection) => Promise<Intent>;
  /**
   * For an equal order that was sent and reported within a day: whether to send another one, or to report it again.
   * Throws to do neither.
   */
  readonly afterAnswer: (before: LedgerRefusal) => Promise<'another' | 'tell'>;
  /** Whether to send another one though nobody knows what became of an equal one. */
  readonly passUnclear?: (message: string) => Promise<boolean>;
}

/** What the caller is looking for. */
export interface Wanted
  extends Omit<CreateQuery, 'account' | 'time' | 'passUnclear' | 'beside' | 'waitedFor' | 'now' | 'openedAfter'> {
  /** For a form, the mark that it was given when it was opened. */
  readonly opened?: string | undefined;
}

const textIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const isoOf = (milliseconds: number) => new Date(milliseconds).toISOString();

/** One create on its way through the ledger. */
class Once<Create extends Operation> {
  readonly #context: OnceContext<Create>;
  readonly #writing: Writing;
  readonly #callbacks: OnceCallbacks;
  #query: CreateQuery;
  #prepared: Intent | undefined;
  /** How the record came about, if an earlier run sent it. */
  #how: How = 'settled';
  #different: readonly string[] = [];
  #put: Pick<Put, 'unkept' | 'beside'> = {};
  /** Whether another one was asked for, and one that nobody was told of is told first. */
  #isInstead = false;

  constructor(context: OnceContext<Create>, own: Writing, wanted: Wanted, callbacks: OnceCallbacks) {
    this.#context = context;
    this.#writing = own;
    this.#callbacks = callbacks;
    const holders: Pick<CreateQuery, 'beside' | 'waitedFor'> = { beside: new Set(), waitedFor: new Set() };
    const now = () => context.connection.clock.now();
    const { account } = own;
    const openedAfter = wanted.opened === undefined ? undefined : reportsBefore(wanted.opened, own.store);
    this.#query = { ...wanted, ...holders, account, passUnclear: false, time: own.time, now, openedAfter };
  }

  /** Meets what the ledger knows, prepares what is to be sent, and takes its key; then sends it. */
  async run(): Promise<SentOnce<Create>> {
    for (;;) {
      const conflict = await this.#writing.store.read((sql) => this.#conflictOf(sql));
      if (conflict.kind !== 'free') {
        const end = await this.#after(conflict);
        if (end !== undefined) return end;
        continue;
      }
      this.#prepared ??= await this.#callbacks.prepare(this.#writing.lookups);
      const claimed = await this.#claim(this.#prepared);
      if (claimed !== undefined) return await this.#send(claimed.intent, claimed.key);
    }
  }

  #conflictOf(sql: Sql): Promise<Conflict> {
    return conflictOf(sql, this.#writing.store.id, this.#query);
  }

  /** What a create does about one that is there before it; undefined to look again. */
  async #after(conflict: Exclude<Conflict, { kind: 'free' }>): Promise<SentOnce<Create> | undefined> {
    const { kind, key } = conflict;
    const { external_id } = this.#query;
    if (isDerivedName(external_id) && external_id === key.name && !(await this.#isEqual(key))) {
      const message = say().refused.copied({ name: external_id });
      throw new RequestError(this.#context.create.id, [{ path: 'external_id', message }]);
    }
    switch (kind) {
      case 'other family':
        throw ofOtherFamily(key.family);
      case 'unreported':
        await this.#requireEqual(key);
        if (await this.#hasEndedMeanwhile(key)) return undefined;
        return this.#tellAgain(key, conflict.isOfThisRun ? 'together' : this.#how);
      case 'recent':
        return this.#afterRecent(key);
      case 'undated':
        await this.#writing.time.ask(() => this.#readRecord(key));
        return undefined;
      case 'done':
        return this.#afterDone(key);
      case 'in flight':
        if (conflict.mayPass && (await isHolderAlive(this.#writing.store, key))) this.#goBeside(key);
        else if (await this.#writing.waitsFor(key)) this.#waited(key);
        else if (key.state === 'sending' || !conflict.mayPass || !(await this.#passes(key)))
          await this.#settleHolder(key);
        return undefined;
    }
  }

  async #afterRecent(key: Key): Promise<SentOnce<Create> | undefined> {
    const facts = { order_id: key.recordId ?? '', external_id: key.name ?? '', answered_at: isoOf(key.at) };
    if ((await this.#callbacks.afterAnswer(sentBefore(facts))) === 'tell') return this.#tellAgain(key, 'before');
    this.#query = { ...this.#query, again: true };
    return undefined;
  }

  /** The given name was used through this ledger: the record is read before anything is said about it. */
  async #afterDone(key: Key): Promise<SentOnce<Create> | undefined> {
    const found = await this.#readRecord(key);
    if (found !== undefined && !isOver(found.record)) {
      await this.#requireEqual(key, found.record);
      return this.#reported(await holderOf(this.#writing, key), this.#asAsked(key, found), 'before');
    }
    if (!this.#query.again) throw endedOf(key, found?.record);
    await this.#setUndone(key);
    return undefined;
  }

  #setUndone(key: Key): Promise<void> {
    const undone = { ...key, at: this.#writing.now };
    return this.#writing.store.write((sql) => setUndone(sql, undone, [key.holder], [key]));
  }

  /**
   * Whether the record of a key was ended by a change of this ledger that got no answer: then its maker counts as undone.
   * Throws a CallError if it cannot be read.
   */
  async #hasEndedMeanwhile(key: Key): Promise<boolean> {
    const { account, resource, recordId } = key;
    if (recordId === null) return false;
    const change = targetIdentity('id', recordId);
    if (!(await this.#writing.store.read((sql) => keysAt(sql, account, resource, [change]))).has(change)) return false;
    const found = await this.#readRecord(key);
    if (found !== undefined && !isGone(found.record)) return false;
    await this.#setUndone(key);
    return true;
  }

  /** Throws a LedgerRefusal (`differs`) if a key's holder sent other content under its name. */
  async #requireEqual(key: Key, record?: Fields): Promise<void> {
    // What a person said was made is known by its name alone, which may be that of another record by now.
    const isByName = key.recordId === null && record !== undefined && !key.derived;
    const isOther = isByName && (await differencesFromRecord(this.#asked, record)).length > 0;
    if (key.derived || (!isOther && (await this.#isEqual(key)))) return;
    const sent = isOther ? await differencesFromRecord(this.#asked, record) : await this.#differences(key);
    // Of what was forgotten, only the service has the content.
    const isForgotten = sent === undefined && key.request === null && record !== undefined;
    const fields = isForgotten ? await differencesFromRecord(this.#asked, record) : sent;
    if (isForgotten && fields?.length === 0) return;
    const before = { madeAt: isoOf(key.at), isSettled: this.#writing.left > 0 };
    throw differs(key.name ?? '', fields ?? [], factsOf(key), before);
  }

  get #asked(): Fields {
    return fieldsIn(this.#prepared?.request ?? this.#query.asked);
  }

  /** Whether a key's holder sent the same content. */
  async #isEqual(key: Key): Promise<boolean> {
    if (key.request === requestDigest(this.#asked)) return true;
    if (isOfEqual(key, this.#query.equality)) return true;
    return (await this.#differences(key))?.length === 0;
  }

  /** The paths at which a key's holder sent something else; undefined if what it sent is forgotten. */
  #differences({ holder }: Key): Promise<string[] | undefined> {
    return this.#writing.store.read((sql) => differencesFrom(sql, holder, this.#asked));
  }

  #waited({ holder }: Key): void {
    this.#how = 'together';
    this.#query = { ...this.#query, waitedFor: new Set([...this.#query.waitedFor, holder]) };
  }

  /** Another one is wanted while this one is still on its way. */
  #goBeside({ holder }: Key): void {
    this.#query = { ...this.#query, beside: new Set([...this.#query.beside, holder]) };
  }

  /** Whether another one is sent though nobody knows what became of an equal one. */
  async #passes({ name, holder }: Key): Promise<boolean> {
    const { mayBeMade, intent } = say().sent;
    const message = mayBeMade({ name: name ?? intent({ id: holder }) });
    if ((await this.#callbacks.passUnclear?.(message)) !== true) return false;
    this.#query = { ...this.#query, passUnclear: true };
    return true;
  }

  /** Settles what a process sent that is gone. Throws a LedgerRefusal (`held_by`) if that cannot be done. */
  async #settleHolder(key: Key): Promise<void> {
    const intent = await holderOf(this.#writing, key);
    if (intent === undefined) throw heldByBatch(key);
    const { store, owner } = this.#writing;
    const create = await loadOperation(intent.target.operation);
    const lookup = intent.external_id === '' ? undefined : await lookupOf(create, 'external_id');
    const state = lookup === undefined ? 'unclear' : 'sending';
    const isOurs = await store.write(async (sql) => {
      if (!(await takeOverKey(sql, key, owner, this.#writing.time.moment))) return false;
      await putOutcome(sql, this.#writing, { ...intent, state }, state === 'unclear' ? state : undefined);
      return true;
    });
    if (!isOurs) return;
    if (lookup === undefined) throw heldByIntent(intent);
    try {
      const { response, different } = await settleEarlier(this.#named(create, lookup, intent, key.derived));
      this.#different = different;
      this.#put = await putDone(this.#writing, intent, response, key);
    } catch (error) {
      // A parcel that came back had been shipped: nobody wants it sent once more.
      const isBack = error instanceof RecordOverError && error.meta.status !== 'N';
      if (!isBack) {
        await putFailed(this.#writing, intent, { error, earlier: true, taken: key });
        throw withIntent(error, intent.id);
      }
      this.#put = await putDone(this.#writing, { ...intent, order_id: error.meta.id }, undefined, key);
    }
    this.#how = 'settled';
  }

  #named<O extends Operation>(operation: O, lookup: Operation, intent: Intent, derived: boolean) {
    const { connection, lookups } = this.#writing;
    const name = intent.external_id;
    const request = { ...intent.request, external_id: name } as RequestOf<O>;
    const unique = operation.settlement !== undefined;
    return { operation, request, name, lookup, unique, derived, connection, lookups, left: () => this.#writing.left };
  }

  /** Takes the key, in the transaction that makes the intent `sending`; undefined if somebody else was faster. */
  async #claim(prepared: Intent): Promise<{ intent: Intent; key: Taken } | undefined> {
    const { store, owner } = this.#writing;
    const {
      account,
      resource,
      equality: { equal },
    } = this.#query;
    return store.write(async (sql) => {
      if (store.isShared && equal !== null) {
        const { text, values } = lockingEqual(ledgerAccount(account), [equal]);
        await sql(text, values);
      }
      const conflict = await this.#conflictOf(sql);
      if (conflict.kind !== 'free') return undefined;
      const { identity, derived, ...key } = conflict.key;
      const external_id = takesName(this.#context.create) ? key.name : '';
      const request = { ...prepared.request, ...(external_id === '' ? {} : { external_id }) };
      const target = { ...prepared.target, account };
      const intent: Intent = {
        ...prepared,
        target,
        state: 'sending',
        identity,
        external_id,
        request,
        failure: undefined,
      };
      const place = { account: ledgerAccount(account), resource, identity, holder: intent.id };
      const now = this.#writing.time.moment;
      const name = external_id === '' ? null : external_id;
      const digest = requestDigest(request);
      const want = { ...place, family: account.family, derived, name, equal, request: digest, owner, ...now };
      if ((await takeKeys(sql, [want])).size === 0) return undefined;
      await putIntent(sql, stored(intent, now.at));
      return { intent, key: want };
    });
  }

  async #send(intent: Intent, key: Taken): Promise<SentOnce<Create>> {
    const { create, onName } = this.#context;
    const name = intent.external_id;
    const lookup = name === '' ? undefined : await lookupOf(create, 'external_id');
    if (name !== '') await onName?.(name);
    const request = { ...intent.request };
    try {
      const made =
        lookup === undefined
          ? await this.#sendUnnamed(request)
          : await createNamed(this.#named(create, lookup, intent, key.derived));
      this.#different = made.different;
      const put = await putDone(this.#writing, intent, made.response, key);
      this.#put = put;
      const how = made.how === 'sent' ? 'now' : made.how === 'existed' ? 'before' : 'settled';
      return this.#reported(put.sent, made.response, how);
    } catch (error) {
      const known = this.#writing.known(error, request, { isWanted: lookup !== undefined });
      await putFailed(this.#writing, intent, { error: known, earlier: false, taken: key });
      throw withIntent(known, intent.id);
    }
  }

  async #sendUnnamed(request: object): Promise<Made<Create>> {
    const { create } = this.#context;
    try {
      const response = await call(create, request as RequestOf<Create>, this.#writing.connection);
      return { response, how: 'sent', different: [] };
    } catch (error) {
      const id = answeredId(error);
      const lookup = id === undefined ? undefined : await lookupOf(create, 'id');
      if (id === undefined || lookup === undefined) throw error;
      const write = { operation: create, request: fieldsIn(request) };
      const seen = await readAnswered(write, id, { lookup, lookups: this.#writing.lookups });
      if (seen === undefined) throw error;
      return { response: asAnswered(create, seen.answer, seen.record), how: 'settled', different: seen.different };
    }
  }

  async #readRecord(key: Key): Promise<{ record: Fields; answer: Fields } | undefined> {
    const by = key.recordId === null ? ('external_id' as const) : ('id' as const);
    const lookup = await lookupOf(this.#context.create, by);
    if (lookup === undefined) return undefined;
    const answer = await foundTwice(() => call(lookup, { [by]: key.recordId ?? key.name }, this.#writing.lookups));
    const record = recordIn(answer);
    return record && { record, answer: fieldsIn(answer) };
  }

  /** The answer about a record that an earlier run sent: as it was stored, or read again. */
  async #tellAgain(key: Key, how: How): Promise<SentOnce<Create>> {
    this.#isInstead = this.#query.again;
    const intent = await holderOf(this.#writing, key);
    const isKept = intent?.answer !== undefined && intent.target.operation === this.#context.create.id;
    if (isKept && how !== 'before') return this.#reported(intent, intent.answer, how);
    const found = await this.#readRecord(key);
    if (found === undefined || (isOver(found.record) && found.record.status === 'N')) {
      throw endedOf(key, found?.record);
    }
    return this.#reported(intent, this.#asAsked(key, found), how);
  }

  /** A record that was read, as the create answers it. Throws a NotShippedError if more was asked for than was done. */
  #asAsked({ name }: Key, { record, answer }: { readonly record: Fields; readonly answer: Fields }) {
    const { create } = this.#context;
    if (isHalfDone(create, answer, record)) throw new NotShippedError(create.id, name ?? '', record);
    return asAnswered(create, answer, record);
  }

  #reported(intent: Intent | undefined, answer: unknown, how: How): SentOnce<Create> {
    const reported = async () => intent && putReported(this.#context, intent);
    const { unkept, beside } = this.#put;
    const isInstead = this.#isInstead;
    const sent = { intent, answer: answer as Answer<Create>, how, different: this.#different, reported, isInstead };
    return { ...sent, ...(unkept === undefined ? {} : { unkept }), ...(beside && { beside: idOf(beside) }) };
  }
}

function factsOf({ name, recordId }: Key): Record<string, string> {
  return { ...(name === null ? {} : { external_id: name }), ...(recordId === null ? {} : { order_id: recordId }) };
}

function endedOf(key: Key, record: Fields | undefined): LedgerRefusal {
  return ended(key.name ?? '', { ...factsOf(key), status: textIn(record?.status) ?? '' });
}

function heldByIntent({ id, external_id }: Intent): LedgerRefusal {
  const facts = { intent: id, ...(external_id === '' ? {} : { external_id }) };
  return heldBy(say().refused.heldByEqual({ name: external_id || say().sent.intent({ id }) }), facts);
}

function heldByBatch({ holder, name }: Key): LedgerRefusal {
  const [, number = '', row = ''] = holder.split(' ');
  const facts = { holder, ...(name === null ? {} : { external_id: name }) };
  return heldBy(say().refused.heldByRow({ row, batch: number }), facts);
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
export function createOnce<Create extends Operation>(
  context: OnceContext<Create>,
  wanted: Wanted,
  callbacks: OnceCallbacks,
): Promise<SentOnce<Create>> {
  return writing(context, (own) => new Once(context, own, wanted, callbacks).run());
}

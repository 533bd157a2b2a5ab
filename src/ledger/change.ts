import { call } from '../client/call.ts';
import type { Connection } from '../client/connection.ts';
import { CallError, OutcomeUnknownError, ServiceError } from '../client/errors.ts';
import { requestDigest } from '../client/settle/compare.ts';
import { asAnswered } from '../client/settle/create-named.ts';
import { endsRecord, shipmentError } from '../client/settle/found-record.ts';
import type { Operation, RequestOf } from '../contract/operation.ts';
import { type Fields, fieldsIn } from '../domain/json/values.ts';
import { newId } from '../platform/process/new-id.ts';
import type { Sql } from '../store/sql.ts';
import { heldBy, withIntent } from './errors.ts';
import { ledgerAccount, madeUnder, targetIdentity } from './identity.ts';
import { idOf } from './intents/unsettled.ts';
import { byId, type ChangedRecord, changedRecord, isDoneBefore, isGone, isOpen } from './known/changed-record.ts';
import { resourceOf } from './read-operations.ts';
import {
  isOfUnknownRecord,
  type Key,
  keysAt,
  makersNamed,
  makersOf,
  settleKeys,
  takeKeys,
  takeOverKey,
  type Want,
} from './store/keys.ts';
import { rowOfHolder, setUndone } from './store/undone.ts';
import { say } from './texts.ts';
import { type Writing, type WritingContext, writing } from './writing.ts';

/** What a change depends on. */
export interface ChangeContext extends WritingContext {
  /** Calls the operation, where that is not done with the request itself. */
  readonly send?: (connection: Connection) => Promise<unknown>;
  /** Looks at the record before the first byte, as the request calls it; nothing is sent if it throws. */
  readonly first?: (request: Fields, lookups: Connection) => Promise<void>;
}

/** A key that a change holds. */
interface Held {
  readonly key: Want | Key;
  /** Whether it was that of an equal change whose outcome nobody knows. */
  readonly isEarlier: boolean;
}

/** What became of a change, as its key has it. */
type Outcome = { readonly state: 'made'; readonly answer: unknown } | { readonly state: 'free' | 'unclear' };

/** How often what may have made a record can end while the record is looked for: no race goes on for so long. */
const MOST_ROUNDS = 100;

/** One change of one record on its way through the ledger. */
class Change<Op extends Operation> {
  readonly #writing: Writing;
  readonly #send: ChangeContext['send'];
  readonly #first: ChangeContext['first'];
  readonly #operation: Op;
  readonly #request: RequestOf<Op>;
  readonly #want: Want;
  readonly #record: ChangedRecord;

  constructor(
    { send, first }: ChangeContext,
    own: Writing,
    { operation, request, record }: { operation: Op; request: RequestOf<Op>; record: ChangedRecord },
  ) {
    this.#writing = own;
    this.#send = send;
    this.#first = first;
    this.#operation = operation;
    this.#request = request;
    this.#record = record;
    const { field, value } = record;
    const { account } = own;
    this.#want = {
      account: ledgerAccount(account),
      resource: resourceOf(operation),
      identity: targetIdentity(field, value),
      holder: `change ${operation.id} ${newId().slice(0, 8)}`,
      family: account.family,
      derived: false,
      name: `${field} ${value}`,
      equal: null,
      request: requestDigest([operation.id, request]),
      owner: own.owner,
      ...own.time.moment,
    };
  }

  /** The answer; undefined if its record has to be found once more, since what may have made it has ended. */
  async run(): Promise<{ readonly answer: unknown } | undefined> {
    let held = await this.#take();
    while (held === 'again') held = await this.#take();
    if (held === 'found') return undefined;
    const { key, isEarlier } = held;
    const { connection } = this.#writing;
    await this.#looked(key, isEarlier);
    try {
      const sent = this.#send?.(connection) ?? call(this.#operation, this.#request, connection);
      const answer = await sent.catch((error: unknown) => this.#proved(error, isEarlier));
      // The change is made, whether or not the ledger can be written.
      await this.#over(key, { state: 'made', answer }).catch(() => {});
      return { answer };
    } catch (error) {
      // Where nothing is left to change, the answer stands as it is: the earlier one cannot be applied any more.
      const isOver = isEarlier && isDoneBefore(error);
      await this.#overBefore(error);
      const known = isOver ? error : this.#writing.known(error, this.#request, { isEarlier });
      const neverLeft = !isEarlier && this.#writing.left === 0;
      const isFree = neverLeft || (known instanceof CallError && known.outcome === 'not_applied');
      await this.#over(key, { state: isFree ? 'free' : 'unclear' }).catch(() => {});
      throw isFree ? known : withIntent(known, idOf(key));
    }
  }

  /**
   * Looks at the record before the first byte; gives its key back where that refuses to go on, or cannot be done. What an
   * earlier copy has made, or may still make, stays open.
   */
  async #looked(key: Want | Key, isEarlier: boolean): Promise<void> {
    try {
      await this.#first?.(fieldsIn(this.#request), this.#writing.lookups);
    } catch (error) {
      await this.#overBefore(error);
      const isOpen = isEarlier && !isDoneBefore(error);
      await this.#over(key, { state: isOpen ? 'unclear' : 'free' }).catch(() => {});
      throw isOpen ? withIntent(this.#writing.known(error, this.#request, { isEarlier }), idOf(key)) : error;
    }
  }

  /**
   * What a look shows to be done though its answer does not prove it: an end after which the record is gone, or a change
   * that was refused after an attempt that may have been applied. Throws the others.
   */
  async #proved(error: unknown, isEarlier: boolean): Promise<unknown> {
    const isEnd = endsRecord(this.#operation) && this.#record.field === 'id';
    const isUnproved = isEnd && error instanceof OutcomeUnknownError && error.isUnproved;
    const isDoubted =
      error instanceof ServiceError && !this.#writing.isProved(error, isEarlier) && !(isEarlier && isDoneBefore(error));
    if (!isUnproved && !isDoubted) throw error;
    const made = isEnd ? await this.#endSeen() : await this.#changeSeen();
    if (made === undefined) throw error;
    return made;
  }

  /** The answer of an end whose record is gone, which is empty. */
  async #endSeen(): Promise<unknown> {
    const seen = await isGone(this.#operation, { id: this.#record.value }, this.#writing.lookups);
    return seen === true ? {} : undefined;
  }

  /** The answer of a change that its record shows; undefined if it does not, or cannot be read. */
  async #changeSeen(): Promise<unknown> {
    const { lookUp, isAchieved } = await import('./look-up.ts');
    const work = await (await import('./work.ts')).workFor(this.#operation);
    const request = fieldsIn(this.#request);
    if (work.lookup === undefined) return undefined;
    try {
      const found = await lookUp(work, request, this.#writing.lookups);
      if (!isAchieved(work, request, found)) return undefined;
      const isShown = found.state === 'there' && work.lookup.by === 'name';
      return isShown ? asAnswered(this.#operation, found.answer, found.record) : {};
    } catch (error) {
      if (error instanceof CallError) return undefined;
      throw error;
    }
  }

  /**
   * Takes the record's key, or that of an equal change whose outcome nobody knows: `again` to try once more, `found` where
   * what its name stands for is known by now.
   */
  async #take(): Promise<Held | 'again' | 'found'> {
    const { store, owner, time } = this.#writing;
    const want = this.#want;
    const held = await store.write(async (sql) => {
      const makers = endsRecord(this.#operation) ? await this.#makers(sql) : [];
      const maker = makers.find(isOpen);
      if (maker !== undefined) return maker;
      if (this.#record.field === 'external_id') return 'found';
      if ((await takeKeys(sql, [want])).size > 0) return undefined;
      return (await keysAt(sql, want.account, want.resource, [want.identity])).get(want.identity);
    });
    if (held === undefined) return { key: want, isEarlier: false };
    if (held === 'found') return held;
    if (await this.#writing.waitsFor(held)) return 'again';
    // The same change once more has the same effect, whatever became of the first.
    if (held.identity === want.identity && held.request === want.request) {
      const isOurs = await store.write((sql) => takeOverKey(sql, held, owner, time.moment));
      return isOurs ? { key: held, isEarlier: true } : 'again';
    }
    const { holder, name, resource } = held;
    const facts: Readonly<Record<string, string>> =
      rowOfHolder(holder) === undefined ? { intent: idOf(held) } : { holder };
    throw heldBy(say().refused.heldByWrite({ resource, name: name ?? holder }), facts);
  }

  /** Who made the record through this ledger, or may have: what has its id, and what knows its name alone. */
  async #makers(sql: Sql): Promise<Key[]> {
    const { field, value, external_id } = this.#record;
    const { account, resource } = this.#want;
    const own = field === 'id' ? await makersOf(sql, account, resource, value) : [];
    const named = external_id === '' ? [] : [madeUnder(external_id)];
    const mayBe = [...(await makersNamed(sql, account, resource, named)).values()].filter(
      (key) => isOpen(key) || isOfUnknownRecord(key),
    );
    return [...own, ...mayBe.filter(({ identity }) => own.every((key) => key.identity !== identity))];
  }

  /** Whether nothing is left under the name of the record, where its maker is known by that alone: there may be two. */
  async #isNameFree(): Promise<boolean> {
    const { store, lookups } = this.#writing;
    if (!(await store.read((sql) => this.#makers(sql))).some(isOfUnknownRecord)) return false;
    return (await isGone(this.#operation, { external_id: this.#record.external_id }, lookups)) === true;
  }

  /** Marks what made the record as undone, in the transaction that says why. */
  async #undone(sql: Sql, at: number, isNameFree: boolean): Promise<void> {
    const { account, resource } = this.#want;
    const made = (await this.#makers(sql)).filter(
      (key) => key.state === 'done' && (isNameFree || !isOfUnknownRecord(key)),
    );
    const holders = made.map(({ holder }) => holder);
    await setUndone(sql, { account, resource, at }, holders, made);
  }

  /** Marks what made the record as undone, where an error says that it has ended before. */
  async #overBefore(error: unknown): Promise<void> {
    if (endsRecord(this.#operation) && isDoneBefore(error)) await this.#ended().catch(() => {});
  }

  /** Where the service refuses to end a record, it may have ended before: by a lost answer, or by somebody else. */
  async #ended(): Promise<void> {
    const { store, lookups, now } = this.#writing;
    const { field, value } = this.#record;
    const isThrough = field === 'id' && (await store.read((sql) => this.#makers(sql))).length > 0;
    if (!isThrough || (await isGone(this.#operation, { id: value }, lookups)) !== true) return;
    const isNameFree = await this.#isNameFree();
    await store.write((sql) => this.#undone(sql, now, isNameFree));
  }

  async #over({ account, resource, identity, holder }: Want | Key, outcome: Outcome) {
    const state = outcome.state === 'unclear' ? 'unclear' : 'free';
    const now = this.#writing.time.moment;
    // A parcel that travels on is not made again, and neither is what was not ended.
    const answer = outcome.state === 'made' && endsRecord(this.#operation) ? fieldsIn(outcome.answer) : undefined;
    const isEnd = answer !== undefined && shipmentError(answer) === undefined && answer.updated !== 0;
    const isNameFree = isEnd && (await this.#isNameFree());
    await this.#writing.store.write(async (sql) => {
      // Whoever has taken it over meanwhile may still be sending it.
      const settled = { account, resource, identity, holder, state, owner: this.#writing.owner, ...now } as const;
      const isOther = (await settleKeys(sql, [settled])).length > 0;
      // You said that it was not done while its answer was on its way, which was lost then.
      const isLeft = isOther && state === 'unclear';
      if (isLeft && (await takeKeys(sql, [{ ...this.#want, holder, ...now }])).size > 0)
        await settleKeys(sql, [settled]);
      if (isEnd) await this.#undone(sql, now.at, isNameFree);
    });
  }
}

/**
 * Changes, deletes, confirms or cancels one record while nobody else writes it: its key is held from before the first
 * byte until the outcome is known. Throws what the call throws, and a LedgerRefusal (`held_by`) where an earlier write of
 * the same record has an unknown outcome.
 */
export function changeOnce<Op extends Operation>(
  context: ChangeContext,
  operation: Op,
  request: RequestOf<Op>,
): Promise<unknown> {
  return writing(context, async (own) => {
    const place = { account: ledgerAccount(own.account), resource: resourceOf(operation) };
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds += 1) {
      const record = await changedRecord(operation, request, { ...place, read: own.store.read, lookups: own.lookups });
      const asked = context.send || record.field !== 'id' ? request : byId(operation, request, record.value);
      const end = await new Change(context, own, { operation, request: asked, record }).run();
      if (end !== undefined) return end.answer;
    }
    throw own.busy();
  });
}

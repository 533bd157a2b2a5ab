import { callRaw } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import {
  AnotherRecordError,
  CallError,
  CredentialError,
  OutcomeUnknownError,
  RedirectError,
  ServiceError,
} from '../../client/errors.ts';
import { retryDelayMs } from '../../client/retry.ts';
import { answeredId, readAnswered } from '../../client/settle/answered-id.ts';
import { differences } from '../../client/settle/compare.ts';
import {
  endsRecord,
  isGone,
  isHalfDone,
  isOlder,
  isOver,
  recordIn,
  shipmentError,
  textIn,
} from '../../client/settle/found-record.ts';
import {
  type FoundVerdict,
  isClash,
  isProof,
  isTaken,
  isThrottled,
  lostVerdict,
  type Seen,
  settleLost,
  type Verdict,
  verdictOn,
} from '../../client/settle/settle-lost.ts';
import { type Fields, fieldsIn, readFields } from '../../domain/json/values.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { isDoneBefore, isGone as isGoneNow } from '../../ledger/known/changed-record.ts';
import { type Found, isAchieved, lookUp } from '../../ledger/look-up.ts';
import type { CompleteOrder } from '../../ledger/order-draft.ts';
import { lookupOf } from '../../ledger/read-operations.ts';
import type { RowWork } from '../../ledger/work.ts';
import { QuoteRefused } from '../../ship/pick-quote.ts';
import { choose, offersOf } from '../plan/choose-service.ts';
import { replacedBy } from '../plan/compare-rows.ts';
import type { BatchOptions } from '../plan/new-batch.ts';
import { isComparable } from '../row-work.ts';
import type { RowWithRequest } from '../store/row.ts';
import { asStored, batchTexts } from '../texts.ts';
import { conflictBy } from '../undo-restoring.ts';
import { heldUnder, leftAsFound, undoneAlready } from '../undone-already.ts';
import { type Pace, passingOf, Stopped } from './pace.ts';
import {
  changedIn,
  factsOf,
  failed,
  type Live,
  outcomeOf,
  type RowOutcome,
  refusedBy,
  unclear,
} from './row-outcome.ts';

/** What sending rows depends on. */
export interface SendingContext {
  readonly work: RowWork;
  readonly options: BatchOptions;
  /** Without retries of its own, so that every attempt is known here. */
  readonly connection: Connection;
  readonly pace: Pace;
  readonly tree: LocationTree;
  /** Whether this worker has a row still: asked before each first byte. */
  readonly owns: (row: RowWithRequest) => boolean;
  /** Says which other shop of the partner has a name, if that is known. */
  readonly elsewhere: (name: string) => Promise<string | undefined>;
  /** When the batch was created, ISO 8601: a much older record cannot be one of its own. */
  readonly begunAt: string;
  /**
   * Stores a row before it is sent: its request with a newly chosen service and its fee, or what it replaces. False if
   * another worker has it.
   */
  readonly rewrite: (row: RowWithRequest, rewritten: RowWithRequest) => Promise<boolean>;
}

/** A row and its outcome; the row may have got another service on the way. */
export interface Sent {
  readonly row: RowWithRequest;
  readonly outcome: RowOutcome;
}

/** A row that was left: `maybeSent` says whether its request may have reached the service. */
export interface Left {
  readonly row: RowWithRequest;
  readonly maybeSent: boolean;
  /** Stopped, or the error that stops the whole batch. */
  readonly reason: Error;
}

/** How often a write without an answer is looked up and, where that is safe, sent again. */
const ROUNDS = 5;
const CHOSEN_ANEW_AT_MOST = 2;

const stored = () => batchTexts.row;

/** How a row is told that the service has answered it, and done nothing. */
const nothingChanged = () => ({ error_code: 'nothing_changed', error_message: stored().nothingChanged });

/** Whether every other row would fail in the same way: the batch stops. */
export function stopsAll(error: CallError): boolean {
  if (error instanceof CredentialError || error instanceof RedirectError) return true;
  if (error.kind === 'configuration' || error.kind === 'network') return true;
  return error instanceof ServiceError && ['unauthenticated', 'permission_denied', 'bad_route'].includes(error.code);
}

/** Ends a row, and with it the batch, while the row is being settled. */
class StopsAll extends Error {
  readonly reason: CallError;

  constructor(reason: CallError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** One row in flight: sent, and settled if its answer is lost. */
class RowInFlight {
  readonly #context: SendingContext;
  #row: RowWithRequest;
  #chosenAnew = 0;
  /** The fee that was shown and agreed to when the row was planned; null where it was not quoted. */
  readonly #agreed: number | null;
  /** Whether the last answer was the service's own, that there are too many calls. */
  #wasThrottled = false;
  /** Whether an attempt may have been applied, or may still be. */
  #sentBefore: boolean;
  /** Whether an earlier run sent it: if its record is over, somebody may have ended it since. */
  readonly #isEarlier: boolean;

  constructor(context: SendingContext, row: RowWithRequest, isEarlier: boolean) {
    this.#context = context;
    this.#row = row;
    this.#agreed = row.fee;
    this.#sentBefore = isEarlier;
    this.#isEarlier = isEarlier;
  }

  get row(): RowWithRequest {
    return this.#row;
  }

  get maybeSent(): boolean {
    return this.#sentBefore;
  }

  get #payload(): Fields {
    return readFields(this.#row.payload);
  }

  /** Whether it restores what an update has replaced, as long as nobody else has changed that. */
  get #restores(): boolean {
    const { operation, undoes } = this.#context.work;
    return undoes !== undefined && operation.effect === 'update';
  }

  /** Whether it is a create whose record is looked up by its own name. */
  get #isNamedCreate(): boolean {
    const { operation, lookup } = this.#context.work;
    return operation.effect === 'create' && lookup?.by === 'name';
  }

  /** Sends it and evaluates the answer; `finishing` if it was started before. */
  async send(finishing: boolean): Promise<RowOutcome> {
    const answered = await this.#sent(finishing);
    if (!(answered instanceof CallError)) return answered.end;
    if (answered.outcome === 'unknown') return (await this.#answeredById(answered)) ?? this.settle();
    return answered.outcome === 'applied' ? this.#appliedUnread(answered) : this.#refused(answered);
  }

  /** Sends the request and returns the outcome or the error; throws what stops the whole batch. */
  async #sent(finishing: boolean): Promise<{ readonly end: RowOutcome } | CallError> {
    const { work, pace, connection, owns } = this.#context;
    const { id, credential, effect, settlement } = work.operation;
    const target = { id, credential, operation: work.operation, named: settlement !== undefined };
    // Made again after each pause: what was throttled, or away, may have been applied nevertheless.
    const attempt = async (): Promise<{ readonly end: RowOutcome } | { readonly answer: unknown }> => {
      if (!owns(this.#row)) throw new Stopped();
      const conflict = await this.#conflictNow();
      if (conflict !== undefined) return { end: conflict };
      try {
        return { answer: await callRaw(target, this.#row.payload, connection) };
      } catch (error) {
        this.#sentBefore ||= error instanceof CallError && !isProof(error);
        throw error;
      }
    };
    try {
      const sent = await pace.through(attempt, { finishing });
      if ('end' in sent) return sent;
      const answer = fieldsIn(sent.answer);
      if (isHalfDone(work.operation, answer, recordIn(answer) ?? {}))
        return new OutcomeUnknownError(id, stored().halfAnswered);
      const wrong = shipmentError(answer) ?? (answer.updated === 0 ? nothingChanged() : undefined);
      const state = wrong !== undefined && effect !== 'create' ? 'failed' : 'done';
      return { end: { state, ...factsOf(answer), ...(wrong ?? this.#changedBy(answer)) } };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      if (error.outcome === 'not_applied' && stopsAll(error)) throw new StopsAll(error);
      // It has been seen after the deed: only a look tells whether it may be sent again.
      this.#wasThrottled = isThrottled(error);
      if (error instanceof ServiceError && error.status === 429) pace.throttled(error.retryAfterMs);
      return error;
    }
  }

  /** How the record that a create is answered with differs from what was sent. */
  #changedBy(answer: Fields): Partial<RowOutcome> {
    const { work, tree } = this.#context;
    if (work.operation.effect !== 'create') return {};
    return changedIn(differences(this.#payload, recordIn(answer) ?? {}, tree));
  }

  /** What the record says whose id the answer had without its name; undefined if it had none. */
  async #answeredById(error: CallError): Promise<RowOutcome | undefined> {
    const { work, connection, pace } = this.#context;
    const id = answeredId(error);
    const lookup = id === undefined ? undefined : await lookupOf(work.operation, 'id');
    if (id === undefined || lookup === undefined) return undefined;
    this.#sentBefore = true;
    const write = { operation: work.operation, request: this.#payload };
    const read = () => readAnswered(write, id, { lookup, lookups: connection });
    const seen = await pace.through(read, { finishing: true });
    if (seen !== undefined) return this.#ofFound({ ...seen, state: 'done' });
    return unclear(stored().unprovedId);
  }

  /**
   * How the record stands right now, before each time that it may be updated or restored, or that a relationship may be
   * made, which the service does once however often it is asked: undefined if it is to be sent.
   */
  async #conflictNow(): Promise<RowOutcome | undefined> {
    const { work, connection } = this.#context;
    const isRelationship = work.operation.effect === 'create' && work.lookup?.by === 'list';
    // An update is never sent before it is on disk what it replaces.
    const isUnread = isComparable(work) && (!this.#sentBefore || this.#row.old_values === null);
    const isEnd = work.operation.before !== undefined && work.undoes === undefined;
    if (!this.#restores && !isUnread && !isEnd && (!isRelationship || this.#sentBefore)) return undefined;
    let found: Found;
    try {
      found = await lookUp(work, this.#payload, connection);
    } catch (error) {
      const isFinal = error instanceof CallError && passingOf(error) === undefined;
      throw isFinal ? new StopsAll(error) : error;
    }
    if (this.#restores) return conflictBy(found, this.#row, this.#sentBefore);
    if (isEnd) {
      const left = leftAsFound(work.operation, found);
      return left === undefined || !this.#sentBefore
        ? left
        : unclear(stored().sentBeforeToo({ message: left.error_message }));
    }
    // What is not there stays for the service to refuse, or to make.
    if (found.state === 'none') return undefined;
    // Somebody else has made it: an undo leaves it.
    if (isRelationship) return { state: 'existed', ...factsOf(found.answer) };
    return this.#replacing(found.record);
  }

  /** Stores what an update replaces in its record as it is now, which its undo gives back; its end if that is nothing. */
  async #replacing(record: Fields): Promise<RowOutcome | undefined> {
    const old_values = replacedBy(this.#context.work, this.#payload, record);
    if (old_values === undefined) return { state: 'skipped' };
    if (old_values !== this.#row.old_values) await this.#rewrite({ ...this.#row, old_values });
    return undefined;
  }

  async #rewrite(rewritten: RowWithRequest): Promise<void> {
    if (!(await this.#context.rewrite(this.#row, rewritten))) throw new Stopped();
    this.#row = rewritten;
  }

  /** Undoes a record as it is now: nothing to do if it is gone, and a parcel that was picked up is left. */
  async undo(): Promise<RowOutcome> {
    if (this.#restores) return this.send(false);
    const { work, pace, connection } = this.#context;
    const found = work.lookup === undefined ? undefined : await this.#look();
    if (found === undefined) return this.send(false);
    const already = undoneAlready(work.operation, found, this.#row.name);
    if (already !== undefined) return already;
    const held = await pace.through(() => heldUnder(work.operation, [found], connection), { finishing: true });
    return [...held.values()][0] ?? this.send(false);
  }

  /** Determines the outcome of a write that was sent, or may have been, and whose answer is unknown. */
  async settle(refusal?: CallError): Promise<RowOutcome> {
    const { work, connection, pace } = this.#context;
    this.#sentBefore = true;
    if (work.lookup === undefined) return unclear(stored().lost);
    const settled = await settleLost<RowOutcome>({
      // Where nothing may be sent again, looking again and again tells nothing new of an earlier run's request.
      rounds: this.#isEarlier && this.#isNamedCreate && work.operation.settlement === undefined ? 0 : ROUNDS,
      unique: work.operation.settlement?.by,
      repeatable: !this.#isNamedCreate,
      refusal,
      look: async () => (this.#isNamedCreate ? this.#made : this.#achieved).call(this, await this.#look()),
      send: () => this.#sent(true),
      // A request of an earlier run has had enough time to arrive.
      wait: async (round) => {
        if (round > 0 || !this.#isEarlier) await pace.wait(retryDelayMs(round, connection.random(), undefined));
      },
    });
    switch (settled.state) {
      case 'settled':
        return settled.end;
      case 'refused':
        return this.#refusedForGood(settled.error);
      case 'unread':
        return this.#appliedUnread(settled.error);
      case 'unclear':
        return unclear(settled.reason);
    }
  }

  #look(): Promise<Found> {
    const { work, pace, connection } = this.#context;
    return pace.through(() => lookUp(work, this.#payload, connection), { finishing: true });
  }

  /** It was applied, but its answer violates the contract: reads the record as far as possible. */
  async #appliedUnread(error: CallError): Promise<RowOutcome> {
    const broken: RowOutcome = { state: 'done', error_code: error.code, error_message: asStored(error.message) };
    if (this.#context.work.lookup === undefined) return broken;
    try {
      const found = await this.#look();
      const isOurs = !this.#isNamedCreate || this.#verdictOn(found).state === 'done';
      return isOurs && found.state === 'there' ? { state: 'done', ...factsOf(found.answer) } : broken;
    } catch (second) {
      if (second instanceof CallError) return broken;
      throw second;
    }
  }

  /** Handles a refusal of a request that was not settled yet. */
  async #refused(error: CallError): Promise<RowOutcome> {
    // What is to be undone and is not there has been undone already.
    if (this.#context.work.undoes !== undefined && !this.#restores && error.code === 'not_found')
      return { state: 'existed' };
    if (this.#isNamedCreate && isTaken(error)) return this.#compared(error);
    // It may be about the moment, and not about the request; and an attempt before a pause may have been applied.
    if (!isProof(error)) return this.settle();
    return this.#sentBefore ? this.settle(error) : this.#refusedForGood(error);
  }

  #refusedForGood(error: CallError): RowOutcome | Promise<RowOutcome> {
    const { quote, operation, undoes } = this.#context.work;
    if (quote !== undefined && error.code === 'invalid_argument') return this.#quotedAnew(error);
    const refused = refusedBy(error);
    return endsRecord(operation) && undoes === undefined && isDoneBefore(error) ? this.#ended(refused) : refused;
  }

  /** Where the service refuses to end a record, it may have ended before: by a lost answer, or by somebody else. */
  async #ended(refused: RowOutcome): Promise<RowOutcome> {
    const { work, connection, pace } = this.#context;
    const id = textIn(this.#payload[work.operation.positional ?? 'id']);
    const isGone =
      id !== '' && (await pace.through(() => isGoneNow(work.operation, { id }, connection), { finishing: true }));
    return isGone === true ? { ...refused, isGone } : refused;
  }

  /** The name, or another field, is taken: by this row's own record, an equal one, or a different one. */
  async #compared(error: ServiceError): Promise<RowOutcome> {
    const isOfName = isClash(error, this.#context.work.operation.settlement?.by ?? 'external_id');
    const found = this.#verdictOn(await this.#look());
    const isThere = found.state !== 'none' && found.state !== 'over';
    if (isThere && (isOfName || found.state !== 'conflict')) return this.#ofFound(found);
    if (!isOfName) return this.#sentBefore ? this.settle() : refusedBy(error);
    // Nobody else derives such a name: a late copy of this row's own request has it, or will.
    if (this.#sentBefore || this.#row.named === 0) return unclear(stored().nameTaken);
    return refusedBy(error, (await this.#context.elsewhere(this.#row.name)) ?? error.message);
  }

  #verdictOn(found: Found): FoundVerdict {
    const { work, tree } = this.#context;
    const [request, derived, mayHaveLeft] = [this.#payload, this.#row.named === 0, this.#sentBefore];
    const write = { operation: work.operation, request, derived, mayHaveLeft };
    return verdictOn(write, found.state === 'none' ? undefined : found, tree);
  }

  #ofFound(found: Live): RowOutcome {
    return outcomeOf(found, this.#row.name, this.#sentBefore);
  }

  /**
   * If the fee or service no longer matches the quote, chooses again, at most at the fee that was agreed to; otherwise the
   * refusal had another reason.
   */
  async #quotedAnew(error: CallError): Promise<RowOutcome> {
    const { work, options, pace, connection } = this.#context;
    const payload = this.#payload as unknown as CompleteOrder;
    const { shipping_service_code: code, shipping_service_fee: fee } = payload.shipping ?? {};
    const offers = await pace.through(() => offersOf(payload, work, options, connection), { finishing: true });
    const now = offers.find((offer) => offer.code === code);
    if (now?.fee === fee || this.#chosenAnew >= CHOSEN_ANEW_AT_MOST) return refusedBy(error);
    this.#chosenAnew += 1;

    try {
      const free = { ...payload, shipping: { ...payload.shipping, shipping_service_code: this.#row.pick } };
      const maxFee = Math.min(options.maxFee ?? Number.POSITIVE_INFINITY, this.#agreed ?? Number.POSITIVE_INFINITY);
      const chosen = choose(free, offers, { ...options, ...(Number.isFinite(maxFee) ? { maxFee } : {}) });
      const { payload: request, carrier, fee: now } = chosen;
      const attempts = this.#row.attempts + 1;
      await this.#rewrite({ ...this.#row, payload: JSON.stringify(request), carrier, fee: now, attempts });
    } catch (refused) {
      if (!(refused instanceof QuoteRefused)) throw refused;
      const was = { service: `${code}`, fee: `${fee}` };
      return failed('price_changed', stored().priceChanged({ ...was, message: asStored(refused.message) }));
    }
    return this.send(true);
  }

  #made(found: Found): Verdict<RowOutcome> {
    // Sending the same request again is only safe with a name that is unique among live records, or where the service
    // said that it had too much to do.
    const isUnique = this.#context.work.operation.settlement !== undefined;
    return lostVerdict(this.#verdictOn(found), {
      again: isUnique || this.#wasThrottled ? 'send' : 'look',
      over: (seen) => this.#over(seen),
      live: (seen) => this.#ofFound(seen),
    });
  }

  /**
   * A record that is over has released its name. One of ours whose parcel came back, or travels on, was shipped: nobody
   * wants it sent once more. If this run sent it, the service itself ended it, or it is an older record; if an earlier run
   * sent it, somebody may have ended it since, and it is not created again.
   */
  #over(seen: Seen): RowOutcome | undefined {
    const { record, answer, different } = seen;
    const isDerived = this.#row.named === 0;
    // Nobody else derives its name.
    const isOthers = !isDerived && isOlder(record, Date.parse(this.#context.begunAt));
    const isOurs = isDerived || (!isOthers && different.length === 0);
    if (isOurs && !isGone(record)) return this.#ofFound({ ...seen, state: 'done' });
    if (this.#isEarlier && !isOthers) {
      const ended = failed('already_over', stored().hasEnded);
      return { ...factsOf(answer), ...ended };
    }
    if (this.#context.work.operation.settlement === undefined) return unclear(stored().noLookUp);
    return undefined;
  }

  /**
   * A write other than a create has the same effect when it is applied twice; of an update only as long as nobody else has
   * changed what it found.
   */
  #achieved(found: Found): Verdict<RowOutcome> {
    const { operation } = this.#context.work;
    if (
      operation.effect === 'update' &&
      this.#row.old_values !== null &&
      found.state === 'there' &&
      !isOver(found.record)
    ) {
      const conflict = conflictBy(found, this.#row, true);
      if (conflict !== undefined) return { end: { ...factsOf(found.answer), ...conflict } };
    }
    if (!isAchieved(this.#context.work, this.#payload, found)) return { next: 'send', reason: stored().lookUpUnclear };
    if (found.state === 'none') return { end: { state: 'done' } };
    // An order that is cancelled, and of which a parcel travels on, has not ended.
    const ends = endsRecord(this.#context.work.operation) ? { isGone: isGone(found.record) } : {};
    return { end: { state: 'done', ...factsOf(found.answer), ...ends } };
  }
}

/**
 * Sends one row whose intent is on disk and determines its outcome; a row that an earlier run may have sent is looked
 * up first. The row is left if the run is stopped, or if every other row would fail in the same way: a refused key, a
 * network failure that waiting does not fix.
 */
export async function sendRow(context: SendingContext, row: RowWithRequest, isEarlier: boolean): Promise<Sent | Left> {
  const sending = new RowInFlight(context, row, isEarlier);
  try {
    const begin = () => (context.work.undoes === undefined ? sending.send(false) : sending.undo());
    const outcome = await (isEarlier ? sending.settle() : begin());
    return { row: sending.row, outcome };
  } catch (reason) {
    const why = reason instanceof StopsAll ? reason.reason : reason;
    if (why instanceof AnotherRecordError) {
      const outcome = sending.maybeSent ? unclear(why.message) : failed(why.code, why.message);
      return { row: sending.row, outcome };
    }
    if (!(why instanceof Stopped || why instanceof CallError)) throw why;
    return { row: sending.row, maybeSent: sending.maybeSent, reason: why };
  }
}

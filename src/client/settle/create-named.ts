import type { Operation, RequestOf } from '../../contract/operation.ts';
import { say } from '../../contract/texts.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { type Answer, call } from '../call.ts';
import type { Connection } from '../connection.ts';
import { CallError, type Outcome, OutcomeUnknownError, ServiceError } from '../errors.ts';
import { isPassingStatus, retryDelayMs } from '../retry.ts';
import { answeredId, readAnswered } from './answered-id.ts';
import { differences } from './compare.ts';
import { isGone, isHalfDone, isOlder, recordIn, shipmentError } from './found-record.ts';
import {
  type FoundVerdict,
  isClash,
  isTaken,
  isThrottled,
  lostVerdict,
  type Seen,
  settleLost,
  type Verdict,
  verdictOn,
} from './settle-lost.ts';

/** A create under a name of its own, by which its record can be looked up. */
export interface NamedCreate<O extends Operation> {
  readonly operation: O;
  /** Contains the name. */
  readonly request: RequestOf<O>;
  /** The `external_id` that is sent with it. */
  readonly name: string;
  readonly lookup: Operation;
  /** Whether the service keeps that name unique among live records: only then the same request is sent again. */
  readonly unique: boolean;
  /** Whether the name is derived from the whole content, so that nobody else can have made a record under it. */
  readonly derived: boolean;
  readonly connection: Connection;
  /** For looking up, which is no attempt. */
  readonly lookups: Connection;
  /** How many attempts of this process may have reached the service. */
  readonly left: () => number;
}

/** How a record came to be: sent now; found under its name after an answer was lost; or there before this intent. */
export type HowMade = 'sent' | 'settled' | 'existed';

/** A record that is there. */
export interface Made<O extends Operation> {
  readonly response: Answer<O>;
  readonly how: HowMade;
  /** The paths at which the service has it otherwise than it was sent. */
  readonly different: readonly string[];
}

/** A create whose fate is to be found out. */
interface Lost<O extends Operation> extends NamedCreate<O> {
  /** Whether an earlier process may have sent it: then an ended record may have been ended by somebody since. */
  readonly earlier: boolean;
  readonly cause: CallError;
}

/** What a create makes, as its operation calls it: order, customer. */
const nounOf = ({ id }: Operation) => /[A-Z][a-z]+$/.exec(id)?.[0].toLowerCase() ?? 'record';

function unsettled<O extends Operation>({ operation, name, lookup, cause }: Lost<O>, reason: string, facts = {}) {
  return new OutcomeUnknownError(operation.id, reason, {
    cause,
    meta: { external_id: name, lookup: lookup.id, ...facts },
  });
}

/** The same, with what became of the request before the reason. */
function unfound<O extends Operation>(
  lost: Lost<O>,
  reason: (before: { readonly fate: string }) => string,
  facts = {},
) {
  return unsettled(lost, reason({ fate: fateOf(lost) }), facts);
}

/** The facts that a record tells: its texts, without those that are missing or empty. */
function textsOf(facts: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => typeof fact[1] === 'string' && fact[1] !== ''),
  );
}

/**
 * Thrown if the record under a name is there, but without what was asked for: an order that was created and not
 * shipped. Nothing was sent that could still be applied.
 */
export class NotShippedError extends CallError {
  readonly kind = 'service';
  readonly code = 'not_shipped';
  readonly outcome = 'not_applied';
  readonly status = 409;
  readonly meta: Readonly<Record<string, string>>;

  constructor(operation: string, name: string, { id, code }: Fields) {
    super(say().fate.notShipped({ name }), { operation });
    this.meta = textsOf({ id, code, external_id: name });
  }
}

/**
 * Thrown when the record of an earlier run was found cancelled or returned. Nothing was sent. Whether the service
 * rolled it back or somebody ended it cannot be determined, so it is not created again by itself.
 */
export class RecordOverError extends CallError {
  readonly kind = 'service';
  readonly code = 'already_over';
  readonly outcome = 'not_applied';
  readonly status = 409;
  readonly meta: Readonly<Record<string, string>>;

  constructor(operation: string, { id, status, cancel_reason: reason }: Fields) {
    super(say().fate.over, { operation });
    this.meta = textsOf({ id, status, cancel_reason: reason });
  }
}

/**
 * What a look-up under a name says; `another` if the service answers with a record of another name. Throws an
 * OutcomeUnknownError if it cannot be looked up.
 */
async function lookUp<O extends Operation>(
  lost: Lost<O>,
  mayHaveLeft: boolean,
): Promise<FoundVerdict | { readonly state: 'another' }> {
  const { lookup, name, lookups } = lost;
  const { locationTree } = await import('../../domain/places/place-data.ts');
  const write = { ...lost, request: fieldsIn(lost.request), mayHaveLeft };
  try {
    const answer = fieldsIn(await call(lookup, { external_id: name }, lookups));
    const record = recordIn(answer, name);
    return record === undefined ? { state: 'another' } : verdictOn(write, { record, answer }, locationTree);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return { state: 'none' };
    if (!(error instanceof CallError)) throw error;
    // A gateway that delivers a request twice causes a 409 on what it has just made.
    const why = error.message;
    throw mayHaveLeft
      ? unfound(lost, (before) => say().fate.notLookedUp({ ...before, why }))
      : unsettled(lost, say().fate.taken({ noun: nounOf(lost.operation), why }));
  }
}

/** What became of a create that may have been applied, and what that means: it was refused for now, or nothing was heard. */
function fateOf<O extends Operation>({ operation, cause }: Pick<Lost<O>, 'operation' | 'cause'>): string {
  const noun = nounOf(operation);
  if (!(cause instanceof ServiceError) || !isPassingStatus(cause.status)) return say().fate.answerLost({ noun });
  const seconds = Math.ceil((cause.retryAfterMs ?? 0) / 1000);
  return say().fate.answered({ noun, status: cause.status, seconds });
}

/** A create whose answer had an id, and not its name. */
async function byAnsweredId<O extends Operation>(lost: Lost<O>, id: string): Promise<Made<O>> {
  const seen = await readAnswered({ ...lost, request: fieldsIn(lost.request) }, id, lost);
  if (seen === undefined) throw unfound(lost, say().fate.nothingProved);
  return made(lost.operation, seen, 'settled');
}

/** The answer as the create would have given it: some operations answer the record alone. */
export function asAnswered<O extends Operation>(operation: O, answer: Fields, record: Fields): Answer<O> {
  return (Object.hasOwn(operation.response.shape, 'external_id') ? record : answer) as Answer<O>;
}

/** What a look-up under the name says about a create that may have been applied. */
async function find<O extends Operation>(lost: Lost<O>): Promise<Verdict<Made<O>>> {
  const { operation, unique, derived, earlier, cause, connection } = lost;
  // The service has answered: what it did can be seen, and nothing of it is still on its way.
  const again = unique || isThrottled(cause) ? 'send' : 'look';
  const found = await lookUp(lost, true);
  if (found.state === 'another') throw unfound(lost, say().fate.another);
  return lostVerdict<Made<O>>(found, {
    again,
    fate: fateOf(lost),
    over(seen) {
      const { record, different } = seen;
      if (earlier) throw new RecordOverError(operation.id, record);
      // One of ours whose parcel came back, or travels on, was shipped: sent again it is shipped twice.
      if (isGone(record) || (!derived && (different.length > 0 || isOlder(record, connection.clock.now()))))
        return undefined;
      if (derived) return made(operation, seen, 'settled');
      throw unfound(lost, say().fate.equalEnded, idOf(seen));
    },
    live(seen) {
      if (seen.state === 'done') return made(operation, seen, 'settled');
      const [difference = ''] = seen.different;
      const facts = { difference, ...idOf(seen) };
      throw unfound(lost, (before) => say().fate.differs({ ...before, difference }), facts);
    },
  });
}

function made<O extends Operation>(operation: O, { answer, record, different }: Seen, how: HowMade): Made<O> {
  return { response: asAnswered(operation, answer, record), how, different };
}

function idOf({ record: { id } }: Seen): Readonly<Record<string, string>> {
  return typeof id === 'string' ? { id } : {};
}

async function inRounds<O extends Operation>(lost: Lost<O>): Promise<Made<O>> {
  const { operation, request, lookup, unique, connection, cause } = lost;
  const afterMs = cause instanceof ServiceError && cause.status === 429 ? cause.retryAfterMs : undefined;
  const notWaitedFor = () => unsettled(lost, say().fate.notWaited({ noun: nounOf(operation) }));
  /** Of the last attempt: one that was lost may still be on its way, whatever the one before was answered. */
  let last = cause;
  const settled = await settleLost<Made<O>>({
    rounds: connection.maxRetries,
    fate: fateOf(lost),
    ...(unique ? { unique: 'external_id' } : {}),
    refusal: cause.outcome === 'not_applied' && !isTaken(cause) ? cause : undefined,
    look(round) {
      if (connection.signal?.aborted) throw notWaitedFor();
      connection.trace?.({ event: 'settle', operation: operation.id, facts: { round, lookup: lookup.id } });
      return find({ ...lost, cause: last });
    },
    async send() {
      try {
        return { end: { response: await call(operation, request, connection), how: 'settled', different: [] } };
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        last = error;
        return error;
      }
    },
    async wait(round) {
      try {
        await connection.clock.wait(retryDelayMs(round, connection.random(), afterMs), connection.signal);
      } catch {
        throw notWaitedFor();
      }
    },
  });
  if (settled.state === 'settled') return settled.end;
  throw settled.state === 'unclear'
    ? withCause(unsettled(lost, settled.reason), settled.cause ?? cause)
    : settled.error;
}

function withCause(error: OutcomeUnknownError, cause: CallError): OutcomeUnknownError {
  error.cause = cause;
  return error;
}

/** Finds out what became of a request; the proof is recorded in the run's own ledger. */
async function settle<O extends Operation>(lost: Lost<O>): Promise<Made<O>> {
  const put = (outcome: Outcome) => lost.connection.ledger?.settle(lost.operation.id, lost.name, outcome);
  try {
    const id = answeredId(lost.cause);
    const made = id === undefined ? await inRounds(lost) : await byAnsweredId(lost, id);
    put('applied');
    return made;
  } catch (error) {
    if (error instanceof CallError) put(error.outcome);
    throw error;
  }
}

/**
 * The name, or another field, is taken, and nothing of this create may have been applied: the record under its name was
 * there before, is another one, or cannot be seen. Where nothing has the name, another field is taken by another record.
 */
async function onClash<O extends Operation>(create: NamedCreate<O>, clash: ServiceError): Promise<Made<O>> {
  const { operation, name, derived } = create;
  const lost = { ...create, earlier: false, cause: clash };
  const found = await lookUp(lost, false);
  const isOfName = isClash(clash, 'external_id') || found.state === 'another';
  switch (found.state) {
    case 'none':
    case 'another':
    case 'over':
      throw derived && isOfName
        ? unfound(lost, (before) => say().fate.nameTaken({ ...before, name: 'external_id' }))
        : clash;
    case 'half done':
      throw new NotShippedError(operation.id, name, found.record);
    case 'existed':
      return made(operation, found, 'existed');
    default: {
      const { code, message, meta, status, outcome } = clash;
      const facts = { ...meta, difference: found.different.join(', '), ...idOf(found) };
      throw new ServiceError(operation.id, { code, msg: message, meta: facts, status, outcome });
    }
  }
}

/** The paths at which an answer has what was sent otherwise; places are compared only where their texts differ. */
async function changedBy(answer: unknown, request: Fields): Promise<readonly string[]> {
  const record = recordIn(answer) ?? {};
  if (differences(request, record, { provinces: [] }).length === 0) return [];
  const { locationTree } = await import('../../domain/places/place-data.ts');
  return differences(request, record, locationTree);
}

/**
 * Calls a create and, if its answer was lost, finds out whether it happened, by the name in the request. Throws
 * OutcomeUnknownError with `meta.external_id` if that stays unclear.
 *
 * Neither "not found" nor 409 alone proves anything (decisions, section 7): a request may still be on its way when the
 * look-up arrives, and the name may belong to an older record. Where the service keeps the name unique among live
 * records (orders), sending the *same* request under the *same* name is harmless:
 * - found, alive, and ours by its name or by its content: it happened. If half done, it is looked up again;
 * - found under a given name, but different: it stays unknown, since our own attempt may still arrive;
 * - not found, or found ended (a create that the service rolled back leaves such a record): it is sent again. If the
 *   first request arrives after all, one of the two is refused with 409, and both are never live;
 * - sent again and refused with 409: the first one arrived; a second look-up shows whether the record is ours;
 * - sent again and refused because of the request itself: so is any late copy, and that is the result;
 * - anything else, or no attempts left: unknown.
 * Where it does not (customers, products, …), a look-up can prove that it happened, and nothing is sent again.
 *
 * A 409 on the name, or on any other field, is always looked up, since a gateway that delivers a request twice causes it
 * too. One gap remains:
 * an order that is created by the second request and cancelled while the first is still on its way frees the name for
 * it. No client can close it, since the contract has no way to withdraw a request.
 */
export async function createNamed<O extends Operation>(create: NamedCreate<O>): Promise<Made<O>> {
  const { operation, request, connection, left } = create;
  try {
    const response = await call(operation, request, connection);
    const answer = fieldsIn(response);
    // Without a reason of the service's own, which is told with the record, a look may find it shipped a moment later.
    if (isHalfDone(operation, answer, recordIn(answer) ?? {}) && shipmentError(answer) === undefined)
      throw new OutcomeUnknownError(operation.id, say().doubt.halfDone);
    return { response, how: 'sent', different: await changedBy(response, fieldsIn(request)) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (isTaken(error) && left() <= 1) return onClash(create, error);
    // An attempt before it, which was answered with 429 or 503, may have been applied, and may be why it is refused.
    if (error.outcome !== 'unknown' && !isTaken(error) && (error.outcome === 'applied' || left() <= 1)) throw error;
    return settle({ ...create, earlier: false, cause: error });
  }
}

/**
 * Finds out what became of a create that an earlier run sent: it is looked up first, and sent again only where the
 * service keeps its name unique, for the reasons given at `createNamed`. Throws RecordOverError if it was created and
 * has ended since.
 */
export function settleEarlier<O extends Operation>(create: NamedCreate<O>): Promise<Made<O>> {
  const { connection, operation, unique } = create;
  // What is not there can be sent again only after a wait.
  const maxRetries = Math.max(unique ? 1 : 0, connection.maxRetries);
  const cause = new OutcomeUnknownError(operation.id, say().fate.earlierRun);
  return settle({ ...create, connection: { ...connection, maxRetries }, earlier: true, cause });
}

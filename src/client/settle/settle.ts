import { loadOperation } from '../../contract/areas.ts';
import type { Operation, RequestOf, Settlement } from '../../contract/operation.ts';
import { type Answer, call } from '../call.ts';
import type { Connection } from '../connection.ts';
import { CallError, type Outcome, OutcomeUnknownError, ServiceError } from '../errors.ts';
import { retryDelayMs } from '../exchange/retry.ts';
import { isHalfDone, isOver, recordIn } from './found-record.ts';
import { firstDifference } from './same-record.ts';
import { isClash, settleLost, type Verdict } from './settling.ts';

/** The result of a create; `settled` if its first response was lost and the record was looked up or resent. */
export interface Settled<O extends Operation> {
  readonly response: Answer<O>;
  readonly settled: boolean;
}

/** A create whose response was lost, and the caller's name for it. */
interface LostCreate<O extends Operation> {
  readonly operation: O;
  readonly request: RequestOf<O>;
  readonly settlement: Settlement;
  readonly externalId: string;
  readonly connection: Connection;
  /** Whether an earlier run sent it: then a cancelled or returned record may have been ended by somebody since. */
  readonly earlier?: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

function unsettled<O extends Operation>(
  lost: LostCreate<O>,
  reason: string,
  cause: unknown,
  facts: object = {},
): CallError {
  const { operation, settlement, externalId } = lost;
  return new OutcomeUnknownError(operation.id, `the call may have happened: ${reason}`, {
    cause,
    meta: { [settlement.by]: externalId, lookup: settlement.lookup, ...facts },
  });
}

const reasons = {
  none: 'its answer was lost, and it was not found',
  over: 'its answer was lost, and what was found has ended',
  'half-done': 'its answer was lost, and what was found is neither confirmed nor shipped',
};

/** What a lookup by name says about a create. */
async function find<O extends Operation>(lost: LostCreate<O>, cause: CallError): Promise<Verdict<Answer<O>>> {
  const { operation, request, settlement, externalId, connection, earlier } = lost;
  let answer: Fields;
  try {
    answer = await call(await loadOperation(settlement.lookup), { [settlement.by]: externalId }, connection);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return { next: 'send', reason: reasons.none };
    if (!(error instanceof CallError)) throw error;
    throw unsettled(lost, `its answer was lost, and it could not be looked up: ${error.message}`, cause);
  }
  const record = recordIn(answer, externalId);
  if (record === undefined) throw unsettled(lost, 'its answer was lost, and the lookup answered another record', cause);
  if (isOver(record)) {
    if (earlier) throw new RecordOverError(operation.id, record);
    return { next: 'send', reason: reasons.over };
  }
  const difference = firstDifference(request, record);
  if (difference !== undefined) {
    const reason = `its ${settlement.by} belongs to a record that differs in ${difference}`;
    throw unsettled(lost, reason, cause, { difference, ...(typeof record.id === 'string' ? { id: record.id } : {}) });
  }
  if (isHalfDone(operation, answer, record)) return { next: 'look', reason: reasons['half-done'] };
  const answersTheRecord = Object.hasOwn(operation.response.shape, settlement.by);
  return { end: (answersTheRecord ? record : answer) as Answer<O> };
}

/** Determines what became of a request; the proof is recorded in the ledger. */
async function settle<O extends Operation>(lost: LostCreate<O>, cause: CallError): Promise<Answer<O>> {
  const { operation, externalId, connection } = lost;
  const put = (outcome: Outcome) => connection.ledger?.settle(operation.id, externalId, outcome);
  try {
    const answer = await settleInRounds(lost, cause);
    put('applied');
    return answer;
  } catch (error) {
    if (error instanceof CallError) put(error.outcome);
    throw error;
  }
}

async function settleInRounds<O extends Operation>(lost: LostCreate<O>, cause: CallError): Promise<Answer<O>> {
  const { operation, request, settlement, connection } = lost;
  const notWaitedFor = () => unsettled(lost, 'its answer was not waited for', cause);
  const settled = await settleLost<Answer<O>>({
    rounds: connection.maxRetries,
    unique: settlement.by,
    look(round) {
      if (connection.signal?.aborted) throw notWaitedFor();
      connection.trace?.({ event: 'settle', operation: operation.id, facts: { round, lookup: settlement.lookup } });
      return find(lost, cause);
    },
    async send() {
      try {
        return { end: await call(operation, request, connection) };
      } catch (error) {
        if (error instanceof CallError) return error;
        throw error;
      }
    },
    async wait(round) {
      try {
        await connection.clock.wait(retryDelayMs(round, connection.random(), undefined), connection.signal);
      } catch {
        throw notWaitedFor();
      }
    },
  });
  if (settled.state === 'settled') return settled.end;
  throw settled.state === 'unclear' ? unsettled(lost, settled.reason, settled.cause ?? cause) : settled.error;
}

/**
 * Calls a create and, if its response was lost, settles whether it happened, by the external id in the request (a
 * create without one is called normally). Throws OutcomeUnknownError with `meta.external_id` if it stays unclear.
 *
 * Neither "not found" nor 409 alone proves anything (decisions, section 7): a request may still be in transit when the
 * lookup arrives, and the id may belong to an older order. What we rely on is the contract's own rule that an external
 * id is unique among live orders (contract, "Errors"), which makes sending the *same* request under the *same* id
 * harmless:
 * - found, alive and with the content that was sent: it happened. If half done, it is looked up again, never resent;
 * - found, but different: the id belongs to another order; the outcome cannot be determined from here and stays
 *   unknown;
 * - not found, or found cancelled (a create that the service rolled back leaves such a record): it is resent. If the
 *   first request arrives after all, one of the two is refused with 409, and both are never live;
 * - resent and refused with 409 on the external id: the first one arrived; a second lookup shows whether the order is
 *   ours;
 * - resent and refused because of the request itself: the first one is refused for the same reason, so that is the
 *   result;
 * - anything else, or no attempts left: unknown.
 *
 * A 409 on the external id is also looked up where our own order is the likely conflict: if the id was generated here
 * (`ownName`: nobody else can have it), if the request was sent more than once, since a 503 or 429 may follow a request
 * that was applied, and if the caller accepts an equal order under its id (`equalIsOurs`). A gateway that delivers a
 * request twice causes the same response. One gap remains: an order that is created by the second request and cancelled
 * while the first is still in transit frees the id for it. No client can close it, since the contract has no way to
 * withdraw a request.
 */
export async function callSettled<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  connection: Connection,
  { ownName = false, equalIsOurs = false }: { readonly ownName?: boolean; readonly equalIsOurs?: boolean } = {},
): Promise<Settled<O>> {
  let sent = 0;
  const counting: Connection = {
    ...connection,
    transport: (wire) => {
      sent += 1;
      return connection.transport(wire);
    },
  };
  try {
    return { response: await call(operation, request, counting), settled: false };
  } catch (error) {
    const { settlement } = operation;
    const externalId: unknown = settlement === undefined ? undefined : (request as Fields)[settlement.by];
    if (!(error instanceof CallError) || settlement === undefined) throw error;
    if (typeof externalId !== 'string' || externalId === '') throw error;
    const lost = { operation, request, settlement, externalId, connection };
    const mayBeOurs =
      error.outcome === 'unknown' || (isClash(error, settlement.by) && (ownName || equalIsOurs || sent > 1));
    if (!mayBeOurs) throw error;
    try {
      return { response: await settle(lost, error), settled: true };
    } catch (unclear) {
      // If the record under the caller's own id is another order, the first 409 said so already.
      const isAnother = unclear instanceof OutcomeUnknownError && unclear.meta.difference !== undefined;
      if (!isAnother || ownName || error.outcome === 'unknown') throw unclear;
      connection.ledger?.settle(operation.id, externalId, error.outcome);
      throw error;
    }
  }
}

/**
 * Thrown when the record of an earlier run was found cancelled or returned. Nothing was sent. Whether the service
 * rolled it back or somebody ended it cannot be determined, so it is not created again.
 */
export class RecordOverError extends CallError {
  readonly kind = 'service';
  readonly code = 'already_over';
  readonly outcome = 'not_applied';
  readonly status = 409;
  readonly meta: Readonly<Record<string, string>>;

  constructor(operation: string, { id, status, cancel_reason: reason }: Fields) {
    super('what an earlier run sent was made, and has since ended: it was cancelled or returned', { operation });
    const facts = { id, status, cancel_reason: reason };
    this.meta = Object.fromEntries(
      Object.entries(facts).filter((fact): fact is [string, string] => typeof fact[1] === 'string' && fact[1] !== ''),
    );
  }
}

/**
 * Settles a create that an earlier run sent without learning its outcome: it is looked up first, and resent only if
 * nothing is found, the same request under the same external id, for the reasons given at `callSettled`. Throws
 * RecordOverError if it was created and has been ended since.
 */
export async function settleEarlier<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  connection: Connection,
): Promise<Answer<O>> {
  const { settlement } = operation;
  const externalId: unknown = settlement === undefined ? undefined : (request as Fields)[settlement.by];
  if (settlement === undefined || typeof externalId !== 'string' || externalId === '') {
    throw new TypeError(`${operation.id} cannot be settled: the request has no name of its own`);
  }
  const maxRetries = Math.max(1, connection.maxRetries);
  const lost = { operation, request, settlement, externalId, connection: { ...connection, maxRetries }, earlier: true };
  return settle(
    lost,
    new OutcomeUnknownError(operation.id, 'an earlier run sent it and did not learn what became of it'),
  );
}

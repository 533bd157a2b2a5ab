import type { Connection } from '../../client/connection.ts';
import { type CallError, OutcomeUnknownError, ServiceError } from '../../client/errors.ts';
import { isRefusedForGood } from '../../client/settle/settling.ts';
import { isProof } from '../../client/settle/verdict.ts';
import { fieldsIn } from '../../domain/json/value-at.ts';
import { TransportError } from '../../platform/http/transport.ts';
import type { Owner } from '../../workspace/ledger/owner.ts';

/** A connection that one intent is sent over. */
export interface Sending {
  readonly connection: Connection;
  /** The same for reads, which are no attempts. */
  readonly looks: Connection;
  /** How many attempts may have reached the service. */
  readonly left: () => number;
  /** The service's time, as far as an answer has told it; otherwise this machine's. Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Watches a connection: counts every time that bytes may have left, retries of the transport included; sends nothing
 * once the owner does not own any more what it took; and learns the service's time.
 */
export function sendingOver(connection: Connection, owner: Owner): Sending {
  let count = 0;
  let ahead = 0;
  const timed: Connection['transport'] = async (wire) => {
    const answer = await connection.transport(wire);
    const served = Date.parse(answer.headers.date ?? '');
    if (!Number.isNaN(served)) ahead = served - connection.clock.now();
    return answer;
  };
  return {
    left: () => count,
    now: () => connection.clock.now() + ahead,
    looks: { ...connection, transport: timed },
    connection: {
      ...connection,
      transport: async (wire) => {
        if (!owner.holds()) throw new TransportError('aborted', 'no', 'the lease ended before it was sent');
        count += 1;
        try {
          return await timed(wire);
        } catch (error) {
          if (fieldsIn(error).sent === 'no') count -= 1;
          throw error;
        }
      },
    },
  };
}

/**
 * A failure as it may be reported: whatever does not prove that nothing was or can be applied leaves the outcome open.
 * `before` is whether an attempt before the last one may have left.
 */
export function asKnown(error: CallError, before: boolean, { ledger }: Connection, body: string): CallError {
  if (error.outcome !== 'not_applied') return error;
  // A code that is taken may be taken by what an earlier attempt has made.
  const isOfContent = isRefusedForGood(error) && error.code !== 'already_exists';
  if (isProof(error) && (!before || isOfContent)) return error;
  const { operation = '', message } = error;
  // Recorded once more and left open, so that the way to find out is reported.
  ledger?.enter(operation, body);
  if (!(error instanceof ServiceError)) return new OutcomeUnknownError(operation, message, { cause: error });
  const { code, meta, status } = error;
  return new ServiceError(operation, { code, msg: message, meta, status, outcome: 'unknown' });
}

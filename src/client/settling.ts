import { CallError, NetworkError, ServiceError } from './errors.ts';

/** What a look at the service means for a write whose answer was lost. */
export type Verdict<End> =
  /** It is known what became of it. */
  | { readonly end: End }
  /** Not known: whether the same request may be sent once more, or only be looked for again; and what was found. */
  | { readonly next: 'send' | 'look'; readonly reason: string };

/** A write whose answer was lost, and how whoever sent it looks for it, sends it once more and waits. */
export interface Lost<End> {
  /** How often it is waited for, and sent once more, at most. */
  readonly rounds: number;
  /** The field by which another request of the same name is refused, which proves that the first one was in time. */
  readonly unique?: string | undefined;
  /** Whether it comes to the same when it is done twice: then a refusal of the second one is the result, if nothing shows the first. */
  readonly repeatable?: boolean;
  /** Looks for it; throws what ends the settling. */
  look(round: number): Promise<Verdict<End>>;
  /** Sends the same request once more: how that ended, or the failure; throws what ends the settling. */
  send(): Promise<{ readonly end: End } | CallError>;
  /** Waits between two rounds; throws what ends the settling. */
  wait(round: number): Promise<void>;
}

/** What settling came to. */
export type Settled<End> =
  | { readonly state: 'settled'; readonly end: End }
  /** The request is refused, and so is whatever copy of it arrives late. */
  | { readonly state: 'refused'; readonly error: CallError }
  /** It happened, and its answer cannot be read. */
  | { readonly state: 'unread'; readonly error: CallError }
  | { readonly state: 'unclear'; readonly reason: string; readonly cause?: CallError };

/** Faults of the request itself: whatever was refused for one of them is refused each time, a late copy of it too. */
const ALWAYS_REFUSED = new Set(['invalid_argument', 'out_of_range', 'unimplemented', 'bad_route']);

/** Whether a name of the request is taken. */
export function isClash(error: CallError, field: string): boolean {
  return error instanceof ServiceError && error.code === 'already_exists' && (error.meta.duplicated ?? field) === field;
}

/** Whether a request was refused for a fault of its own, so that whatever copy of it arrives late is refused as well. */
export function isRefusedForGood(error: CallError): boolean {
  if (!(error instanceof ServiceError) || error.outcome !== 'not_applied') return false;
  return ALWAYS_REFUSED.has(error.code) || error.code === 'already_exists';
}

/** What the failure of a request that was sent once more says; undefined where the first one may still be looked for. */
async function judge<End>(lost: Lost<End>, error: CallError, round: number): Promise<Settled<End> | undefined> {
  if (error.outcome === 'unknown' || error instanceof NetworkError) return undefined;
  if (error.outcome === 'applied') return { state: 'unread', error };
  const { unique, repeatable = false } = lost;
  const clash = unique !== undefined && isClash(error, unique);
  if (clash || repeatable || isRefusedForGood(error)) {
    const verdict = await lost.look(round);
    if ('end' in verdict) return { state: 'settled', end: verdict.end };
    if (verdict.next === 'look') return undefined;
    if (!clash) return { state: 'refused', error };
    return {
      state: 'unclear',
      reason: `its ${unique} is taken, but not by a record that could be found`,
      cause: error,
    };
  }
  return {
    state: 'unclear',
    reason: `its answer was lost, and when sent again it was refused: ${error.message}`,
    cause: error,
  };
}

/**
 * Finds out what became of a write whose answer was lost: it is looked for, and where that is harmless the same request is
 * sent once more, round after round until it is known. The one mechanism for single orders and for the rows of a batch;
 * why it is safe tells `callSettled`. Throws what looking, sending and waiting throw.
 */
export async function settleLost<End>(lost: Lost<End>): Promise<Settled<End>> {
  for (let round = 0; ; round += 1) {
    const verdict = await lost.look(round);
    if ('end' in verdict) return { state: 'settled', end: verdict.end };
    const { next, reason } = verdict;
    if (round >= lost.rounds) return { state: 'unclear', reason };
    await lost.wait(round);
    if (next === 'look') continue;
    const again = await lost.send();
    if (!(again instanceof CallError)) return { state: 'settled', end: again.end };
    const judged = await judge(lost, again, round);
    if (judged !== undefined) return judged;
  }
}

import { CallError, NetworkError, ServiceError } from '../errors.ts';

/** What a lookup says about a write whose response was lost. */
export type Verdict<End> =
  /** The outcome is known. */
  | { readonly end: End }
  /** Not known: whether the same request may be resent, or only be looked up again; and what was found. */
  | { readonly next: 'send' | 'look'; readonly reason: string };

/** A write whose response was lost, and how its sender looks it up, resends it and waits. */
export interface Lost<End> {
  /** Maximum number of rounds of waiting and resending. */
  readonly rounds: number;
  /** The field for which another request with the same name is refused, which proves that the first one arrived. */
  readonly unique?: string | undefined;
  /**
   * Whether it is idempotent: then a refusal of the resent request is the result, unless the lookup finds the first.
   */
  readonly repeatable?: boolean;
  /** The refusal of the last of several attempts, where the ones before may have been applied. */
  readonly refusal?: CallError | undefined;
  /** Looks it up; throwing ends the settling. */
  look(round: number): Promise<Verdict<End>>;
  /** Resends the same request: its result, or the failure; throwing ends the settling. */
  send(): Promise<{ readonly end: End } | CallError>;
  /** Waits between two rounds; throwing ends the settling. */
  wait(round: number): Promise<void>;
}

/** The result of settling. */
export type Settled<End> =
  | { readonly state: 'settled'; readonly end: End }
  /** The request is refused, and so is any late copy of it. */
  | { readonly state: 'refused'; readonly error: CallError }
  /** It happened, but its response cannot be read. */
  | { readonly state: 'unread'; readonly error: CallError }
  | { readonly state: 'unclear'; readonly reason: string; readonly cause?: CallError };

/** Errors in the request itself: each copy of it is refused in the same way, even a late one. */
const ALWAYS_REFUSED = new Set(['invalid_argument', 'out_of_range', 'unimplemented', 'bad_route']);

/** Whether a create was refused because something of it is taken: its name, or another field, maybe by itself. */
export function isTaken(error: CallError): error is ServiceError {
  return error instanceof ServiceError && error.code === 'already_exists';
}

/** Whether a request was refused because its name is taken. */
export function isClash(error: CallError, field: string): boolean {
  return isTaken(error) && (error.meta.duplicated ?? field) === field;
}

/** Whether a request was refused because of its own content, so that any late copy of it is refused as well. */
export function isRefusedForGood(error: CallError): boolean {
  if (!(error instanceof ServiceError) || error.outcome !== 'not_applied') return false;
  return ALWAYS_REFUSED.has(error.code) || isTaken(error);
}

/** What the failure of a resent request says; undefined if the first one may still be looked up. */
async function judge<End>(lost: Lost<End>, error: CallError, round: number): Promise<Settled<End> | undefined> {
  if (error.outcome === 'unknown' || error instanceof NetworkError) return undefined;
  if (error.outcome === 'applied') return { state: 'unread', error };
  const { unique, repeatable = false } = lost;
  const clash = unique !== undefined && isClash(error, unique);
  const verdict = await lost.look(round);
  if ('end' in verdict) return { state: 'settled', end: verdict.end };
  if (!(clash || repeatable || isRefusedForGood(error))) {
    const reason = `its answer was lost, and when sent again it was refused: ${error.message}`;
    return { state: 'unclear', reason, cause: error };
  }
  if (verdict.next === 'look') return undefined;
  if (!clash) return { state: 'refused', error };
  const reason = `its ${unique} is taken, but not by a record that could be found`;
  return { state: 'unclear', reason, cause: error };
}

/**
 * Determines what became of a write whose response was lost: it is looked up and, where that is harmless, the same
 * request is resent, round after round until the outcome is known. Used for single orders and for the rows of a batch;
 * `callSettled` explains why it is safe. Throws what looking up, sending and waiting throw.
 */
export async function settleLost<End>(lost: Lost<End>): Promise<Settled<End>> {
  const known = lost.refusal && (await judge(lost, lost.refusal, 0));
  if (known !== undefined) return known;
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

import type { Operation } from '../../contract/operation.ts';
import { say } from '../../contract/texts.ts';
import type { Fields } from '../../domain/json/values.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { CallError, NetworkError, ServiceError } from '../errors.ts';
import { differences } from './compare.ts';
import { isHalfDone, isOver, textIn } from './found-record.ts';

/** A create whose record was looked up by its own name. */
interface NamedWrite {
  readonly operation: Operation;
  readonly request: Fields;
  /** Whether the name is derived from the whole content: nobody else can have made a record under it. */
  readonly derived: boolean;
  /** Whether an attempt of this intent, in this process or an earlier one, may have left. */
  readonly mayHaveLeft: boolean;
}

/** A record that was found, the answer that it stands in, and the paths at which it differs from the request. */
export interface Seen {
  readonly record: Fields;
  readonly answer: Fields;
  readonly different: readonly string[];
}

/**
 * What a look-up under a create's own name says: nothing, or a record that has ended (`over`); a live one that is not
 * ours, which is a `conflict`, or `unclear` if an attempt of ours may still be applied; one of ours that lacks what was
 * asked for (`half done`: created and not shipped); one that this intent has made (`done`), or that was there before it
 * (`existed`).
 */
export type FoundVerdict =
  | { readonly state: 'none' }
  | (Seen & { readonly state: 'over' })
  | (Seen & { readonly state: 'conflict' | 'unclear' | 'half done' | 'done' | 'existed' });

/**
 * One answer for single commands and for rows. Text that comes back changed does not make a record another one's where
 * the name proves whose it is; under a given name only equal content does.
 */
export function verdictOn(
  { operation, request, derived, mayHaveLeft }: NamedWrite,
  found: Omit<Seen, 'different'> | undefined,
  tree: LocationTree,
): FoundVerdict {
  if (found === undefined) return { state: 'none' };
  const { record, answer } = found;
  const seen = { record, answer, different: differences(request, record, tree) };
  if (isOver(record)) return { ...seen, state: 'over' };
  const isProven = derived && textIn(record.external_id) === textIn(request.external_id);
  if (!isProven && seen.different.length > 0) return { ...seen, state: mayHaveLeft ? 'unclear' : 'conflict' };
  if (isHalfDone(operation, answer, record)) return { ...seen, state: 'half done' };
  return { ...seen, state: mayHaveLeft ? 'done' : 'existed' };
}

/** Refusals that are about the moment, not about the request: a later copy of it may be applied. */
const ofTheMoment = new Set(['aborted', 'resource_exhausted', 'unavailable', 'deadline_exceeded', 'canceled']);

/**
 * Whether a failure proves that the write was not and cannot be applied: no byte of it left, or the service judged its
 * content. Everything else is sent again where that is safe, or stays unclear.
 */
export function isProof(error: CallError): boolean {
  if (error.outcome !== 'not_applied') return false;
  if (!(error instanceof ServiceError)) return true;
  return error.status >= 400 && error.status < 500 && error.status !== 429 && !ofTheMoment.has(error.code);
}

/**
 * Whether the service itself has said that it had too many calls: what is not found then may be sent once more. An answer
 * of that status that cannot be read proves nothing.
 */
export function isThrottled(error: CallError): boolean {
  return error instanceof ServiceError && error.status === 429 && error.isRead;
}

/** What a lookup says about a write whose response was lost. */
export type Verdict<End> =
  /** The outcome is known. */
  | { readonly end: End }
  /** Not known: whether the same request may be resent, or only be looked up again; and what was found. */
  | { readonly next: 'send' | 'look'; readonly reason: string };

/** What a sender makes of the record that a create whose answer was lost is found with. */
export interface FoundUnderName<End> {
  /** Whether the same request may be sent again where nothing of it is there, or only be looked up again. */
  readonly again: 'send' | 'look';
  /** What became of it, in words; that its answer was lost when absent. */
  readonly fate?: string;
  /** The end with a record that has ended; undefined if that is an older one's, or one that the service rolled back. */
  over(seen: Seen): End | undefined;
  /** The end with a record that is there, and whole. */
  live(seen: Exclude<FoundVerdict, { readonly state: 'none' | 'over' | 'half done' }>): End;
}

/** What a look-up under its own name says of a create whose answer was lost; throws what the sender throws. */
export function lostVerdict<End>(
  found: FoundVerdict,
  { again, fate = say().fate.lost, over, live }: FoundUnderName<End>,
): Verdict<End> {
  switch (found.state) {
    case 'none':
      return { next: again, reason: say().fate.nothingYet({ fate }) };
    case 'over': {
      const end = over(found);
      if (end !== undefined) return { end };
      return { next: again, reason: say().fate.foundEnded({ fate }) };
    }
    case 'half done':
      return { next: 'look', reason: say().fate.foundHalfDone({ fate }) };
    default:
      return { end: live(found) };
  }
}

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
  /** What became of it, in words; that its answer was lost when absent. */
  readonly fate?: string;
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
  const { unique, repeatable = false, fate = say().fate.lost } = lost;
  const clash = unique !== undefined && isClash(error, unique);
  const verdict = await lost.look(round);
  if ('end' in verdict) return { state: 'settled', end: verdict.end };
  if (!(clash || repeatable || isRefusedForGood(error))) {
    const reason = say().fate.refusedAgain({ fate, why: error.message });
    return { state: 'unclear', reason, cause: error };
  }
  if (verdict.next === 'look') return undefined;
  if (!clash) return { state: 'refused', error };
  const reason = say().fate.nameTaken({ fate, name: String(unique) });
  return { state: 'unclear', reason, cause: error };
}

/**
 * Determines what became of a write whose response was lost: it is looked up and, where that is harmless, the same
 * request is resent, round after round until the outcome is known. Used for single orders and for the rows of a batch;
 * `createNamed` explains why it is safe. Throws what looking up, sending and waiting throw.
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

import type { Operation } from '../../contract/operation.ts';
import type { LocationTree } from '../../domain/places/places.ts';
import { type CallError, ServiceError } from '../errors.ts';
import { differences } from './compare.ts';
import { isHalfDone, isOver, textIn } from './found-record.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A create whose record was looked up by its own name. */
export interface NamedWrite {
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

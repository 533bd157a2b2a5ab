import { type CallError, ServiceError } from '../errors.ts';

/** What is known about a write whose record was looked up by its name. */
export interface FoundUnderName {
  /** Whether the name is derived from the whole content: nobody else can have made a record under it. */
  readonly derived: boolean;
  /** Whether an attempt of this intent, in this process or an earlier one, may have left. */
  readonly mayHaveLeft: boolean;
  /** The paths at which the record differs from the request (`differences`). */
  readonly different: readonly string[];
}

/**
 * What a live record under the write's own name says: `done` by this intent; `existed` before it; a `conflict` with
 * another record; or `unclear`, since an attempt of this intent may be applied under another name or later.
 */
export type FoundVerdict = 'done' | 'existed' | 'conflict' | 'unclear';

/**
 * One answer for single commands and for rows. Text that comes back changed does not make a record another one's where
 * the name proves whose it is; under a given name only equal content does.
 */
export function verdictOnFound({ derived, mayHaveLeft, different }: FoundUnderName): FoundVerdict {
  if (derived || different.length === 0) return mayHaveLeft ? 'done' : 'existed';
  return mayHaveLeft ? 'unclear' : 'conflict';
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

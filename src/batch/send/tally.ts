import { WorkspaceError } from '../../store/workspace.ts';
import { BatchError } from '../batch-error.ts';
import { say } from '../texts.ts';
import type { RowOutcome } from './row-outcome.ts';

/** What is known about the writes of a batch: `partial` if some of its rows were applied, and all of those are known. */
export type BatchOutcome = 'not_applied' | 'unknown' | 'partial';

/**
 * Thrown when a batch ends because its workspace, or this program, failed. It reports what this process has sent, even
 * if that could not be stored; a resume looks up whatever was not.
 */
export class BatchStopped extends Error {
  readonly kind = 'stopped';
  readonly code: string;
  readonly outcome: BatchOutcome;
  /** How it ends: an outcome is unknown, the database is unreachable, some rows were sent, or nothing was. */
  readonly ends: 'network' | 'configuration' | 'failure' | 'partial' | 'unknownOutcome';
  readonly meta: Readonly<Record<string, string>>;
  /** What to do about the cause, if there is something. */
  readonly hint?: string;

  constructor(batch: string, cause: unknown, outcome: BatchOutcome, { applied, unknown }: Tally) {
    const isKnown = cause instanceof WorkspaceError;
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(say().run.stoppedWith({ reason, batch, applied, unknown }), { cause });
    this.name = 'BatchStopped';
    this.code = isKnown ? cause.code : 'internal_error';
    this.outcome = outcome;
    this.ends = endOf(isKnown ? cause.code : undefined, outcome);
    if (isKnown && cause.hint !== undefined) this.hint = cause.hint;
    this.meta = { batch, applied: String(applied), unknown: String(unknown) };
  }
}

function endOf(code: string | undefined, outcome: BatchOutcome): BatchStopped['ends'] {
  if (outcome === 'unknown') return 'unknownOutcome';
  if (code === 'workspace_away') return 'network';
  if (outcome === 'partial') return 'partial';
  return code === undefined ? 'failure' : 'configuration';
}

/** Counts what one process has sent of a batch, in memory: what is on the disk may be older. */
export class Tally {
  /** Rows whose record was made or changed. */
  applied = 0;
  /** Rows whose outcome is unknown, and rows that are in flight. */
  unknown = 0;
  /** Whether earlier processes have applied rows, or may have. */
  earlier: BatchOutcome = 'not_applied';

  /** A row may leave from here on. */
  begin(): void {
    this.unknown += 1;
  }

  /** The outcome of a row that began; undefined if it was left: `maybeSent` says whether it may have reached the service. */
  end(state: RowOutcome['state'] | undefined, maybeSent = true): void {
    if (state === 'unclear' || (state === undefined && maybeSent)) return;
    this.unknown -= 1;
    if (state === 'done') this.applied += 1;
  }

  get outcome(): BatchOutcome {
    if (this.unknown > 0 || this.earlier === 'unknown') return 'unknown';
    return this.applied > 0 ? 'partial' : this.earlier;
  }

  /** The error to report instead of one that ended the batch. */
  stoppedBy(batch: string, error: unknown): unknown {
    const isRefusal = error instanceof BatchError;
    const isOfNothing = !(error instanceof WorkspaceError) && this.outcome === 'not_applied';
    if (isRefusal || isOfNothing) return error;
    return new BatchStopped(batch, error, this.outcome, this);
  }
}

import type { Clock } from '../../platform/process/clock.ts';

/** Why a query was not run, or did not end. */
export type QueryProblem = 'sql_not_a_read' | 'sql_error' | 'timeout' | 'mirror_missing';

const kinds = { sql_not_a_read: 'policy', sql_error: 'usage', timeout: 'timeout', mirror_missing: 'missing' } as const;

/** Thrown if a query may not be run, is wrong, or took too long; nothing was changed. */
export class QueryError extends Error {
  readonly kind: (typeof kinds)[QueryProblem];
  readonly code: QueryProblem;
  readonly fieldErrors = [];
  readonly outcome = 'not_applied';
  readonly hint?: string;

  constructor(code: QueryProblem, message: string, hint?: string) {
    super(message);
    this.name = 'QueryError';
    this.kind = kinds[code];
    this.code = code;
    if (hint !== undefined) this.hint = hint;
  }
}

/** A query on a mirror. */
export interface Query {
  /** A file, or a `postgres://` url. */
  readonly place: string;
  readonly sql: string;
  /** After how long it is ended, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

import type { Operation } from '../../../contract/operation.ts';
import { invalid } from '../../engine/refusal.ts';
import { matchesOperation, parsePattern } from '../faults/operation-pattern.ts';
import type { LogEntry, SeenRequest } from './entry.ts';

/** Which requests to show; an absent field matches any. */
export interface LogFilter {
  /** An operation's id, `<family>.<Area>/*` or `*`. */
  readonly operation?: string | undefined;
  /** A status, a class (`4xx`), or a code such as `ok` or `not_found`. */
  readonly status?: string | undefined;
  /** A fault's id, or `any`. */
  readonly fault?: string | undefined;
  /** The id of a record in the body, or in the answer if that is not a list. */
  readonly record?: string | undefined;
  /** Whether only requests of operations that change something are shown. */
  readonly writes?: boolean | undefined;
}

/** A parsed filter: a check on the raw request, and one on the log entry. */
export interface WantedRequests {
  seen(seen: SeenRequest, operation: Operation | undefined): boolean;
  shown(entry: LogEntry): boolean;
}

/** Parses a filter; refuses an invalid one with 400. */
export async function parseFilter({ operation, status, fault, record, writes }: LogFilter): Promise<WantedRequests> {
  const pattern = operation === undefined ? undefined : await parsePattern(operation);
  const isStatus = status === undefined ? () => true : statusTest(status.toLowerCase());
  if (fault !== undefined && !/^(?:any|\d{1,9})$/.test(fault)) throw invalid('fault', 'must be the id of one, or any');
  if (record !== undefined && !/^\d{1,19}$/.test(record)) throw invalid('record', 'must be an id');
  const names = record === undefined ? undefined : new RegExp(`(?<!\\d)${record}(?!\\d)`);
  return {
    seen: ({ faultId, request, answer }, operation) =>
      (writes !== true || (operation !== undefined && operation.effect !== 'read')) &&
      (names === undefined ||
        names.test(request) ||
        (operation?.page === undefined && names.test(answer?.body ?? ''))) &&
      (pattern === undefined || (operation !== undefined && matchesOperation(pattern, operation.id))) &&
      (fault === undefined || (fault === 'any' ? faultId !== undefined : String(faultId) === fault)),
    shown: isStatus,
  };
}

function statusTest(text: string): (entry: LogEntry) => boolean {
  if (/^[1-5](?:\d\d|xx)$/.test(text)) {
    const digits = text.replaceAll('x', '');
    return ({ status }) => String(status ?? '').startsWith(digits);
  }
  if (!/^[a-z_]{1,64}$/.test(text)) throw invalid('status', 'must be a status like 404, a class like 4xx, or a code');
  return ({ code }) => code === text;
}

import type { Operation, RequestOf } from '../contract/operation.ts';
import { call } from './call.ts';
import type { Connection } from './connection.ts';
import { ContractBrokenError } from './errors.ts';

/** The largest page that the service gives (decisions, section 4). */
export const LARGEST_PAGE = 100;

/**
 * A list that would take more pages than this many records fill is not gone through to its end: a service may answer ever
 * new cursors.
 */
const MOST_RECORDS = 1_000_000;

/** A cursor goes back in a request and is kept as long as its list is read, in characters. */
const LONGEST_CURSOR = 4096;

/** How much of a list is wanted. */
export interface Extent {
  /** Number of records at most, over all pages; absent means all of them. */
  readonly limit?: number | undefined;
  /** Size of one page at most; absent means LARGEST_PAGE. */
  readonly pageSize?: number | undefined;
}

/** A record of a list, as it came. */
export type Listed = Readonly<Record<string, unknown>>;

/** The records of a list, one page fetched at a time. To be gone through once. */
export interface Listing extends AsyncIterable<Listed> {
  /**
   * The cursor to go on from, once the records were gone through: there where `limit` cut the list short. More may
   * follow it or not, since the contract has no "has more".
   */
  readonly cursor: string | undefined;
}

type Paging = Readonly<Record<string, unknown>>;

function recordsOf(response: Listed, key: string): readonly Listed[] {
  const records = response[key];
  return Array.isArray(records) ? records : [];
}

function pagingOf(value: Listed): Paging {
  return typeof value.paging === 'object' && value.paging !== null ? (value.paging as Paging) : {};
}

function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Where the page after this one begins: behind its last record, or before its first one when the list runs backwards.
 */
function cursorAfter(page: Paging, backwards: boolean): string | undefined {
  return filled(backwards ? page.prev : page.next);
}

function endless(operation: Operation, message: string): ContractBrokenError {
  return new ContractBrokenError(operation.id, 'paging', message, 200, 'not_applied');
}

/**
 * Goes through the records of a list operation, page by page, from `paging.after` (or backwards from `paging.before`)
 * of the request. The last page is an empty one, or one without a cursor, or whose cursor was sent before; a page that
 * is shorter than asked for is not the end (contract, "Paging"; decisions, section 4). An operation without cursors
 * answers one page. Throws a ContractBrokenError for a cursor of more than 4096 characters, and where a million records
 * would have fitted on the pages that came: what came before it stands.
 */
export function listRecords<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  connection: Connection,
  { limit = Number.POSITIVE_INFINITY, pageSize = LARGEST_PAGE }: Extent = {},
): Listing {
  const { page } = operation;
  if (page === undefined) throw new TypeError(`${operation.id} is not a list`);
  let cursor: string | undefined;

  async function* records(): AsyncGenerator<Listed, void, undefined> {
    const asked = pagingOf(request as Listed);
    const backwards = filled(asked.before) !== undefined;
    const direction = backwards ? 'before' : 'after';
    const sent = new Set<string>();
    let at = filled(asked[direction]);
    let left = limit;
    const mostPages = Math.ceil(MOST_RECORDS / Math.min(pageSize, LARGEST_PAGE));
    for (let pages = 0; left > 0; pages += 1) {
      if (pages >= mostPages) {
        throw endless(operation, `the list did not end after ${mostPages} pages; it goes on ${direction} ${at}`);
      }
      const size = Math.min(pageSize, LARGEST_PAGE, left);
      const paging = { ...asked, limit: size, ...(at === undefined ? {} : { [direction]: at }) };
      const response: Listed = await call(operation, page?.cursors ? { ...request, paging } : request, connection);
      const found = recordsOf(response, page?.items ?? '');
      const next = page?.cursors ? cursorAfter(pagingOf(response), backwards) : undefined;
      if (next !== undefined && next.length > LONGEST_CURSOR) {
        throw endless(operation, `a cursor of the list has more than ${LONGEST_CURSOR} characters`);
      }
      if (at !== undefined) sent.add(at);
      // A service that gives more than was asked for has its cursor behind records that are not shown.
      cursor = found.length > left ? at : next;
      yield* found.slice(0, left);
      left -= found.length;
      if (found.length === 0 || next === undefined || sent.has(next)) break;
      at = next;
      // Whoever gathers records to write them has a turn to write a page before the next one is asked for.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (left > 0) cursor = undefined;
  }

  const run = records();
  return {
    [Symbol.asyncIterator]: () => run,
    get cursor() {
      return cursor;
    },
  };
}

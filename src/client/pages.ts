import type { Operation, RequestOf } from '../contract/operation.ts';
import { say } from '../contract/texts.ts';
import { type Fields, fieldsIn } from '../domain/json/values.ts';
import { ofAnother } from './answer.ts';
import { call } from './call.ts';
import type { Connection } from './connection.ts';
import { ContractBrokenError } from './errors.ts';

/** The largest page that the service returns (decisions, section 4). */
export const LARGEST_PAGE = 100;

/**
 * Listing stops after as many pages as this many records would fill, and one to learn that there are no more: a service
 * may keep returning new cursors.
 */
const MOST_RECORDS = 1_000_000;

/** Maximum length of a cursor in characters; it is sent back and kept while the list is read. */
const LONGEST_CURSOR = 4096;

/** How much of a list to read. */
export interface Extent {
  /** Maximum number of records over all pages; absent means all of them. */
  readonly limit?: number | undefined;
  /** Maximum size of one page; absent means LARGEST_PAGE. */
  readonly pageSize?: number | undefined;
  /**
   * Whether what is not in the list counts as not there, or as ended: then a list that is null, which may be an empty one or
   * none, is asked for once more, and refused.
   */
  readonly isProof?: boolean | undefined;
  /**
   * Whether the next page is asked for while the records of this one are used; whoever stops reading gives it up. A function
   * is asked with each page whether a further one may be read.
   */
  readonly ahead?: boolean | ((records: readonly Listed[]) => boolean) | undefined;
}

/** A record of a list, as received. */
export type Listed = Fields;

/** The records of a list, fetched one page at a time. Can be iterated once. */
export interface Listing extends AsyncIterable<Listed> {
  /**
   * The cursor to continue from, once the records were read: where `limit` cut the list short. There may or may not be
   * more, since the contract has no "has more".
   */
  readonly cursor: string | undefined;
}

type Paging = Fields;

function recordsOf(response: Listed, key: string): readonly Listed[] {
  const records = response[key];
  return Array.isArray(records) ? records : [];
}

function pagingOf(value: Listed): Paging {
  return fieldsIn(value.paging);
}

function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The cursor of the next page: after this one's last record, or before its first one when listing backwards. */
function cursorAfter(page: Paging, backwards: boolean): string | undefined {
  return filled(backwards ? page.prev : page.next);
}

const unended = (operation: Operation, place: Parameters<ReturnType<typeof say>['answer']['endless']>[0]) =>
  endless(operation, say().answer.endless(place));

/** A promise that nobody waits for yet: its failure is that of whoever does. */
function awaitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** The connection, whose calls also end with the signal. */
function endingWith(connection: Connection, signal: AbortSignal): Connection {
  return { ...connection, signal: connection.signal ? AbortSignal.any([connection.signal, signal]) : signal };
}

function endless(operation: Operation, message: string): ContractBrokenError {
  return new ContractBrokenError(operation.id, 'paging', message, 200, 'not_applied');
}

/** The cursor to continue with after a page, if there is one. Throws a ContractBrokenError for one that is too long. */
function nextCursor(operation: Operation, response: Listed, backwards: boolean): string | undefined {
  const next = operation.page?.cursors ? cursorAfter(pagingOf(response), backwards) : undefined;
  if (next === undefined || next.length <= LONGEST_CURSOR) return next;
  throw endless(operation, say().answer.longCursor({ most: LONGEST_CURSOR }));
}

/** Asks once more for a list that is null, and refuses it then. Throws a CallError. */
export async function askedForList<Found>(operation: Operation, ask: () => Promise<Found>): Promise<Found> {
  const items = operation.page?.items ?? '';
  for (const _ of ['first', 'again']) {
    const answer = await ask();
    if (fieldsIn(answer)[items] !== null) return answer;
  }
  throw ofAnother(operation.id, items, 200);
}

/** Asks for one page of a list. */
function askerOf<O extends Operation>(operation: O, request: RequestOf<O>, connection: Connection, isProof: boolean) {
  const asked = pagingOf(fieldsIn(request));
  return (paging: Paging): Promise<Listed> => {
    const whole = operation.page?.cursors ? { ...request, paging: { ...asked, ...paging } } : request;
    const ask = (): Promise<Listed> => call(operation, whole, connection);
    return isProof ? askedForList(operation, ask) : ask();
  };
}

/** Whether a page is asked for while this one is read. */
const isWanted = (ahead: NonNullable<Extent['ahead']>, found: readonly Listed[]): boolean =>
  typeof ahead === 'function' ? ahead(found) : ahead;

/**
 * Iterates over the records of a list operation, page by page, from `paging.after` (or backwards from `paging.before`)
 * of the request. The last page is an empty one, or one without a cursor, or with a cursor that was sent before; a page
 * that is shorter than requested is not the end (contract, "Paging"; decisions, section 4). An operation without
 * cursors returns one page. Throws a ContractBrokenError for a cursor of more than 4096 characters, and after more pages
 * than a million records would fill; records returned before that remain valid.
 */
export function listRecords<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  connection: Connection,
  { limit = Number.POSITIVE_INFINITY, pageSize = LARGEST_PAGE, ahead = false, isProof = false }: Extent = {},
): Listing {
  const { page } = operation;
  if (page === undefined) throw new TypeError(`${operation.id} is not a list`);
  let cursor: string | undefined;
  const asked = pagingOf(fieldsIn(request));
  const givenUp = new AbortController();
  const connected = ahead === false ? connection : endingWith(connection, givenUp.signal);
  const ask = askerOf(operation, request, connected, isProof);

  async function* records(): AsyncGenerator<Listed, void, undefined> {
    const backwards = filled(asked.before) !== undefined;
    const direction = backwards ? 'before' : 'after';
    const sent = new Set<string | undefined>();
    let [at, left] = [filled(asked[direction]), limit];
    const sizeOf = (most: number) => Math.min(pageSize, LARGEST_PAGE, most);
    const mostPages = Math.ceil(MOST_RECORDS / sizeOf(LARGEST_PAGE)) + 1;
    if (left <= 0) return;
    let coming = ask({ limit: sizeOf(left), ...(at === undefined ? {} : { [direction]: at }) });
    try {
      for (let pages = 1; ; pages += 1) {
        const response = await coming;
        const found = recordsOf(response, page?.items ?? '');
        const next = nextCursor(operation, response, backwards);
        sent.add(at);
        // If a service returns more than requested, its cursor points after records that are not shown.
        cursor = found.length > left ? at : next;
        const room = left;
        left -= found.length;
        const isLast = found.length === 0 || next === undefined || sent.has(next);
        const askNext = () => ask({ limit: sizeOf(left), [direction]: next });
        const isAhead = !isLast && left > 0 && pages < mostPages && isWanted(ahead, found);
        if (isAhead) coming = awaitedLater(askNext());
        for (const one of found.slice(0, room)) yield one;
        if (isLast) break;
        // Lets a consumer that buffers records write a page before it waits for the next one.
        await nextTurn();
        if (left <= 0) break;
        at = next;
        if (pages >= mostPages) throw unended(operation, { pages: mostPages, direction, cursor: at });
        if (!isAhead) coming = askNext();
      }
    } finally {
      givenUp.abort();
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

import { call } from '../client/call.ts';
import { ContractBrokenError, ServiceError } from '../client/errors.ts';
import { LARGEST_PAGE } from '../client/pages.ts';
import { loadOperation } from '../contract/areas.ts';
import type { Operation } from '../contract/operation.ts';
import { type Fields, fieldsIn, recordsIn } from '../domain/json/values.ts';
import type { ServiceTime } from './service-time.ts';

/** A page of a list, as it was received. */
export interface ListPage {
  readonly records: readonly Fields[];
  /** The cursor behind it; undefined if the list ends here. */
  readonly next: string | undefined;
  /** Whether the list was null, twice: it may be empty, and proves nothing of what is not in it. */
  readonly isNull: boolean;
  /** The service's time of the answer, in milliseconds since 1970; undefined if it told none. */
  readonly date: number | undefined;
}

/** Which part of a list to read. */
export interface ListExtent {
  readonly sort?: 'updated_at' | undefined;
  /** Where to begin; the start of the list when absent. */
  readonly after?: string | undefined;
  /** A filter by one id. */
  readonly filter?: Readonly<Record<string, string>> | undefined;
  /** Whether a page with fewer records than the service says that it holds is taken for the last one. */
  readonly endsShort?: boolean | undefined;
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Cursors that a list may hand out before it counts as endless. */
const MOST_PAGES = 1_000_000;

/** Whether the service has refused what it was asked, as it does with a cursor or an order that it does not take. */
export function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && ['invalid_argument', 'out_of_range'].includes(error.code);
}

function requestFor(operation: Operation, { sort, after, filter }: ListExtent): Fields {
  const { shape } = operation.request;
  const paging = { limit: LARGEST_PAGE, ...(sort === undefined ? {} : { sort }), ...(after ? { after } : {}) };
  return {
    ...(filter === undefined ? {} : { filter }),
    ...('include_deleted' in shape ? { include_deleted: true } : {}),
    ...(operation.page?.cursors === true ? { paging } : {}),
  };
}

/**
 * Reads the pages of a list, deleted records included where the list has them. The next page is requested while the
 * caller stores this one. Ends after an empty page, one without a cursor, and one whose cursor was sent before. Throws a
 * CallError.
 */
export async function* listPages(
  list: string,
  extent: ListExtent,
  time: ServiceTime,
): AsyncGenerator<ListPage, void, undefined> {
  const operation = await loadOperation(list);
  const sent = new Set<string>();
  const fetchAt = async (after: string | undefined): Promise<ListPage> => {
    const ask = async () =>
      fieldsIn(await call(operation, requestFor(operation, { ...extent, after }), time.connection));
    const items = operation.page?.items ?? '';
    const first = await ask();
    const answer = first[items] === null ? await ask() : first;
    const date = time.last();
    const isNull = answer[items] === null;
    const records = recordsIn(answer[items]);
    const { next, limit } = fieldsIn(answer.paging);
    const isShort = extent.endsShort === true && typeof limit === 'number' && records.length < limit;
    const isPaged = operation.page?.cursors === true && records.length > 0 && !isShort;
    const isMore = isPaged && typeof next === 'string' && next !== '';
    return { records, isNull, next: isMore ? next : undefined, date };
  };
  let coming = fetchAt(extent.after);
  if (extent.after !== undefined) sent.add(extent.after);
  try {
    for (let pages = 1; ; pages += 1) {
      const page = await coming;
      const { next } = page;
      if (next === undefined || sent.has(next)) {
        yield { ...page, next: undefined };
        return;
      }
      if (pages >= MOST_PAGES) {
        const message = `the list did not end after ${pages} pages`;
        throw new ContractBrokenError(operation.id, 'paging', message, 200, 'not_applied');
      }
      sent.add(next);
      coming = fetchAt(next);
      // Its error is the caller's once it asks for the page.
      coming.catch(() => {});
      // An idle connection is looked at for a turn before a request is written to it; then the caller may take its time.
      await nextTurn();
      await nextTurn();
      yield page;
    }
  } finally {
    // Whoever stops early leaves no request behind.
    await coming.catch(() => {});
  }
}

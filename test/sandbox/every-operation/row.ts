import type { ErrorCode } from '../../../src/contract/records/error.ts';
import type { Caller } from '../../support/callers.ts';

/** A request that the service must refuse, and how. */
export interface RefusedRequest {
  /** What the contract or decisions say of it, as the end of "refuses …". */
  readonly because: string;
  request(caller: Caller): object | Promise<object>;
  readonly code: ErrorCode;
  /** What `meta` says; more may stand there. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What is expected of one operation. */
export interface Row {
  /** A request that succeeds, with what it needs made before. */
  request(caller: Caller): object | Promise<object>;
  /** What the answer holds, at least. */
  readonly answers: object;
  /** The changes that it records (decisions, section 8), in their order; none when absent. */
  readonly changes?: readonly string[];
  /** The fields without which the request is refused with 400, each named in `meta.field`; dotted, as `lines[0].quantity`. */
  readonly needs: readonly string[];
  /** Whether the request names a record, which another shop's caller must not find. */
  readonly namesRecord: boolean;
  readonly refuses: readonly RefusedRequest[];
}

/** A request of nothing but the id of what `make` makes. */
export const idOf = (make: (caller: Caller) => Promise<{ id: string }>) => async (caller: Caller) => ({
  id: (await make(caller)).id,
});

/** What goes for an operation on one record that is named by its id. */
export const named = { needs: ['id'], namesRecord: true, refuses: [] } as const;

const filterOf = (name: string, value: unknown) => ({ filter: { [name]: value } });

/** What any paged list refuses (decisions, section 4). */
export const refusedPages: readonly RefusedRequest[] = [
  { because: 'a negative limit', request: () => ({ paging: { limit: -1 } }), code: 'invalid_argument' },
  { because: 'an unknown sort', request: () => ({ paging: { sort: 'name' } }), code: 'invalid_argument' },
  {
    because: 'after and before at once',
    request: () => ({ paging: { after: '.', before: '.' } }),
    code: 'invalid_argument',
  },
  { because: 'a cursor that is garbage', request: () => ({ paging: { after: 'x' } }), code: 'invalid_argument' },
];

/** What any IDs filter refuses (decisions, section 4). */
export function refusedFilters(name: string): readonly RefusedRequest[] {
  const values: readonly unknown[] = ['0', '1,,2', [], 'one', '>1', -1];
  return values.map((value) => ({
    because: `${name} ${JSON.stringify(value)}`,
    request: () => filterOf(name, value),
    code: 'invalid_argument',
    meta: { field: `filter.${name}` },
  }));
}

/** A list with cursors that is filtered by ids. */
export function pagedList(
  { answers, make }: { answers: object; make(caller: Caller): Promise<unknown> },
  ...filters: string[]
): Row {
  return {
    async request(caller) {
      await make(caller);
      return { paging: { limit: 5 } };
    },
    answers: { ...answers, paging: { limit: 5, next: expectText, prev: expectText } },
    needs: [],
    namesRecord: false,
    refuses: [...refusedPages, ...filters.flatMap(refusedFilters)],
  };
}

/** Any text that is not empty, for `toMatchObject`. */
export const expectText: unknown = { asymmetricMatch: (value: unknown) => typeof value === 'string' && value !== '' };

import * as z from 'zod';
import type { Rows } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { call } from '../../client/call.ts';
import type { Connection } from '../../client/connection.ts';
import { type Extent, LARGEST_PAGE, listRecords } from '../../client/pages.ts';
import { bothGiven, invalidInput } from '../../client/refusal.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Hint } from '../../contract/schema/hint.ts';
import { fieldErrors, words } from '../../contract/schema/hint.ts';
import { flag, int, record, text } from '../../contract/schema/scalars.ts';
import { type Schema, structureOf } from '../../contract/schema/structure.ts';
import { type Fields, fieldsIn, recordsIn } from '../../domain/json/values.ts';
import { askedAt } from '../../domain/moment-text.ts';
import { type LinkedMatch, linkedMatch } from './beside.ts';
import { type Filter, filterFields, filterNames, filterOf } from './list-filters.ts';
import { say } from './texts.ts';

/** The number of newest records that a person sees by default. */
const FIRST_SIGHT = 100;

/** The order of a list that is asked for in no other. */
const NEWEST_FIRST = '-created_at';

const within = (description: string, least: number, most: number, otherwise: () => string) =>
  int(description, 'records')
    .refine((value) => value >= least && value <= most, { error: otherwise })
    .meta({ description, unit: 'records' });

/** How much of a list to read, from where and in which order; besides the operation's own filters. */
const extent = record({
  limit: within(
    'how many to return; all when absent, in a table the newest 100',
    0,
    Number.MAX_SAFE_INTEGER,
    () => say().list.negative,
  ),
  all: flag('all records, even in a table'),
  page_size: within(`page size, ${LARGEST_PAGE} at most`, 1, Number.MAX_SAFE_INTEGER, () => say().list.atLeastOne),
  after: text('continue after this cursor'),
  before: text('end before this cursor'),
  sort: text('order: created_at or updated_at, with a leading - for the latest first; -created_at when absent'),
});

const length = record({ limit: within('how many in all', 0, Number.MAX_SAFE_INTEGER, () => say().list.negative) });

/**
 * Hints for a list's input besides its schema: filters at the top level, the contract's paging within a whole input.
 */
export const listHints: Readonly<Record<string, Hint>> = {
  filter: { inline: true },
  paging: { hidden: true },
  limit: { beside: true, isStyle: true },
  all: { beside: true },
  page_size: { beside: true, isStyle: true },
  after: { beside: true, placeholder: 'CURSOR' },
  before: { beside: true, placeholder: 'CURSOR' },
  sort: {
    beside: true,
    isStyle: true,
    placeholder: 'FIELD',
    page: { values: ['-created_at', 'created_at', '-updated_at', 'updated_at'] },
  },
  ...Object.fromEntries(filterNames.map((name) => [name, { beside: true }])),
  since: { beside: true, placeholder: 'WHEN' },
  until: { beside: true, placeholder: 'WHEN' },
};

/** The input of a list: the request, how much of it to read, and filters for its records. */
export function listInput(operation: Operation): z.ZodObject {
  const { request, page } = operation;
  const { shape } = page?.cursors === true ? extent : length;
  return z.object({ ...request.shape, ...shape, ...record(filterFields(operation)).shape });
}

/** The input when a person looks without saying how much: at most a hundred. */
export function atFirstSight({ page }: Operation, input: Input): Input {
  if (page?.cursors !== true) return input;
  const isGiven = (input.limit ?? fieldsIn(input.paging).limit ?? null) !== null;
  return isGiven || input.all === true ? input : { ...input, limit: FIRST_SIGHT };
}

function unwrapped(schema: Schema | undefined): Schema | undefined {
  if (schema === undefined) return undefined;
  const structure = structureOf(schema);
  return structure.kind === 'around' ? unwrapped(structure.inner) : schema;
}

/** The records of a list, as a list. */
export function listOutput({ response, page }: Operation): z.ZodType {
  const list = unwrapped(response.shape[page?.items ?? '']);
  return list instanceof z.ZodType ? list : z.array(z.unknown());
}

type Input = Fields;

/** How much of a list an input requests; throws a Refusal that names each invalid field. */
function extentOf(input: Input): Extent {
  const read = extent.safeParse(input, { error: words });
  if (!read.success) throw invalidInput(fieldErrors(read.error));
  const { limit, all, page_size: pageSize } = read.data;
  if (all === true && typeof limit === 'number') throw bothGiven('all', 'limit');
  return { limit: limit ?? undefined, pageSize: pageSize ?? LARGEST_PAGE };
}

function withoutFilters(input: Input): Input {
  const own = new Set<string>(filterNames);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !own.has(name)));
}

/** Splits an input into the request and its paging, with cursors where the contract has them. */
function requestOf(input: Input): { request: Input; paging: Input } {
  const { limit: _, all: __, page_size: ___, after, before, sort, paging, ...rest } = input;
  const request = withoutFilters(rest);
  const given = Object.entries({ after, before, sort }).filter(([, value]) => value !== undefined && value !== null);
  const asked = { ...fieldsIn(paging), ...Object.fromEntries(given) };
  // A cursor is valid only for its own order; without one, the newest come first, in every format.
  const isOrdered = ['sort', 'after', 'before'].some((name) => fieldsIn(asked)[name]);
  return { request, paging: isOrdered ? asked : { ...asked, sort: NEWEST_FIRST } };
}

/** The request of a list's input, as its check sees it. Throws a Refusal for an invalid extent or filter. */
export function listRequest(operation: Operation, input: Input): Input {
  if (operation.page === undefined) return input;
  filterOf(operation, input, { now: 0, timeZone: 'UTC', tell: () => {} });
  if (!operation.page.cursors) {
    const { limit: _, ...request } = withoutFilters(input);
    return request;
  }
  extentOf(input);
  const { request, paging } = requestOf(input);
  return Object.keys(paging).length === 0 ? request : { ...request, paging };
}

/** How to continue a truncated list: from its cursor, in its order. */
function restOf(paging: Input, cursor: string): Readonly<Record<string, string>> {
  const { sort } = paging;
  return {
    ...(typeof sort === 'string' && sort !== '' ? { sort } : {}),
    ['before' in paging ? 'before' : 'after']: cursor,
  };
}

/**
 * The matching records out of the whole list; reports how many were read. Once there are enough, no page is asked for to
 * learn whether there is one more.
 */
async function* filtered(
  listing: AsyncIterable<Input>,
  { fits, fitsButWords, isPast, isLinked, isAtBrink }: Filter & Reading & { readonly isLinked: LinkedMatch },
  { limit = Number.POSITIVE_INFINITY }: Extent,
  { report }: Ports,
): AsyncGenerator<unknown> {
  let [read, found, isCut] = [0, 0, false];
  for await (const row of listing) {
    if (isPast(row)) break;
    read += 1;
    if (fits(row) || (fitsButWords(row) && (await isLinked(row)))) {
      isCut = found === limit;
      if (isCut) break;
      found += 1;
      yield row;
    }
    isCut = found === limit && isAtBrink(read);
    if (isCut) break;
  }
  report.notice(say().list.lookedAt({ read, found }));
  if (isCut) report.rest({});
}

/** How far a filtered list has been read. */
interface Reading {
  /** Whether the page after these rows may be read: not once enough rows fit, nor once a row is too old. */
  readonly ahead: (rows: readonly Input[]) => boolean;
  /** Whether these were all rows that came so far, and further ones may come. */
  isAtBrink(read: number): boolean;
}

/** Words are compared only as the rows are read, so that a row with them does not count before. */
function readingOf({ fits, isPast }: Filter, { limit = Number.POSITIVE_INFINITY }: Extent, hasWords: boolean): Reading {
  let [came, found] = [0, 0];
  return {
    ahead(rows) {
      came += rows.length;
      if (!hasWords) found += rows.filter(fits).length;
      return found < limit && !rows.some(isPast);
    },
    isAtBrink: (read) => read === came,
  };
}

/** How many unreadable records are described one by one. */
const MOST_DESCRIBED = 5;

/** A connection for the rows of a list: a record that cannot be read is reported and left out, and the rest is shown. */
function leavingOut({ connection, report }: Ports): Connection {
  let count = 0;
  return {
    ...connection(),
    unreadable({ path, message, id }) {
      count += 1;
      report.verdict('partial');
      if (count <= MOST_DESCRIBED)
        report.insist(say().list.leftOut({ path, message, id }), {
          code: 'record_left_out',
          path,
          id: id ?? null,
        });
      if (count === MOST_DESCRIBED + 1) report.insist(say().list.moreLeftOut, { code: 'records_left_out' });
    },
  };
}

async function* paged(operation: Operation, input: Input, ports: Ports): AsyncGenerator<unknown> {
  const { request, paging } = requestOf(input);
  const extent = { ...extentOf(input), ahead: true };
  const given = filterOf(operation, input, askedAt(ports));
  const read = (extent: Extent) => listRecords(operation, { ...request, paging }, leavingOut(ports), extent);
  if (given !== undefined) {
    const newestFirst = paging.sort === NEWEST_FIRST && paging.before === undefined;
    const isLinked = linkedMatch(operation, input.match, ports);
    const filter = { ...given, isPast: newestFirst ? given.isPast : () => false, isLinked };
    const reading = readingOf(filter, extent, Boolean(input.match));
    const listing = read({ ...extent, limit: undefined, ahead: reading.ahead });
    yield* filtered(listing, { ...filter, ...reading }, extent, ports);
    return;
  }
  const listing = read(extent);
  yield* listing;
  if (listing.cursor !== undefined) ports.report.rest(restOf(paging, listing.cursor));
}

/** The records of a list as they arrive, over all its pages. */
export async function listRows(operation: Operation, input: Input, ports: Ports): Promise<Rows<unknown>> {
  if (operation.page?.cursors === true) {
    return paged(operation, input, ports);
  }
  const { limit, ...request } = withoutFilters(input);
  const answer: Input = await call(operation, request, leavingOut(ports));
  const rows = answer[operation.page?.items ?? ''];
  const found = recordsIn(rows);
  const filter = filterOf(operation, input, askedAt(ports));
  const fitting = filter === undefined ? found : found.filter(filter.fits);
  if (typeof limit !== 'number' || fitting.length <= limit) return fitting;
  ports.report.rest({});
  return fitting.slice(0, limit);
}

import * as z from 'zod';
import { call } from '../../client/call.ts';
import { type Extent, LARGEST_PAGE, listRecords } from '../../client/pages.ts';
import { fieldErrors, words } from '../../contract/field-errors.ts';
import type { Hint } from '../../contract/hint.ts';
import type { Operation } from '../../contract/operation.ts';
import { flag, int, record, text } from '../../contract/scalars.ts';
import { type Schema, structureOf } from '../../contract/structure.ts';
import type { Rows } from '../action.ts';
import type { Ports } from '../ports.ts';
import { bothGiven, invalidInput } from '../refusal.ts';

const DEFAULT_LIMIT = 100;

const within = (description: string, least: number, most: number, otherwise: string) =>
  int(description, 'records')
    .refine((value) => value >= least && value <= most, otherwise)
    .meta({ description, unit: 'records' });

/** How much of a list is wanted, from where, in which order; beside the operation's own filters. */
const extent = record({
  limit: within('how many in all; 100 when absent', 0, Number.MAX_SAFE_INTEGER, 'must not be negative'),
  all: flag('every record there is'),
  page_size: within('how many a request asks for', 1, LARGEST_PAGE, `must be 1 to ${LARGEST_PAGE}`),
  after: text('go on after this cursor'),
  before: text('what comes before this cursor'),
  sort: text('order: created_at or updated_at, with a leading - for the latest first'),
});

/** What stands beside the schema of a list's input: filters at the top, and the contract's paging within a whole one. */
export const listHints: Readonly<Record<string, Hint>> = {
  filter: { inline: true },
  paging: { hidden: true },
  limit: { beside: true },
  all: { beside: true },
  page_size: { beside: true },
  after: { beside: true, placeholder: 'CURSOR' },
  before: { beside: true, placeholder: 'CURSOR' },
  sort: { beside: true, placeholder: 'FIELD' },
};

/** The input of a list: the request, and how much of it is wanted where the list has pages. */
export function listInput({ request, page }: Operation): z.ZodObject {
  return page?.cursors === true ? z.object({ ...request.shape, ...extent.shape }) : request;
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

type Input = Readonly<Record<string, unknown>>;

/** How much of a list an input asks for; throws a Refusal that names each field that says it wrongly. */
function extentOf(input: Input): Extent {
  const read = extent.safeParse(input, { error: words });
  if (!read.success) throw invalidInput(fieldErrors(read.error));
  const { limit, all, page_size: pageSize } = read.data;
  if (all === true && typeof limit === 'number') throw bothGiven('all', 'limit');
  return { limit: all === true ? undefined : (limit ?? DEFAULT_LIMIT), pageSize: pageSize ?? LARGEST_PAGE };
}

/** The request of an input: its extent taken out, its cursors put where the contract has them. */
function requestOf(input: Input): { request: Input; paging: Input } {
  const { limit: _, all: __, page_size: ___, after, before, sort, paging, ...request } = input;
  const given = Object.entries({ after, before, sort }).filter(([, value]) => value !== undefined && value !== null);
  const within = typeof paging === 'object' && paging !== null ? paging : {};
  return { request, paging: { ...within, ...Object.fromEntries(given) } };
}

/** The request that an input of a list stands for, as its check sees it. Throws a Refusal for an extent that is none. */
export function listRequest(operation: Operation, input: Input): Input {
  if (operation.page?.cursors !== true) return input;
  extentOf(input);
  const { request, paging } = requestOf(input);
  return Object.keys(paging).length === 0 ? request : { ...request, paging };
}

async function* paged(operation: Operation, input: Input, ports: Ports): AsyncGenerator<unknown> {
  const { request, paging } = requestOf(input);
  const listing = listRecords(operation, { ...request, paging }, ports.connection(), extentOf(input));
  yield* listing;
  if (listing.cursor === undefined) return;
  ports.report.rest({ ['before' in paging ? 'before' : 'after']: listing.cursor });
}

/** The records of a list as they come, over all its pages. */
export async function listRows(operation: Operation, input: Input, ports: Ports): Promise<Rows<unknown>> {
  if (operation.page?.cursors === true) {
    return paged(operation, input, ports);
  }
  const answer: Input = await call(operation, input, ports.connection());
  const rows = answer[operation.page?.items ?? ''];
  return Array.isArray(rows) ? rows : [];
}

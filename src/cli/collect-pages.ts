import { LARGEST_PAGE, listRecords } from '../client/pages.ts';
import type { Operation } from '../contract/operation.ts';
import type { Invocation, Result } from './command.ts';
import { rememberIds, rememberingIds } from './complete/id-cache.ts';
import type { View } from './document.ts';
import { textFlag } from './request-input.ts';
import type { Session } from './session.ts';
import { UsageError } from './usage-error.ts';

const DEFAULT_LIMIT = 100;

function numberFlag(invocation: Invocation, name: string): number | undefined {
  const text = textFlag(invocation, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} must be a whole number`);
  return Number(text);
}

/** The paging that the flags ask for, over what `--input` says. */
function pagingOf(invocation: Invocation, request: object): object {
  const given = { ...((request as { paging?: object }).paging ?? {}) } as Record<string, unknown>;
  for (const name of ['after', 'before', 'sort']) {
    const text = textFlag(invocation, name);
    if (text !== undefined) given[name] = text;
  }
  return given;
}

/** The rows of a list as they pass: counted for the person who waits, their ids kept for completion. */
export function shownRows<Row>(
  { context, session }: Invocation,
  operation: Operation,
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncIterable<Row> {
  const [group = ''] = operation.command.split(' ');
  return rememberingIds(counting(session, rows), (ids) => rememberIds(context, session, group, ids));
}

async function* counting<Row>({ progress }: Session, rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row> {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    progress.came(count);
    yield row;
  }
}

/** A list over all its pages, streamed: at most `--limit` records, or all of them. A list cut short says how to go on. */
export function collectPages(invocation: Invocation, operation: Operation, request: object, view: View): Result {
  const all = invocation.given.flags.all === true;
  const limit = numberFlag(invocation, 'limit');
  if (all && limit !== undefined) throw new UsageError('--all and --limit cannot be given together');
  const pageSize = numberFlag(invocation, 'page-size') ?? LARGEST_PAGE;
  if (pageSize < 1 || pageSize > LARGEST_PAGE) throw new UsageError(`--page-size must be 1 to ${LARGEST_PAGE}`);
  const paging = pagingOf(invocation, request);
  const listing = listRecords(operation, { ...request, paging } as never, invocation.session.connection(), {
    limit: all ? undefined : (limit ?? DEFAULT_LIMIT),
    pageSize,
  });
  const direction = 'before' in paging ? 'before' : 'after';
  return {
    document: { kind: 'list', rows: shownRows(invocation, operation, listing), view },
    // A reader that went away (`| head`) has what it wanted.
    notices: () =>
      listing.cursor === undefined || invocation.context.stdout.closed
        ? []
        : [`there may be more: go on with --${direction} ${listing.cursor}, or take everything with --all`],
  };
}

import type { Invocation } from '../flags/command.ts';
import type { Session } from '../session/session.ts';
import { rememberIds, rememberingIds } from './id-cache.ts';

/** Passes the rows of a list on: counts them for the progress display, and caches their ids for completion. */
export function shownRows<Row>(
  { context, session }: Invocation,
  group: string,
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncIterable<Row> {
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

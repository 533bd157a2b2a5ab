import { lastChange } from '../../engine/store/outbox.ts';
import type { Database } from '../../engine/store/sql/statement.ts';
import { statement, tables } from '../../engine/store/sql/statement.ts';
import { oldestChange } from './heard.ts';

/** How many changes are kept after every webhook has processed them, for debugging. */
const KEPT_CHANGES = 1000;
/** How many are deleted at once, since other work waits meanwhile. */
const DROPPED_AT_ONCE = 5000;

const passedByAll = statement(() =>
  tables
    .selectFrom('webhooks')
    .select(({ fn }) => fn.min('passed_seq').as('passed'))
    .where('state', '!=', 'stop'),
);
const dropChanges = statement(({ last }: { readonly last: number }) =>
  tables.deleteFrom('outbox').where('seq', '<=', last),
);

/**
 * The last change that can be deleted now: every webhook has processed it; a stopped one never returns to it. Undefined
 * if there is none.
 */
export function findPrunable(database: Database): number | undefined {
  const oldest = oldestChange(database);
  if (oldest === undefined) return undefined;
  const passed = database.first(passedByAll, {})?.passed;
  const beforeKept = lastChange(database) - KEPT_CHANGES;
  const last = Math.min(passed ?? beforeKept, beforeKept, oldest.seq + DROPPED_AT_ONCE - 1);
  return last < oldest.seq ? undefined : last;
}

/** Deletes changes that no webhook needs any more; if more remain, they are due at once. */
export function prune(database: Database): void {
  const last = findPrunable(database);
  if (last !== undefined) database.run(dropChanges, { last });
}

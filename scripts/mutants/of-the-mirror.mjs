/** Faults in how a shop is copied into its mirror, and in how the two are compared. */

const sync = 'test/flows/sync/sync.test.ts';
const firstCopy = 'test/flows/sync/first-copy.test.ts';
const gaps = 'test/flows/sync/gaps.test.ts';
const verify = 'test/flows/sync/verify.test.ts';
const sql = 'test/flows/sync/sql.test.ts';
const walk = 'src/flows/sync/walk/walk-list.ts';
const pageWriter = 'src/workspace/mirror/write/write-page.ts';

/** The faults; `fault` makes one. */
export const ofTheMirror = (fault) => [
  fault(
    'cursor-on-the-id',
    'a list is walked in the order of ids, in which an update is never seen',
    'src/flows/sync/walk/list-pages.ts',
    '...(sort === undefined ? {} : { sort })',
    '...{}',
    sync,
  ),
  fault(
    'older-version-wins',
    'a webhook that comes late replaces what the mirror has newer',
    pageWriter,
    '(isPresent || one.version >= before.version)',
    'true',
    gaps,
  ),
  fault(
    'json-as-text',
    'a text in a JSON column of PostgreSQL counts as the JSON that it holds',
    'src/workspace/mirror/verify/compare.ts',
    "return name === 'sqlite' ? value : JSON.stringify(value);",
    "return typeof value === 'string' ? value : JSON.stringify(value);",
    verify,
  ),
  fault(
    'changes-not-copied-again',
    'changes that were applied before they had a table stay out of it',
    'src/workspace/mirror/schema/ensure.ts',
    'if (!present.has(changesTable.name)) {',
    'if (false) {',
    gaps,
  ),
  fault(
    'orphans-stay',
    'what was deleted with another record stays',
    walk,
    'isFull || (await hasOrphans(context, area))',
    'isFull',
    sync,
  ),
  fault(
    'text-no-database-takes',
    'a text with a NUL character is stored as it is',
    'src/workspace/mirror/write/storable.ts',
    'if (!MARKS.some((mark) => json.includes(mark))) ',
    '',
    sync,
  ),
  fault(
    'deletions-unmarked',
    'what a whole walk no longer meets stays',
    walk,
    "if (kind === 'whole') await markGone(context, area, state, summary);",
    '',
    sync,
  ),
  fault(
    'page-not-committed',
    'a page is stored in another transaction than how far the walk has come',
    'src/flows/sync/walk/sync-context.ts',
    'await mirror.writeAll(pages.flatMap(({ planned, state }) => [...planned.statements, ...position(state)]));',
    'await mirror.writeAll(pages.flatMap(({ state }) => position(state)));\n  await mirror.writeAll(pages.flatMap(({ planned }) => planned.statements));',
    sync,
  ),
  fault(
    'page-taken-twice',
    'a first copy that meets a record that is there already fails',
    'src/flows/sync/walk/sync-context.ts',
    'if (!isTaken(error)) throw error;',
    'throw error;',
    sync,
  ),
  fault('page-left-behind', 'a walk ends before its last page is stored', walk, 'await first.end();', '', sync),
  fault(
    'indexes-left-out',
    'a first copy that was interrupted leaves a mirror without the indexes of its readers',
    'src/workspace/mirror/schema/ensure.ts',
    'if (current?.version === withoutIndices(version)) {\n    await buildReadersIndices(mirror);',
    'if (current?.version === withoutIndices(version)) {',
    firstCopy,
  ),
  fault(
    'same-second-skipped',
    'a walk begins behind a page whose second was not over',
    walk,
    'pages.slice(0, -1).filter(([, newest]) => newest <= complete_until - MARGIN_MS)',
    'pages.filter(([, newest]) => newest <= complete_until + SECOND_MS)',
    sync,
  ),
  fault(
    'rollup-not-updated',
    'a page changes records and not the sums per day',
    pageWriter,
    'this.#rollups.write(into, writing.changes);',
    '',
    verify,
  ),
  fault(
    'verify-now-with-now',
    'what changed between a sync and its verification is a difference',
    'src/flows/sync/verify/verify.ts',
    'for (let look = 1; differences.length > 0; look += 1) {',
    'for (let look = 1; look < 1; look += 1) {',
    verify,
  ),
  fault(
    'settled-by-nobody',
    'what is newer than the mirror is compared with it',
    'src/flows/sync/verify/verify.ts',
    'return at !== undefined && at > until;',
    'return false;',
    verify,
  ),
  fault(
    'sql-that-writes',
    'a statement that the driver knows to write is run',
    'src/platform/sqlite/sqlite-read-only.ts',
    'const onlyReads = statement.reader && statement.readonly;',
    'const onlyReads = true;',
    sql,
  ),
];

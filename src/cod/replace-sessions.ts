import { newNumber } from '../platform/process/new-id.ts';
import type { CodFileTable, WorkspaceTables } from '../store/tables.ts';

/** Why lines were not replaced: their sessions are closed, no line belongs to them, or those of other carriers do, as `sessions` says. */
export interface NotReplaced {
  readonly kind: 'closed' | 'no_session' | 'other_carrier';
  readonly sessions: readonly string[];
}

/** Takes the lines of sessions out, and a file that has no others; how many, or why none. */
export async function replaceSessions(
  database: WorkspaceTables,
  shopId: string,
  {
    replaces,
    known,
    closed,
  }: {
    replaces: readonly string[];
    known: (Pick<CodFileTable, 'id'> & { readonly number: number }) | undefined;
    closed: ReadonlySet<string>;
  },
): Promise<number | NotReplaced> {
  if (replaces.length === 0) return 0;
  const stored = await database
    .selectFrom('cod_lines as l')
    .innerJoin('cod_files as f', 'f.number', 'l.file')
    .select(['l.file', 'l.session'])
    .distinct()
    .where('f.shop_id', '=', shopId)
    .where((where) => where.or([where('l.session', 'in', replaces), where('l.file', '=', known?.number ?? -1)]))
    .execute();
  const missing = replaces.filter((session) => stored.every((one) => one.session !== session));
  if (missing.length > 0) return { kind: 'no_session', sessions: missing };
  const sessions = [...new Set(stored.map(({ session }) => session))];
  const shut = sessions.filter((session) => closed.has(session));
  if (shut.length > 0) return { kind: 'closed', sessions: shut };
  let gone = 0n;
  for (const { file, session } of stored) {
    const removed = () => database.deleteFrom('cod_lines').where('file', '=', file).where('session', '=', session);
    // What repeats another line counts nowhere.
    gone += (await removed().where('repeats', 'is', null).executeTakeFirstOrThrow()).numDeletedRows;
    await removed().execute();
  }
  const files = [...new Set(stored.map(({ file }) => file))];
  await linesChanged(database, files);
  await database
    .deleteFrom('cod_files')
    .where('number', 'in', files)
    .where((where) =>
      where.not(
        where.exists(where.selectFrom('cod_lines as l').select('l.line').whereRef('l.file', '=', 'cod_files.number')),
      ),
    )
    .execute();
  if (known !== undefined) await countAgain(database, shopId, known.id);
  return Number(gone);
}

/** Lines that repeated one of a file that is gone: the first one of each line counts, the others repeat that one. */
export async function countAgain(database: WorkspaceTables, shopId: string, goneId: string): Promise<void> {
  const orphans = await database
    .selectFrom('cod_lines as l')
    .innerJoin('cod_files as f', 'f.number', 'l.file')
    .select(['l.file', 'l.line', 'l.cell', 'l.repeats', 'f.id'])
    .where('f.shop_id', '=', shopId)
    .where('l.repeats', 'like', `${goneId} %`)
    .orderBy('l.file')
    .orderBy('l.line')
    .execute();
  const first = new Map<string, string>();
  for (const orphan of orphans) {
    const gone = orphan.repeats ?? '';
    const repeats = first.get(gone) ?? null;
    if (repeats === null) first.set(gone, `${orphan.id} ${orphan.cell}`);
    await database
      .updateTable('cod_lines')
      .set({ repeats })
      .where('file', '=', orphan.file)
      .where('line', '=', orphan.line)
      .execute();
  }
  await linesChanged(database, [...new Set(orphans.map(({ file }) => file))]);
}

/** Says that the lines of files have changed: copies of them are out of date. */
export async function linesChanged(database: WorkspaceTables, files: readonly number[]): Promise<void> {
  if (files.length === 0) return;
  await database.updateTable('cod_files').set({ version: newNumber() }).where('number', 'in', files).execute();
}

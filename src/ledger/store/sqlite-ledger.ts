import { existsSync } from 'node:fs';
import { DAY_MS } from '../../domain/calendar.ts';
import { type Clock, systemClock } from '../../platform/process/clock.ts';
import type { FileSystemOf } from '../../platform/sqlite/file-system.ts';
import { openSqliteHere, type SqliteConnection } from '../../platform/sqlite/sqlite-connection.ts';
import { beginEpoch } from '../../store/epoch.ts';
import { schemaNumber } from '../../store/event-tables-schema.ts';
import { isOwnerAlive, type Owner, openOwner, ownersOf, sweepOwners } from '../../store/owner.ts';
import { type Restoring, rowsRestored } from '../../store/restored.ts';
import { numberOf, type Sql } from '../../store/sql.ts';
import type { Patiently } from '../../store/sqlite-dialect.ts';
import { asWorkspaceError, patientBy, prepare, requireLocks } from '../../store/sqlite-file.ts';
import { WorkspaceError } from '../../store/workspace.ts';
import { say } from '../texts.ts';
import type { LedgerStore } from './intents.ts';
import { ledgerMeta } from './keys.ts';

/** How a ledger in a file is opened. */
interface SqliteLedgerOptions extends Restoring {
  readonly clock?: Clock;
  /** Which file system a directory is on. */
  readonly fileSystemOf?: FileSystemOf;
}

const sqlOver =
  (sqlite: SqliteConnection): Sql =>
  async (text, values = []) =>
    (await sqlite.run(text, values)).rows;

async function schemaOf(sqlite: SqliteConnection): Promise<number> {
  const { rows } = await sqlite.run('PRAGMA user_version');
  return rows[0] === undefined ? 0 : numberOf(rows[0], 'user_version');
}

/** Migrates the file where it has not all the steps that this program knows. Throws a WorkspaceError. */
async function requireSchema(sqlite: SqliteConnection, path: string, options: SqliteLedgerOptions): Promise<void> {
  const number = await schemaOf(sqlite);
  if (number === schemaNumber) return;
  if (number > schemaNumber) {
    await ledgerMeta(sqlOver(sqlite));
    throw new WorkspaceError('workspace_newer', say().refused.newer({ path }));
  }
  await migrated(path, options);
}

/** Makes the file where it is missing, and takes the steps that it lacks. */
async function migrated(path: string, { clock = systemClock, waiting }: SqliteLedgerOptions): Promise<void> {
  // A rare moment, and the right one to remove what killed processes left.
  await sweepOwners(ownersOf(path), clock.now() - DAY_MS);
  const { openWorkspace } = await import('../../store/open-workspace.ts');
  const workspace = await openWorkspace(path, { waiting });
  await workspace.close();
}

async function openPrepared(
  path: string,
  options: SqliteLedgerOptions,
  patiently: Patiently,
): Promise<SqliteConnection> {
  requireLocks(path, options.fileSystemOf);
  if (!existsSync(path)) await migrated(path, options);
  const opened = await openSqliteHere(path);
  try {
    await patiently(() => prepare(opened));
    await requireSchema(opened, path, options);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the ledger in a SQLite file, created if missing. Throws a WorkspaceError. */
export async function openSqliteLedger(path: string, options: SqliteLedgerOptions = {}): Promise<LedgerStore> {
  const patiently = patientBy(options.clock ?? systemClock, path, options.waiting);
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw asWorkspaceError(error, path);
    }
  };
  const sqlite = await guarded(() => openPrepared(path, options, patiently));
  const sql = sqlOver(sqlite);
  const { epochs = [] } = options;
  /** One transaction at a time: a later one waits for the one before, whatever came of it. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
  const transaction = async <Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> => {
    await patiently(() => sqlite.run('begin immediate'));
    try {
      const result = await work(sql);
      await sqlite.run('commit');
      return result;
    } catch (error) {
      // SQLite ends a transaction by itself if the disk is full: that is the error to report.
      await sqlite.run('rollback').catch(() => {});
      throw error;
    }
  };
  let owner: Promise<Owner> | undefined;
  const meta = await guarded(() => ledgerMeta(sql));
  const write: LedgerStore['write'] = (work) => guarded(() => inTurn(() => transaction(work)));
  const restored = await guarded(() => rowsRestored(sql, write, options));
  return {
    place: path,
    isShared: false,
    ...(restored === undefined ? meta : await guarded(() => ledgerMeta(sql))),
    restored,
    read: (work) => guarded(() => inTurn(() => patiently(() => work(sql)))),
    write,
    own() {
      owner ??= guarded(async () => {
        await beginEpoch(write, epochs);
        return openOwner(ownersOf(path));
      });
      return owner;
    },
    isAlive: (other) => guarded(() => isOwnerAlive(ownersOf(path), other)),
    async close() {
      const own = await owner?.catch(() => undefined);
      await own?.release();
      if (own !== undefined) await beginEpoch(write, epochs).catch(() => {});
      await sqlite.close();
    },
  };
}

import BetterSqlite from 'better-sqlite3';

interface Statement {
  run(...parameters: unknown[]): unknown;
  all(...parameters: unknown[]): unknown;
}
interface Connection {
  prepare(sql: string): Statement;
  exec(sql: string): unknown;
}

/** Intercepts every statement of a driver before it runs. */
function watch(prototype: Connection, before: (sql: string) => void): void {
  const { prepare, exec } = prototype;
  prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    const { run, all } = statement;
    statement.run = (...parameters) => {
      before(sql);
      return run.apply(statement, parameters);
    };
    statement.all = (...parameters) => {
      before(sql);
      return all.apply(statement, parameters);
    };
    return statement;
  };
  prototype.exec = function (sql) {
    before(sql);
    return exec.call(this, sql);
  };
}

/** Calls `before` with every statement of this process, in either driver, before it runs. */
export async function watchStatements(before: (sql: string) => void): Promise<void> {
  watch(BetterSqlite.prototype as unknown as Connection, before);
  const builtIn: string = 'node:sqlite';
  const { DatabaseSync } = (await import(builtIn).catch(() => ({}))) as { DatabaseSync?: { prototype: Connection } };
  if (DatabaseSync) watch(DatabaseSync.prototype, before);
}

/** Ends this process with SIGKILL before the nth write statement from now on; 0 never. */
export async function dieAtWrite(nth: number, isArmed: () => boolean): Promise<void> {
  let writes = 0;
  await watchStatements((sql) => {
    if (!isArmed() || /^\s*(?:select|pragma)/i.test(sql)) return;
    writes += 1;
    if (writes === nth) process.kill(process.pid, 'SIGKILL');
  });
}

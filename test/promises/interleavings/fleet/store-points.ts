import { databaseClass } from '../../../support/database-class.ts';

/** A prepared statement, as far as it is watched. */
interface Prepared {
  /** Its text, in better-sqlite3 and in node:sqlite. */
  readonly source?: string;
  readonly sourceSQL?: string;
}

let left: number | undefined;

/** Kills this process at once, as a power cut would: nothing is written or let go of any more. */
function count(statement: string): void {
  if (left === undefined || !/^\s*(?:insert|update|delete|commit|begin|release)/i.test(statement)) return;
  left -= 1;
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
}

let watched = false;

/** From now on, this process is killed before its so-manieth statement that writes to a SQLite file; undefined: never. */
export function killAtStatement(nth: number | undefined): void {
  left = nth;
  if (watched || nth === undefined) return;
  watched = true;
  const Database = databaseClass(import.meta.url);
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('select 1'));
  for (const name of ['run', 'all', 'get'] as const) {
    const plain = statement[name];
    statement[name] = function (this: Prepared, ...values: unknown[]) {
      count(this.source ?? this.sourceSQL ?? '');
      return plain.apply(this, values);
    };
  }
  const { exec } = Database.prototype;
  Database.prototype.exec = function (source: string) {
    count(source);
    return exec.call(this, source);
  };
}

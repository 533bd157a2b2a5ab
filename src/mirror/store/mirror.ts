import { basename } from 'node:path';
import { CompiledQuery } from 'kysely';
import { type Workspace, WorkspaceError } from '../../store/workspace.ts';
import { say } from '../texts.ts';
import type { ColumnType } from './declared-columns.ts';
import type { MirrorDatabase } from './tables.ts';

/** What the two SQL dialects write differently for the mirror. */
export interface MirrorDialect {
  readonly name: 'sqlite' | 'postgres';
  /** The type of a column. */
  readonly types: Readonly<Record<ColumnType, string>>;
  /** The end of the statement that creates a table whose rows are stored in the order of their key. */
  readonly clustered: string;
  /** What the database is told after a sync, so that it knows how full its tables are and chooses the right indexes. */
  readonly learn: readonly string[];
  /** SQL for the values at some paths of a JSON column, as one array in JSON; null where there is none. */
  readonly jsonAt: (column: string, paths: readonly (readonly string[])[]) => string;
  /** A table's name as raw SQL writes it. */
  readonly table: (name: string) => string;
  /** A value as the driver takes it for a column. */
  readonly bound: (type: ColumnType, value: string | number | boolean) => string | number | boolean;
}

/** SQLite: moments are ISO text, booleans are 0 and 1. */
const sqliteMirror: MirrorDialect = {
  name: 'sqlite',
  types: { text: 'text', integer: 'integer', boolean: 'integer', number: 'real', time: 'text', json: 'text' },
  clustered: ' without rowid',
  // Looks at some hundred rows of each index that has changed much, and at nothing otherwise.
  learn: ['pragma analysis_limit = 400', 'pragma optimize = 0x10002'],
  jsonAt: (column, paths) => `json_extract(${[column, ...paths.map((path) => `'$.${path.join('.')}'`)].join(', ')})`,
  table: (name) => name,
  bound: (_, value) => (typeof value === 'boolean' ? Number(value) : value),
};

/** PostgreSQL: all tables are in the schema `mirror`. */
const postgresMirror: MirrorDialect = {
  name: 'postgres',
  types: {
    text: 'text',
    integer: 'bigint',
    boolean: 'boolean',
    number: 'double precision',
    time: 'timestamptz',
    json: 'jsonb',
  },
  clustered: '',
  // Autovacuum does it.
  learn: [],
  jsonAt: (column, paths) =>
    `jsonb_build_array(${paths.map((path) => `${column} #> '{${path.join(',')}}'`).join(', ')})`,
  table: (name) => `mirror.${name}`,
  bound: (_, value) => value,
};

/** A row of any table, as the driver returns it. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** SQL text with `?` for each parameter. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** A database in use: typed access to the mirror's own tables, and SQL for those that are derived. */
export interface MirrorSession {
  readonly database: MirrorDatabase;
  /** Runs SQL text with `?` for each parameter. */
  run(sql: string, parameters?: readonly unknown[]): Promise<readonly AnyRow[]>;
}

/** The mirror of a service: its records in SQL. Reads and writes throw a WorkspaceError. */
export interface Mirror {
  readonly dialect: MirrorDialect;
  /** A file path, or a url without a password. */
  readonly place: string;
  read<Result>(work: (session: MirrorSession) => Promise<Result>): Promise<Result>;
  /** Writes in one transaction: all or nothing. */
  write<Result>(work: (session: MirrorSession) => Promise<Result>): Promise<Result>;
  /** The same for statements of which none needs the result of another: they are handed over at once. */
  writeAll(statements: readonly Statement[]): Promise<void>;
  readonly tryHold: Workspace['tryHold'];
  readonly hold: Workspace['hold'];
  readonly holderOf?: Workspace['holderOf'];
  close(): Promise<void>;
}

/** `?` as PostgreSQL numbers it; the mirror's SQL has no question mark in a text. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}

const numberedTexts = new Map<string, string>();

function numberedOnce(sql: string): string {
  const known = numberedTexts.get(sql);
  if (known !== undefined) return known;
  const made = numbered(sql);
  // Texts are built from a limited number of tables and row counts; a limit costs less than a leak.
  if (numberedTexts.size > 500) numberedTexts.clear();
  numberedTexts.set(sql, made);
  return made;
}

/** The lock of whoever changes a mirror: those of several services have one directory, and a server has one. */
export const lockOf = ({ dialect, place }: Mirror): string =>
  dialect.name === 'sqlite' ? `mirror sync ${basename(place, '.db')}` : 'mirror sync';

/** Takes the lock of a mirror without waiting. Throws a WorkspaceError that says who has it. */
export async function holdNow(mirror: Mirror): Promise<() => void> {
  const release = await mirror.tryHold(lockOf(mirror));
  if (release !== undefined) return release;
  const holder = mirror.holderOf?.(lockOf(mirror));
  throw new WorkspaceError('mirror_busy', say().place.busy({ place: mirror.place, process: holder }));
}

/** The mirror that a database holds; its schema is not looked at. */
export function mirrorIn(workspace: Workspace): Mirror {
  const isPostgres = workspace.serverTime !== undefined;
  const dialect = isPostgres ? postgresMirror : sqliteMirror;
  const queryOf = ({ sql, parameters }: Statement): CompiledQuery =>
    CompiledQuery.raw(isPostgres ? numberedOnce(sql) : sql, [...parameters]);
  const sessionOf = (connection: unknown): MirrorSession => {
    // The one place where the database of a workspace is taken for one that holds other tables.
    const own = connection as MirrorDatabase;
    const database = isPostgres ? own.withSchema('mirror') : own;
    return {
      database,
      async run(sql, parameters = []) {
        return (await own.executeQuery<AnyRow>(queryOf({ sql, parameters }))).rows;
      },
    };
  };
  return {
    dialect,
    place: workspace.place,
    read: (work) => workspace.read((database) => work(sessionOf(database))),
    write: (work) => workspace.write((database) => work(sessionOf(database))),
    writeAll: (statements) => workspace.writeAll(() => statements.map(queryOf)),
    tryHold: (name) => workspace.tryHold(name),
    hold: (name, options) => workspace.hold(name, options),
    holderOf: (name) => workspace.holderOf?.(name),
    close: () => workspace.close(),
  };
}

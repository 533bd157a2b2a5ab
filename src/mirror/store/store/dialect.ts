import type { ColumnType } from '../declared/columns.ts';

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
export const sqliteMirror: MirrorDialect = {
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
export const postgresMirror: MirrorDialect = {
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

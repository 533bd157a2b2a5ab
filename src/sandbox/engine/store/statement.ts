import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type Fields, fieldsIn } from '../../../domain/json/values.ts';
import type { Tables } from './tables.ts';

/** The query builder for statements. It does not run them: a `Database` does. */
export const tables = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** A query as built by Kysely. */
export type Query<Row> = { compile(): CompiledQuery<Row> } | RawBuilder<Row>;

/** The values to run a statement with, by name; undefined counts as absent. */
export type Values = Fields;

/** A query that is built once and run often. */
export interface Statement<Given extends object, Row> {
  /** The SQL for values of these names, and its parameters. */
  compiled(given: Given): CompiledStatement<Row>;
}

/** SQL, and how its parameters are derived from the values. */
export interface CompiledStatement<Row> {
  readonly sql: string;
  /** The table that it writes, `any` if that is unknown; undefined if it only reads. */
  readonly writes: string | undefined;
  bind(given: object): unknown[];
  /** Never set: it only carries the type of the rows. */
  readonly row?: Row;
}

/** A placeholder for a value while a query is built. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement of a query. `build` gets a placeholder for each given value and is called once per set of names: it may
 * check whether a value is undefined, but nothing else about it. Kysely's builders take ten times as long as SQLite
 * takes to run the result.
 */
export function statement<Given extends object, Row>(build: (given: Given) => Query<Row>): Statement<Given, Row> {
  const kept: { readonly names: readonly string[]; readonly made: CompiledStatement<Row> }[] = [];
  return {
    compiled(given) {
      const values = fieldsIn(given);
      for (const { names, made } of kept) if (areNamesOf(values, names)) return made;
      const made = compile<Row>(build(placesFor(given)));
      kept.push({ names: namesOf(values), made });
      return made;
    },
  };
}

/** Statements that differ in more than their values: one for each name that `nameOf` gives to a shape. */
export function statements<Shape, Given extends object, Row>(
  nameOf: (shape: Shape) => string,
  build: (shape: Shape, given: Given) => Query<Row>,
): (shape: Shape) => Statement<Given, Row> {
  const kept = new Map<string, Statement<Given, Row>>();
  return (shape) => {
    const name = nameOf(shape);
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = statement<Given, Row>((given) => build(shape, given));
    kept.set(name, made);
    return made;
  };
}

function namesOf(given: Values): string[] {
  return Object.keys(given).filter((name) => given[name] !== undefined);
}

/** Whether the values have exactly these names, in this order. */
function areNamesOf(given: Values, names: readonly string[]): boolean {
  let at = 0;
  for (const name in given) {
    if (given[name] === undefined) continue;
    if (names[at] !== name) return false;
    at += 1;
  }
  return at === names.length;
}

function placesFor<Given extends object>(given: Given): Given {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name]) => [name, new Place(name)])) as Given;
}

function compile<Row>(query: Query<Row>): CompiledStatement<Row> {
  const { sql, parameters } = query.compile(tables);
  const constants = parameters.map((one) => (one instanceof Place ? undefined : one));
  const names = parameters.map((one) => (one instanceof Place ? one.name : undefined));
  return {
    sql,
    writes: tableWritten(sql),
    bind(given) {
      const bound = constants.slice();
      const values = fieldsIn(given);
      for (let at = 0; at < names.length; at += 1) {
        const name = names[at];
        if (name !== undefined) bound[at] = values[name];
      }
      return bound;
    },
  };
}

/** Any statement that is not known to be a query counts as a write. */
function tableWritten(sql: string): string | undefined {
  if (/^\s*select\b/i.test(sql)) return undefined;
  return /^\s*(?:insert into|update|delete from) "(\w+)"/i.exec(sql)?.[1] ?? 'any';
}

/** Runs statements; in a unit of work that writes, within its transaction. */
export interface Database {
  /** All rows that a statement returns. */
  all<Given extends object, Row>(statement: Statement<Given, Row>, given: Given): Row[];
  /** The first row, if there is one. */
  first<Given extends object, Row>(statement: Statement<Given, Row>, given: Given): Row | undefined;
  /** Runs a statement that returns no rows; returns how many it changed. */
  run<Given extends object>(statement: Statement<Given, unknown>, given: Given): number;
}

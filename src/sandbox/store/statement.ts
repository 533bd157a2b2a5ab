import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tables } from './tables.ts';

/** What statements are built with. It runs none of them: a `Database` does. */
export const tables = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** A query as Kysely builds it. */
export type Query<Row> = { compile(): CompiledQuery<Row> } | RawBuilder<Row>;

/** The values that a statement is run with, by name; what is undefined is not given. */
export type Values = Readonly<Record<string, unknown>>;

/** A query that is built once and run often. */
export interface Statement<Given extends object, Row> {
  /** The SQL for values of these names, and what its parameters are. */
  compiled(given: Given): CompiledStatement<Row>;
}

/** SQL, and how its parameters follow from the values. */
export interface CompiledStatement<Row> {
  readonly sql: string;
  /** The table that it writes, `any` where that cannot be told; undefined where it only reads. */
  readonly writes: string | undefined;
  bind(given: object): unknown[];
  /** Never there: only the type of the rows is carried by it. */
  readonly row?: Row;
}

/** Stands for a value while a query is built. */
class Place {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement of a query. `build` sees a stand-in for each value that is given, and is called once for each set of names: it may ask
 * whether a value is undefined, but for nothing else of it. Kysely's builders cost ten times what SQLite takes to run
 * what they build.
 */
export function statement<Given extends object, Row>(build: (given: Given) => Query<Row>): Statement<Given, Row> {
  const kept: { readonly names: readonly string[]; readonly made: CompiledStatement<Row> }[] = [];
  return {
    compiled(given) {
      for (const { names, made } of kept) if (areNamesOf(given as Values, names)) return made;
      const made = compile<Row>(build(placesFor(given)));
      kept.push({ names: namesOf(given as Values), made });
      return made;
    },
  };
}

/** Statements that differ in more than their values: one for each name that `nameOf` gives a shape. */
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

/** Whether the values bear these names, in this order. */
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
      for (let at = 0; at < names.length; at += 1) {
        const name = names[at];
        if (name !== undefined) bound[at] = (given as Values)[name];
      }
      return bound;
    },
  };
}

/** What is not surely a question is taken for something that writes. */
function tableWritten(sql: string): string | undefined {
  if (/^\s*select\b/i.test(sql)) return undefined;
  return /^\s*(?:insert into|update|delete from) "(\w+)"/i.exec(sql)?.[1] ?? 'any';
}

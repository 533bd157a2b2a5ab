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
  /** The table that it writes, as far as it is Kysely's and not written by hand. */
  readonly writes: string | undefined;
  /** The table that it reads, where that is the only one. */
  readonly reads: string | undefined;
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
  const kept = new Map<string, CompiledStatement<Row>>();
  return {
    compiled(given) {
      const names = namesOf(given);
      const known = kept.get(names);
      if (known !== undefined) return known;
      const made = compile<Row>(build(placesFor(given)));
      kept.set(names, made);
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

function namesOf(given: object): string {
  let names = '';
  for (const name in given) if ((given as Values)[name] !== undefined) names += `${name} `;
  return names;
}

function placesFor<Given extends object>(given: Given): Given {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name]) => [name, new Place(name)])) as Given;
}

function compile<Row>(query: Query<Row>): CompiledStatement<Row> {
  const { sql, parameters } = query.compile(tables);
  return {
    sql,
    writes: /^(?:insert into|update|delete from) "(\w+)"/.exec(sql)?.[1],
    reads: sql.split(' from ').length === 2 ? /^select .* from "(\w+)"/.exec(sql)?.[1] : undefined,
    bind: (given) => parameters.map((one) => (one instanceof Place ? (given as Values)[one.name] : one)),
  };
}

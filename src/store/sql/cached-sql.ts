import { type Compilable, CompiledQuery } from 'kysely';
import type { WorkspaceTables } from '../tables.ts';

/** At most so many texts: those of other lengths are compiled each time. */
const MOST_TEXTS = 64;

/**
 * The texts of statements that differ only in their parameters. Building and compiling a statement of thousands of
 * values takes longer than running it.
 */
export class CachedSql {
  readonly #texts = new Map<string, string>();

  /** Runs a statement as `compiled` has it, and returns the rows that it returns. */
  async run<Row>(
    database: WorkspaceTables,
    key: string,
    parameters: readonly unknown[],
    build: () => Compilable<Row>,
  ): Promise<readonly Row[]> {
    return (await database.executeQuery(this.compiled(key, parameters, build))).rows;
  }

  /**
   * A statement that can be run; `key` is equal only for statements with the same text, and `parameters` are in the order
   * in which `build` uses them.
   */
  compiled<Row>(key: string, parameters: readonly unknown[], build: () => Compilable<Row>): CompiledQuery<Row> {
    const known = this.#texts.get(key);
    if (known !== undefined) return CompiledQuery.raw(known, [...parameters]) as CompiledQuery<Row>;
    const query = build().compile();
    const isSame =
      query.parameters.length === parameters.length &&
      query.parameters.every((value, index) => value === parameters[index]);
    if (!isSame) throw new TypeError(`the parameters of ${key} are in another order`);
    if (this.#texts.size < MOST_TEXTS) this.#texts.set(key, query.sql);
    return query;
  }
}

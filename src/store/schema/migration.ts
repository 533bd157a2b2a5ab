import type { WorkspaceTables } from '../tables.ts';

/** What SQL dialects write differently in a schema. */
export interface SchemaWords {
  /** The type of a key that counts by itself. */
  readonly key: string;
  /** Keeps every other migration out until the transaction ends, for dialects whose write lock does not. */
  readonly alone?: (database: WorkspaceTables) => Promise<void>;
  /** Writes the number of the schema where a program can compare it without a query builder. */
  readonly number?: (database: WorkspaceTables, number: number) => Promise<void>;
}

/** One step of the schema. Once released it never changes; corrections are further steps. */
export interface Migration {
  /** Recorded in the workspace; unique. */
  readonly name: string;
  readonly up: (database: WorkspaceTables, words: SchemaWords) => Promise<void>;
}

/** One step of the schema. Once released it never changes; corrections are further steps. */
export interface Migration {
  /** Recorded in the database; unique. */
  readonly name: string;
  readonly sql: string;
}

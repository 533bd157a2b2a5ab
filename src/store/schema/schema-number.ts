/** How many steps the schema had before all of them became one: a file of those times has a number up to this. */
const BEFORE = 17;

/** The number of a schema with so many steps. */
export const numberOfSteps = (steps: number): number => BEFORE + steps;

/**
 * The number of the schema that this program knows. A SQLite workspace stores that of its own, so that a single command
 * compares one number and loads no query builder.
 */
export const schemaNumber = numberOfSteps(1);

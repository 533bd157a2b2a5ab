/**
 * How many schema steps this program knows. A SQLite workspace stores the number of those that it has, so that a single
 * command compares one number and loads no query builder.
 */
export const schemaNumber = 18;

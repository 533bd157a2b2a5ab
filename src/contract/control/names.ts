/** Valid sandbox names: letters, digits, `_`, `-` and `.`, at most 64. It is also used as a file name. */
export const sandboxName = /^\w[\w.-]{0,63}$/;

/** The seeds that have a name: example records, nothing, or that many orders over two years. */
export type SeedName = 'demo' | 'none' | `history:${number}`;

/** Matches the name of a seed. */
export const seedName = /^(?:demo|none|history:[1-9]\d{0,6})$/;

/** Whether a value is the name of a seed. */
export const isSeedName = (value: unknown): value is SeedName => typeof value === 'string' && seedName.test(value);

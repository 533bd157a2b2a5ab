import type * as z from 'zod';

/** What an action is called, what it takes and what it returns. */
export interface Declared<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /**
   * Unique; the id of a service operation (`shop.Order/GetOrder`), otherwise its words joined by dots (`totals.check`).
   */
  readonly id: string;
  /** Its command words, the group first. */
  readonly words: readonly [string, ...string[]];
  readonly input: Input;
  readonly output: Output;
}

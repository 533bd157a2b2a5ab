import * as z from 'zod';
import type { Hints } from '../hint.ts';
import type { FieldError } from '../operation.ts';
import { text } from '../scalars.ts';
import type { View } from '../view.ts';

/**
 * One thing that can be told to a running sandbox and that no operation of the service can do, as data: the server's
 * route, the client, the command and the OpenAPI document are all read from it.
 */
export interface ControlOperation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** A POST wherever there is an input: a GET of the control plane has none. */
  readonly method: 'GET' | 'POST';
  /** Below the control plane's address, for example `clock/advance`. */
  readonly path: string;
  /** Its one home on the command line. */
  readonly command: string;
  /** One line, an imperative sentence without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Whole command lines, the best one first. */
  readonly examples: readonly string[];
  readonly input: Input;
  readonly output: Output;
  /** The key of the output's list, where it answers one. */
  readonly items?: string;
  readonly view?: View;
  readonly positional?: readonly (keyof z.output<Input> & string)[];
  readonly hints?: Hints<Input>;
  /** What is wrong between the fields of an input, as `Operation.rules` tells it. */
  readonly rules?: (input: object) => FieldError[];
  /** Whether it takes something away; a person is asked before it is sent. */
  readonly destructive?: boolean;
  /** What it came to, in one sentence for a person; undefined where there is nothing to say. */
  tells?(answer: z.output<Output>): string | undefined;
}

/** Declares a control operation; an identity function, there for inference. */
export function controlOperation<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: ControlOperation<Input, Output>,
): ControlOperation<Input, Output> {
  return declaration;
}

/** The input of what needs none. */
export const nothing = z.object({});

/** A text that is not empty. */
export const filled = (description: string) =>
  text(description)
    .refine((value) => value !== '', 'is missing')
    .meta({ description });

/** Columns that read as they are. */
export const columns = (...paths: readonly string[]) => paths.map((path) => ({ path }));

/** So many of something, in words: `1 call`, `2 calls`. */
export const countOf = (number: number, one: string, several = `${one}s`) =>
  `${number} ${number === 1 ? one : several}`;

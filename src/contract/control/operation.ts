import * as z from 'zod';
import type { FieldError } from '../operation.ts';
import type { Hints } from '../schema/hint.ts';
import { text } from '../schema/scalars.ts';
import { say } from '../texts.ts';
import type { View } from '../view.ts';

/**
 * A control command for a running sandbox that no operation of the service covers, as data: the server's route, the
 * client, the command and the OpenAPI document are all derived from it.
 */
export interface ControlOperation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  /** POST whenever there is an input: GET requests of the control plane have none. */
  readonly method: 'GET' | 'POST';
  /** Path below the control plane's address, for example `clock/advance`. */
  readonly path: string;
  /** Its command, for example `sandbox clock advance`. */
  readonly command: string;
  /** One line, an imperative sentence without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Whole command lines, the best one first. */
  readonly examples: readonly string[];
  readonly input: Input;
  readonly output: Output;
  /** The key of the list in the output, if it returns one. */
  readonly items?: string;
  readonly view?: View;
  /** If its input can name one record of the list: whether it does, and how that one is displayed. */
  readonly single?: { readonly isNamed: (input: object) => boolean; readonly view: View };
  readonly positional?: readonly (keyof z.output<Input> & string)[];
  readonly hints?: Hints<Input>;
  /**
   * Whether it may be run from a page of the console, never if it shows a key; `about` is the field that takes the id of
   * a record, if it lists what happened to that.
   */
  readonly page?: true | { readonly about: string };
  /** Validates rules between input fields, like `Operation.rules`. */
  readonly rules?: (input: object) => FieldError[];
  /** Whether it deletes something; a person is asked before it is sent. */
  readonly destructive?: boolean;
  /** The command that undoes it. */
  readonly undo?: string;
  /** Whether its output has keys. */
  readonly isSecret?: boolean;
  /** One sentence about the result for a person; undefined if there is nothing to say. */
  tells?(answer: z.output<Output>): string | undefined;
}

/** Declares a control operation; an identity function, for type inference. */
export function controlOperation<Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: ControlOperation<Input, Output>,
): ControlOperation<Input, Output> {
  return declaration;
}

/** An empty input. */
export const nothing = z.object({});

/** A text that is not empty. */
export const filled = (description: string) =>
  text(description)
    .refine((value) => value !== '', { error: () => say().missing })
    .meta({ description });

/** Columns for paths, without further options. */
export const columns = (...paths: readonly string[]) => paths.map((path) => ({ path }));

import type * as z from 'zod';
import { nearestNames } from '../../domain/nearest-name.ts';
import type { FieldError } from '../operation.ts';
import { say } from '../texts.ts';

const WORD = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A value's path as a person writes it: `fulfillments[0].shipping_service_fee`; empty for the whole value. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const name = String(step);
    if (!WORD.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** What a value has to be, by what its schema calls it. */
function wanted(expected: string): string | undefined {
  const texts: Readonly<Record<string, string>> = say().must;
  return texts[expected];
}

/** Whether an error says that a required field is missing. */
export const isOfMissing = ({ message }: Pick<FieldError, 'message'>): boolean => message === say().required;

const isAbsent = (value: unknown) => value === undefined || value === null;

/** The error for a value of the wrong type. */
export function wrongType(expected: string, value: unknown, path: readonly PropertyKey[]): FieldError {
  return { path: fieldPath(path), message: isAbsent(value) ? say().required : (wanted(expected) ?? say().wrong) };
}

/** Which values there are, and the one that was probably meant. */
function oneOfThese(values: readonly unknown[], given: unknown): string {
  const known = values.map(String).filter((value) => value !== '');
  const [nearest] = typeof given === 'string' ? nearestNames(given, known, 1) : [];
  return say().oneOf({ values: known, nearest });
}

/** Messages for zod's issues, where the schema has none of its own; null counts as absent (decisions, section 2). */
export const words: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return isAbsent(issue.input) ? say().required : wanted(issue.expected);
    case 'invalid_value':
      return isAbsent(issue.input) ? say().required : oneOfThese(issue.values, issue.input);
    case 'too_small':
      // The only bounds on scalars are those of exact integers.
      return issue.origin === 'array' ? say().atLeastItems({ count: issue.minimum }) : say().inexact;
    case 'too_big':
      return issue.origin === 'array' ? say().atMostItems({ count: issue.maximum }) : say().inexact;
    default:
      return say().unlike;
  }
};

/** Converts zod's issues to field errors; `place` is the path of the value that was passed to zod. */
export function fieldErrors(error: z.core.$ZodError, place: readonly PropertyKey[] = []): FieldError[] {
  return error.issues.map(({ path, message }) => ({ path: fieldPath([...place, ...path]), message }));
}

/**
 * What a front end can complete for a field: ids from the lists of a command group, names stored locally, fields of the
 * current records, or command words.
 */
export type Offer = 'profiles' | 'shops' | 'fields' | 'commands' | `ids ${string}`;

/**
 * How a page of the console gives a field, since it never names a file of this machine: as bytes that it sends, as the
 * format of a file that it receives, as one of fewer values, or not at all.
 */
export type PageField =
  | 'upload'
  | 'never'
  | { readonly download: readonly string[] }
  | { readonly values: readonly string[] };

/** What a front end needs to know about a field besides its schema. */
export interface Hint {
  /** Placeholder for the value in help, for example `FILE`. */
  readonly placeholder?: string;
  /** One-letter alias. */
  readonly short?: string;
  /**
   * How a front end that only has text obtains the value. `text` parses it by the schema, and accepts `@file` and `-`;
   * `path` keeps the text unchanged; `document` reads a file with one object, JSON or YAML, `value` one with anything;
   * `rows` reads a file of records: JSON, JSON lines, YAML or csv; `stdin` reads stdin on request, since a secret is
   * never passed as an argument.
   */
  readonly from?: 'text' | 'path' | 'document' | 'value' | 'rows' | 'stdin';
  /** The document is no request, so it may be as long as any file. */
  readonly isLong?: boolean;
  /** The form of texts that are taken literally where a document would be read otherwise, and what people call them. */
  readonly literal?: { readonly form: RegExp; readonly names: string };
  /** Name of its flag, if different. */
  readonly flag?: string;
  /** Whether a positional can also be given as a flag. */
  readonly named?: boolean;
  /** Whether it names the record of the positional in another way: the page of that record does not ask for it. */
  readonly alias?: boolean;
  /** Whether the fields of this object appear as fields of the action itself. */
  readonly inline?: boolean;
  /** Whether it has no flag: it can be given only in the whole input, or by its setting. */
  readonly hidden?: boolean;
  /** Whether its flag may be given without a value, which then is the empty text. */
  readonly optionalValue?: boolean;
  /**
   * Whether it shapes the output or the waiting: of several values the last counts. Two different values of anything
   * else are refused.
   */
  readonly isStyle?: boolean;
  /** Whether an empty text is a value like any other: it names nothing. */
  readonly mayBeEmpty?: boolean;
  /** Whether it is given beside a whole input, and is not part of that document. */
  readonly beside?: boolean;
  /** Whether it replaces the whole input, of which nothing is given then. */
  readonly instead?: boolean;
  /** Known values, where the schema accepts any text. */
  readonly values?: readonly string[];
  readonly offers?: Offer;
  /** What a page gives for a field that names a file of this machine, or that only a terminal uses. */
  readonly page?: PageField;
  /** Whether this flag asks for something about the same input in place of its result, such as an explanation. */
  readonly aside?: true;
  /** The setting used if the field is not given. */
  readonly setting?: 'shop';
}

/** Hints for the fields of an input, by name. */
export type Hints<Input extends z.ZodObject> = { readonly [Name in keyof z.output<Input> & string]?: Hint };

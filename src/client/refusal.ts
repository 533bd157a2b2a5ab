import type { FieldError } from '../contract/operation.ts';
import type { RefusalKind } from './connection.ts';

/** Facts for a front end to word its advice with; never a secret. */
export type Facts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * Thrown by an action that refuses to do what it was asked; nothing was done. The message says what is wrong and names
 * no command or flag: a front end says what to do about it, from `code` and `facts`.
 */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly code: string;
  readonly facts: Facts;
  readonly fieldErrors: readonly FieldError[];
  readonly outcome = 'not_applied';

  constructor(
    code: string,
    message: string,
    {
      kind = 'usage',
      facts = {},
      fieldErrors = [],
    }: { kind?: RefusalKind; facts?: Facts; fieldErrors?: readonly FieldError[] } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.code = code;
    this.facts = facts;
    this.fieldErrors = fieldErrors;
  }
}

/** An input that its schema or rules refuse: all errors, each with the path of its field. */
export function invalidInput(fieldErrors: readonly FieldError[]): Refusal {
  const message = fieldErrors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new Refusal('invalid_input', message, { fieldErrors });
}

/** Two mutually exclusive fields in an input. */
export function bothGiven(one: string, other: string): Refusal {
  return new Refusal('both_given', `${one} and ${other} cannot be given together`, { facts: { fields: [one, other] } });
}

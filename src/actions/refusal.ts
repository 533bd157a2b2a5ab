import type { FieldError } from '../contract/operation.ts';

/**
 * What kind of refusal it is: the input is wrong, a policy of the user's forbids it, the settings cannot be used, the
 * service does not accept a key, nobody answers there, or what answers is not what the contract says.
 */
export type RefusalKind = 'usage' | 'policy' | 'configuration' | 'credential' | 'network' | 'contract';

/** Facts that a front words its advice with; never a secret. */
export type Facts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * Thrown by an action that will not do what it was asked to; nothing was done. The message says what is wrong and names
 * no command and no flag: what to do about it is for a front to say, by `code` and `facts`.
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

/** An input that its schema or rules refuse: all that is wrong, each with the path of its field. */
export function invalidInput(fieldErrors: readonly FieldError[]): Refusal {
  const message = fieldErrors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new Refusal('invalid_input', message, { fieldErrors });
}

/** Two fields of an input that exclude each other. */
export function bothGiven(one: string, other: string): Refusal {
  return new Refusal('both_given', `${one} and ${other} cannot be given together`, { facts: { fields: [one, other] } });
}

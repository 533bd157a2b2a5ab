/** Why a number cannot be used in a sum. `overflow` means that the result, not an operand, leaves the safe range. */
export type AmountErrorKind = 'not_an_integer' | 'not_safe' | 'negative' | 'overflow' | 'not_a_list' | 'not_an_object';

const messages: Record<AmountErrorKind, string> = {
  not_an_integer: 'must be an integer',
  not_safe: 'is larger than a JSON number can carry exactly',
  negative: 'must not be negative',
  overflow: 'adds up to more than a JSON number can carry exactly',
  not_a_list: 'must be a list',
  not_an_object: 'must be an object',
};

/**
 * Thrown by every sum in this layer when an operand or the result is not an exact integer. `field` is the path in the
 * wire's spelling (`lines[2].quantity`), `kind` the reason, from a closed list.
 */
export class AmountError extends Error {
  readonly field: string;
  readonly kind: AmountErrorKind;

  constructor(field: string, kind: AmountErrorKind) {
    super(`${field} ${messages[kind]}`);
    this.name = 'AmountError';
    this.field = field;
    this.kind = kind;
  }
}

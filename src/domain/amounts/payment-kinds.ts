/**
 * The kinds of payment lines, and how an amount that a carrier writes counts for the shop: 1 for what the carrier owes
 * it, -1 for what it keeps or has paid out already.
 */
export const paymentKinds = {
  cod: 1,
  delivery: -1,
  return: -1,
  redelivery: -1,
  insurance: -1,
  address_change: -1,
  discount: 1,
  compensation: 1,
  provisional: -1,
  provisional_back: 1,
  debt: -1,
  transfer: -1,
  other: -1,
  /** By how much the net amount of a row is more than its amounts give: no column has it. */
  unexplained: 1,
} as const;

export type PaymentKind = keyof typeof paymentKinds;

/** All kinds, in the order in which they are shown. */
export const paymentKindNames: readonly PaymentKind[] = [
  'cod',
  'delivery',
  'return',
  'redelivery',
  'insurance',
  'address_change',
  'discount',
  'compensation',
  'provisional',
  'provisional_back',
  'debt',
  'transfer',
  'other',
  'unexplained',
];

/** Whether a text names a kind that a file can write. */
export const isPaymentKind = (text: string): text is PaymentKind =>
  Object.hasOwn(paymentKinds, text) && text !== 'unexplained';

/** Those kinds. */
export const writtenKinds = paymentKindNames.filter(isPaymentKind);

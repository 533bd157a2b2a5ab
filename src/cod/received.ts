/** One part of what a session adds up to, in words. */
export interface ReceivedPart {
  readonly what: string;
  readonly amount: number;
}

/** A session compared with what the bank received. Money is an integer of currency units. */
export interface Received {
  readonly session: string;
  /** What the lines of the session add up to, except for transfers. */
  readonly expected: number;
  readonly received: number;
  /** Received minus expected. */
  readonly rest: number;
  readonly parts: readonly ReceivedPart[];
}

const words: Readonly<Record<string, string>> = {
  cod: 'cash on delivery',
  delivery: 'delivery fees',
  return: 'fees for parcels that came back',
  redelivery: 'fees for further attempts',
  insurance: 'insurance',
  address_change: 'fees for changed addresses',
  discount: 'discounts',
  compensation: 'compensation for lost parcels',
  provisional: 'held: provisional charges',
  provisional_back: 'given back of what was held before',
  debt: 'carried over: debt of earlier sessions',
  transfer: 'transferred, as the file says',
  other: 'other fees',
  unexplained: 'net amounts that do not follow from their rows',
};

/** What a session adds up to by kind, beside what the bank received. */
export function explainReceived(session: string, kinds: ReadonlyMap<string, number>, received: number): Received {
  const expected = [...kinds].reduce((sum, [kind, amount]) => (kind === 'transfer' ? sum : sum + amount), 0);
  const parts = [...kinds].map(([kind, amount]) => ({ what: words[kind] ?? kind, amount }));
  return { session, expected, received, rest: received - expected, parts };
}

/** A person or a place on a slip: whom a parcel goes to, or who sends it. */
export interface SlipAddress {
  readonly name: string;
  readonly phone: string;
  /** On one line, from the street to the province. */
  readonly address: string;
}

/** One line of goods. */
export interface SlipLine {
  readonly name: string;
  /** Tells the variant, for example `Colour: blue, Size: M`; empty where there is none. */
  readonly variant: string;
  readonly quantity: number;
}

/** What a packing slip tells of one order; texts are as the service gave them, empty where there is none. */
export interface Slip {
  /** The order's code at the service. */
  readonly code: string;
  readonly externalId: string;
  readonly externalCode: string;
  readonly carrier: string;
  readonly service: string;
  /** The parcel's code at the carrier; it is printed as a barcode and as text. */
  readonly shippingCode: string;
  readonly sender: SlipAddress;
  readonly recipient: SlipAddress;
  readonly lines: readonly SlipLine[];
  /** Cash to collect, an integer amount of the service's currency. */
  readonly codAmount: number;
  readonly weightGrams: number;
  /** What the buyer may do before paying (contract, TryOn); empty where it is not told. */
  readonly tryOn: string;
  readonly note: string;
}

/** The papers there are: one slip a page, four a page with lines to cut along, or a roll as long as the slip. */
export const slipSizes = ['a6', 'a4', '80mm'] as const;

/** One of the papers. */
export type SlipSize = (typeof slipSizes)[number];

/** One entry of a pick list: goods over all orders. */
export interface Pick {
  readonly name: string;
  readonly variant: string;
  readonly quantity: number;
  /** In how many orders. */
  readonly orders: number;
}

/** What has to be fetched from the shelves for all slips: the same goods once, the most first. */
export function picksOf(slips: readonly Slip[]): Pick[] {
  const picks = new Map<string, Pick>();
  for (const { lines } of slips) {
    const seen = new Set<string>();
    for (const { name, variant, quantity } of lines) {
      const key = JSON.stringify([name.normalize('NFC').trim(), variant.normalize('NFC').trim()]);
      const earlier = picks.get(key);
      const orders = (earlier?.orders ?? 0) + (seen.has(key) ? 0 : 1);
      picks.set(key, { ...(earlier ?? { name, variant }), quantity: (earlier?.quantity ?? 0) + quantity, orders });
      seen.add(key);
    }
  }
  return [...picks.values()].sort(
    (one, other) => other.quantity - one.quantity || one.name.localeCompare(other.name, 'vi'),
  );
}

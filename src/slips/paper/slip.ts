/** A person or place on a slip: the recipient or the sender. */
export interface SlipAddress {
  readonly name: string;
  readonly phone: string;
  /** On one line, from the street to the province. */
  readonly address: string;
}

/** One line of goods. */
export interface SlipLine {
  readonly name: string;
  /** Describes the variant, for example `Colour: blue, Size: M`; empty if there is none. */
  readonly variant: string;
  readonly quantity: number;
}

/** The contents of a packing slip for one order; texts are as the service returned them, empty if missing. */
export interface Slip {
  /** The order's code at the service. */
  readonly code: string;
  readonly externalId: string;
  readonly externalCode: string;
  readonly carrier: string;
  readonly service: string;
  /** The parcel's code at the carrier; printed as a barcode and as text. */
  readonly shippingCode: string;
  readonly sender: SlipAddress;
  readonly recipient: SlipAddress;
  readonly lines: readonly SlipLine[];
  /** Cash to collect, an integer amount of the service's currency. */
  readonly codAmount: number;
  readonly weightGrams: number;
  /** What the buyer may do before paying (contract, TryOn); empty if not specified. */
  readonly tryOn: string;
  readonly note: string;
}

/** The paper sizes: one slip per page, four per page with cutting lines, or a roll as long as the slip. */
export const slipSizes = ['a6', 'a4', '80mm'] as const;

/** A paper size. */
export type SlipSize = (typeof slipSizes)[number];

/** One entry of a pick list: the same goods over all orders. */
export interface Pick {
  readonly name: string;
  readonly variant: string;
  readonly quantity: number;
  /** The number of orders that contain it. */
  readonly orders: number;
}

/** What to fetch from the shelves for all slips: equal goods combined, largest quantity first. */
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

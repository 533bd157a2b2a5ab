import { foldedName } from '../../domain/places/place-name.ts';
import type { DraftAddress, DraftLine } from '../../ledger/order-draft.ts';

/** A customer of the shop that can be chosen as the recipient. */
export interface ListedCustomer {
  readonly id: string;
  readonly code?: string | undefined;
  readonly full_name: string;
  readonly phone?: string | undefined;
}

/** A product, or one of its variants, that can be chosen as a line. */
export interface ListedProduct {
  readonly code?: string | undefined;
  readonly line: DraftLine;
}

/** What a shop's own key can list, as far as it was looked up. */
export interface ShopLists {
  readonly customers?: readonly ListedCustomer[] | undefined;
  readonly products?: readonly ListedProduct[] | undefined;
  /** The addresses of a customer, by the customer's id. */
  readonly addresses?: Readonly<Record<string, readonly DraftAddress[]>> | undefined;
}

const folded = new WeakMap<object, string>();

/** An item is searched at every key that is typed, and there may be a hundred thousand. */
function foldedOf<Item extends object>(item: Item, textOf: (item: Item) => string): string {
  const known = folded.get(item);
  if (known !== undefined) return known;
  const text = foldedName(textOf(item));
  folded.set(item, text);
  return text;
}

/** The items whose text contains every typed word, ignoring diacritics; all items if nothing is typed. */
export function matching<Item extends object>(
  items: readonly Item[],
  typed: string,
  textOf: (item: Item) => string,
): Item[] {
  const words = foldedName(typed).split(' ').filter(Boolean);
  return items.filter((item) => {
    const text = foldedOf(item, textOf);
    return words.every((word) => text.includes(word));
  });
}

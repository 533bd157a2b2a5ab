import { join } from 'node:path';
import { foldedName } from '../domain/places/place-name.ts';
import type { DraftAddress, DraftLine } from '../ledger/order-draft.ts';
import type { Files } from '../platform/files/files.ts';

/** One line that distinguishes an address from others. */
export function addressLabel({ full_name, phone, address1, ward, district, province }: DraftAddress): string {
  return [full_name, phone, address1, ward, district, province].filter(Boolean).join(', ');
}

/** Whether an address has everything that a parcel needs. */
export function isWhole(address: DraftAddress): boolean {
  const { full_name, phone, province, district, ward, address1 } = address;
  return [full_name, phone, province, district, ward, address1].every(Boolean);
}

const MOST = 12;

/** The file with the addresses of earlier pickups; mode 0600, since they are personal data. */
const pathIn = (stateDirectory: string) => join(stateDirectory, 'pickups.json');

/** The addresses of earlier pickups, latest first; empty if the file is missing or damaged. */
export async function rememberedPickups(stateDirectory: string, files: Files): Promise<DraftAddress[]> {
  try {
    const value: unknown = JSON.parse(await files.read(pathIn(stateDirectory)));
    return Array.isArray(value) ? value.filter((address) => isWhole(address ?? {})) : [];
  } catch {
    return [];
  }
}

/** Remembers where a parcel was picked up. A failure to do so does not affect the shipment. */
export async function rememberPickup(stateDirectory: string, files: Files, address: DraftAddress): Promise<void> {
  if (!isWhole(address)) return;
  const known = await rememberedPickups(stateDirectory, files);
  const others = known.filter((other) => JSON.stringify(other) !== JSON.stringify(address));
  const text = `${JSON.stringify([address, ...others].slice(0, MOST), undefined, 2)}\n`;
  await files.write(pathIn(stateDirectory), text, 0o600).catch(() => {});
}

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

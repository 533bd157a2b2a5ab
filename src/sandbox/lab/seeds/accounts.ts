import type { Work } from '../../engine/call.ts';
import { statement, tables } from '../../engine/store/statement.ts';
import type { PartnerRow } from '../../engine/store/tables.ts';
import { addApiKey, addShop, allKeys, link } from '../../service/accounts.ts';
import { type SeedContent, SeedError } from './seed-content.ts';

/** Something that happened at a given time; it may add later events. */
export interface SeedEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  happen(): readonly SeedEvent[];
}

/** Runs all events in chronological order; simultaneous ones in the order in which they were added. */
export function runTimeline(beginning: readonly SeedEvent[]): void {
  // Most events are known from the start and sorted once; later additions are kept in a heap.
  const known = beginning
    .map((event, number) => ({ event, number }))
    .sort((one, other) => (isBefore(one, other) ? -1 : 1));
  const heap: Planned[] = [];
  let named = known.length;
  const plan = (event: SeedEvent) => {
    heap.push({ event, number: named++ });
    rise(heap, heap.length - 1);
  };
  let at = 0;
  for (;;) {
    const next = isBefore(heap[0], known[at]) ? takeFirst(heap) : known[at++];
    if (next === undefined) return;
    for (const event of next.event.happen()) plan(event);
  }
}

/** An event, and how many were added before it. */
interface Planned {
  readonly event: SeedEvent;
  readonly number: number;
}

/** Removes and returns the first event of a binary heap. */
function takeFirst(heap: Planned[]): Planned | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last !== undefined && heap.length > 0) {
    heap[0] = last;
    sink(heap);
  }
  return first;
}

function isBefore(one: Planned | undefined, other: Planned | undefined): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.event.at - other.event.at < 0 || (one.event.at === other.event.at && one.number < other.number);
}

function rise(heap: Planned[], from: number): void {
  for (let place = from; place > 0; ) {
    const parent = (place - 1) >> 1;
    if (!isBefore(heap[place], heap[parent])) return;
    swap(heap, place, parent);
    place = parent;
  }
}

function sink(heap: Planned[]): void {
  for (let place = 0; ; ) {
    const [left, right] = [2 * place + 1, 2 * place + 2];
    const child = isBefore(heap[right], heap[left]) ? right : left;
    if (!isBefore(heap[child], heap[place])) return;
    swap(heap, place, child);
    place = child;
  }
}

function swap(heap: Planned[], one: number, other: number): void {
  const [first, second] = [heap[one], heap[other]];
  if (first === undefined || second === undefined) return;
  heap[one] = second;
  heap[other] = first;
}

/** The partner's name if a seed gives none. */
const DEMO_PARTNER = 'Demo Partner';

/** An account's id and the secret of its key, which survive a reset. */
export interface StoredAccount {
  readonly id: string;
  readonly secret: string;
}

/** The accounts in the data, with partners and shops each in the order of the seed. */
export interface StoredAccounts {
  readonly partners: readonly StoredAccount[];
  readonly shops: readonly StoredAccount[];
}

/** The accounts that were populated. */
export interface PopulatedAccounts {
  /** The ids of the partners, by name. */
  readonly partners: ReadonlyMap<string, string>;
  /** The ids of the shops, in the order of the seed. */
  readonly shops: readonly string[];
}

/** Reads the accounts before they are populated again. */
export function readAccounts({ database }: Pick<Work, 'database'>): StoredAccounts {
  const keys = database.all(allKeys, {});
  const of = (kind: 'partner' | 'shop') =>
    keys.filter(({ owner }) => owner === kind).map(({ owner_id: id, secret }) => ({ id, secret }));
  return { partners: of('partner'), shops: of('shop') };
}

/** Creates the partners and the shops, each with its API key (decisions, section 3), and the links between them. */
export function populateAccounts(
  work: Work,
  { partners = [{ name: DEMO_PARTNER }], shops }: SeedContent,
  kept: StoredAccounts = { partners: [], shops: [] },
): PopulatedAccounts {
  const populated = new Map<string, string>();
  for (const [index, { name }] of partners.entries()) {
    if (populated.has(name)) throw new SeedError(`partners[${index}].name`, 'another partner has this name');
    populated.set(name, populatePartner(work, name, kept.partners[index]));
  }
  const shopIds: string[] = [];
  for (const [index, { name, email = null, phone = null, signed_in_with: through = [] }] of shops.entries()) {
    const shopId = addShop(work, { name, email, phone }, kept.shops[index]);
    shopIds.push(shopId);
    for (const [at, partner] of through.entries()) {
      const partnerId = populated.get(partner);
      if (partnerId === undefined) throw unknownPartner(`shops[${index}].signed_in_with[${at}]`, partner);
      link(work, partnerId, shopId);
    }
  }
  return { partners: populated, shops: shopIds };
}

export function unknownPartner(path: string, name: string): SeedError {
  return new SeedError(path, `the seed has no partner ${JSON.stringify(name)}`);
}

const insertPartner = statement((row: PartnerRow) => tables.insertInto('partners').values(row));

function populatePartner(work: Work, name: string, kept: StoredAccount | undefined): string {
  // Always draws an id, so that the following ids are the same either way.
  const drawn = work.nextId();
  const id = kept?.id ?? drawn;
  work.database.run(insertPartner, { id, name, created_at: work.now });
  addApiKey(work, 'partner', id, kept?.secret);
  return id;
}

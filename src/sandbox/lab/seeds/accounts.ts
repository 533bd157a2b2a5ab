import type { Work } from '../../engine/call.ts';
import { statement, tables } from '../../engine/store/sql/statement.ts';
import type { PartnerRow } from '../../engine/store/sql/tables.ts';
import { addApiKey, addShop, allKeys, link } from '../../service/accounts/request-tokens.ts';
import { type SeedContent, SeedError } from './seed-content.ts';

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

import type { Account } from '../../client/account.ts';
import { ledgerAccount, nameIdentity } from '../identity.ts';
import type { Key } from '../store/keys.ts';
import { say } from '../texts.ts';

/** The shops of a partner that a profile is signed in to, by id. */
export type PartnerShops = Readonly<Record<string, { readonly name?: string | undefined }>>;

/** An order of another shop that has a name of the partner's, and how that is told. */
export interface TakenElsewhere {
  readonly shop_id: string;
  readonly order_id: string;
  readonly message: string;
}

/**
 * A partner's external_id is unique over all its shops, and a shop's key does not see another shop's order: which of the
 * other shops has it, if the ledger knows.
 */
export async function takenElsewhere(
  keysAt: (account: string, resource: string, identities: readonly string[]) => Promise<ReadonlyMap<string, Key>>,
  account: Account,
  shops: PartnerShops,
  name: string,
): Promise<TakenElsewhere | undefined> {
  if (account.family !== 'partner') return undefined;
  const identity = nameIdentity(name);
  for (const [shop_id, { name: called = shop_id }] of Object.entries(shops)) {
    if (shop_id === account.shop) continue;
    const key = (await keysAt(ledgerAccount({ ...account, shop: shop_id }), 'order', [identity])).get(identity);
    if (key?.state !== 'done' || key.family !== account.family) continue;
    const order_id = key.recordId ?? '';
    return { shop_id, order_id, message: say().refused.takenElsewhere({ name, order: order_id, shop: called }) };
  }
  return undefined;
}

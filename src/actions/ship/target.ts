import { accountOf, isSameAccount } from '../../client/account.ts';
import { keyFor } from '../../client/authorization.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { loadOperation } from '../../contract/areas.ts';
import type { Family, OperationId } from '../../contract/operation.ts';
import { DraftError, type DraftTarget, type ShipDraft } from '../../flows/drafts.ts';
import type { ShipOperations } from '../../flows/ship/send-draft.ts';
import type { Ports } from '../ports.ts';
import { baseUrlOf } from '../settings/keys.ts';

/** The account and the service in force. */
type InForce = Pick<Ports, 'settings' | 'connection'>;

function familyOf({ settings }: InForce): Family {
  return settings.as?.value ?? 'partner';
}

/** The operations of the family in force. The shop's take and answer what the partner's do, as far as they are used here. */
export async function loadShipOperations(ports: InForce): Promise<ShipOperations> {
  const family = familyOf(ports);
  const [create, lookup, quote] = await Promise.all([
    loadOperation(`${family}.Shipping/CreateAndConfirmOrder`),
    loadOperation(`${family}.Shipping/GetOrder`),
    loadOperation(`${family}.Shipping/GetShippingServices`),
  ]);
  return { create, lookup, quote } as ShipOperations;
}

/** Where an operation's drafts of this run go. Throws a CredentialError where there is not a key that may go there. */
export async function targetOfOperation(ports: InForce, operation: OperationId): Promise<DraftTarget> {
  const family = operation.startsWith('partner.') ? 'partner' : 'shop';
  const base_url = baseUrlOf(ports.settings);
  const connection = ports.connection();
  keyFor(family === 'partner' ? 'shop-key' : 'shop-api-key', operation, checkedBaseUrl(base_url).origin, connection);
  return { operation, base_url, account: await accountOf(family, connection) };
}

/** Where a draft of `ship` goes. Refuses before the first question what the last step would refuse. */
export function targetOf(ports: InForce): Promise<DraftTarget> {
  return targetOfOperation(ports, `${familyOf(ports)}.Shipping/CreateAndConfirmOrder`);
}

/** The place of a draft that is only looked at: nothing is sent, and nobody is asked whose it would be. */
export function previewTarget(ports: InForce): DraftTarget {
  const family = familyOf(ports);
  const operation = `${family}.Shipping/CreateAndConfirmOrder`;
  return { operation, base_url: baseUrlOf(ports.settings), account: { origin: '', family, shop: '' } };
}

/** Refuses a draft of another account: there its order would not be found, and sent a second time. */
export function requireSameTarget(draft: ShipDraft, here: DraftTarget): void {
  const { operation, base_url, account } = draft.target;
  if (operation === here.operation && isSameAccount(account, here.account)) return;
  throw new DraftError('draft_elsewhere', `draft ${draft.id} was made for another account or service`, {
    draft: draft.id,
    base_url,
    family: account.family,
    // What stands in for an id that nobody could tell names no shop.
    ...(account.family === 'partner' && !account.shop.startsWith('key ') ? { shop: account.shop } : {}),
  });
}

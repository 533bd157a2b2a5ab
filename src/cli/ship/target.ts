import { keyFor } from '../../client/authorization.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { loadOperation } from '../../contract/areas.ts';
import { DraftError, type DraftTarget, type ShipDraft } from '../../flows/drafts.ts';
import type { ShipOperations } from '../../flows/ship/send-draft.ts';
import { baseUrlOf, type Session, shopInForce } from '../session.ts';

function familyOf({ settings }: Session): 'partner' | 'shop' {
  return settings.as?.value ?? 'partner';
}

/** The operations of the family in force. The shop's take and answer what the partner's do, as far as they are used here. */
export async function loadShipOperations(session: Session): Promise<ShipOperations> {
  const family = familyOf(session);
  const [create, lookup, quote] = await Promise.all([
    loadOperation(`${family}.Shipping/CreateAndConfirmOrder`),
    loadOperation(`${family}.Shipping/GetOrder`),
    loadOperation(`${family}.Shipping/GetShippingServices`),
  ]);
  return { create, lookup, quote } as ShipOperations;
}

/** Where a draft of this run goes: the account is the shop of a partner, or the profile of a shop's own key. */
export function targetOf(session: Session): DraftTarget {
  const { settings } = session;
  const family = familyOf(session);
  const shop = family === 'partner' ? shopInForce(settings) : undefined;
  return {
    operation: `${family}.Shipping/CreateAndConfirmOrder`,
    base_url: baseUrlOf(settings),
    account: shop === undefined ? (settings.profileName?.value ?? '') : `shop ${shop}`,
  };
}

/** Refuses before the first question what the last step would refuse: there is no key to ship with, or it belongs elsewhere. */
export function requireKey(session: Session): void {
  const family = familyOf(session);
  const { origin } = checkedBaseUrl(baseUrlOf(session.settings));
  const credential = family === 'partner' ? 'shop-key' : 'shop-api-key';
  keyFor(credential, `${family}.Shipping/CreateAndConfirmOrder`, origin, session.connection());
}

/** Refuses a draft of another place: there its order would not be found, and sent a second time. */
export function requireSameTarget(draft: ShipDraft, session: Session): void {
  const here = targetOf(session);
  const { operation, base_url, account } = draft.target;
  if (operation === here.operation && base_url === here.base_url && account === here.account) return;
  const [, shop] = /^shop (.+)$/.exec(account) ?? [];
  const flags = [
    `--base-url ${base_url}`,
    `--as ${operation.split('.')[0]}`,
    ...(shop === undefined ? (account === '' ? [] : [`--profile ${account}`]) : [`--shop ${shop}`]),
  ];
  throw new DraftError(
    'draft_elsewhere',
    `draft ${draft.id} was made for another account or service`,
    `go on with it as \`shopctl ship --resume ${draft.id} ${flags.join(' ')}\``,
  );
}

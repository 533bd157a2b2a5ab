import { baseUrlOf } from '../../actions/settings/keys.ts';
import { accountOf, isSameAccount } from '../../client/account.ts';
import { keyFor } from '../../client/authorization.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { loadOperation } from '../../contract/areas.ts';
import type { Family, OperationId } from '../../contract/operation.ts';
import { DraftError, type DraftTarget, type ShipDraft } from '../../flows/drafts.ts';
import type { ShipOperations } from '../../flows/ship/send-draft.ts';
import type { Session } from '../session.ts';

function familyOf({ settings }: Session): Family {
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

/** Where an operation's drafts of this run go. Throws a CredentialError where there is no key that may go there. */
export async function targetOfOperation(session: Session, operation: OperationId): Promise<DraftTarget> {
  const family = operation.startsWith('partner.') ? 'partner' : 'shop';
  const base_url = baseUrlOf(session.settings);
  const connection = session.connection();
  keyFor(family === 'partner' ? 'shop-key' : 'shop-api-key', operation, checkedBaseUrl(base_url).origin, connection);
  return { operation, base_url, account: await accountOf(family, connection) };
}

/** Where a draft of `ship` goes. Refuses before the first question what the last step would refuse. */
export function targetOf(session: Session): Promise<DraftTarget> {
  return targetOfOperation(session, `${familyOf(session)}.Shipping/CreateAndConfirmOrder`);
}

/** The place of a draft that is only looked at: nothing is sent, and nobody is asked whose it would be. */
export function previewTarget(session: Session): DraftTarget {
  const family = familyOf(session);
  const operation = `${family}.Shipping/CreateAndConfirmOrder`;
  return { operation, base_url: baseUrlOf(session.settings), account: { origin: '', family, shop: '' } };
}

/** Refuses a draft of another account: there its order would not be found, and sent a second time. */
export function requireSameTarget(draft: ShipDraft, here: DraftTarget): void {
  const { operation, base_url, account } = draft.target;
  if (operation === here.operation && isSameAccount(account, here.account)) return;
  const shop = account.family === 'partner' && !account.shop.startsWith('key ') ? [`--shop ${account.shop}`] : [];
  const flags = [`--base-url ${base_url}`, `--as ${account.family}`, ...shop];
  throw new DraftError(
    'draft_elsewhere',
    `draft ${draft.id} was made for another account or service`,
    `go on with it with that account's key, as \`shopctl ship --resume ${draft.id} ${flags.join(' ')}\``,
  );
}

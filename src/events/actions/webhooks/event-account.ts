import type { Ports } from '../../../action/ports.ts';
import { accountText, webhookAccountOf } from '../../../client/account.ts';
import { checkedBaseUrl } from '../../../client/exchange/base-url.ts';
import { Refusal } from '../../../client/refusal.ts';
import type { SeenAt } from '../../../ledger/known/seen-ends.ts';
import type { Workspace } from '../../../store/workspace.ts';

/**
 * Whose changes, listeners and targets a run uses: in a shared workspace, those of the account whose key is in force;
 * in a profile's own file all of them, represented by the empty text. Throws a Refusal if no key tells.
 */
export async function eventAccount(
  { settings, connection }: Pick<Ports, 'settings' | 'connection'>,
  { serverTime }: Workspace,
): Promise<string> {
  if (serverTime === undefined) return '';
  const family = settings.as?.value === 'shop' ? 'shop' : 'partner';
  const account = await webhookAccountOf(family, connection());
  if (account !== undefined) return accountText(account);
  const message =
    'several accounts share the workspace, so it takes a key to say whose changes are meant, and there is none';
  throw new Refusal('no_account', message, { kind: 'configuration' });
}

/** Whose records received changes are about: the service, and the shop whose own key is in force, if one is. */
export async function seenAt({ settings, connection }: Pick<Ports, 'settings' | 'connection'>): Promise<SeenAt> {
  const own = connection();
  const { origin } = checkedBaseUrl(own.baseUrl);
  const isShop = settings.as?.value === 'shop';
  const account = isShop ? await webhookAccountOf('shop', own).catch(() => undefined) : undefined;
  return { origin, shop: account?.shop };
}

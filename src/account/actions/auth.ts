import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { CredentialError } from '../../client/errors.ts';
import { Refusal } from '../../client/refusal.ts';
import type { Credential } from '../../contract/operation.ts';
import { flag, text } from '../../contract/schema/scalars.ts';
import { keyOf, shopInForce } from '../../settings/keys.ts';
import { login } from './login.ts';
import { setup } from './setup.ts';
import { logout, refuseUnknown, shops, use } from './shops.ts';
import { status } from './status.ts';

interface Input {
  readonly shop?: string | undefined;
  readonly api_key?: boolean | undefined;
}

/** The requested key: that of a shop that a partner acts for, otherwise the profile's own. */
function meant({ shop, api_key }: Input, { settings }: Ports): { credential: Credential; shopId: string | undefined } {
  const isShop = settings.as?.value === 'shop';
  if (api_key === true || isShop) {
    return { credential: isShop ? 'shop-api-key' : 'partner-api-key', shopId: undefined };
  }
  return { credential: 'shop-key', shopId: shop ?? shopInForce(settings) };
}

/** The settings as if this shop were the current one. */
function settingsFor({ shop }: Input, { settings }: Ports) {
  if (shop === undefined) return settings;
  refuseUnknown(settings.profile, shop);
  return { ...settings, shop: { value: shop, origin: 'flag' as const } };
}

/** A key is printed in clear text only if a person asks for it, or a program explicitly requests it. */
async function confirmShowing({ person }: Ports, what: string): Promise<void> {
  if (person.hasAgreed) return;
  if (!person.isThere || !person.readsResult) {
    throw new Refusal('key_to_nobody', 'a key is shown only in a terminal, after a confirmation');
  }
  const message = `Print ${what} in clear text? Anyone who sees it can use it.`;
  if (!(await person.ask({ name: 'print', message, schema: z.boolean(), initial: false }))) {
    throw new Refusal('not_confirmed', 'not confirmed, nothing was printed');
  }
}

const token = action({
  id: 'auth.token',
  words: ['auth', 'token'],
  summary: 'Print a key in clear text',
  description: 'Prints to a terminal after asking; elsewhere only with --yes.',
  examples: ['shopctl auth token', 'shopctl auth token --api-key --yes'],
  effect: 'secret',
  undo: { whyNot: 'what was shown cannot be hidden again' },
  confirm: 'yes',
  needs: [],
  input: z.object({
    shop: z.optional(text('id of the shop')),
    api_key: z.optional(flag('the API key of the profile, not a shop key')),
  }),
  output: z.object({
    credential: text('Kind of the key'),
    shop_id: z.nullable(text('The shop that it acts for; null for an API key')),
    token: text('The key, in clear text'),
  }),
  view: { columns: [{ path: 'credential' }, { path: 'shop_id' }, { path: 'token' }], name: 'token', text: 'token' },
  positional: ['shop'],
  hints: { shop: { offers: 'shops' } },
  async run(input, ports) {
    const { credential, shopId } = meant(input, ports);
    // A shop that is named means its saved key, regardless of the environment.
    const env = input.shop === undefined ? ports.env : {};
    const key = keyOf(credential, settingsFor(input, ports), env);
    if (key === undefined) {
      const what = credential === 'shop-key' ? 'no shop key is saved' : 'no API key is saved';
      throw new CredentialError('credential_missing', what, { hint: ports.ui.advise('look_for_keys') });
    }
    await confirmShowing(ports, shopId === undefined ? 'the API key' : `the key of shop ${shopId}`);
    return { credential, shop_id: shopId ?? null, token: key.secret.reveal() };
  },
});

/** Signing shops in, and the resulting keys. */
export const actions = [login, status, shops, use, logout, token, setup];

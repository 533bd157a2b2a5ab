import { keyOf, shopInForce } from '../../actions/settings/keys.ts';
import { CredentialError } from '../../client/errors.ts';
import type { Credential } from '../../contract/operation.ts';
import type { Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { beforeSending } from '../how-to-print.ts';
import { canAsk } from '../interaction.ts';
import { UsageError } from '../usage-error.ts';
import { refuseUnknown } from './shops.ts';

const view: View = { columns: [{ path: 'credential' }, { path: 'shop_id' }, { path: 'token' }], name: 'token' };

/** Which key is meant: the one of a shop that a partner acts for, else the profile's own. */
function meant({ session, given }: Invocation): { credential: Credential; shopId: string | undefined } {
  const isShop = session.settings.as?.value === 'shop';
  if (given.flags['api-key'] === true || isShop) {
    return { credential: isShop ? 'shop-api-key' : 'partner-api-key', shopId: undefined };
  }
  return { credential: 'shop-key', shopId: given.arguments[0] ?? shopInForce(session.settings) };
}

/** The settings as if this shop were the one in force. */
function settingsFor({ session, given }: Invocation) {
  const [shopId] = given.arguments;
  if (shopId === undefined) return session.settings;
  refuseUnknown(session.settings.profile, shopId);
  return { ...session.settings, shop: { value: shopId, origin: 'flag' as const } };
}

/** A key leaves the store in clear only to a person who asked for it, or to a script that says so. */
async function confirmShowing(invocation: Invocation, what: string): Promise<void> {
  const { context, session } = invocation;
  if (session.globals.yes === true) return;
  if (!context.stdout.isTerminal || !canAsk(context, session)) {
    throw new UsageError('a key is printed only to a terminal, after asking, or with --yes');
  }
  const message = `Print ${what} in clear? Whoever sees it can act with it.`;
  if (!(await context.prompter.confirm({ message, initial: false }))) {
    throw new UsageError('not confirmed, nothing was printed');
  }
}

/** `auth token`: prints a key. */
export async function token(invocation: Invocation): Promise<Result> {
  const { context, session } = invocation;
  const listed = await beforeSending(context, session, view);
  if (listed !== undefined) return listed;
  const { credential, shopId } = meant(invocation);
  // A shop that is named means its own key, whatever the environment holds.
  const env = invocation.given.arguments.length > 0 ? {} : context.env;
  const key = keyOf(credential, settingsFor(invocation), env);
  if (key === undefined) {
    const what = credential === 'shop-key' ? 'there is no shop key' : 'there is no API key';
    const hint = 'see which keys there are with `shopctl auth status --offline`';
    throw new CredentialError('credential_missing', what, undefined, hint);
  }
  await confirmShowing(invocation, shopId === undefined ? 'the API key' : `the key of shop ${shopId}`);
  const text = key.secret.reveal();
  if (session.settings.output.value === 'table') return { document: { kind: 'text', text: `${text}\n` } };
  return { document: { kind: 'record', value: { credential, shop_id: shopId ?? null, token: text }, view } };
}

import { shopInForce } from '../../actions/settings/keys.ts';
import type { Connection, Key } from '../../client/connection.ts';
import type { Credential } from '../../contract/operation.ts';
import { checkKey, type KeyCheck } from '../../flows/key-check.ts';
import { Secret } from '../../platform/secret.ts';
import type { Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { beforeSending } from '../how-to-print.ts';

const view: View = {
  columns: [
    { path: 'credential' },
    { path: 'shop_id' },
    { path: 'name' },
    { path: 'current', kind: 'flag' },
    { path: 'since', kind: 'time' },
    { path: 'key' },
    { path: 'from' },
    { path: 'works', kind: 'flag' },
    { path: 'problem' },
  ],
  name: 'shop_id',
};

/** One key that there is, and what is known of it without asking anyone. */
interface HeldKey {
  readonly credential: Credential;
  readonly key: Key;
  readonly from: 'environment' | 'profile';
  readonly shopId?: string;
  readonly name?: string | undefined;
  readonly since?: string | undefined;
}

function environmentKeys({ context, session }: Invocation): HeldKey[] {
  const { SHOPCTL_API_KEY: apiKey, SHOPCTL_SHOP_KEY: shopKey } = context.env;
  const credential = session.settings.as?.value === 'shop' ? 'shop-api-key' : 'partner-api-key';
  const held = (kind: Credential, text: string | undefined): HeldKey[] =>
    text ? [{ credential: kind, key: { secret: new Secret(text) }, from: 'environment' }] : [];
  return [...held(credential, apiKey), ...held('shop-key', shopKey)];
}

function profileKeys({ session }: Invocation): HeldKey[] {
  const { profile } = session.settings;
  if (profile === undefined) return [];
  const bound = (text: string): Key => ({ secret: new Secret(text), origin: new URL(profile.base_url).origin });
  const own: HeldKey[] =
    profile.api_key === undefined
      ? []
      : [
          {
            credential: profile.kind === 'shop' ? 'shop-api-key' : 'partner-api-key',
            key: bound(profile.api_key),
            from: 'profile',
          },
        ];
  const shops = Object.entries(profile.shops ?? {}).map(([shopId, { name, since, shop_key }]) => {
    return { credential: 'shop-key', key: bound(shop_key), from: 'profile', shopId, name, since } as const;
  });
  return [...own, ...shops];
}

/** Asks about each key in turn; when the service cannot be reached, once is enough. */
async function checkAll(keys: readonly HeldKey[], connection: Connection): Promise<KeyCheck[]> {
  const checks: KeyCheck[] = [];
  for (const { credential, key } of keys) {
    const last = checks.at(-1);
    checks.push(last?.unreachable === true ? last : await checkKey(credential, key, connection));
  }
  return checks;
}

function exitOf(checks: readonly KeyCheck[], isOffline: boolean): Pick<Result, 'exit'> {
  if (checks.length === 0 || checks.some(({ works }) => works === false)) return { exit: 'credential' };
  if (isOffline || checks.every(({ works }) => works === true)) return {};
  return { exit: checks.some(({ unreachable }) => unreachable) ? 'network' : 'credential' };
}

/** `auth status`: every key that there is, and whether the service accepts it. Exit 4 when one is refused or there is none. */
export async function status(invocation: Invocation): Promise<Result> {
  const { context, session, given } = invocation;
  const listed = await beforeSending(context, session, view);
  if (listed !== undefined) return listed;
  const isPreview = session.globals['dry-run'] === true || session.globals.curl === true;
  const isOffline = given.flags.offline === true || isPreview;
  const keys = [...environmentKeys(invocation), ...profileKeys(invocation)];
  const unasked = keys.map((): KeyCheck => ({ works: undefined }));
  const checks = isOffline || keys.length === 0 ? unasked : await checkAll(keys, session.connection());
  const current = shopInForce(session.settings);
  const rows = keys.map(({ credential, key, from, shopId, name, since }, index) => ({
    credential,
    shop_id: shopId ?? null,
    name: name ?? null,
    current: shopId === undefined ? null : shopId === current,
    since: since ?? null,
    key: key.secret.redacted(),
    from,
    works: checks[index]?.works ?? null,
    problem: checks[index]?.problem ?? null,
  }));
  const notices = [
    ...(keys.length === 0 ? ['there is no key here: begin with `shopctl auth setup`'] : []),
    ...(isPreview ? ['dry run: no key was sent'] : []),
  ];
  return { document: { kind: 'list', rows, view }, notices, ...exitOf(checks, isOffline) };
}

import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports, Verdict } from '../../action/ports.ts';
import type { Connection, Key } from '../../client/connection.ts';
import { checkKey, type KeyCheck } from '../../client/key-check.ts';
import type { Credential } from '../../contract/operation.ts';
import { flag, list, text, time } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { Secret } from '../../platform/settings/secret.ts';
import type { StoredProfile } from '../../platform/settings/settings.ts';
import { shopInForce } from '../../settings/keys.ts';
import { nameOfShop, shopsOf } from '../../settings/shop-names.ts';

const view: View = {
  columns: [
    { path: 'credential' },
    { path: 'shop_id' },
    { path: 'name' },
    { path: 'key' },
    { path: 'works', kind: 'flag' },
    { path: 'problem' },
    { path: 'current', kind: 'flag', optional: true },
    { path: 'from', optional: true },
    { path: 'since', kind: 'time', optional: true },
  ],
  name: 'shop_id',
};

const shownKey = z.object({
  credential: text('Its kind'),
  shop_id: z.nullable(text('The shop that it acts for; null for the API key of a partner')),
  name: z.nullable(text('What the shop is called')),
  current: z.nullable(flag('Whether it is the current shop; null for an API key')),
  since: z.nullable(time('When it was saved')),
  key: text('Its last characters'),
  from: text('environment or profile'),
  works: z.nullable(flag('Whether the service accepts it; null if not known')),
  problem: z.nullable(text('Why it does not work, or why that is not known')),
});

/** A stored key, and what is known of it offline. */
interface HeldKey {
  readonly credential: Credential;
  readonly key: Key;
  readonly from: 'environment' | 'profile';
  readonly shopId?: string;
  readonly name?: string | undefined;
  readonly since?: string | undefined;
}

function environmentKeys({ env, settings }: Ports): HeldKey[] {
  const { SHOPCTL_API_KEY: apiKey, SHOPCTL_SHOP_KEY: shopKey } = env;
  const credential = settings.as?.value === 'shop' ? 'shop-api-key' : 'partner-api-key';
  const held = (kind: Credential, text: string | undefined): HeldKey[] =>
    text ? [{ credential: kind, key: { secret: new Secret(text) }, from: 'environment' }] : [];
  return [...held(credential, apiKey), ...held('shop-key', shopKey)];
}

/** The shop whose own key a profile has, if known. */
function ownShop(profile: StoredProfile): Pick<HeldKey, 'name'> {
  const [shop] = profile.kind === 'shop' ? shopsOf(profile) : [];
  return shop === undefined ? {} : { name: shop.name };
}

function profileKeys({ settings }: Ports): HeldKey[] {
  const { profile } = settings;
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
            ...ownShop(profile),
          },
        ];
  const shops = Object.entries(profile.shops ?? {}).map(([shopId, { since, shop_key }]) => {
    const name = nameOfShop(profile, shopId);
    return { credential: 'shop-key', key: bound(shop_key), from: 'profile', shopId, name, since } as const;
  });
  return [...own, ...shops];
}

/** Checks each key in turn; an unreachable service is asked only once. */
async function checkAll(keys: readonly HeldKey[], connection: Connection): Promise<KeyCheck[]> {
  const checks: KeyCheck[] = [];
  for (const { credential, key } of keys) {
    const last = checks.at(-1);
    checks.push(last?.unreachable === true ? last : await checkKey(credential, key, connection));
  }
  return checks;
}

/** The verdict of all checks; undefined if every key is accepted. A service that failed has said nothing of a key. */
function verdictOf(checks: readonly KeyCheck[], isOffline: boolean, { explain }: Ports['ui']): Verdict | undefined {
  if (checks.length === 0 || checks.some(({ works }) => works === false)) return 'credential';
  if (isOffline || checks.every(({ works }) => works === true)) return undefined;
  const failed = checks.find(({ error }) => error !== undefined);
  return failed === undefined ? 'credential' : explain(failed.error).verdict;
}

export const status = action({
  id: 'auth.status',
  words: ['auth', 'status'],
  summary: 'Show all keys, and whether the service accepts them',
  description:
    'Exits with 4 if a key is refused or missing, with 7 if the service cannot be reached, with 6 or 13 if it answered otherwise.',
  examples: ['shopctl auth status', 'shopctl auth status --offline --json'],
  effect: 'read',
  needs: [],
  input: z.object({ offline: z.optional(flag('do not check the keys with the service')) }),
  output: list(shownKey, 'The keys that were found'),
  view,
  async run({ offline }, ports) {
    const { settings, report, ui, isLook } = ports;
    const isOffline = offline === true || isLook;
    const keys = [...environmentKeys(ports), ...profileKeys(ports)];
    const unasked = keys.map((): KeyCheck => ({ works: undefined }));
    const checks = isOffline || keys.length === 0 ? unasked : await checkAll(keys, ports.connection());
    if (keys.length === 0) report.notice(ui.advise('begin_with_setup'));
    if (isLook) report.notice('dry run: no key was sent');
    const verdict = verdictOf(checks, isOffline, ui);
    if (verdict !== undefined) report.verdict(verdict);
    const current = shopInForce(settings);
    return keys.map(({ credential, key, from, shopId, name, since }, index) => ({
      credential,
      shop_id: shopId ?? checks[index]?.account?.id ?? null,
      name: name ?? checks[index]?.account?.name ?? null,
      current: shopId === undefined ? null : shopId === current,
      since: since ?? null,
      key: key.secret.redacted(),
      from,
      works: checks[index]?.works ?? null,
      problem: checks[index]?.problem ?? null,
    }));
  },
});

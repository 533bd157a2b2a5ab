import { authorizeShop, type ShopGranted, type SignInPending } from '../../flows/sign-in.ts';
import { Secret } from '../../platform/secret.ts';
import type { Settings, StoredProfile, StoredShop } from '../../platform/settings.ts';
import type { Flag, Group, Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { canAsk } from '../interaction.ts';
import { guard } from '../preview.ts';
import { beforeSending } from '../printing.ts';
import { textFlag } from '../request-input.ts';
import { baseUrlOf, shopInForce } from '../session.ts';
import { UsageError } from '../usage-error.ts';

const DEFAULT_PROFILE = 'default';

const loginView: View = {
  columns: [
    { path: 'status' },
    { path: 'profile' },
    { path: 'shop_id' },
    { path: 'auth_token' },
    { path: 'expires_at', kind: 'time' },
    { path: 'sign_in_url' },
    { path: 'next' },
  ],
  name: 'shop_id',
};

/** The profile that a sign-in is saved to: the one in force, or a first one for the address in force. */
function profileToSave(settings: Settings, name: string, baseUrl: string): StoredProfile {
  const profile = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  if (profile === undefined) return { kind: 'partner', base_url: baseUrl };
  if (new URL(profile.base_url).origin !== new URL(baseUrl).origin) {
    throw new UsageError(`the profile ${name} belongs to ${profile.base_url}, and this key to ${baseUrl}`, {
      hint: 'name another profile with --profile',
    });
  }
  return profile;
}

/** Saves a shop's key in the profile in force and makes the shop the one that is acted for. */
async function save(invocation: Invocation, shopId: string, granted: ShopGranted): Promise<string> {
  const { context, session } = invocation;
  const name = session.settings.profileName?.value ?? DEFAULT_PROFILE;
  const baseUrl = baseUrlOf(session.settings);
  await session.store.update((settings) => {
    const profile = profileToSave(settings, name, baseUrl);
    const shop: StoredShop = {
      ...profile.shops?.[shopId],
      shop_key: granted.shopKey.reveal(),
      since: new Date(context.clock.now()).toISOString(),
    };
    const changed = { ...profile, shops: { ...profile.shops, [shopId]: shop }, current_shop: shopId };
    return {
      ...settings,
      current_profile: settings.current_profile ?? name,
      profiles: { ...settings.profiles, [name]: changed },
    };
  });
  return name;
}

async function signedIn(invocation: Invocation, shopId: string, granted: ShopGranted): Promise<Result> {
  const profile = await save(invocation, shopId, granted);
  return {
    document: { kind: 'record', value: { status: 'signed_in', profile, shop_id: shopId }, view: loginView },
    notices: [`signed in: orders are now shipped for shop ${shopId}`],
  };
}

function pendingResult(pending: SignInPending): Result {
  const value = {
    status: 'pending',
    auth_token: pending.requestToken.reveal(),
    expires_at: pending.expiresAt,
    sign_in_url: pending.signInUrl ?? null,
    next: 'shopctl auth login --shop-id ID',
  };
  return {
    document: { kind: 'record', value, view: loginView },
    exit: 'pending',
    notices: ['the shop has to sign in with this token; then complete it with --shop-id'],
  };
}

/** Waits for a person to say which shop signed in. */
async function askForShop({ context }: Invocation, pending: SignInPending): Promise<string> {
  if (pending.signInUrl !== undefined) await context.stderr.write(`Sign the shop in here: ${pending.signInUrl}\n`);
  else await context.stderr.write('Let the shop sign in through your sign-in page.\n');
  await context.stderr.write(`The request is valid until ${pending.expiresAt}.\n`);
  const shopId = await context.prompter.text({
    message: 'Id of the shop that signed in',
    validate: (answer) => (/^\d+$/.test(answer.trim()) ? true : 'an id is a number'),
  });
  return shopId.trim();
}

function requestOf(invocation: Invocation) {
  const request: Record<string, string> = {};
  for (const [flag, field] of [
    ['shop-id', 'shop_id'],
    ['email', 'email'],
    ['phone', 'phone'],
    ['name', 'name'],
  ] as const) {
    const text = textFlag(invocation, flag);
    if (text !== undefined) request[field] = text;
  }
  return request;
}

async function login(invocation: Invocation): Promise<Result> {
  const { context, session } = invocation;
  const listed = await beforeSending(context, session, loginView);
  if (listed !== undefined) return listed;
  const request = requestOf(invocation);
  const preview = guard(invocation, {
    id: 'partner.Shop/AuthorizeShop',
    effect: 'authorize',
    credential: 'partner-api-key',
    body: JSON.stringify(request),
  });
  if (preview !== undefined) return preview;
  const connection = session.connection();
  const step = await authorizeShop(request, connection);
  if (step.kind === 'granted') return signedIn(invocation, request.shop_id ?? '', step);
  if (!canAsk(context, session)) return pendingResult(step);
  const shopId = await askForShop(invocation, step);
  const completed = await authorizeShop({ shop_id: shopId }, connection);
  if (completed.kind === 'granted') return signedIn(invocation, shopId, completed);
  throw new UsageError(`shop ${shopId} has not signed in`, { hint: 'sign in again with `shopctl auth login`' });
}

const shopsView: View = {
  columns: [
    { path: 'shop_id' },
    { path: 'name' },
    { path: 'current', kind: 'flag' },
    { path: 'since', kind: 'time' },
    { path: 'shop_key' },
  ],
  name: 'shop_id',
};

async function shops({ context, session }: Invocation): Promise<Result> {
  const listed = await beforeSending(context, session, shopsView);
  if (listed !== undefined) return listed;
  const current = shopInForce(session.settings);
  const rows = Object.entries(session.settings.profile?.shops ?? {}).map(([shop_id, shop]) => ({
    shop_id,
    name: shop.name ?? null,
    current: shop_id === current,
    since: shop.since ?? null,
    shop_key: new Secret(shop.shop_key).redacted(),
  }));
  return { document: { kind: 'list', rows, view: shopsView } };
}

async function changeShops(invocation: Invocation, change: (profile: StoredProfile) => StoredProfile): Promise<void> {
  const name = invocation.session.settings.profileName?.value;
  if (name === undefined) throw new UsageError('no profile is in force', { hint: 'sign in with `shopctl auth login`' });
  await invocation.session.store.update((settings) => {
    const profile = settings.profiles[name];
    if (profile === undefined) throw new UsageError(`there is no profile ${JSON.stringify(name)}`);
    return { ...settings, profiles: { ...settings.profiles, [name]: change(profile) } };
  });
}

function refuseUnknown(profile: StoredProfile, shopId: string): void {
  if (profile.shops !== undefined && Object.hasOwn(profile.shops, shopId)) return;
  throw new UsageError(`shop ${shopId} is not signed in`, {
    hint: `sign it in with \`shopctl auth login --shop-id ${shopId}\``,
  });
}

async function use(invocation: Invocation): Promise<Result> {
  const shopId = invocation.given.arguments[0] ?? '';
  await changeShops(invocation, (profile) => {
    refuseUnknown(profile, shopId);
    return { ...profile, current_shop: shopId };
  });
  return { document: { kind: 'none' }, notices: [`acting for shop ${shopId}`] };
}

async function logout(invocation: Invocation): Promise<Result> {
  const { session, given } = invocation;
  const all = given.flags.all === true;
  const shopId = given.arguments[0] ?? shopInForce(session.settings);
  if (!all && shopId === undefined) throw new UsageError('which shop? name its id, or --all');
  await changeShops(invocation, (profile) => {
    const { current_shop, shops: signedInShops = {}, ...rest } = profile;
    if (all || shopId === undefined) return rest;
    refuseUnknown(profile, shopId);
    const { [shopId]: _, ...left } = signedInShops;
    return { ...rest, shops: left, ...(current_shop === undefined || current_shop === shopId ? {} : { current_shop }) };
  });
  return {
    document: { kind: 'none' },
    notices: [
      `forgot the key of ${all ? 'every shop' : `shop ${shopId}`}`,
      'the key itself stays valid until the shop removes the link with the partner',
    ],
  };
}

const loginFlags: readonly Flag[] = [
  { name: 'shop-id', type: 'id', description: 'a shop that signed in before, or has just done so' },
  { name: 'email', type: 'string', description: 'pre-fills a first sign-in' },
  { name: 'phone', type: 'string', description: 'pre-fills a first sign-in' },
  { name: 'name', type: 'string', description: 'pre-fills a first sign-in' },
];

const shop = { name: 'shop', description: 'id of the shop' } as const;

/** `shopctl auth`: the sign-in of shops and the keys that came of it. */
export const group: Group = {
  commands: [
    {
      words: ['login'],
      summary: 'Sign a shop in and save its key',
      description:
        'Without a terminal it prints the request token and exits with 8; once the shop has signed in, --shop-id completes it.',
      flags: () => loginFlags,
      operations: ['partner.Shop/AuthorizeShop'],
      examples: ['shopctl auth login', 'shopctl auth login --no-input --json', 'shopctl auth login --shop-id ID'],
      run: login,
    },
    { words: ['shops'], summary: 'List the shops that are signed in', examples: ['shopctl auth shops'], run: shops },
    { words: ['use'], summary: 'Act for this shop', arguments: [{ ...shop, required: true }], run: use },
    {
      words: ['logout'],
      summary: 'Forget the key of a shop',
      arguments: [{ ...shop, required: false }],
      flags: () => [{ name: 'all', type: 'boolean', description: 'the keys of all shops' }],
      run: logout,
    },
  ],
};

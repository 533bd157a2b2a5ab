import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { AuthorizeShop } from '../../contract/partner/shop.ts';
import { flag, id, oneOf, text, time } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { baseUrlOf } from '../../settings/keys.ts';
import { calledShop, nameOfShop } from '../../settings/shop-names.ts';
import {
  authorizeShop,
  authorizeShopOnPage,
  SignInDenied,
  type SignInPending,
  type SignInRequest,
} from '../sign-in.ts';
import { say } from '../texts.ts';
import { checkComponent, explained, loginWithPerson } from './login-with-person.ts';
import { type GrantedShop, refuseUnsaveable, saveShop } from './save-shop.ts';
import { askForProfile } from './setup.ts';

const view: View = {
  columns: [
    { path: 'status', kind: 'state' },
    { path: 'profile' },
    { path: 'shop_id' },
    { path: 'shop_name' },
    { path: 'auth_token' },
    { path: 'expires_at', kind: 'time' },
    { path: 'sign_in_url' },
    { path: 'next' },
  ],
  name: 'shop_id',
};

/** All but the last are fields of AuthorizeShop. */
const input = z.object({
  shop_id: z.optional(id('a shop that signed in before, or just now')),
  email: z.optional(text('pre-fills a first sign-in')),
  phone: z.optional(text('pre-fills a first sign-in')),
  name: z.optional(text('pre-fills a first sign-in, and names the shop here')),
  redirect_url: z.optional(text('where the sign-in page of the service returns to, for a page of your own')),
  browser: z.optional(flag('open the sign-in page (--no-browser prints its address only)')),
});

const output = z.optional(
  z.object({
    status: oneOf(['signed_in', 'pending'], 'Whether calls can now be made for the shop'),
    profile: z.optional(text('The profile that holds its key')),
    shop_id: z.optional(text('The shop that signed in')),
    shop_name: z.optional(z.nullable(text('Name of the shop; null when it is not known'))),
    auth_token: z.optional(text('The request token that the shop has to sign in with')),
    expires_at: z.optional(time('When the token expires')),
    sign_in_url: z.optional(z.nullable(text('Address of the sign-in page; null when the service has none'))),
    next: z.optional(text('The command that completes the sign-in')),
  }),
);

type Input = z.output<typeof input>;
type Output = z.output<typeof output>;

function requestOf({ browser: _, ...fields }: Input, { settings }: Ports): SignInRequest {
  const { shop } = settings;
  const shop_id = fields.shop_id ?? (shop?.origin === 'flag' ? shop.value : undefined);
  return Object.fromEntries(Object.entries({ ...fields, shop_id }).filter(([, text]) => text !== undefined));
}

/** Represents a shop that did not sign in before, in the list of those that did. */
const ANOTHER = '';

/** Asks which of the earlier signed-in shops to use, if there are some and nothing else decides. */
async function chooseShop({ person, settings }: Ports, request: SignInRequest): Promise<SignInRequest> {
  const shops = Object.entries(settings.profile?.shops ?? {});
  if (shops.length === 0 || Object.keys(request).length > 0) return request;
  const named = shops.map(([id]) => ({ name: calledShop(id, nameOfShop(settings.profile, id)), value: id }));
  const shopId = await person.ask({
    name: 'shop_id',
    message: say().login.whichShop,
    schema: z.enum([...shops.map(([id]) => id), ANOTHER]),
    choices: [...named, { name: say().login.anotherShop, value: ANOTHER }],
    ...(settings.shop === undefined ? {} : { initial: settings.shop.value }),
  });
  return shopId === ANOTHER ? request : { shop_id: shopId };
}

async function signedIn(ports: Ports, { name }: Input, shop: Omit<GrantedShop, 'name'>): Promise<Output> {
  const { profile, shopName } = await saveShop(ports, { ...shop, name });
  ports.report.notice(say().login.done({ shop: calledShop(shop.shopId, shopName) }));
  const isChosen = ports.settings.profileName !== undefined;
  if (!isChosen) ports.report.notice(say().login.savedIn({ profile, address: baseUrlOf(ports.settings) }));
  if (shopName === undefined) ports.report.notice(ports.ui.advise('name_shop', { shop: shop.shopId }));
  return { status: 'signed_in', profile, shop_id: shop.shopId, shop_name: shopName ?? null };
}

function pending(ports: Ports, step: SignInPending, shopId: string | undefined): Output {
  const { report, ui } = ports;
  report.verdict('pending');
  if (shopId !== undefined) report.notice(say().login.linkRemoved({ shop: shopId }));
  report.notice(ui.advise(step.signInUrl === undefined ? 'wait_for_shop' : 'open_sign_in_page'));
  return {
    status: 'pending',
    auth_token: step.requestToken.reveal(),
    expires_at: step.expiresAt,
    sign_in_url: step.signInUrl ?? null,
    next: ui.advise('complete_sign_in', shopId === undefined ? {} : { shop: shopId }),
  };
}

/**
 * The redirect target if nothing here waits for it: a service creates a sign-in page only with a return address.
 * Nothing listens there; the shop's id is in the address that the browser shows.
 */
const NOWHERE = 'http://127.0.0.1:4009/signed-in';

/** One step, for programs: returns the key, or what is needed to obtain it. */
async function loginByStep(ports: Ports, given: Input, request: SignInRequest): Promise<Output> {
  try {
    const connection = ports.connection();
    const step =
      request.redirect_url === undefined
        ? await authorizeShopOnPage(request, NOWHERE, connection)
        : await authorizeShop(request, connection);
    if (step.kind === 'pending') return pending(ports, step, request.shop_id);
    return await signedIn(ports, given, step);
  } catch (error) {
    throw explained(error, ports);
  }
}

async function loginByPerson(ports: Ports, given: Input, request: SignInRequest): Promise<Output> {
  checkComponent(ports);
  const end = await loginWithPerson(ports, await chooseShop(ports, request), given.browser !== false);
  if (end.step === 'granted') return signedIn(ports, given, end);
  if (end.because === 'denied') throw new SignInDenied(say().login.denied);
  ports.report.verdict('pending');
  ports.report.notice(say().login.expired);
  return undefined;
}

/** On a machine without any service, a person is asked for one first. */
async function withProfile(ports: Ports): Promise<Ports> {
  if (ports.settings.baseUrl !== undefined || !ports.person.isThere) return ports;
  await ports.progress.say(say().login.noService({ advice: ports.ui.advise('try_here') }));
  await askForProfile(ports);
  return ports.afresh();
}

export const login = action({
  id: 'auth.login',
  words: ['auth', 'login'],
  summary: 'Sign in a shop and save its key',
  description: [
    'On a terminal it opens the sign-in page and waits for the shop, 15 minutes at most; the id of the shop can be',
    'typed instead. Elsewhere it prints the address of the sign-in page and the request token, and exits with 8; once the shop',
    'has signed in, --shop-id completes it. A shop that signed in before gets its key at once.',
  ].join(' '),
  examples: [
    'shopctl auth login',
    'shopctl auth login --email owner@shop.example --name "Tea House"',
    'shopctl auth login --no-input --json',
    'shopctl auth login --shop-id 1234567890123456789',
  ],
  effect: 'authorize',
  mayAlso: ['store'],
  undo: 'auth logout',
  needs: ['service'],
  input,
  output,
  view,
  hints: { shop_id: { offers: 'shops' }, redirect_url: { placeholder: 'URL' } },
  operations: [AuthorizeShop.id],
  async run(given, before) {
    const ports = await withProfile(before);
    const request = requestOf(given, ports);
    if (ports.isLook) return loginByStep(ports, given, request);
    await refuseUnsaveable(ports);
    // A caller with its own page waits for the shop there.
    const waitsHere = ports.person.isThere && request.redirect_url === undefined;
    return waitsHere ? loginByPerson(ports, given, request) : loginByStep(ports, given, request);
  },
});

import { authorizeShop, explained, SignInDenied, type SignInPending, type SignInRequest } from '../../flows/sign-in.ts';
import type { Flag, Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { beforeSending } from '../how-to-print.ts';
import { canAsk } from '../interaction.ts';
import { guard } from '../preview.ts';
import { textFlag } from '../request-input.ts';
import { openSession } from '../session.ts';
import { checkComponent } from './announce.ts';
import { loginOnTerminal } from './login-on-terminal.ts';
import { type GrantedShop, refuseUnsaveable, saveShop } from './save-shop.ts';
import { askForProfile } from './setup.ts';

const view: View = {
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

/** The flags of `auth login`; all but the last are fields of AuthorizeShop. */
export const loginFlags: readonly Flag[] = [
  { name: 'shop-id', type: 'id', description: 'a shop that signed in before, or has just done so' },
  { name: 'email', type: 'string', description: 'pre-fills a first sign-in' },
  { name: 'phone', type: 'string', description: 'pre-fills a first sign-in' },
  { name: 'name', type: 'string', description: 'pre-fills a first sign-in, and names the shop here' },
  {
    name: 'redirect-url',
    type: 'string',
    placeholder: 'URL',
    description: 'where the sign-in page of the service returns to, for a page of your own',
  },
  { name: 'browser', type: 'boolean', description: 'open the sign-in page (--no-browser prints its address only)' },
];

function requestOf(invocation: Invocation): SignInRequest {
  const { shop } = invocation.session.globals;
  const texts = {
    shop_id: textFlag(invocation, 'shop-id') ?? (typeof shop === 'string' ? shop : undefined),
    email: textFlag(invocation, 'email'),
    phone: textFlag(invocation, 'phone'),
    name: textFlag(invocation, 'name'),
    redirect_url: textFlag(invocation, 'redirect-url'),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}

/** Which of the shops that signed in before, where there are some and nothing tells. */
async function chooseShop({ context, session }: Invocation, request: SignInRequest): Promise<SignInRequest> {
  const shops = Object.entries(session.settings.profile?.shops ?? {});
  if (shops.length === 0 || Object.keys(request).length > 0) return request;
  const shopId = await context.prompter.choose<string>({
    message: 'Which shop?',
    choices: [
      ...shops.map(([id, { name }]) => ({ name: name === undefined ? id : `${name} (${id})`, value: id })),
      { name: 'another shop', value: '' },
    ],
    ...(session.settings.shop === undefined ? {} : { initial: session.settings.shop.value }),
  });
  return shopId === '' ? request : { shop_id: shopId };
}

async function signedIn(invocation: Invocation, shop: Omit<GrantedShop, 'name'>): Promise<Result> {
  const profile = await saveShop(invocation, { ...shop, name: textFlag(invocation, 'name') });
  return {
    document: { kind: 'record', value: { status: 'signed_in', profile, shop_id: shop.shopId }, view },
    notices: [`signed in: orders are now shipped for shop ${shop.shopId}`],
    applied: true,
  };
}

/** The command that completes the sign-in; it names the profile where this one was told which. */
function nextCommand({ session }: Invocation): string {
  const { profile, 'base-url': baseUrl } = session.globals;
  const flags = Object.entries({ profile, 'base-url': baseUrl }).flatMap(([name, value]) =>
    typeof value === 'string' ? [` --${name} '${value.replaceAll("'", `'\\''`)}'`] : [],
  );
  return `shopctl auth login --shop-id ID${flags.join('')}`;
}

function pendingResult(invocation: Invocation, pending: SignInPending, shopId: string | undefined): Result {
  const value = {
    status: 'pending',
    auth_token: pending.requestToken.reveal(),
    expires_at: pending.expiresAt,
    sign_in_url: pending.signInUrl ?? null,
    next: nextCommand(invocation),
  };
  const removed = shopId === undefined ? [] : [`shop ${shopId} removed its link with the partner`];
  const notices = [...removed, 'the shop has to sign in with this token; then complete it with --shop-id'];
  return { document: { kind: 'record', value, view }, exit: 'pending', notices };
}

/** One step, for scripts: the key, or what is needed to come by it. */
async function loginByStep(invocation: Invocation, request: SignInRequest): Promise<Result> {
  try {
    const step = await authorizeShop(request, invocation.session.connection());
    if (step.kind === 'pending') return pendingResult(invocation, step, request.shop_id);
    return await signedIn(invocation, step);
  } catch (error) {
    throw explained(error);
  }
}

async function loginByPerson(invocation: Invocation, request: SignInRequest): Promise<Result> {
  checkComponent(invocation);
  const end = await loginOnTerminal(invocation, await chooseShop(invocation, request));
  if (end.step === 'granted') return signedIn(invocation, end);
  if (end.because === 'denied') throw new SignInDenied("the shop's owner denied the request");
  return { document: { kind: 'none' }, exit: 'pending', notices: ['the request has expired, and no shop signed in'] };
}

/** On a machine without any service, a person is asked for one first. */
async function withProfile(invocation: Invocation): Promise<Invocation> {
  const { context, session } = invocation;
  if (session.settings.baseUrl !== undefined || !canAsk(context, session)) return invocation;
  await context.stderr.write('No service is set up yet.\n');
  await askForProfile(invocation);
  return { ...invocation, session: await openSession(context, session.globals) };
}

/** `auth login`: signs a shop in and saves its key (cli.md, "Sign-in"). */
export async function login(given: Invocation): Promise<Result> {
  const listed = await beforeSending(given.context, given.session, view);
  if (listed !== undefined) return listed;
  const invocation = await withProfile(given);
  const request = requestOf(invocation);
  const preview = guard(invocation, {
    id: 'partner.Shop/AuthorizeShop',
    effect: 'authorize',
    credential: 'partner-api-key',
    body: JSON.stringify(request),
  });
  if (preview !== undefined) return preview;
  await refuseUnsaveable(invocation);
  // Whoever brings a page of their own waits for the shop there.
  const waitsHere = canAsk(invocation.context, invocation.session) && request.redirect_url === undefined;
  return waitsHere ? loginByPerson(invocation, request) : loginByStep(invocation, request);
}

import * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import type { Connection } from '../../client/connection.ts';
import { ServiceError } from '../../client/errors.ts';
import { Refusal } from '../../client/refusal.ts';
import { AuthorizeShop } from '../../contract/partner/shop.ts';
import type { ListenOnLoopback } from '../../platform/server/loopback-server.ts';
import type { Secret } from '../../platform/settings/secret.ts';
import { PromptEnded } from '../../platform/terminal/prompter.ts';
import {
  authorizeShop,
  authorizeShopOnPage,
  isNeverSignedIn,
  isSafePage,
  type ShopGranted,
  type SignInPending,
  type SignInRequest,
} from '../sign-in.ts';
import { createAnswerer } from '../sign-in-page.ts';
import type { OfferedComponent, PageOutcome } from '../sign-in-views.ts';
import { say } from '../texts.ts';

/** Where the id of the shop that signed in came from: the page, or a person who typed it. */
export type Teller = 'page' | 'person';

/** The state of a login. `remark` is what a person should know before it continues. */
export type LoginState =
  | { readonly step: 'asking'; readonly request: SignInRequest; readonly remark?: string }
  | {
      readonly step: 'waiting';
      readonly request: SignInRequest;
      readonly pending: SignInPending;
      readonly remark?: string;
    }
  | {
      readonly step: 'confirming';
      readonly request: SignInRequest;
      readonly pending: SignInPending;
      readonly shopId: string;
      readonly teller: Teller;
    }
  | { readonly step: 'expired'; readonly request: SignInRequest }
  | { readonly step: 'granted'; readonly shopId: string; readonly shopKey: Secret }
  | { readonly step: 'ended'; readonly because: 'denied' | 'expired' };

/** The events of a login. */
export type LoginEvent =
  /** AuthorizeShop answered. */
  | { readonly kind: 'answered'; readonly answer: ShopGranted | SignInPending }
  /** AuthorizeShop refused the shop that was named: it never signed in through this partner. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A report that this shop signed in. */
  | { readonly kind: 'named'; readonly shopId: string; readonly teller: Teller }
  /** The shop's owner declined. */
  | { readonly kind: 'denied' }
  /** The request token has expired. */
  | { readonly kind: 'ran_out' }
  /** Whether to make a new request after that. */
  | { readonly kind: 'renewed'; readonly wanted: boolean };

/** The login's next state. An event that is impossible in a state is a bug of the caller. */
export function nextStep(state: LoginState, event: LoginEvent): LoginState {
  switch (state.step) {
    case 'asking':
      if (event.kind === 'answered') return afterAsking(state.request, event.answer);
      break;
    case 'waiting':
      if (event.kind === 'denied') return { step: 'ended', because: 'denied' };
      if (event.kind === 'ran_out') return { step: 'expired', request: state.request };
      if (event.kind === 'named') {
        const { request, pending } = state;
        return { step: 'confirming', request, pending, shopId: event.shopId, teller: event.teller };
      }
      break;
    case 'confirming':
      if (event.kind === 'answered') return afterConfirming(state, event.answer);
      if (event.kind === 'refused') return waitOn(state, say().login.refused({ reason: event.reason }));
      break;
    case 'expired':
      if (event.kind !== 'renewed') break;
      return event.wanted ? { step: 'asking', request: state.request } : { step: 'ended', because: 'expired' };
  }
  throw new TypeError(`a login that is ${state.step} cannot be ${event.kind}`);
}

function afterAsking(request: SignInRequest, answer: ShopGranted | SignInPending): LoginState {
  if (answer.kind === 'granted') return grantedBy(answer);
  const { shop_id: shopId } = request;
  if (shopId === undefined) return { step: 'waiting', request, pending: answer };
  return { step: 'waiting', request, pending: answer, remark: say().login.signsInAgain({ shop: shopId }) };
}

function grantedBy({ shopId, shopKey }: ShopGranted): LoginState {
  return { step: 'granted', shopId, shopKey };
}

type Confirming = Extract<LoginState, { step: 'confirming' }>;

/** The page reported a shop as signed in: if there is no key for it, the link was removed in between. */
function afterConfirming(state: Confirming, answer: ShopGranted | SignInPending): LoginState {
  const { shopId, teller } = state;
  if (answer.kind === 'granted') return grantedBy(answer);
  if (teller === 'person') return waitOn(state, say().login.notYet({ shop: shopId }));
  const remark = say().login.signsInOnceMore({ shop: shopId });
  return { step: 'asking', request: { shop_id: shopId }, remark };
}

function waitOn({ request, pending }: Confirming, remark: string): LoginState {
  return { step: 'waiting', request, pending, remark };
}

/** A page on this machine that waits for one sign-in. */
export interface SignInPage {
  /** The address that the service's own sign-in page returns to. */
  readonly redirectUrl: string;
  /** Puts the component on the page; returns the address to open. */
  offer(component: OfferedComponent): string;
  /** Resolves once. It cannot be triggered without the page's state. */
  readonly outcome: Promise<PageOutcome>;
  close(): Promise<void>;
}

/**
 * Opens the page for a login on a free port of 127.0.0.1. Its addresses contain a 256-bit state: without it nothing is
 * shown and nothing is accepted. It serves one sign-in.
 */
export async function openSignInPage(means: {
  readonly listen: ListenOnLoopback;
  readonly randomBytes: (length: number) => Uint8Array;
}): Promise<SignInPage> {
  const state = Buffer.from(means.randomBytes(32)).toString('base64url');
  let finish: (outcome: PageOutcome) => void = () => {};
  const outcome = new Promise<PageOutcome>((resolve) => {
    finish = resolve;
  });
  const answerer = createAnswerer(state, finish);
  const server = await means.listen((request) => answerer.answer(request, server.origin));
  const address = (path: string) => `${server.origin}${path}?${new URLSearchParams({ state })}`;
  return {
    redirectUrl: address('/return'),
    offer(component) {
      answerer.offer(component);
      return address('/');
    },
    outcome,
    close: () => server.close(),
  };
}

/** The service's own sign-in page, otherwise ours with the component named in the profile, otherwise none. */
function addressOf({ settings }: Ports, pending: SignInPending, page: SignInPage | undefined): string | undefined {
  if (pending.signInUrl !== undefined) return pending.signInUrl;
  const componentUrl = settings.profile?.sign_in_component_url;
  if (componentUrl === undefined || page === undefined) return undefined;
  return page.offer({ componentUrl, requestToken: pending.requestToken });
}

/** Refuses a component in the profile that a page must not run. */
export function checkComponent({ settings }: Ports): void {
  const componentUrl = settings.profile?.sign_in_component_url;
  if (componentUrl === undefined || isSafePage(componentUrl)) return;
  const message = say().login.componentUnsafe;
  throw new Refusal('component_unsafe', message, { kind: 'configuration' });
}

/** Says where the shop signs in, always with the address, and opens it in a browser if possible and wanted. */
async function announce(
  ports: Ports,
  pending: SignInPending,
  page: SignInPage | undefined,
  opens: boolean,
): Promise<void> {
  const { progress, browser, report, settings, ui } = ports;
  const address = addressOf(ports, pending, page);
  if (address === undefined) {
    await progress.say(say().login.noPage);
    await progress.say(say().login.withToken);
    const token = pending.requestToken.reveal();
    return progress.say(`  ${token}`, { code: 'request_token', request_token: token });
  }
  await progress.say(say().login.onPage);
  await progress.say(`  ${address}`, { code: 'sign_in_page', url: address });
  if (settings.profile?.sandbox !== undefined) await progress.say(ui.advise('sign_in_as_owner', { address }));
  if (!opens) return;
  const { opened } = await browser.open(address);
  if (opened) report.say(say().login.opened);
}

/**
 * Adds advice to a 403 of AuthorizeShop (contract, "Authentication", 6), which is returned only for a shop that never
 * signed in through this partner. Any other error is returned unchanged.
 */
export function explained(error: unknown, { ui }: Pick<Ports, 'ui'>): unknown {
  if (!isNeverSignedIn(error)) return error;
  const { message, code, status, meta, outcome } = error;
  const hint = ui.advise('sign_in_new_shop');
  return new ServiceError(AuthorizeShop.id, { code, msg: message, status, meta, outcome, hint });
}

type Waiting = Extract<LoginState, { step: 'waiting' }>;
export type LoginEnd = Extract<LoginState, { step: 'granted' | 'ended' }>;

/**
 * A login with a person waiting for it: the page, a typed id and the request's expiry race each other. However it ends,
 * even if the person leaves, the page is closed. `opens` says whether the page is opened in a browser.
 */
export async function loginWithPerson(ports: Ports, request: SignInRequest, opens: boolean): Promise<LoginEnd> {
  const connection = ports.connection();
  let page: SignInPage | undefined;
  let announced: SignInPending | undefined;
  let state: LoginState = { step: 'asking', request };
  try {
    for (;;) {
      switch (state.step) {
        case 'asking':
          await remark(ports, state.remark);
          await page?.close();
          page = await openPage(ports);
          state = nextStep(state, { kind: 'answered', answer: await ask(state.request, page, connection, ports) });
          break;
        case 'waiting':
          await remark(ports, state.remark);
          if (announced !== state.pending) await announce(ports, state.pending, page, opens);
          announced = state.pending;
          state = nextStep(state, await waitFor(ports, state, page));
          break;
        case 'confirming':
          state = nextStep(state, await confirm(state, connection, ports));
          break;
        case 'expired': {
          const message = say().login.renew;
          const wanted = await ports.person.ask({ name: 'renew', message, schema: z.boolean(), initial: true });
          state = nextStep(state, { kind: 'renewed', wanted });
          break;
        }
        default:
          return state;
      }
    }
  } catch (error) {
    if (error instanceof PromptEnded) {
      await ports.progress.say(say().login.notSignedIn({ advice: ports.ui.advise('sign_in_again') }));
    }
    throw error;
  } finally {
    await page?.close();
  }
}

/** The page, or none if this machine does not allow listening: the id can still be typed. */
async function openPage({ listenOnLoopback, randomBytes, progress }: Ports): Promise<SignInPage | undefined> {
  try {
    return await openSignInPage({ listen: listenOnLoopback, randomBytes });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await progress.say(say().login.noPageHere({ why: reason }));
    return undefined;
  }
}

async function ask(request: SignInRequest, page: SignInPage | undefined, connection: Connection, ports: Ports) {
  try {
    return await (page === undefined
      ? authorizeShop(request, connection)
      : authorizeShopOnPage(request, page.redirectUrl, connection));
  } catch (error) {
    throw explained(error, ports);
  }
}

/** Requests the key of the named shop. A mistyped id is not final: it can be typed again. */
async function confirm({ shopId, teller }: Confirming, connection: Connection, ports: Ports): Promise<LoginEvent> {
  try {
    return { kind: 'answered', answer: await authorizeShop({ shop_id: shopId }, connection) };
  } catch (error) {
    if (teller === 'person' && isNeverSignedIn(error)) {
      return { kind: 'refused', reason: error.meta.reason ?? error.message };
    }
    throw explained(error, ports);
  }
}

/** The first event that ends the wait of a login. */
async function waitFor(
  { clock, signal, person }: Ports,
  { pending }: Waiting,
  page: SignInPage | undefined,
): Promise<LoginEvent> {
  const leftMs = () => Date.parse(pending.expiresAt) - clock.now();
  const over = new AbortController();
  const typed = person.ask({
    name: 'shop_id',
    message: () => say().login.waiting({ left: timeLeft(leftMs()) }),
    schema: z.string().regex(/^\d{1,19}$/, say().login.idIsNumber),
    until: over.signal,
  });
  const ranOut = clock.wait(Math.max(0, leftMs()), AbortSignal.any([signal, over.signal]));
  const events: Promise<LoginEvent>[] = [
    typed.then((shopId) => ({ kind: 'named', shopId, teller: 'person' })),
    ranOut.then(() => ({ kind: 'ran_out' })),
  ];
  if (page !== undefined) {
    events.push(
      page.outcome.then((outcome) =>
        outcome.kind === 'denied' ? outcome : { kind: 'named', shopId: outcome.shopId, teller: 'page' },
      ),
    );
  }
  try {
    return await Promise.race(events);
  } finally {
    over.abort();
    await Promise.allSettled([typed, ranOut]);
  }
}

function timeLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

async function remark({ progress }: Ports, text: string | undefined): Promise<void> {
  if (text !== undefined) await progress.say(text);
}

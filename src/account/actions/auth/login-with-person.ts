import * as z from 'zod';
import type { Ports } from '../../../action/ports.ts';
import type { Connection } from '../../../client/connection.ts';
import { PromptEnded } from '../../../platform/prompt/prompter.ts';
import { type LoginEvent, type LoginState, nextStep } from '../../login-steps.ts';
import { openSignInPage, type SignInPage } from '../../page/sign-in-page.ts';
import {
  authorizeShop,
  authorizeShopOnPage,
  isNeverSignedIn,
  type SignInPending,
  type SignInRequest,
} from '../../sign-in.ts';
import { announce } from './announce.ts';
import { explained } from './explained.ts';

type Waiting = Extract<LoginState, { step: 'waiting' }>;
type Confirming = Extract<LoginState, { step: 'confirming' }>;
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
          const message = 'The request has expired. Ask for a new one?';
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
      await ports.progress.say(`not signed in, and nothing was saved: ${ports.front.advise('sign_in_again')}`);
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
    await progress.say(`No page can be opened on this machine: ${reason}`);
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
    message: () => `${timeLeft(leftMs())} left. Waiting for the shop, or type its id:`,
    schema: z.string().regex(/^\d{1,19}$/, 'an id is a number'),
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

import type { Connection } from '../../client/connection.ts';
import { type LoginEvent, type LoginState, nextStep } from '../../flows/login-steps.ts';
import {
  authorizeShop,
  authorizeShopOnPage,
  explained,
  isNeverSignedIn,
  type SignInPending,
  type SignInRequest,
} from '../../flows/sign-in.ts';
import { openSignInPage, type SignInPage } from '../../flows/sign-in-page/sign-in-page.ts';
import { makeSafe } from '../../platform/text-safety.ts';
import type { Invocation } from '../command.ts';
import { announce } from './announce.ts';

type Waiting = Extract<LoginState, { step: 'waiting' }>;
type Confirming = Extract<LoginState, { step: 'confirming' }>;
export type LoginEnd = Extract<LoginState, { step: 'granted' | 'ended' }>;

/**
 * A login with a person at the terminal: the page and the typed id race each other and the request's expiry. Whatever
 * ends it, Ctrl-C too, the page is closed and the terminal is as it was.
 */
export async function loginOnTerminal(invocation: Invocation, request: SignInRequest): Promise<LoginEnd> {
  const connection = invocation.session.connection();
  let page: SignInPage | undefined;
  let announced: SignInPending | undefined;
  let state: LoginState = { step: 'asking', request };
  try {
    for (;;) {
      switch (state.step) {
        case 'asking':
          await remark(invocation, state.remark);
          await page?.close();
          page = await openPage(invocation);
          state = nextStep(state, { kind: 'answered', answer: await ask(state.request, page, connection) });
          break;
        case 'waiting':
          await remark(invocation, state.remark);
          if (announced !== state.pending) await announce(invocation, state.pending, page);
          announced = state.pending;
          state = nextStep(state, await waitFor(invocation, state, page));
          break;
        case 'confirming':
          state = nextStep(state, await confirm(state, connection));
          break;
        case 'expired': {
          const message = 'The request has expired. Ask for a new one?';
          const wanted = await invocation.context.prompter.confirm({ message, initial: true });
          state = nextStep(state, { kind: 'renewed', wanted });
          break;
        }
        default:
          return state;
      }
    }
  } finally {
    await page?.close();
  }
}

/** The page, or none where this machine lets nobody listen: the id can be typed all the same. */
async function openPage({ context }: Invocation): Promise<SignInPage | undefined> {
  try {
    return await openSignInPage({ listen: context.listenOnLoopback, randomBytes: context.randomBytes });
  } catch (error) {
    const reason = makeSafe(error instanceof Error ? error.message : String(error));
    await context.stderr.write(`No page can be opened on this machine: ${reason}\n`);
    return undefined;
  }
}

async function ask(request: SignInRequest, page: SignInPage | undefined, connection: Connection) {
  try {
    return await (page === undefined
      ? authorizeShop(request, connection)
      : authorizeShopOnPage(request, page.redirectUrl, connection));
  } catch (error) {
    throw explained(error);
  }
}

/** Asks for the key of the shop that was named. A wrong id that was typed is no end: it can be typed again. */
async function confirm({ shopId, teller }: Confirming, connection: Connection): Promise<LoginEvent> {
  try {
    return { kind: 'answered', answer: await authorizeShop({ shop_id: shopId }, connection) };
  } catch (error) {
    if (teller === 'person' && isNeverSignedIn(error)) {
      return { kind: 'refused', reason: error.meta.reason ?? error.message };
    }
    throw explained(error);
  }
}

/** The first of what can happen to a login that waits. */
async function waitFor(
  { context }: Invocation,
  { pending }: Waiting,
  page: SignInPage | undefined,
): Promise<LoginEvent> {
  const leftMs = () => Date.parse(pending.expiresAt) - context.clock.now();
  const over = new AbortController();
  const typed = context.prompter.textUntil({
    message: () => `${timeLeft(leftMs())} left. Waiting for the shop, or type its id:`,
    validate: (answer) => /^\s*\d{1,19}\s*$/.test(answer) || 'an id is a number',
    signal: over.signal,
  });
  const ranOut = context.clock.wait(Math.max(0, leftMs()), AbortSignal.any([context.signal, over.signal]));
  const events: Promise<LoginEvent>[] = [
    typed.then((answer) => ({ kind: 'named', shopId: answer.trim(), teller: 'person' })),
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

async function remark({ context }: Invocation, text: string | undefined): Promise<void> {
  if (text !== undefined) await context.stderr.write(`${makeSafe(text)}\n`);
}

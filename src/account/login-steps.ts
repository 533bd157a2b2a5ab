import type { Secret } from '../platform/settings/secret.ts';
import type { ShopGranted, SignInPending, SignInRequest } from './sign-in.ts';

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
      if (event.kind === 'refused') return waitOn(state, event.reason);
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
  const remark = `shop ${shopId} removed its link with the partner: it has to sign in again`;
  return { step: 'waiting', request, pending: answer, ...(shopId === undefined ? {} : { remark }) };
}

function grantedBy({ shopId, shopKey }: ShopGranted): LoginState {
  return { step: 'granted', shopId, shopKey };
}

type Confirming = Extract<LoginState, { step: 'confirming' }>;

/** The page reported a shop as signed in: if there is no key for it, the link was removed in between. */
function afterConfirming(state: Confirming, answer: ShopGranted | SignInPending): LoginState {
  const { shopId, teller } = state;
  if (answer.kind === 'granted') return grantedBy(answer);
  if (teller === 'person') return waitOn(state, `shop ${shopId} has not signed in yet`);
  const remark = `shop ${shopId} has removed its link with the partner: it has to sign in again`;
  return { step: 'asking', request: { shop_id: shopId }, remark };
}

function waitOn({ request, pending }: Confirming, remark: string): LoginState {
  return { step: 'waiting', request, pending, remark };
}

import { pageLook } from '../../platform/server/document-page.ts';
import type { Work } from '../engine/call.ts';
import { findAccount } from '../engine/call.ts';
import { Refusal } from '../engine/refusal.ts';
import { statement, tables } from '../engine/store/statement.ts';
import { addShop, endRequest, requireRequestToken, signIn } from './accounts.ts';
import { NEW_SHOP } from './sign-in-offer.ts';

/** What the owner of a shop submitted with the page's form. */
export interface Decision {
  readonly token: string;
  readonly allowed: boolean;
  /** The id of a shop, or `new`. */
  readonly shopId: string;
  readonly newShop: { readonly name: string; readonly email: string; readonly phone: string };
}

/** The result of a decision. */
interface Decided {
  /** Undefined if the owner declined. */
  readonly shop: { readonly id: string; readonly name: string } | undefined;
  readonly redirectUrl: string | null;
}

/** The longest name, email address or phone number of a new shop. */
const LONGEST_FIELD = 100;

/** Applies a decision: links the shop, creating it first if it is new, or ends the request. */
export function decide(work: Work, decision: Decision): Decided {
  const request = requireRequestToken(work, decision.token);
  if (!decision.allowed) {
    endRequest(work, decision.token);
    return { shop: undefined, redirectUrl: request.redirect_url };
  }
  const id = decision.shopId === NEW_SHOP ? makeShop(work, decision.newShop) : decision.shopId;
  signIn(work, decision.token, id);
  return { shop: { id, name: shopName(work, id) }, redirectUrl: request.redirect_url };
}

function makeShop(work: Work, given: Decision['newShop']): string {
  const [name, email, phone] = [given.name.trim(), given.email.trim(), given.phone.trim()];
  if (name === '') throw new Refusal('invalid_argument', 'A new shop needs a name.');
  if ([name, email, phone].some((text) => text.length > LONGEST_FIELD)) {
    throw new Refusal('invalid_argument', `Name, email and phone have at most ${LONGEST_FIELD} characters.`);
  }
  return addShop(work, { name, email: email || null, phone: phone || null });
}

/** The shop of a shop key with an active link; the component accepts such a key instead of a request token. */
export function shopOfKey(work: Work, key: string): { readonly id: string; readonly name: string } {
  const account = findAccount(work.database, key);
  if (account?.kind !== 'shop' || account.partnerId === undefined) {
    throw new Refusal('unauthenticated', 'the shop key is not valid, or the shop has removed the link');
  }
  return { id: account.shopId, name: shopName(work, account.shopId) };
}

function shopName({ database }: Work, id: string): string {
  const shop = database.first(shopById, { id });
  if (shop === undefined) throw new Error(`the sandbox has no shop ${id}`);
  return shop.name;
}

const shopById = statement(({ id }: { readonly id: string }) =>
  tables.selectFrom('shops').select('name').where('id', '=', id),
);

/** The style of the sign-in: one column of a readable width, in the system's color scheme. */
export const pageStyle = /* css */ `${pageLook}:root {
  --accent: #0b5fd0;
  --on-accent: #fff;
  --chosen: #edf4ff;
  --fault: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --accent: #6aa9ff;
    --on-accent: #0c1420;
    --chosen: #1b2a41;
    --fault: #ffb4ab;
  }
}
main { max-width: 30rem; margin: clamp(0rem, 6vh, 4rem) auto; padding: 2rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.75rem; }
.framed body { background: var(--card); }
.framed main { max-width: none; margin: 0; padding: 1.5rem; }
h1 { text-wrap: balance; }
p { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
.service { display: flex; align-items: center; gap: 0.5rem; margin-bottom: 1.25rem; color: var(--quiet); font-weight: 600; }
.mark { width: 1.1rem; height: 1.1rem; border-radius: 0.3rem; background: var(--accent); }
.tag { padding: 0.05rem 0.45rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--quiet);
  font-size: 0.78rem; font-weight: 500; white-space: nowrap; }
.grants { margin: 0 0 1.25rem; padding-left: 1.25rem; color: var(--quiet); }
fieldset { display: grid; gap: 0.5rem; min-width: 0; margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { margin-bottom: 0.5rem; padding: 0; font-weight: 600; }
.choice { display: grid; grid-template-columns: auto 1fr auto; gap: 0 0.7rem; align-items: center; min-height: 3rem;
  padding: 0.6rem 0.8rem; border: 1px solid var(--line); border-radius: 0.5rem; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); background: var(--chosen); }
.choice:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.choice input { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); outline: none; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.detail { grid-column: 2 / -1; color: var(--quiet); font-size: 0.9rem; overflow-wrap: anywhere; }
.detail:empty { display: none; }
.new-shop { display: grid; gap: 0.75rem; padding: 0.25rem 0 0.25rem 0.8rem; border-left: 3px solid var(--accent); }
@supports selector(:has(*)) {
  form:not(:has(#new-shop:checked)) .new-shop { display: none; }
}
.new-shop label { display: grid; gap: 0.2rem; color: var(--quiet); font-size: 0.9rem; }
.new-shop input { width: 100%; min-height: 2.75rem; padding: 0.4rem 0.7rem; border: 1px solid var(--line);
  border-radius: 0.5rem; background: var(--card); color: var(--text); font: inherit; font-size: 1rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-bottom: 1rem; }
button { flex: 1 1 8rem; min-height: 2.9rem; padding: 0.5rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem;
  background: transparent; color: var(--text); font: inherit; font-weight: 600; cursor: pointer; }
button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button:hover:enabled { filter: brightness(0.94); }
button:disabled { opacity: 0.5; cursor: default; }
button:focus-visible, .new-shop input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.expiry { margin: 0; color: var(--quiet); font-size: 0.9rem; }
#left { color: var(--text); font-variant-numeric: tabular-nums; font-weight: 600; }
.fault { padding: 0.6rem 0.8rem; border: 1px solid var(--fault); border-radius: 0.5rem; color: var(--fault); }
@media (max-width: 32rem) {
  body { background: var(--card); }
  main { margin: 0; padding: 1.25rem; border: 0; border-radius: 0; }
}
`;

/**
 * The component that a page on this machine includes (decisions, section 3). It shows the sign-in in a frame of the
 * sandbox's origin, so that the embedding page can neither read nor click anything in it; the token is sent to that
 * origin only, by postMessage.
 */
export const componentScript = /* js */ `'use strict';
(() => {
  const base = new URL('.', document.currentScript.src);
  const takesLongMs = 15000;

  /** Calls its listeners with what happened, also those that come later. */
  const signal = () => {
    const listeners = [];
    let happened = [];
    return {
      fire: (value) => { happened = [value]; for (const listener of listeners) listener(value); },
      listen: (listener) => {
        listeners.push(listener);
        for (const value of happened) queueMicrotask(() => listener(value));
      },
    };
  };

  const init = ({ elem, auth_token, customize } = {}) => {
    const [ready, granted, failed] = [signal(), signal(), signal()];
    const fail = (event, message) => failed.fire({ event, error: { message } });
    const chain = {
      onReady: (listener) => { ready.listen(listener); return chain; },
      onAccessGranted: (listener) => { granted.listen(listener); return chain; },
      onError: (listener) => { failed.listen(listener); return chain; },
    };

    const place = typeof elem === 'string' ? document.querySelector(elem) : elem;
    const fault =
      !(place instanceof Element) ? 'elem is neither an element nor a selector of one'
      : !/^(?:request|shop\\d+):/.test(String(auth_token)) ? 'auth_token must be a request token or a shop key'
      : undefined;
    if (fault) {
      fail('init', fault);
      return chain;
    }

    const frame = document.createElement('iframe');
    frame.title = 'Shop sign-in';
    frame.style.cssText = 'display: block; width: 100%; height: 24rem; border: 0;';
    const late = setTimeout(() => fail('load', 'the sign-in did not load: ' + base.origin), takesLongMs);
    const hear = {
      loaded: () => frame.contentWindow.postMessage(
        { type: 'shop-sign-in:begin', auth_token, title: customize?.title }, base.origin),
      height: ({ height }) => { frame.style.height = Math.min(Number(height) || 0, 4000) + 'px'; },
      ready: () => { clearTimeout(late); ready.fire(); },
      granted: ({ shop_id }) => { clearTimeout(late); granted.fire({ shop_id }); },
      error: ({ event, message }) => { clearTimeout(late); fail(event, message); },
    };
    addEventListener('message', ({ origin, source, data }) => {
      if (origin !== base.origin || source !== frame.contentWindow) return;
      const what = String(data?.type).replace(/^shop-sign-in:/, '');
      if (Object.hasOwn(hear, what)) hear[what](data);
    });
    const address = new URL('frame', base);
    address.searchParams.set('embedder', location.origin);
    frame.src = address.href;
    place.replaceChildren(frame);
    return chain;
  };

  globalThis.shopSignIn = { init };
})();
`;

import type { WireRequest, WireResponse } from '../platform/http/transport.ts';
import { sameSecret } from '../platform/settings/secret.ts';
import type { OfferedComponent, PageOutcome } from './sign-in-views.ts';
import { componentView, messageView, pageStyle } from './sign-in-views.ts';

/** The script of the page: it starts the component and reports its result. */
const pageScript = /* js */ `'use strict';
(() => {
  const place = document.getElementById('sign-in');
  const status = document.getElementById('status');
  const { authToken, state } = place.dataset;
  const say = (text, role) => {
    status.setAttribute('role', role ?? 'status');
    status.textContent = text;
  };

  /** Tells the program that opened this page how it ended, and shows what it says to that. */
  const finish = async (outcome) => {
    try {
      const answer = await fetch('/return', { method: 'POST', body: new URLSearchParams({ state, ...outcome }) });
      const said = new DOMParser().parseFromString(await answer.text(), 'text/html');
      document.title = said.title;
      document.querySelector('main').replaceWith(document.adoptNode(said.querySelector('main')));
    } catch {
      say('The terminal does not answer. If it still waits there, type the id of the shop.', 'alert');
    }
  };

  if (typeof globalThis.shopSignIn?.init !== 'function') {
    say('The sign-in of the service could not be loaded. Reload this page to try again.', 'alert');
    return;
  }
  globalThis.shopSignIn
    .init({ elem: place, auth_token: authToken, customize: {} })
    .onReady(() => say(''))
    .onAccessGranted(({ shop_id }) => {
      // Digits that were lost in a number must not name another shop.
      if (typeof shop_id === 'number' && !Number.isSafeInteger(shop_id)) {
        say('The shop signed in. Type its id in the terminal.', 'alert');
      } else finish({ shop_id: String(shop_id) });
    })
    .onError(({ event, error }) => {
      if (event === 'denied') finish({ error: 'access_denied' });
      else say('The sign-in says: ' + (error?.message ?? event), 'alert');
    });
})();
`;

/** Answers the requests to a sign-in page. */
export interface Answerer {
  offer(component: OfferedComponent): void;
  /** `origin` is the page's own, `http://127.0.0.1:PORT`. */
  answer(request: WireRequest, origin: string): WireResponse;
}

const shopIdForm = /^\d{1,19}$/;

/**
 * The page as a function. A request for another host, from another origin or with a wrong state is refused and changes
 * nothing: a third party must not be able to end a login, let alone name the shop.
 */
export function createAnswerer(state: string, finish: (outcome: PageOutcome) => void): Answerer {
  let offered: OfferedComponent | undefined;
  let done = false;

  const settle = (given: URLSearchParams): WireResponse => {
    const shopId = given.get('shop_id') ?? '';
    const isDenied = given.has('error');
    if (!isDenied && !shopIdForm.test(shopId)) {
      return messageView(400, 'No shop was named', 'The service returned without the id of a shop.');
    }
    done = true;
    offered = undefined;
    finish(isDenied ? { kind: 'denied' } : { kind: 'granted', shopId });
    return isDenied
      ? messageView(200, 'Access was denied', 'The terminal has been informed. You can close this page.')
      : messageView(200, 'The shop signed in', 'The rest happens in the terminal. You can close this page.');
  };

  const withState = (given: URLSearchParams, work: () => WireResponse): WireResponse =>
    sameSecret(given.get('state') ?? '', state) ? work() : unknownAddress;

  return {
    offer(component) {
      offered = component;
    },
    answer({ method, url, headers, body }, origin) {
      if (headers.host !== new URL(origin).host) return refused(421, 'This page has another address.');
      if (headers.origin !== undefined && headers.origin !== origin)
        return refused(403, 'This page only accepts its own requests.');
      if (!URL.canParse(url)) return unknownAddress;
      const { pathname, searchParams } = new URL(url);
      switch (`${method} ${pathname}`) {
        case 'GET /page.js':
          return asset('text/javascript', pageScript);
        case 'GET /page.css':
          return asset('text/css', pageStyle);
        case 'GET /':
          return withState(searchParams, () =>
            done ? finished : offered ? componentView(offered, state) : unknownAddress,
          );
        case 'GET /return':
          return withState(searchParams, () => (done ? finished : settle(searchParams)));
        case 'POST /return': {
          // A form on another page could be sent without an Origin; this page's script always sends one.
          if (headers.origin !== origin) return refused(403, 'This page only accepts its own requests.');
          const given = new URLSearchParams(body);
          return withState(given, () => (done ? finished : settle(given)));
        }
        default:
          return unknownAddress;
      }
    },
  };
}

const unknownAddress = messageView(404, 'There is nothing here', 'Open the address that the terminal shows, whole.');
const finished = messageView(410, 'This sign-in has ended', 'Start a new one where this one was started.');

function refused(status: number, why: string): WireResponse {
  return messageView(status, 'This is not for you', why);
}

function asset(mediaType: string, body: string): WireResponse {
  return {
    status: 200,
    headers: {
      'content-type': `${mediaType}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body,
  };
}

import type { WireRequest, WireResponse } from '../platform/http/transport.ts';
import { sameSecret } from '../platform/settings/secret.ts';
import type { OfferedComponent, PageOutcome } from './sign-in-views.ts';
import { componentView, messageView, pageStyle } from './sign-in-views.ts';
import { say } from './texts.ts';

/** A text as one of a script, which no text ends. */
const quoted = (text: string) => JSON.stringify(text).replaceAll('<', String.raw`\u003c`);

/** The script of the page: it starts the component and reports its result. */
function pageScript(): string {
  const texts = say().page;
  return /* js */ `'use strict';
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
      say(${quoted(texts.terminalAway)}, 'alert');
    }
  };

  if (typeof globalThis.shopSignIn?.init !== 'function') {
    say(${quoted(texts.notLoaded)}, 'alert');
    return;
  }
  globalThis.shopSignIn
    .init({ elem: place, auth_token: authToken, customize: {} })
    .onReady(() => say(''))
    .onAccessGranted(({ shop_id }) => {
      // Digits that were lost in a number must not name another shop.
      if (typeof shop_id === 'number' && !Number.isSafeInteger(shop_id)) {
        say(${quoted(texts.typeId)}, 'alert');
      } else finish({ shop_id: String(shop_id) });
    })
    .onError(({ event, error }) => {
      if (event === 'denied') finish({ error: 'access_denied' });
      else say(${quoted(texts.says)} + (error?.message ?? event), 'alert');
    });
})();
`;
}

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
      return message(400, say().page.noShop);
    }
    done = true;
    offered = undefined;
    finish(isDenied ? { kind: 'denied' } : { kind: 'granted', shopId });
    return isDenied ? message(200, say().page.denied) : message(200, say().page.granted);
  };

  const withState = (given: URLSearchParams, work: () => WireResponse): WireResponse =>
    sameSecret(given.get('state') ?? '', state) ? work() : unknownAddress();

  return {
    offer(component) {
      offered = component;
    },
    answer({ method, url, headers, body }, origin) {
      if (headers.host !== new URL(origin).host) return refused(421, say().page.otherAddress);
      if (headers.origin !== undefined && headers.origin !== origin) return refused(403, say().page.ownRequests);
      if (!URL.canParse(url)) return unknownAddress();
      const { pathname, searchParams } = new URL(url);
      switch (`${method} ${pathname}`) {
        case 'GET /page.js':
          return asset('text/javascript', pageScript());
        case 'GET /page.css':
          return asset('text/css', pageStyle);
        case 'GET /':
          return withState(searchParams, () =>
            done ? finished() : offered ? componentView(offered, state) : unknownAddress(),
          );
        case 'GET /return':
          return withState(searchParams, () => (done ? finished() : settle(searchParams)));
        case 'POST /return': {
          // A form on another page could be sent without an Origin; this page's script always sends one.
          if (headers.origin !== origin) return refused(403, say().page.ownRequests);
          const given = new URLSearchParams(body);
          return withState(given, () => (done ? finished() : settle(given)));
        }
        default:
          return unknownAddress();
      }
    },
  };
}

const message = (status: number, { title, text }: { readonly title: string; readonly text: string }): WireResponse =>
  messageView(status, title, text);

const unknownAddress = () => message(404, say().page.nothing);
const finished = () => message(410, say().page.ended);

function refused(status: number, why: string): WireResponse {
  return messageView(status, say().page.notForYou, why);
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

import type { WireRequest, WireResponse } from '../../platform/http/transport.ts';
import { sameSecret } from '../../platform/settings/secret.ts';
import type { OfferedComponent, PageOutcome } from './component.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { componentView, messageView } from './views.ts';

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

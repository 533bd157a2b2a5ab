import { errorStatus } from '../../contract/records/error.ts';
import type { WireRequest, WireResponse } from '../../platform/http/transport.ts';
import { refusalAnswer } from '../engine/complete-answer.ts';
import type { Core } from '../engine/core.ts';
import { isLoopbackUrl } from '../engine/loopback.ts';
import { Refusal } from '../engine/refusal.ts';
import { COMPONENT_PATH, type Offer, readOffer, SIGN_IN_PATH, withDenial, withShopId } from './sign-in-offer.ts';
import { componentScript, type Decision, decide, pageStyle, shopOfKey } from './sign-in-script.ts';
import { type Embedding, offerPage, outcomePage, refusalPage, waitingPage } from './sign-in-views.ts';

/**
 * The script of the sign-in's own pages: the countdown, a single submit, and the frame's messages to the embedding
 * page.
 */
const pageScript = /* js */ `'use strict';
(() => {
  const { embedder, outcome, shopId, event, message } = document.body.dataset;

  // Only to the page that the frame was made for; elsewhere the browser does not show the frame at all.
  const tell = (what, facts) => {
    if (embedder && parent !== window) parent.postMessage({ type: 'shop-sign-in:' + what, ...facts }, embedder);
  };

  if (embedder) {
    document.documentElement.classList.add('framed');
    new ResizeObserver(() => tell('height', { height: document.documentElement.scrollHeight })).observe(document.body);
  }

  if (outcome === 'waiting') {
    addEventListener('message', ({ origin, source, data }) => {
      if (origin !== embedder || source !== parent || data?.type !== 'shop-sign-in:begin') return;
      const form = document.getElementById('begin');
      form.elements.auth_token.value = String(data.auth_token);
      form.elements.title.value = String(data.title ?? '');
      form.submit();
    });
    tell('loaded', {});
  }
  if (outcome === 'granted') tell('granted', { shop_id: shopId });
  if (outcome === 'error') tell('error', { event, message });

  const left = document.getElementById('left');
  if (!left) return;
  tell('ready', {});

  // A second submit would find the request used, and its page would take the place of the first one's.
  let submitted = false;
  document.forms[0].addEventListener('submit', (submission) => {
    if (submitted) submission.preventDefault();
    submitted = true;
  });
  addEventListener('pageshow', () => { submitted = false; });

  const end = performance.now() + Number(left.dataset.seconds) * 1000;
  const count = () => {
    const seconds = Math.max(0, Math.round((end - performance.now()) / 1000));
    left.textContent = Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0');
    if (seconds > 0) return;
    clearInterval(timer);
    for (const button of document.querySelectorAll('button')) button.disabled = true;
    const expiry = document.getElementById('expiry');
    expiry.textContent = 'This request has expired. Go back to the program that brought you here and begin again.';
    expiry.setAttribute('role', 'alert');
    tell('error', { event: 'expired', message: 'the request has expired' });
  };
  const timer = setInterval(count, 1000);
  count();
})();
`;

/** More than the form can contain, and small enough to parse safely. */
const LONGEST_FORM = 16 * 1024;

/**
 * The fields of a form sent by one of the sign-in's own pages. The request token is the authorization; requiring the
 * sandbox's own Origin keeps pages of other programs on this machine from submitting it for the owner.
 */
function ownForm(request: WireRequest): URLSearchParams {
  if (request.headers.origin !== new URL(request.url).origin) {
    throw new Refusal('permission_denied', 'this form takes only what its own page sends');
  }
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded' || request.body.length > LONGEST_FORM) {
    throw new Refusal('invalid_argument', 'this is not the form of the sign-in');
  }
  return new URLSearchParams(request.body);
}

/**
 * The origin of the page that shows the sign-in in a frame; undefined if it is not in a frame. Only a page on this
 * machine may embed it, and the frame's policy then names that origin, so that the browser shows the frame nowhere
 * else.
 */
function embedderOf(fields: URLSearchParams): string | undefined {
  const embedder = fields.get('embedder') ?? '';
  if (embedder === '') return undefined;
  if (!isLoopbackUrl(embedder) || new URL(embedder).origin !== embedder) {
    throw new Refusal('permission_denied', 'only a page on this machine may show the sign-in of a sandbox');
  }
  return embedder;
}

/** The kind of a component's token, by its format alone: an API key is never looked up here (decisions, section 3). */
function tokenKind(token: string): 'request' | 'shop-key' {
  if (/^request:[\w-]{43}$/.test(token)) return 'request';
  if (/^shop\d{1,19}:[\w-]{1,100}$/.test(token)) return 'shop-key';
  throw new Refusal('unauthenticated', 'the sign-in takes a request token or a shop key, and this is neither');
}

type Route = (request: WireRequest, core: Core) => Promise<WireResponse> | WireResponse;

/** The routes below the sign-in's path, by method and path. */
const routes: Readonly<Record<string, Route>> = {
  [`GET ${SIGN_IN_PATH}`]: showPage,
  [`POST ${SIGN_IN_PATH}`]: takeDecision,
  [`GET ${SIGN_IN_PATH}frame`]: showFrame,
  [`POST ${SIGN_IN_PATH}frame`]: fillFrame,
  [`GET ${COMPONENT_PATH}`]: () => asset('text/javascript', componentScript),
  [`GET ${SIGN_IN_PATH}page.js`]: () => asset('text/javascript', pageScript),
  [`GET ${SIGN_IN_PATH}page.css`]: () => asset('text/css', pageStyle),
};

/**
 * Answers requests below the sign-in's path: the page behind `auth_url`, the component's script, and the frame that the
 * component shows (decisions, section 3). There is no CORS: the frame reports to the embedding page by postMessage.
 */
export async function answerSignIn(request: WireRequest, core: Core): Promise<WireResponse> {
  const { pathname } = new URL(request.url);
  const key = `${request.method} ${pathname}`;
  const route = Object.hasOwn(routes, key) ? routes[key] : undefined;
  if (route === undefined) return refusalAnswer(new Refusal('bad_route', `the sign-in has no ${key}`));
  try {
    return await route(request, core);
  } catch (error) {
    if (error instanceof Refusal) return refusalPage(error, errorStatus[error.code], {});
    throw error;
  }
}

async function showPage(request: WireRequest, core: Core): Promise<WireResponse> {
  const token = new URL(request.url).searchParams.get('auth_token') ?? '';
  if (tokenKind(token) !== 'request') throw new Refusal('unauthenticated', 'a key does not belong in an address');
  return offerPage(
    core.read((work) => readOffer(work, token)),
    {},
  );
}

/** The frame before it has its token, which arrives by postMessage: a url would end up in histories. */
function showFrame(request: WireRequest): WireResponse {
  const embedder = embedderOf(new URL(request.url).searchParams);
  if (embedder === undefined) throw new Refusal('invalid_argument', 'the frame needs the origin of its page');
  return waitingPage({ embedder });
}

async function fillFrame(request: WireRequest, core: Core): Promise<WireResponse> {
  const fields = ownForm(request);
  const embedding = embeddingOf(fields);
  return inFrame(embedding, async () => {
    const token = fields.get('auth_token') ?? '';
    if (tokenKind(token) === 'request')
      return offerPage(
        core.read((work) => readOffer(work, token)),
        embedding,
      );
    return outcomePage(
      core.read((work) => shopOfKey(work, token)),
      embedding,
    );
  });
}

async function takeDecision(request: WireRequest, core: Core): Promise<WireResponse> {
  const fields = ownForm(request);
  const embedding = embeddingOf(fields);
  const decision = decisionOf(fields);
  return inFrame(embedding, async () => {
    try {
      const { shop, redirectUrl } = await core.write((work) => decide(work, decision));
      if (embedding.embedder !== undefined || redirectUrl === null) return outcomePage(shop, embedding);
      return seeOther(shop === undefined ? withDenial(redirectUrl) : withShopId(redirectUrl, shop.id));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'unauthenticated') throw error;
      const offer: Offer = core.read((work) => readOffer(work, decision.token));
      const kept = { ...offer, proposed: decision.shopId, asked: decision.newShop };
      return offerPage(kept, embedding, { message: error.message, status: errorStatus[error.code] });
    }
  });
}

function embeddingOf(fields: URLSearchParams): Embedding {
  const embedder = embedderOf(fields);
  const title = fields.get('title')?.slice(0, 80) || undefined;
  return { ...(embedder === undefined ? {} : { embedder }), ...(title === undefined ? {} : { title }) };
}

function decisionOf(fields: URLSearchParams): Decision {
  const field = (name: string) => fields.get(name) ?? '';
  const decision = field('decision');
  if (decision !== 'allow' && decision !== 'deny') throw new Refusal('invalid_argument', 'allow or deny');
  return {
    token: field('auth_token'),
    allowed: decision === 'allow',
    shopId: field('shop_id'),
    newShop: { name: field('name'), email: field('email'), phone: field('phone') },
  };
}

/** A refusal that a frame must also report to the embedding page. */
async function inFrame(embedding: Embedding, work: () => Promise<WireResponse>): Promise<WireResponse> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return refusalPage(error, errorStatus[error.code], embedding);
    throw error;
  }
}

/** 303, so that the browser requests the address with GET. */
function seeOther(location: string): WireResponse {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  };
}

/** A file for any page on this machine: it contains no secret. */
function asset(mediaType: string, body: string): WireResponse {
  return {
    status: 200,
    headers: {
      'content-type': `${mediaType}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    },
    body,
  };
}

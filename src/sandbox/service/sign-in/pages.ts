import { errorStatus } from '../../../contract/records/error.ts';
import type { WireRequest, WireResponse } from '../../../platform/http/transport.ts';
import type { Core } from '../../engine/core.ts';
import { refusalAnswer } from '../../engine/http/json-answer.ts';
import { Refusal } from '../../engine/refusal.ts';
import { COMPONENT_PATH, SIGN_IN_PATH, withDenial, withShopId } from './address.ts';
import { componentScript } from './component-script.ts';
import { type Decision, decide, shopOfKey } from './decide.ts';
import { embedderOf, ownForm, tokenKind } from './form.ts';
import { type Offer, readOffer } from './offer.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';
import { type Embedding, offerPage, outcomePage, refusalPage, waitingPage } from './views.ts';

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
      const kept = { ...offer, proposed: decision.shopId, wish: decision.newShop };
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

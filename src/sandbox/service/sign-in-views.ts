import type { WireResponse } from '../../platform/http/transport.ts';
import { type Html, html } from '../../platform/server/document-page.ts';
import type { Refusal } from '../engine/refusal.ts';
import { NEW_SHOP, type Offer, type OfferedShop, SIGN_IN_PATH } from './sign-in-offer.ts';

/** How a page is shown: by itself, or in a frame of the page at this origin, under a title of its choice. */
export interface Embedding {
  readonly embedder?: string;
  readonly title?: string;
}

/** What the page's script reports to the embedding page. */
type Reported = Readonly<Record<'outcome' | 'shop-id' | 'event' | 'message', string | undefined>>;

const nothingReported: Reported = { outcome: undefined, 'shop-id': undefined, event: undefined, message: undefined };

/** Asks whether a partner may act for a shop. */
export function offerPage(
  offer: Offer,
  embedding: Embedding,
  fault?: { readonly message: string; readonly status: number },
): WireResponse {
  const { partnerName, token, shops, proposed, asked, secondsLeft } = offer;
  const content = html`
    <h1>${embedding.title ?? `Connect your shop with ${partnerName}`}</h1>
    <p>${partnerName} will be able to do this for the shop you choose:</p>
    <ul class="grants">
      <li>ask for delivery prices</li>
      <li>create, see and cancel orders, which you pay for</li>
      <li>be notified of changes to your orders, products and customers</li>
    </ul>
    ${fault && html`<p class="fault" role="alert">${fault.message}</p>`}
    <form method="post" action="${SIGN_IN_PATH}">
      <input type="hidden" name="auth_token" value="${token}">
      ${embedding.embedder && html`<input type="hidden" name="embedder" value="${embedding.embedder}">`}
      ${embedding.title && html`<input type="hidden" name="title" value="${embedding.title}">`}
      <fieldset>
        <legend>Your shop</legend>
        ${shops.map((shop) => shopChoice(shop, proposed))}
        <label class="choice"><input type="radio" name="shop_id" value="${NEW_SHOP}" id="new-shop" required${checked(proposed === NEW_SHOP)}>
          <span class="name">A new shop</span></label>
        <div class="new-shop">
          <label>Shop name <input name="name" maxlength="100" autocomplete="organization" value="${asked.name ?? ''}"></label>
          <label>Email <input name="email" type="email" maxlength="100" autocomplete="email" value="${asked.email ?? ''}"></label>
          <label>Phone <input name="phone" type="tel" maxlength="100" autocomplete="tel" value="${asked.phone ?? ''}"></label>
        </div>
      </fieldset>
      <div class="actions">
        <button name="decision" value="allow" class="primary">Allow</button>
        <button name="decision" value="deny" formnovalidate>Deny</button>
      </div>
      <p class="expiry" id="expiry">This request is valid for another
        <span role="timer" id="left" data-seconds="${secondsLeft}">${clockText(secondsLeft)}</span>.
        You can remove the link at any time.</p>
    </form>`;
  const policy = { formTarget: offer.redirectUrl };
  return page(`Connect with ${partnerName}`, content, embedding, fault?.status ?? 200, nothingReported, policy);
}

function shopChoice(shop: OfferedShop, proposed: string): Html {
  const detail = [shop.email, shop.phone].filter(Boolean).join(' · ');
  return html`<label class="choice"><input type="radio" name="shop_id" value="${shop.id}" required${checked(shop.id === proposed)}>
          <span class="name">${shop.name}</span>${shop.connected ? html` <span class="tag">connected</span>` : undefined}
          <span class="detail">${detail}</span><span class="detail">id ${shop.id}</span></label>`;
}

function checked(isChecked: boolean): Html | undefined {
  return isChecked ? html` checked` : undefined;
}

/** Minutes and seconds, in the format of the page's countdown. */
function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The end of a sign-in without a redirect url: the connected shop, or none if the owner declined. */
export function outcomePage(
  shop: { readonly id: string; readonly name: string } | undefined,
  embedding: Embedding,
): WireResponse {
  const said =
    shop === undefined
      ? html`<h1>Access was denied</h1><p role="status">The request has ended. You can close this page.</p>`
      : html`<h1>${shop.name} is connected</h1><p>Its id is <strong>${shop.id}</strong>.</p><p role="status">You can close this page and go back to the program that brought you here.</p>`;
  const reported =
    shop === undefined
      ? { ...nothingReported, outcome: 'error', event: 'denied', message: "the shop's owner denied the request" }
      : { ...nothingReported, outcome: 'granted', 'shop-id': shop.id };
  return page(shop === undefined ? 'Not connected' : 'Connected', said, embedding, 200, reported);
}

/** A sign-in that cannot continue, and why. */
export function refusalPage(refusal: Refusal, status: number, embedding: Embedding): WireResponse {
  const { message } = refusal;
  const content = html`
    <h1>This sign-in cannot go on</h1>
    <p class="fault" role="alert">${sentence(message)}</p>
    <p>Go back to the program that brought you here and begin again.</p>`;
  const reported = { ...nothingReported, outcome: 'error', event: 'refused', message };
  return page('Sign-in', content, embedding, status, reported);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** A frame that waits for its token. */
export function waitingPage(embedding: Embedding): WireResponse {
  const content = html`<form method="post" action="${SIGN_IN_PATH}frame" id="begin" hidden>
      <input type="hidden" name="auth_token"><input type="hidden" name="title">
      <input type="hidden" name="embedder" value="${embedding.embedder}"></form>
    <p role="status">Loading …</p>`;
  return page('Sign-in', content, embedding, 200, { ...nothingReported, outcome: 'waiting' });
}

interface Policy {
  /** Where a form may lead besides the sandbox; browsers apply this to redirects as well. */
  readonly formTarget?: string | null;
}

function page(
  title: string,
  content: Html,
  embedding: Embedding,
  status: number,
  reported: Reported,
  policy: Policy = {},
): WireResponse {
  const { embedder } = embedding;
  const data = Object.entries({ ...reported, embedder }).flatMap(([name, value]) =>
    value === undefined ? [] : [html` data-${name}="${value}"`],
  );
  const document = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${SIGN_IN_PATH}page.css">
    <script src="${SIGN_IN_PATH}page.js" defer></script>
  </head>
  <body${data}>
    <main>
      <p class="service"><span class="mark" aria-hidden="true"></span>Shop sign-in <span class="tag">sandbox</span></p>
      ${content}
    </main>
  </body>
</html>
`;
  return { status, headers: headersOf(embedder, policy), body: document.text };
}

function headersOf(embedder: string | undefined, { formTarget }: Policy): Record<string, string> {
  const rules = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    `form-action 'self'${formTarget ? ` ${sourceOf(formTarget)}` : ''}`,
    "base-uri 'none'",
    `frame-ancestors ${embedder ?? "'none'"}`,
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': rules.join('; '),
    // Not no-referrer: a browser would then omit the Origin of the page's own form.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
}

/** An origin in the syntax of a policy, which has no form for IPv6 addresses. */
function sourceOf(url: string): string {
  const { origin, hostname, protocol } = new URL(url);
  return hostname.startsWith('[') ? protocol : origin;
}

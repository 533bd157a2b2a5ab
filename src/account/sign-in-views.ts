import { isVietnamese } from '../domain/language.ts';
import type { WireResponse } from '../platform/http/transport.ts';
import { Html, html, pageLook, policyHash } from '../platform/server/document-page.ts';
import type { Secret } from '../platform/settings/secret.ts';
import { say } from './texts.ts';

/** The style of the page around the component, kept unobtrusive. */
export const pageStyle = /* css */ `${pageLook}main { max-width: 34rem; margin: clamp(0rem, 6vh, 4rem) auto; padding: 1.5rem; }
p { margin: 0 0 1rem; color: var(--quiet); overflow-wrap: anywhere; }
strong { color: var(--text); }
.program { margin-bottom: 1rem; font-weight: 600; letter-spacing: 0.01em; }
#sign-in { overflow: hidden; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
#sign-in:empty { display: none; }
#status { min-height: 1.5rem; margin-top: 1rem; }
#status[role='alert'] { color: var(--text); font-weight: 600; }
.message { padding: 1.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
.message p { margin: 0; }
@media (max-width: 32rem) {
  main { margin: 0; padding: 1.25rem 1rem; }
}
`;

/** The result of a sign-in on a page. */
export type PageOutcome = { readonly kind: 'granted'; readonly shopId: string } | { readonly kind: 'denied' };

/** The service's sign-in component and its parameters. */
export interface OfferedComponent {
  /** The address of its script; https, or on this machine. */
  readonly componentUrl: string;
  /** The only secret on the page; it is worthless after the sign-in. */
  readonly requestToken: Secret;
}

/** The page that runs the service's component with the request token. */
export function componentView({ componentUrl, requestToken }: OfferedComponent, state: string): WireResponse {
  const { host, origin } = new URL(componentUrl);
  const texts = say().page;
  const content = html`
      <h1>${texts.connect}</h1>
      <p>${texts.before}<strong>${host}</strong>${texts.after}</p>
      <noscript><p role="alert">${texts.needsScript}</p></noscript>
      <div id="sign-in" data-auth-token="${requestToken.reveal()}" data-state="${state}"></div>
      <p id="status" role="status">${texts.loading}</p>`;
  // The component comes first, because the page's script looks for it.
  const head = html`<link rel="stylesheet" href="/page.css">
    <script src="${componentUrl}" defer></script>
    <script src="/page.js" defer></script>`;
  return page(200, texts.connect, content, componentPolicy(origin), head);
}

/** A message without any action. Self-contained: the server may close as soon as it is sent. */
export function messageView(status: number, title: string, message: string): WireResponse {
  const content = html`
      <div class="message">
        <h1>${title}</h1>
        <p role="status">${message}</p>
      </div>`;
  return page(status, title, content, messagePolicy, html`<style>${new Html(pageStyle)}</style>`);
}

const messagePolicy = [
  "default-src 'none'",
  `style-src ${policyHash(pageStyle)}`,
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Allows only this page and the component's origin. The component's needs are not known, so it may load scripts,
 * frames, styles, images and data from its own origin; its inline styles are allowed.
 */
function componentPolicy(origin: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    `style-src 'self' ${origin} 'unsafe-inline'`,
    `connect-src 'self' ${origin}`,
    `frame-src ${origin}`,
    `img-src data: ${origin}`,
    `font-src ${origin}`,
    `form-action ${origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function page(status: number, title: string, content: Html, policy: string, head: Html): WireResponse {
  const document = html`<!doctype html>
<html lang="${isVietnamese() ? 'vi' : 'en'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · shopctl</title>
    <link rel="icon" href="data:,">
    ${head}
  </head>
  <body>
    <main>
      <p class="program">shopctl</p>${content}
    </main>
  </body>
</html>
`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // A component may open a window of its service and receive messages from it.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    },
    body: document.text,
  };
}

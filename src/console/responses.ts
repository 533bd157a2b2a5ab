import type { PageAnswer } from '../platform/server/http-server.ts';

/** What the page may do: run its own script and style, and ask its own server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Headers of every answer. */
export const headersOf = (type: string): Readonly<Record<string, string>> => ({
  'content-type': type,
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

/** A refusal in one line of plain text, for whoever opened the address. */
export const refused = (status: number, why: string): PageAnswer => ({
  status,
  headers: headersOf('text/plain; charset=utf-8'),
  body: `${why}\n`,
});

/** A value as JSON. */
export const inJson = (value: unknown, status = 200): PageAnswer => ({
  status,
  headers: headersOf('application/json'),
  body: JSON.stringify(value),
});

import type { WireRequest } from '../../../platform/http/transport.ts';
import { isLoopbackUrl } from '../../engine/http/loopback.ts';
import { Refusal } from '../../engine/refusal.ts';

/** More than the form can contain, and small enough to parse safely. */
const LONGEST_FORM = 16 * 1024;

/**
 * The fields of a form sent by one of the sign-in's own pages. The request token is the authorization; requiring the
 * sandbox's own Origin keeps pages of other programs on this machine from submitting it for the owner.
 */
export function ownForm(request: WireRequest): URLSearchParams {
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
export function embedderOf(fields: URLSearchParams): string | undefined {
  const embedder = fields.get('embedder') ?? '';
  if (embedder === '') return undefined;
  if (!isLoopbackUrl(embedder) || new URL(embedder).origin !== embedder) {
    throw new Refusal('permission_denied', 'only a page on this machine may show the sign-in of a sandbox');
  }
  return embedder;
}

/** The kind of a component's token, by its format alone: an API key is never looked up here (decisions, section 3). */
export function tokenKind(token: string): 'request' | 'shop-key' {
  if (/^request:[\w-]{43}$/.test(token)) return 'request';
  if (/^shop\d{1,19}:[\w-]{1,100}$/.test(token)) return 'shop-key';
  throw new Refusal('unauthenticated', 'the sign-in takes a request token or a shop key, and this is neither');
}

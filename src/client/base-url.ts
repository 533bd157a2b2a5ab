import { operationPath } from '../contract/operation.ts';
import type { OperationId } from '../contract/operation-id.ts';
import { say } from '../contract/texts.ts';
import { isLoopbackHost } from '../platform/server/loopback-server.ts';
import { ConfigurationError } from './errors.ts';

/** The address checked last: a batch uses the same one for every call. */
let last: { readonly text: string; readonly url: URL } | undefined;

/** Validates the base url: https, or http to this machine; no user, query or fragment. Throws a ConfigurationError. */
export function checkedBaseUrl(text: string): URL {
  if (last?.text !== text) last = { text, url: check(text) };
  return last.url;
}

function check(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigurationError(say().address.none);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) {
    throw new ConfigurationError(say().address.unsafe({ url: `${url.protocol}//${url.host}` }));
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ConfigurationError(say().address.more);
  }
  return url;
}

/** The address of an operation below the base url, which may have a path itself (contract, "Endpoints"). */
export function endpoint(baseUrl: URL, id: OperationId): string {
  return `${baseUrl.origin}${baseUrl.pathname.replace(/\/+$/, '')}${operationPath(id)}`;
}

/** A base url to be shown: one that was written by hand may hold a password or a token, which no request takes. */
export function shownBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOpen = url !== undefined && url.username === '' && url.password === '';
  const shown = isOpen ? text : text.replace(/^([^/]*\/\/).*@/, '$1***@');
  return shown.replace(/([?#]).*$/s, '$1***');
}

import { type Transport, TransportError } from '../../src/platform/http/transport.ts';

/** A transport over globalThis.fetch, which nock intercepts. Every failure counts as one after sending. */
export const fetchTransport: Transport = async ({ url, method, headers, body, timeoutMs, signal }) => {
  const late = AbortSignal.timeout(timeoutMs ?? 30_000);
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  } catch (error) {
    if (late.aborted) throw new TransportError('timeout', 'maybe', 'no answer came in time', { cause: error });
    throw new TransportError('closed', 'maybe', 'the connection closed', { cause: error });
  }
};

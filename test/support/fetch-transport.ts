import { type Transport, TransportError } from '../../src/platform/http/transport.ts';

/** A transport over globalThis.fetch, which nock intercepts. Every failure counts as one after sending. */
export const fetchTransport: Transport = async ({ url, method, headers, body, signal }) => {
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      ...(signal === undefined ? {} : { signal }),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  } catch (error) {
    throw new TransportError('closed', 'maybe', 'the connection closed', { cause: error });
  }
};

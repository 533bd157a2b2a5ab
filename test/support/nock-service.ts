import nock from 'nock';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Transport, WireResponse } from '../../src/platform/http/transport.ts';
import { fetchTransport } from './fetch-transport.ts';

/** The address of the service of tests, which nock answers for. */
const base = 'http://127.0.0.1:4010';

/** The next answers of one operation, as nock takes them. */
export const service = (path: string) => nock(base).post(`/v1/${path}`);

/** A transport whose service gives this answer to whatever it is asked first, and is not there for anything else. */
export function answering({ status, headers, body }: WireResponse): Transport {
  nock(base)
    .post(/^\/v1\//)
    .reply(status, body, headers);
  return fetchTransport;
}

/** Lets nock stand for the network while the tests of this file run: each answer that is set has to be asked for. */
export function behindNock(): void {
  // Importing it activates it, for the other files of this process too.
  nock.restore();
  beforeEach(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    const pending = nock.pendingMocks();
    nock.cleanAll();
    nock.enableNetConnect();
    nock.restore();
    expect(pending).toEqual([]);
  });
}

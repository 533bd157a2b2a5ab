import { expect, test } from 'vitest';
import { createInFlight, type Limited, withinLimits } from '../../src/platform/http/in-flight.ts';
import type { WireRequest, WireResponse } from '../../src/platform/http/transport.ts';

test('only what has not ended is broken off, whatever ended before it', () => {
  const controller = new AbortController();
  const inFlight = createInFlight();
  const broken: string[] = [];
  const request = (name: string): Limited => ({
    until: Number.POSITIVE_INFINITY,
    signal: controller.signal,
    place: 0,
    timeIsOver() {},
    isAborted: () => void broken.push(name),
  });
  const [first, second, third, fourth] = ['first', 'second', 'third', 'fourth'].map(request) as [
    Limited,
    Limited,
    Limited,
    Limited,
  ];
  for (const one of [first, second, third, fourth]) inFlight.add(one);
  for (const one of [first, fourth, third]) inFlight.remove(one);
  controller.abort();
  expect(broken).toEqual(['second']);
});

test('an answer is waited for no longer than its request says, and what was given up before is not asked for', async () => {
  const inFlight = createInFlight();
  const answer: WireResponse = { status: 200, headers: {}, body: '{}' };
  let asked = 0;
  const request = (limits: Partial<WireRequest>): WireRequest => ({
    ...{ method: 'POST', url: 'http://127.0.0.1:4010/v1/shop.Order/ListOrders', headers: {}, body: '' },
    ...limits,
  });
  const waited = (limits: Partial<WireRequest>, come: Promise<WireResponse>) =>
    withinLimits(inFlight, request(limits), () => {
      asked += 1;
      return come;
    });
  const never = new Promise<WireResponse>(() => {});
  const message = '127.0.0.1:4010 did not answer within 0.001 s';
  await expect(waited({ timeoutMs: 1 }, never)).rejects.toMatchObject({ failure: 'timeout', sent: 'maybe', message });
  const leaving = new AbortController();
  const left = waited({ signal: leaving.signal }, never);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ failure: 'aborted', sent: 'maybe' });
  await expect(waited({ signal: leaving.signal }, never)).rejects.toMatchObject({ failure: 'aborted', sent: 'no' });
  expect(asked).toBe(2);
  expect(await waited({ timeoutMs: 60_000 }, Promise.resolve(answer))).toBe(answer);
  await expect(waited({}, Promise.reject(new RangeError('broken')))).rejects.toThrow(RangeError);
});

import { expect, test } from 'vitest';
import { createInFlight, type Limited } from '../../src/platform/http/in-flight.ts';

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

import { expect, it } from 'vitest';
import { outcomeOfRedirect, outcomeOfRefusal, type Refusal } from '../../src/client/retry.ts';
import type { Effect } from '../../src/contract/operation.ts';

const refusal = (status: number, code?: string, retryAfter = false): Refusal => ({ status, code, retryAfter });

/** What is known of a create with a name of its own, of one without, and of an update. */
const known = (given: Refusal) => [
  outcomeOfRefusal({ effect: 'create', named: true }, given),
  outcomeOfRefusal({ effect: 'create' }, given),
  outcomeOfRefusal({ effect: 'update' }, given),
];
const no = 'not_applied';
const open = 'unknown';

it.each([
  ['400', refusal(400, 'invalid_argument'), [no, no, no]],
  ['401 of a gateway', refusal(401), [open, open, open]],
  ['404', refusal(404, 'not_found'), [no, no, no]],
  ['404 of a gateway', refusal(404), [open, open, open]],
  // Late, not judged: the deed may have been done.
  ['408', refusal(408), [open, open, open]],
  ['408 of the service', refusal(408, 'deadline_exceeded'), [open, open, open]],
  ['408 with a code of another status', refusal(408, 'invalid_argument'), [open, open, open]],
  ['499, the client was gone', refusal(499), [open, open, open]],
  ['499 with a code of another status', refusal(499, 'not_found'), [open, open, open]],
  ['499 of the service', refusal(499, 'canceled'), [open, open, open]],
  ['498', refusal(498, 'invalid_argument'), [no, no, no]],
  ['498 of a gateway', refusal(498), [open, open, open]],
  ['400 with what was given up', refusal(400, 'canceled'), [open, open, open]],
  ['409 that cannot be read', refusal(409), [open, open, open]],
  ['409', refusal(409, 'already_exists'), [no, no, no]],
  ['429', refusal(429), [no, open, no]],
  ['429 of the service', refusal(429, 'resource_exhausted', true), [no, open, no]],
  ['500', refusal(500, 'internal'), [open, open, open]],
  ['501', refusal(501, 'unimplemented'), [no, no, no]],
  ['502 of a gateway', refusal(502), [open, open, open]],
  ['503 of a gateway', refusal(503, undefined, true), [open, open, open]],
  ['503 of the service, which says when to come again', refusal(503, 'unavailable', true), [no, open, no]],
  ['503 of the service', refusal(503, 'unavailable'), [open, open, open]],
  ['504 of the service, which says when to come again', refusal(504, 'unavailable', true), [open, open, open]],
  ['399', refusal(399), [open, open, open]],
])('a write that is answered with %s', (_, given, expected) => {
  expect(known(given)).toEqual(expected);
  for (const effect of ['read', 'authorize'] as const) expect(outcomeOfRefusal({ effect }, given)).toBe(no);
});

it('a redirected write was not done where the same request is asked for elsewhere, and may be after any other', () => {
  const of = (effect: Effect) => [301, 302, 303, 307, 308].map((status) => outcomeOfRedirect(effect, status));
  expect(of('update')).toEqual([no, open, open, no, no]);
  expect(of('read')).toEqual(Array(5).fill(no));
});

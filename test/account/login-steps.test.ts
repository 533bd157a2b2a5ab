import { expect, it } from 'vitest';
import { type LoginEvent, type LoginState, nextStep } from '../../src/account/actions/login-with-person.ts';
import type { SignInPending } from '../../src/account/sign-in.ts';
import { Secret } from '../../src/platform/settings/secret.ts';

const pending: SignInPending = {
  kind: 'pending',
  requestToken: new Secret('request:one'),
  expiresAt: '2026-01-31T08:15:00Z',
};
const later: SignInPending = { ...pending, requestToken: new Secret('request:two') };
const granted = { kind: 'granted', shopId: '7', shopKey: new Secret('shop7:key') } as const;
const request = { email: 'a@b.example' };

const asking: LoginState = { step: 'asking', request };
const waiting: LoginState = { step: 'waiting', request, pending };
const typed: LoginState = { step: 'confirming', request, pending, shopId: '7', teller: 'person' };
const returned: LoginState = { ...typed, teller: 'page' };

/** Goes through the events one after the other. */
const after = (state: LoginState, ...events: LoginEvent[]) => events.reduce(nextStep, state);

it('waits for the shop when AuthorizeShop asks for its sign-in', () => {
  expect(after(asking, { kind: 'answered', answer: pending })).toEqual(waiting);
});

it('is over at once when AuthorizeShop answers a key', () => {
  expect(after({ step: 'asking', request: { shop_id: '7' } }, { kind: 'answered', answer: granted })).toEqual({
    step: 'granted',
    shopId: '7',
    shopKey: granted.shopKey,
  });
});

it('says that a shop which signed in before has removed its link', () => {
  const state = after({ step: 'asking', request: { shop_id: '7' } }, { kind: 'answered', answer: pending });
  expect(state).toMatchObject({ step: 'waiting', remark: expect.stringContaining('shop 7 removed its link') });
});

it.each(['page', 'person'] as const)('asks for the key of the shop that the %s names', (teller) => {
  expect(after(waiting, { kind: 'named', shopId: '7', teller })).toEqual({ ...typed, teller });
  expect(after(waiting, { kind: 'named', shopId: '7', teller }, { kind: 'answered', answer: granted })).toMatchObject({
    step: 'granted',
    shopId: '7',
  });
});

it('keeps waiting for the same request after an id that is wrong or typed too early', () => {
  expect(after(typed, { kind: 'refused', reason: 'never signed in' })).toEqual({
    ...waiting,
    remark: 'never signed in',
  });
  expect(after(typed, { kind: 'answered', answer: later })).toEqual({
    ...waiting,
    remark: 'shop 7 has not signed in yet',
  });
});

it('asks again if the link was removed between the sign-in and the key', () => {
  expect(after(returned, { kind: 'answered', answer: later })).toMatchObject({
    step: 'asking',
    request: { shop_id: '7' },
    remark: expect.stringContaining('has removed its link'),
  });
});

it('ends when the owner denies', () => {
  expect(after(waiting, { kind: 'denied' })).toEqual({ step: 'ended', because: 'denied' });
});

it('offers a new request when the time is over, and makes the same one', () => {
  const expired = after(waiting, { kind: 'ran_out' });
  expect(expired).toEqual({ step: 'expired', request });
  expect(after(expired, { kind: 'renewed', wanted: true })).toEqual(asking);
  expect(after(expired, { kind: 'renewed', wanted: false })).toEqual({ step: 'ended', because: 'expired' });
});

it('refuses an event that cannot happen', () => {
  expect(() => after(asking, { kind: 'denied' })).toThrow('a login that is asking cannot be denied');
  expect(() => after({ step: 'ended', because: 'denied' }, { kind: 'ran_out' })).toThrow(TypeError);
});

import { expect, it } from 'vitest';
import { namedTargets } from '../../src/events/listen/forward/named-targets.ts';
import { faultOfTarget, isForbiddenAddress } from '../../src/events/listen/forward/target-address.ts';

it.each([
  'fd20:ce::254',
  'fd00:ec2::254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '2002:a9fe:a9fe::1',
  '::169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  'fe80::1',
  '::',
])('refuses %s, which leads to a metadata or link-local address', (address) => {
  expect(isForbiddenAddress(address)).toBe(true);
  expect(faultOfTarget(`http://[${address}]/`)).toBe('leads to a link-local or metadata address');
});

it.each(['::1', '2001:db8::1', '64:ff9b::808:808', '2002:808:808::1', '::ffff:127.0.0.1', '127.0.0.1', '8.8.8.8'])(
  'takes %s',
  (address) => {
    expect(isForbiddenAddress(address)).toBe(false);
  },
);

it('gives a target at an IPv6 address a name of its own', () => {
  const given = { forwardTo: ['http://[::1]:9/'], exec: undefined, names: [], accept: 'ok', giveUpMs: 1 } as const;
  expect(namedTargets(given).map(({ name }) => name)).toEqual(['::1:9']);
});

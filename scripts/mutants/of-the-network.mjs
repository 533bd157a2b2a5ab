// Faults in what stands between this machine and the service: proxies, addresses, signals, waits.

const tunnel = 'src/platform/http/tunnel.ts';

const tests = {
  proxy: 'test/wire/proxy.test.ts',
  address: 'test/workspace/postgres-address.test.ts',
};

export const ofTheNetwork = (fault) => [
  fault(
    'proxy-says-its-password',
    'the password of a proxy stands in the message about it',
    tunnel,
    'proxy.host} $',
    'proxy.href} $',
    tests.proxy,
  ),
  fault(
    'proxy-makes-a-write-unknown',
    'a write that a proxy never passed on counts as one that may have happened',
    tunnel,
    "new TransportError('proxy', 'no', `the",
    "new TransportError('proxy', 'maybe', `the",
    tests.proxy,
  ),
  fault(
    'proxy-that-refuses-is-asked-again',
    'a proxy that refuses is asked again and again',
    tunnel,
    'passing: PASSING_STATUS.has(status) };',
    'passing: true };',
    tests.proxy,
  ),
  fault(
    'address-that-is-cut',
    'what stands behind a # in a password is taken for no part of it, and another host is dialled',
    'src/platform/http/address.ts',
    '[pathname, hash]',
    '[pathname]',
    tests.proxy,
  ),
];

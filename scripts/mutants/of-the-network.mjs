// Faults in what stands between this machine and the service: proxies, addresses, signals, waits.

const tunnel = 'src/platform/http/tunnel.ts';

const tests = {
  proxy: 'test/wire/proxy.test.ts',
  signals: 'test/cli/signals.test.ts',
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
  fault(
    'sent-write-is-given-up',
    'a signal gives up a write that was sent, whose answer was to come',
    'src/platform/http/undici-transport.ts',
    'sentSignal?.aborted === false',
    'sentSignal?.aborted === true',
    tests.signals,
  ),
  fault(
    'signal-hides-an-unknown-write',
    'a run that a signal ended says so, although nobody knows whether its write was done',
    'src/main.ts',
    "const isUnknown = report.outcome === 'unknown';",
    'const isUnknown = false;',
    tests.signals,
  ),
  fault(
    'patience-without-end',
    'what was sent is waited for after a second signal',
    'src/platform/process/interruptible.ts',
    "again?.addEventListener('abort', end, { once: true });",
    '',
    tests.signals,
  ),
  fault(
    'webhook-in-flight-is-given-up',
    'a listener that is interrupted while it registers does not know whether it did',
    'src/client/exchange.ts',
    'isWrite(effect) && connection.patience !== undefined ? {',
    'isWrite(effect) && connection.patience === undefined ? {',
    tests.signals,
  ),
  fault(
    'key-of-a-failing-service-is-blamed',
    'doctor blames the key where the service fails',
    'src/doctor/actions/service-checks.ts',
    "if (check.failed === true) return skipped(name, 'the service failed, and said nothing of it');",
    '',
    'test/cli/doctor.test.ts',
  ),
  fault(
    'key-in-a-row-that-comes',
    'a row of doctor, which is printed as it ends, repeats a key',
    'src/cli/run/run-action.ts',
    '(row) => concealed(row, conceal)',
    '(row) => row',
    'test/cli/no-key-is-repeated.test.ts',
  ),
  fault(
    'doctor-waits-for-all-checks',
    'doctor prints nothing before its last check',
    'src/cli/print/table.ts',
    'inChunks(rows, 1, 1)',
    'inChunks(rows, rowsThatDecide, rowsAtOnce)',
    'test/cli/print/streaming.test.ts',
  ),
  fault(
    'two-servers-of-a-name',
    'several starts of one sandbox at once leave several servers',
    'src/cli/sandbox/sandboxes.ts',
    'return alone(context, directory, start.name, () => startSandbox(context, directory, start)).catch(',
    'return startSandbox(context, directory, start).catch(',
    'test/cli/sandbox-starts.test.ts',
  ),
];

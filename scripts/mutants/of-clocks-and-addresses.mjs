// Faults in what is compared before an equal order counts as an old one, or an address as another service.

const time = 'src/flows/ledger/service-time.ts';
const keys = 'src/workspace/ledger/keys.ts';

const tests = {
  time: 'test/flows/ledger/service-time.test.ts',
  clocks: 'test/promises/sending/two-clocks.test.ts',
  steps: 'test/workspace/clocks-and-addresses.test.ts',
};

export const ofClocksAndAddresses = (fault) => [
  fault(
    'machine-clock-is-not-asked',
    'one answer with an old Date takes the guard of 24 hours away: the clock of the machine is not asked',
    time,
    'if (this.#clock.now() - localAt < milliseconds) return false;',
    '',
    tests.clocks,
  ),
  fault(
    'machine-clock-is-believed',
    'a clock that was set ahead takes the guard of 24 hours away: the service is not asked',
    time,
    'if (this.#told !== undefined) return this.#expected(this.#told) - at >= milliseconds;',
    'if (at > 0) return true;',
    tests.clocks,
  ),
  fault(
    'first-date-is-believed',
    'a Date that is far off counts at once',
    time,
    'agrees(this.#told) || (isConfirmed',
    'told.served > 0 || (isConfirmed',
    tests.clocks,
  ),
  fault(
    'second-date-at-once-is-believed',
    'two answers of one moment from one node confirm each other',
    time,
    '(isConfirmed && told.elapsed - doubted.elapsed >= LATER_MS)',
    'isConfirmed',
    tests.time,
  ),
  fault(
    'doubted-date-dates-a-key',
    'a key is dated by a Date that is two days old and in doubt',
    time,
    'return Math.max(this.#expected(this.#told), doubted);',
    'return doubted > 0 ? doubted : this.#expected(this.#told);',
    tests.time,
  ),
  fault(
    'offset-is-not-kept',
    'a machine whose clock is always wrong asks twice each time',
    time,
    'if (offset !== undefined && !isSame) await',
    'if (offset === undefined && !isSame) await',
    tests.clocks,
  ),
  fault(
    'outcome-has-one-time',
    'the outcome of a write does not store when it was by the clock of the machine',
    keys,
    'local_at = cast(listed.column8 as bigint)',
    'local_at = cast(listed.column7 as bigint)',
    tests.clocks,
  ),
  fault(
    'former-key-has-no-time',
    'a key of a former version counts as one of 1970 by the clock of the machine',
    keys,
    "numberOrNull(row, 'local_at') ?? at",
    "numberOrNull(row, 'local_at') ?? 0",
    tests.steps,
  ),
];

import { describe, expect, test } from 'vitest';
import { isPassingFailure, retryAfterMs, retryDelayMs } from '../../src/client/retry.ts';
import { TransportError, type TransportFailure } from '../../src/platform/http/transport.ts';
import { fc } from '../support/fast-check.ts';

const now = Date.parse('2026-01-31T08:00:00Z');
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test('a delay is a part of a step that doubles up to eight seconds, and never less than was asked for', () => {
  fc.assert(
    fc.property(fc.nat(50), random, fc.option(fc.nat(100_000), { nil: undefined }), (attempt, part, asked) => {
      const delay = retryDelayMs(attempt, part, asked);
      expect(Number.isInteger(delay)).toBe(true);
      expect(delay).toBeGreaterThanOrEqual(asked ?? 0);
      expect(delay).toBeLessThanOrEqual(Math.max(asked ?? 0, Math.min(8_000, 250 * 2 ** attempt)));
    }),
  );
});

describe('Retry-After', () => {
  test('any number of seconds is read as it is', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), (seconds) => {
        expect(retryAfterMs({ 'retry-after': String(seconds) }, now)).toBe(seconds * 1000);
      }),
    );
  });

  test('any date counts from now, a past one is now', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e8, max: 1e8 }), (seconds) => {
        const date = new Date(now + seconds * 1000).toUTCString();
        expect(retryAfterMs({ 'retry-after': date }, now)).toBe(Math.max(0, seconds * 1000));
      }),
    );
  });

  test.each(['', ' ', '-1', '1.5', 'soon', '31/01/2026', '99999999999', '1e3', '0x10'])(
    'garbage counts as absent: %j',
    (text) => {
      expect(retryAfterMs({ 'retry-after': text }, now)).toBeUndefined();
    },
  );
});

describe('a request without an answer', () => {
  const failed = (failure: TransportFailure, sent: 'no' | 'maybe', code?: string) =>
    new TransportError(failure, sent, 'failed', { cause: Object.assign(new Error('x'), { code }) });

  test('is tried again when it is a read and the failure may pass', () => {
    for (const failure of ['refused', 'unresolved', 'timeout', 'closed'] as const) {
      expect(isPassingFailure('read', failed(failure, 'maybe'))).toBe(true);
    }
    for (const failure of ['tls', 'proxy', 'oversized', 'aborted'] as const) {
      expect(isPassingFailure('read', failed(failure, 'no'))).toBe(false);
    }
    expect(isPassingFailure('create', new TransportError('proxy', 'no', 'closed', { passing: true }))).toBe(true);
  });

  test('is tried again when it is a write only if it surely did not arrive', () => {
    for (const effect of ['create', 'update', 'delete', 'transition'] as const) {
      expect(isPassingFailure(effect, failed('closed', 'maybe'))).toBe(false);
      expect(isPassingFailure(effect, failed('timeout', 'maybe'))).toBe(false);
      expect(isPassingFailure(effect, failed('refused', 'no'))).toBe(true);
    }
  });

  test('is not tried again for a host that does not exist, but for a name server that does not answer', () => {
    expect(isPassingFailure('read', failed('unresolved', 'no', 'ENOTFOUND'))).toBe(false);
    expect(isPassingFailure('read', failed('unresolved', 'no', 'EAI_AGAIN'))).toBe(true);
  });
});

import { expect, it } from 'vitest';
import { momentOf } from '../../src/events/actions/list-events.ts';

it('a day is the whole day of the zone, the last one included', () => {
  const ports = {
    clock: { now: () => Date.parse('2026-01-31T18:00:00Z'), wait: async () => {} },
    settings: { tz: { value: 'Asia/Ho_Chi_Minh' } },
  } as unknown as Parameters<typeof momentOf>[2];
  expect(momentOf('since', '31/01/2026', ports)).toBe('2026-01-30T17:00:00.000Z');
  expect(momentOf('until', '2026-01-31', ports)).toBe('2026-01-31T17:00:00.000Z');
  // It is 1 February in the shop already.
  expect(momentOf('since', 'yesterday', ports)).toBe('2026-01-30T17:00:00.000Z');
  expect(momentOf('until', '2026-01-31T12:00:00Z', ports)).toBe('2026-01-31T12:00:00.000Z');
  expect(momentOf('since', '2h', ports)).toBe('2026-01-31T16:00:00.000Z');
});

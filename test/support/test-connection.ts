import type { Connection } from '../../src/client/connection.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { Secret } from '../../src/platform/settings/secret.ts';
import { type SteppedClock, steppedClock } from './stepped-clock.ts';

/** The key that every call of a test carries; it must never appear in a message. */
export const CANARY = 'shop1042:canary-3f9c/7d21ab88e0c4';

/** A connection with nothing real in it: a stepped clock, the middle of each jitter, one key for everything. */
export function testConnection(
  transport: Transport,
  changes: Partial<Connection> = {},
): Connection & { readonly clock: SteppedClock } {
  const clock = steppedClock();
  return {
    baseUrl: 'http://127.0.0.1:4010',
    key: () => ({ secret: new Secret(CANARY) }),
    transport,
    random: () => 0.5,
    timeoutMs: 60_000,
    maxRetries: 3,
    userAgent: 'shopctl/test',
    ...changes,
    clock,
  };
}

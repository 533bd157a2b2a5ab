import { onTestFinished } from 'vitest';
import type { AnyRow, Mirror } from '../../src/mirror/store/mirror.ts';
import { openMirror } from '../../src/mirror/store/open-mirror.ts';
import { type SyncSetup, syncAreas } from '../../src/mirror/sync.ts';
import type { AreaSummary } from '../../src/mirror/sync-context.ts';
import { type Verified, type VerifySetup, verifyAreas } from '../../src/mirror/verify.ts';
import type { Transport } from '../../src/platform/http/transport.ts';
import { Secret } from '../../src/platform/settings/secret.ts';
import { randomFrom } from './random-from.ts';
import type { TestSandbox } from './sandbox.ts';
import { testConnection } from './test-connection.ts';

/** The service that the mirrors of tests are of. */
export const mirroredOrigin = 'http://127.0.0.1:4010';

/** A mirror of a test's shop. */
export interface SyncedShop {
  readonly mirror: Mirror;
  /** What its syncs are told. */
  readonly setup: SyncSetup;
  /** The operations that were called since the last look, in order. */
  calls(): string[];
  sync(changes?: Partial<SyncSetup>): Promise<AreaSummary[]>;
  /** Compares the mirror with the service, all of it unless a sample is asked for. */
  verify(changes?: Partial<VerifySetup>): Promise<Verified[]>;
  /** Rows of the mirror. */
  rows(sql: string, parameters?: readonly unknown[]): Promise<readonly AnyRow[]>;
}

/** Opens a mirror of a sandbox's first shop; `between` stands between the two. */
export async function syncedShop(
  { sandbox, shop }: Pick<TestSandbox, 'sandbox' | 'shop'>,
  place: string,
  between: (transport: Transport) => Transport = (transport) => transport,
): Promise<SyncedShop> {
  const mirror = await openMirror(place, mirroredOrigin);
  onTestFinished(() => mirror.close());
  let called: string[] = [];
  const transport = between(sandbox.handle);
  const connection = testConnection(
    (request) => {
      called.push(new URL(request.url).pathname.replace('/v1/', ''));
      return transport(request);
    },
    { key: () => ({ secret: new Secret(shop.apiKey) }) },
  );
  const setup: SyncSetup = {
    mirror,
    connection,
    shopId: shop.id,
    clock: connection.clock,
    signal: new AbortController().signal,
    isFull: false,
    timeZone: 'Asia/Ho_Chi_Minh',
  };
  return {
    mirror,
    setup,
    calls() {
      const made = called;
      called = [];
      return made;
    },
    async sync(changes = {}) {
      const summaries: AreaSummary[] = [];
      for await (const summary of syncAreas({ ...setup, ...changes })) summaries.push(summary);
      return summaries;
    },
    async verify(changes = {}) {
      const found: Verified[] = [];
      const asked: VerifySetup = { ...setup, sample: 'all', random: randomFrom(1), ...changes };
      for await (const verified of verifyAreas(asked)) found.push(verified);
      return found;
    },
    rows: (sql, parameters = []) => mirror.read((session) => session.run(sql, parameters)),
  };
}

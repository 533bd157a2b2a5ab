import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FaultFlags } from '../../src/sandbox/lab/fault-part.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { inParallel } from '../promises/in-parallel.ts';
import { postgresPrograms, type SharedPostgres } from '../support/postgres-cluster.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { judged, killAndResume, killableProgram, ordersByPhone } from './killing.ts';

/** `SHOPCTL_TEST_KILLS=200 npx vitest run test/batch/killed-on-postgres.proof.test.ts` for a long run. */
const kills = Number(process.env.SHOPCTL_TEST_KILLS ?? 16);

const ROWS = 40;
const create = 'shop.Shipping/CreateAndConfirmOrder';
const faults: Readonly<Record<string, readonly FaultFlags[]>> = {
  nothing: [],
  mixed: [
    { operation: create, every: 5, do: 'drop-after-commit' },
    { operation: create, every: 7, do: 'drop-before' },
    { operation: 'shop.Shipping/GetOrder', every: 6, do: 'drop-before' },
  ],
};

describe.skipIf(postgresPrograms === undefined)('a batch on a server, killed as one in a file is', () => {
  let cluster: SharedPostgres;
  let program: Awaited<ReturnType<typeof killableProgram>>;
  beforeAll(async () => {
    [cluster, program] = await Promise.all([sharedPostgres(), killableProgram()]);
  });
  afterAll(() => program?.remove());

  it(
    'makes each order once',
    async () => {
      const random = seededRandom('killed batches on a server');
      const campaigns = Object.keys(faults).flatMap((mode) => [true, false].map((named) => ({ mode, named })));
      const each = Math.ceil(kills / campaigns.length);
      const ended = await inParallel(campaigns, 2, async ({ mode, named }) => {
        const service = await openTestSandbox();
        const server = await startServer(service.sandbox, { port: 0 });
        onTestFinished(() => server.close());
        for (const fault of faults[mode] ?? []) await service.sandbox.control.faults.add(fault);
        const workspace = cluster.newDatabase();
        const machine = await program.machine(server.baseUrl, service.shop.apiKey, workspace);
        const counts = new Set<number>();
        const afterKill = async () => {
          // The lease of the one that was killed runs out: 15 seconds of the server's clock.
          cluster.sql(
            "do $$ begin if to_regclass('batch_workers') is not null then update batch_workers set lease_until = 0; end if; end $$",
            workspace,
          );
          counts.add((await ordersByPhone(service)).size);
        };
        const campaign = await killAndResume(machine, { kills: each, rows: ROWS, named, random, flags: [], afterKill });
        // The referee sees the service as it is.
        await service.sandbox.control.faults.clear();
        const midway = [...counts].filter((count) => count > 0 && count < ROWS).length;
        return { mode, named, midway, ...campaign, ...(await judged(service, campaign.rows)) };
      });
      expect(ended).toEqual(
        ended.map((one) => ({ ...one, kills: each, orders: one.rows, twice: [], missing: 0, wrong: [] })),
      );
      // Runs were killed while they sent, and not only before the first order and behind the last one.
      expect(ended.map(({ midway }) => midway > 0)).toEqual(campaigns.map(() => true));
    },
    Math.max(120_000, kills * 10_000),
  );
});

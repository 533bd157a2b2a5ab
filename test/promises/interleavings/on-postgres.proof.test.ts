import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addResult } from '../../../scripts/script-options.mjs';
import { sharedPostgres } from '../../once/made-once.ts';
import { postgresPrograms, type SharedPostgres } from '../../support/postgres-cluster.ts';
import { type Fleet, openFleet } from './fleet/fleet.ts';
import { playAll, seriesOf } from './playing.ts';

const series = seriesOf(16);
/** Leases follow the server, whose time nobody makes faster. */
const FASTER = 4;
/** Most of the time is waiting for the leases of killed workers. */
const AT_ONCE = 6;

describe.skipIf(postgresPrograms === undefined)('several workers with one ledger on a server', () => {
  let fleet: Fleet;
  let server: SharedPostgres;
  beforeAll(async () => {
    [fleet, server] = await Promise.all([openFleet(AT_ONCE, FASTER), sharedPostgres()]);
  });
  afterAll(() => fleet?.remove());

  it('keep every promise', async () => {
    const { broken, counts } = await playAll(fleet, {
      ...series,
      atOnce: AT_ONCE,
      workspace: () => server.newDatabase(),
    });
    addResult(process.env.SHOPCTL_TEST_RESULTS, { run: 'postgres', ...series, counts: Object.fromEntries(counts) });
    expect(broken.join('\n')).toBe('');
  });
});

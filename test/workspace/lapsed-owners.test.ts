/* The same on a file, whose owners have a lease here as they have on a server: by a clock that is stepped. */
import { describe } from 'vitest';
import { openSqliteLedger } from '../../src/ledger/store/sqlite-ledger.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { newWorkspaces } from '../support/workspace.ts';
import { lapsedOwners, type Machines } from './lapsed-owners.ts';

const LEASE_MS = 15_000;

/** Two machines whose owners live until their leases pass; that of the other one goes on. */
async function onFile(): Promise<Machines> {
  const place = await newWorkspaces.place();
  const clock = steppedClock();
  const leases = new Map<string, number>();
  const holds = (id: string) => clock.now() < (leases.get(id) ?? 0);
  return {
    async open(machine) {
      const store = await openSqliteLedger(place);
      const id = `${machine} ${leases.size}`;
      leases.set(id, machine === 'sleeper' ? clock.now() + LEASE_MS : Number.POSITIVE_INFINITY);
      const owner = { id, holds: () => holds(id), release: async () => void leases.delete(id) };
      return { ...store, own: async () => owner, isAlive: async (other) => holds(other) };
    },
    sleep: () => clock.wait(LEASE_MS, undefined),
  };
}

describe('owners on a file', () => lapsedOwners(onFile));

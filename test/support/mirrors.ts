import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forManyDatabases, type PostgresCluster, postgresPrograms, startPostgres } from './postgres-cluster.ts';

/** A dialect of the mirror: places for new, empty ones. */
export interface MirrorKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Why it cannot be tested on this machine; undefined if it can. */
  readonly missing: string | undefined;
  place(): Promise<string>;
  /** Stops what it started; must be called once. */
  end(): Promise<void>;
}

function sqlite(): MirrorKind {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-mirrors-'));
  let count = 0;
  return {
    name: 'SQLite',
    missing: undefined,
    place: async () => {
      count += 1;
      return join(directory, `${count}`, 'mirror.db');
    },
    end: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

function postgres(): MirrorKind {
  let cluster: Promise<PostgresCluster> | undefined;
  return {
    name: 'PostgreSQL',
    missing: postgresPrograms === undefined ? 'no PostgreSQL server is installed' : undefined,
    place: async () => {
      cluster ??= startPostgres(forManyDatabases);
      return (await cluster).newDatabase();
    },
    end: async () => (await cluster)?.remove(),
  };
}

/** Both dialects, for tests that apply to each; the server of one is started with its first mirror. */
export const mirrorKinds = (): readonly MirrorKind[] => [sqlite(), postgres()];

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedPostgres } from '../once/made-once.ts';
import { postgresPrograms, type SharedPostgres } from './postgres-cluster.ts';

/** A dialect of the mirror: places for new, empty ones. */
export interface MirrorKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Why it cannot be tested on this machine; undefined if it can. */
  readonly missing: string | undefined;
  place(): Promise<string>;
  /** Removes its files; must be called once. */
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
  let server: Promise<SharedPostgres> | undefined;
  return {
    name: 'PostgreSQL',
    missing: postgresPrograms === undefined ? 'no PostgreSQL server is installed' : undefined,
    place: async () => {
      server ??= sharedPostgres('quick');
      return (await server).newDatabase();
    },
    end: async () => undefined,
  };
}

/** Both dialects, for tests that apply to each; the server of one is that of this run. */
export const mirrorKinds = (): readonly MirrorKind[] => [sqlite(), postgres()];

let kindHere = sqlite;

/** The dialect of files that are run with SQLite, and with PostgreSQL by a proof that loads them after `showPostgres`. */
export const kindsHere = (): readonly MirrorKind[] => [kindHere()];

export function showPostgres(): void {
  kindHere = postgres;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresWorkspace } from '../../src/store/postgres-workspace.ts';
import { openSqliteWorkspace } from '../../src/store/sqlite-workspace.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { sharedPostgres } from '../once/made-once.ts';
import { postgresPrograms, type SharedPostgres } from './postgres-cluster.ts';
import { type BuiltThread, builtThread } from './sqlite-in-thread.ts';

/** A workspace dialect: creates new, empty workspaces, and reopens them. */
export interface WorkspaceKind {
  readonly name: 'SQLite' | 'SQLite in a thread' | 'PostgreSQL';
  /** Why it cannot be tested on this machine; undefined if it can. */
  readonly missing: string | undefined;
  /** The location of a new, empty one: a value of the setting `workspace`. */
  place(): Promise<string>;
  open(place: string): Promise<Workspace>;
  /** Stops what it started; must be called once. */
  end(): Promise<void>;
}

function sqlite(): WorkspaceKind {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-workspaces-'));
  let count = 0;
  return {
    name: 'SQLite',
    missing: undefined,
    place: async () => {
      count += 1;
      return join(directory, `${count}`, 'workspace.db');
    },
    open: (place) => openSqliteWorkspace(place),
    end: async () => rmSync(directory, { recursive: true, force: true }),
  };
}

function postgres(): WorkspaceKind {
  let server: Promise<SharedPostgres> | undefined;
  return {
    name: 'PostgreSQL',
    missing: postgresPrograms === undefined ? 'no PostgreSQL server is installed' : undefined,
    place: async () => {
      server ??= sharedPostgres();
      return (await server).newDatabase();
    },
    open: (place) => openPostgresWorkspace(place),
    end: async () => undefined,
  };
}

/** SQLite as a batch has it: its statements run in a thread of their own. */
function sqliteInThread(): WorkspaceKind {
  const here = sqlite();
  let thread: Promise<BuiltThread> | undefined;
  return {
    ...here,
    name: 'SQLite in a thread',
    async open(place) {
      thread ??= builtThread();
      const { open } = await thread;
      return openSqliteWorkspace(place, { open });
    },
    async end() {
      (await thread)?.remove();
      await here.end();
    },
  };
}

/** Every dialect, for tests that apply to all of them; the server of one is started with its first workspace. */
export const workspaceKinds = (): readonly WorkspaceKind[] => [sqlite(), sqliteInThread(), postgres()];

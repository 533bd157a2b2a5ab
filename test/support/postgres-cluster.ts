import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For a server that is never killed, with one database per test: its files are in memory, and each database takes a few megabytes. */
export const forManyDatabases = { full_page_writes: 'off' } as const;

/** A PostgreSQL server on this machine that others use too. */
export interface SharedPostgres {
  readonly port: number;
  /** Creates an empty database; returns its address. */
  newDatabase(): string;
  /** Runs SQL as the superuser, in a database of this name or address. */
  sql(text: string, database?: string): string;
}

/** A private PostgreSQL server on this machine, in its own directory. */
export interface PostgresCluster extends SharedPostgres {
  readonly directory: string;
  /** Stops the server: `fast` cuts connections, `immediate` simulates a power failure. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const installed = '/usr/lib/postgresql';

/** The directory of the newest server's programs on Debian; undefined if none is installed. */
export const postgresPrograms: string | undefined = existsSync(installed)
  ? readdirSync(installed)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => join(installed, version, 'bin'))
      .find((path) => existsSync(join(path, 'initdb')))
  : undefined;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The server refuses to run as root: then it runs as Debian's postgres user. */
function itsUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/** How its programs are started in its directory. */
function startedIn(directory: string) {
  return { ...itsUser(), cwd: directory, env: { PATH: process.env.PATH, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' } };
}

/** The running server with this port whose socket is in this directory. */
export function postgresAt(port: number, directory: string): SharedPostgres {
  if (postgresPrograms === undefined) throw new Error('no PostgreSQL server is installed');
  const psql = join(postgresPrograms, 'psql');
  const as = startedIn(directory);
  const name = `shop_${randomUUID().slice(0, 8)}`;
  let databases = 0;

  const sql = (text: string, database = 'postgres') => {
    const words = ['-h', directory, '-p', String(port), '-U', 'postgres', '-d', database.replace(/^.*\//, '')];
    return execFileSync(psql, [...words, '-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', text], {
      ...as,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  };

  return {
    port,
    sql,
    newDatabase() {
      databases += 1;
      // Nobody is ever connected to this template: with the other one, whoever looks after it is in the way.
      sql(`create database ${name}_${databases} template template0`);
      return `postgres://postgres@127.0.0.1:${port}/${name}_${databases}`;
    },
  };
}

/** Starts a server on a free loopback port; `remove` stops it and deletes its directory. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresCluster> {
  if (postgresPrograms === undefined) throw new Error('no PostgreSQL server is installed');
  const programs = postgresPrograms;
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-postgres-'));
  const user = itsUser();
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const as = startedIn(directory);
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8'], {
    ...as,
    stdio: 'pipe',
  });
  const port = await freePort();
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: directory,
    port: String(port),
    ...settings,
  };
  let server: ReturnType<typeof spawn> | undefined;

  async function start(): Promise<void> {
    const words = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...words], {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = child;
    // Nothing is left behind where the process ends without `remove`.
    process.once('exit', () => child.kill('SIGQUIT'));
    let reported = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (chunk) => {
        reported += chunk;
        // A standby accepts read-only connections.
        if (/database system is ready to accept (?:read-only )?connections/.test(reported)) resolve();
      });
      child.once('exit', () => reject(new Error(`the server ended: ${reported}`)));
    });
  }

  async function stop(mode: 'fast' | 'immediate'): Promise<void> {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  await start();
  return {
    ...postgresAt(port, directory),
    directory,
    stop,
    start,
    remove: async () => {
      await stop('immediate');
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

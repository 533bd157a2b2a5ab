import { chmodSync, cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { forManyDatabases, type PostgresCluster, startPostgres } from '../support/postgres-cluster.ts';
import { buildThread } from '../support/sqlite-in-thread.ts';
import { quickDirectory } from './quick-directory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address that hands out what is made once for a whole run of the tests. */
    readonly madeOnce: string;
  }
}

/** What builds the program, and one with another main file. */
interface Builder {
  bundle(outdir: string): Promise<void>;
  replaceProcess(dist: string, source: string): Promise<void>;
}

/** What makes executables of a build. */
interface Packager {
  makePackages(how: { out: string; dist: string; only: readonly string[] }): Promise<unknown>;
}

/**
 * What many test files need and one can be made of for all: each is made when the first file asks for it, so that a
 * run of a few files waits for nothing that it does not use.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const place = mkdtempSync(join(quickDirectory(), 'shopctl-tests-'));
  // Open to the users that a server and some tests run as, like the directory that it stands for.
  chmodSync(place, 0o1777);
  process.env.TMPDIR = place;
  // Beside the programs that are built, and not above the files of all tests: what is not bundled.
  const built = join(place, 'built');
  mkdirSync(built);
  symlinkSync(resolve('node_modules'), join(built, 'node_modules'));
  const clusters = new Map<string, Promise<PostgresCluster>>();

  const programs = new Map<string, Promise<string>>();
  const builder = async () => (await import(resolve('scripts/build.mjs'))) as Builder;

  /** `SHOPCTL_TEST_BUILD=dist npm test` takes a build that is there already, whether or not it is of these sources. */
  async function build(): Promise<string> {
    const { SHOPCTL_TEST_BUILD: there } = process.env;
    if (there !== undefined) return resolve(there);
    const dist = join(built, 'dist');
    await (await builder()).bundle(dist);
    return dist;
  }

  async function buildKillable(): Promise<string> {
    const dist = join(built, 'killable');
    cpSync(await programOf('/program', build), dist, { recursive: true });
    await (await builder()).replaceProcess(dist, 'test/batch/batch-process.ts');
    await buildThread(dist, 'test/batch/journal-thread-process.ts');
    if (process.env.SHOPCTL_TEST_PROGRAM !== undefined) {
      const { makePackages } = (await import(resolve('scripts/package/package.mjs'))) as Packager;
      const out = join(built, 'executable');
      await makePackages({ out, dist, only: ['linux-x64'] });
      renameSync(join(out, 'shopctl-linux-x64'), `${dist}.executable`);
    }
    return dist;
  }

  function programOf(what: string, make: () => Promise<string>): Promise<string> {
    const program = programs.get(what) ?? make();
    programs.set(what, program);
    return program;
  }

  async function made(what: string | undefined): Promise<unknown> {
    if (what === '/program') return programOf(what, build);
    if (what === '/killable') return programOf(what, buildKillable);
    const asked = what ?? '';
    const settings = asked === '/postgres/quick' ? forManyDatabases : {};
    const cluster = clusters.get(asked) ?? startPostgres({ ...settings, max_connections: '400' });
    clusters.set(asked, cluster);
    const { port, directory } = await cluster;
    return { port, directory };
  }

  const server = createServer((request, response) => {
    made(request.url).then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  project.provide('madeOnce', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.closeAllConnections();
    server.close();
    for (const cluster of clusters.values()) await (await cluster).remove();
    rmSync(place, { recursive: true, force: true });
  };
}

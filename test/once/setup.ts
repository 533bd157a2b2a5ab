import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { forManyDatabases, type PostgresCluster, startPostgres } from '../support/postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address that hands out what is made once for a whole run of the tests. */
    readonly madeOnce: string;
  }
}

/**
 * What many test files need and one can be made of for all: each is made when the first file asks for it, so that a
 * run of a few files waits for nothing that it does not use.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const place = mkdtempSync(join(tmpdir(), 'shopctl-once-'));
  let program: Promise<string> | undefined;
  const clusters = new Map<string, Promise<PostgresCluster>>();

  async function build(): Promise<string> {
    const { bundle } = (await import(resolve('scripts/build.mjs'))) as { bundle: (outdir: string) => Promise<void> };
    const dist = join(place, 'dist');
    symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
    await bundle(dist);
    return dist;
  }

  async function made(what: string | undefined): Promise<unknown> {
    if (what === '/program') {
      program ??= build();
      return program;
    }
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

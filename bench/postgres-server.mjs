// The tests' private PostgreSQL server, for benches. Requires Debian's package.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Starts a server; `directory` is for the program that does, since the tests are TypeScript. */
export async function startServer(directory) {
  const file = join(directory, 'postgres-cluster.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../test/support/postgres-cluster.ts', import.meta.url))],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { postgresPrograms, startPostgres } = await import(pathToFileURL(file).href);
  if (postgresPrograms === undefined)
    throw new Error('no PostgreSQL server is installed: on Debian, apt install postgresql');
  return startPostgres();
}

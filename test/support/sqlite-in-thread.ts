import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { SqliteConnection } from '../../src/platform/sqlite/sqlite-connection.ts';
import { openSqliteInThread } from '../../src/platform/sqlite/sqlite-thread.ts';

/** Builds a thread's program into a directory, under the name by which it is looked for. */
export async function buildThread(
  outdir: string,
  source = 'src/platform/sqlite/sqlite-thread-program.ts',
): Promise<void> {
  await build({
    entryPoints: { 'sqlite-thread': resolve(source) },
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['better-sqlite3'],
    logLevel: 'error',
  });
}

/** Opens databases in threads of their own, as the built program does. */
export interface BuiltThread {
  open(path: string): Promise<SqliteConnection>;
  remove(): void;
}

/** Builds the thread's program once per test file. */
export async function builtThread(): Promise<BuiltThread> {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-thread-'));
  // The native driver is found from where the program lies.
  symlinkSync(resolve('node_modules'), join(directory, 'node_modules'));
  await buildThread(directory);
  const program = pathToFileURL(join(directory, 'sqlite-thread.cjs'));
  return {
    open: (path) => openSqliteInThread(path, program),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

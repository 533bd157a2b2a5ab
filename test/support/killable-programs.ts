import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Packages that are native, or load others by name: they are not bundled. */
const outside = ['better-sqlite3', 'pg', 'pdfkit', 'bwip-js', 'inquirer'];

/** Test programs that can be killed, and their directory. */
export interface KillablePrograms {
  /** Removed with them. */
  readonly scratch: string;
  /** Starts a program by its file name without `.ts`. */
  start(name: string, words: readonly string[], options: SpawnOptions): ChildProcess;
  isRunning(child: ChildProcess): boolean;
  /** Kills what is still running, and removes everything. */
  remove(): Promise<void>;
}

/** Builds test programs, given by their paths in the project, so that each start is cheap. */
export async function killablePrograms(...sources: readonly string[]): Promise<KillablePrograms> {
  const scratch = mkdtempSync(join(tmpdir(), 'shopctl-killable-'));
  // Packages outside the bundle are resolved through this link.
  symlinkSync(join(project, 'node_modules'), join(scratch, 'node_modules'), 'junction');
  await build({
    entryPoints: Object.fromEntries(sources.map((source) => [basename(source, '.ts'), join(project, source)])),
    outdir: scratch,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: outside,
    banner: {
      js: `import{createRequire as requireHere}from'node:module';const require=requireHere(${JSON.stringify(import.meta.url)});`,
    },
    logLevel: 'error',
  });
  const running = new Set<ChildProcess>();
  return {
    scratch,
    start(name, words, options) {
      const child = spawn(process.execPath, [join(scratch, `${name}.mjs`), ...words], options);
      running.add(child);
      child.once('close', () => running.delete(child));
      return child;
    },
    isRunning: (child) => running.has(child),
    async remove() {
      const ends = [...running].map((child) => once(child, 'close'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ends);
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

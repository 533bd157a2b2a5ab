// Runs a command line from the sources, not minified and with source maps, for a debugger and for stacks that name
// functions: `node --inspect-brk --enable-source-maps scripts/debug.mjs orders list`.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

// Inside the project, so that packages outside the bundle are resolved from there.
const place = await mkdtemp(join(root, 'node_modules', '.debug-'));
try {
  await build({
    absWorkingDir: root,
    entryPoints: { process: 'src/process.ts' },
    outdir: place,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    logLevel: 'warning',
  });
  const { runProcess } = await import(pathToFileURL(join(place, 'process.mjs')).href);
  await runProcess();
} finally {
  await rm(place, { recursive: true, force: true });
}

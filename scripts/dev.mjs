// Runs a command line from the sources, and again after each change: `npm run dev -- orders list --json`. Without words it
// builds only. Ctrl-C ends it.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
/** An editor writes a file in several steps. */
const QUIET_MS = 100;

let running;
let building = false;
let isStale = true;

async function turn() {
  if (building) return;
  building = true;
  while (isStale) {
    isStale = false;
    running?.kill();
    try {
      const began = performance.now();
      await bundle(undefined, { ahead: false });
      process.stderr.write(`dev: built in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    } catch (error) {
      process.stderr.write(`dev: ${error.message}\n`);
      continue;
    }
    if (isStale || words.length === 0) continue;
    running = spawn(process.execPath, [join(root, 'bin/shopctl.js'), ...words], { stdio: 'inherit' });
    running.once('exit', (code, signal) => process.stderr.write(`dev: ended with ${signal ?? code}\n`));
  }
  building = false;
}

let quiet;
watch(join(root, 'src'), { recursive: true }, () => {
  isStale = true;
  clearTimeout(quiet);
  quiet = setTimeout(turn, QUIET_MS);
});
await turn();

// Runs tests in a tree in which something is changed, and says whether they notice.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Longer than any test of the list takes on a busy machine. */
const MOST_MS = 300_000;

/** Sources are compiled once per tree: what is kept of each is found by its content. */
const options = ['--reporter=default', '--experimental.fsModuleCache'];

const stripped = (text) => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g'), '');

/**
 * What came of tests in a tree: `green`, `red` by an assertion or an error of their own, or `time`, which proves
 * nothing; whether they were stopped, and the file that failed first. `words` are those of vitest; the first test that
 * fails ends them, unless all shall be run.
 */
export function outcomeOf(path, words, { mostMs = MOST_MS, env = {}, all = false } = {}) {
  return new Promise((done) => {
    const vitest = [join('node_modules', 'vitest', 'vitest.mjs'), ...words, ...options, ...(all ? [] : ['--bail=1'])];
    const child = spawn(process.execPath, vitest, {
      cwd: path,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        out += chunk;
      });
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid, 'SIGKILL');
    }, mostMs);
    child.once('close', (code) => {
      clearTimeout(timer);
      const text = stripped(out);
      const hasFailed = /Tests\s.*\d+ failed/.test(text);
      const [, failed] = /FAIL\s+(?:\S+\s+)?(test\/\S+\.test\.ts)/.exec(text) ?? [];
      const isProof = !isLate && hasFailed && !/timed out in \d+ms/.test(out);
      done({ outcome: code === 0 ? 'green' : isProof ? 'red' : 'time', isLate, failed });
    });
  });
}

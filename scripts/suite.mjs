// Runs the tests with another Node, or with the other SQLite, and counts them.
//
//   npm run suite [-- --node PATH] [--project quick] [--record] [TEST...]
//
// A Node that the installed better-sqlite3 was not built for has node:sqlite, as after an installation without scripts.
// With --record, a run without a fault writes its row into docs/proof-runs.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { recordRun } from './proof.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: process.execPath },
    project: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const place = mkdtempSync(join(tmpdir(), 'shopctl-suite-'));
const env = { ...process.env, PATH: [dirname(values.node), process.env.PATH].join(delimiter) };
const ask = (...words) => spawnSync(values.node, words, { env, encoding: 'utf8' }).stdout.trim();

/** Which SQLite the program has with this Node, as `doctor` says. */
function sqlite() {
  const settings = { ...env, SHOPCTL_CONFIG_DIR: place };
  const { stdout } = spawnSync(values.node, ['bin/shopctl.js', 'doctor', '-o', 'json'], {
    env: settings,
    encoding: 'utf8',
  });
  return /node:sqlite|better-sqlite3/.exec(JSON.parse(stdout).find(({ check }) => check === 'database').found)[0];
}

try {
  const results = join(place, 'results.json');
  const project = values.project === undefined ? [] : ['--project', values.project];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const words = ['node_modules/vitest/vitest.mjs', 'run', ...project, ...reporters, ...positionals];
  const { status } = spawnSync(values.node, words, { env, stdio: 'inherit' });
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
  const told = `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
  const of =
    [...(values.project === undefined ? [] : [`${values.project} tests`]), ...positionals].join(', ') || 'all tests';
  const node = `${ask('-p', 'process.versions.node')} with ${sqlite()}`;
  process.stdout.write(`${of}, Node ${node}: ${told}\n`);
  if (status !== 0) process.exitCode = 1;
  else if (values.record) recordRun('suite', of, told, node);
} finally {
  rmSync(place, { recursive: true, force: true });
}

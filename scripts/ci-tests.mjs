// Runs the tests as CI does, and each file that failed once more, alone: green then counts as passed, and is named.
//
//   node scripts/ci-tests.mjs SCRIPT...      the package's scripts that run tests: test proof
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** More failed files than this are no accident: none is run again. */
export const MOST_AGAIN = 20;

const isFailed = ({ status }) => status === 'failed';

/** The failed files of a run, as vitest's json reporter tells them. */
export const failedFiles = ({ testResults }) => testResults.filter(isFailed).map(({ name }) => name);

/**
 * What a run counts once some of its files were run again: their last results stand. `unsteady` names what failed first
 * and passed then.
 */
export function settled({ testResults }, again = new Map()) {
  const unsteady = [];
  const last = testResults.map((file) => {
    const result = again.get(file.name);
    if (result === undefined) return file;
    const passed = new Set(
      result.assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName),
    );
    const failed = file.assertionResults.filter(isFailed).map(({ fullName }) => fullName);
    for (const name of failed) if (passed.has(name)) unsteady.push(`${file.name}: ${name}`);
    if (failed.length === 0 && !isFailed(result)) unsteady.push(`${file.name}: the whole file`);
    return result;
  });
  const tests = last.flatMap(({ assertionResults }) => assertionResults);
  // A file that could not be loaded has no tests, and counts as one that failed.
  const broken = last.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed)).length;
  const count = (...states) => tests.filter(({ status }) => states.includes(status)).length;
  return {
    unsteady,
    passed: count('passed'),
    failed: count('failed') + broken,
    skipped: count('pending', 'skipped', 'todo', 'disabled'),
  };
}

/** The sums of several runs. */
export const added = (runs) =>
  runs.reduce(
    (sum, run) => ({
      unsteady: [...sum.unsteady, ...run.unsteady],
      passed: sum.passed + run.passed,
      failed: sum.failed + run.failed,
      skipped: sum.skipped + run.skipped,
    }),
    { unsteady: [], passed: 0, failed: 0, skipped: 0 },
  );

function main(scripts) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const place = mkdtempSync(join(tmpdir(), 'shopctl-ci-'));
  const npm = (script, ...files) => {
    const results = join(place, 'results.json');
    rmSync(results, { force: true });
    const words = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`, ...files];
    const { status } = spawnSync('npm', ['run', script, '--', ...words], { cwd: root, stdio: 'inherit' });
    return { status, results: JSON.parse(readFileSync(results, 'utf8')) };
  };
  let status = 0;
  const runs = [];
  try {
    for (const script of scripts) {
      const first = npm(script);
      const failed = failedFiles(first.results);
      const again = new Map();
      if (failed.length <= MOST_AGAIN) {
        for (const file of failed) {
          const [result] = npm(script, relative(root, file)).results.testResults.filter(({ name }) => name === file);
          if (result !== undefined) again.set(file, result);
        }
      }
      const run = settled(first.results, again);
      runs.push(run);
      // A run may also fail without a test that did: by an error that none of them caught.
      if (run.failed > 0 || (first.status !== 0 && failed.length === 0)) status = 1;
    }
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  const { unsteady, passed, failed, skipped } = added(runs);
  for (const name of unsteady) process.stdout.write(`unsteady: ${name.replace(root, '')}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  process.exitCode = status;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));

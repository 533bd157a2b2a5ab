// Plants each fault of list.mjs in a copy of the tree and runs its test alone there; a fault that the test does not
// notice fails the run, as does a test that is red without a fault, or that runs out of time.
//
//   npm run mutants -- --help
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addResult, optionsOf } from '../script-options.mjs';
import { mutants } from './list.mjs';
import { problemsOf } from './problems.mjs';
import { changeFile, copyTree } from './tree-copy.mjs';

const usage = `npm run mutants -- [--list] [--only ID,ID] [--part K/N] [--results FILE]

  --list          prints the faults, one a line: its id, its layer, its file, its test and what it says
  --only ID,ID    plants these alone
  --part K/N      plants every N-th, beginning with the K-th test
  --results FILE  adds what came of it to a file, for npm run proof-report
`;
const values = optionsOf(usage, {
  list: { type: 'boolean' },
  only: { type: 'string' },
  part: { type: 'string', default: '1/1' },
  results: { type: 'string' },
});
const only = values.only?.split(',');
const [part, parts] = values.part.split('/').map(Number);
// A test is run once without a fault: the faults of one test stay together.
const tests = [...new Set(mutants.map(({ test }) => test))];
const chosen = mutants.filter(
  ({ id, test }) => (only === undefined || only.includes(id)) && tests.indexOf(test) % parts === part - 1,
);
const print = (line) => process.stdout.write(`${line}\n`);

/** Longer than any test of the list takes on a busy machine. */
const MOST_MS = 300_000;

/** Runs one test in a tree: `green`, `red` by an assertion or an error of its own, or `time`, which proves nothing. */
function outcomeOf(path, test) {
  return new Promise((done) => {
    const words = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', test, '--bail=1', '--reporter=default'];
    const child = spawn(process.execPath, words, { cwd: path, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
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
    }, MOST_MS);
    child.once('close', (code) => {
      clearTimeout(timer);
      const hasFailed = /Tests\s.*\d+ failed/.test(stripped(out));
      if (code === 0) done('green');
      else done(isLate || !hasFailed || /timed out in \d+ms/.test(out) ? 'time' : 'red');
    });
  });
}

/** Who has to notice: the worlds of the simulation, a test of a promise, one of a command, one in a browser, or one of a part. */
function layerOf({ test }) {
  const [, folder = ''] = test.split('/');
  const layers = {
    simulation: 'simulation',
    promises: 'promises',
    cli: 'commands',
    browser: 'browser',
    live: 'conformance',
  };
  return layers[folder] ?? 'parts';
}

const stripped = (text) => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g'), '');

async function run() {
  const tree = copyTree();
  const failures = [];
  const tried = [];
  try {
    for (const test of new Set(chosen.map((one) => one.test))) {
      const without = await outcomeOf(tree.path, test);
      if (without !== 'green') {
        failures.push(`${test} is not green without a fault`);
        continue;
      }
      for (const one of chosen.filter((other) => other.test === test)) {
        const putBack = changeFile(tree.path, one);
        const outcome = await outcomeOf(tree.path, test);
        putBack();
        const said = { red: 'caught', green: 'SURVIVED', time: 'NOT CAUGHT: no test failed in time' }[outcome];
        print(`${said}  ${one.id}  ${test}`);
        tried.push({ id: one.id, layer: layerOf(one), outcome });
        if (outcome !== 'red') failures.push(`${one.id}: ${one.says}`);
      }
    }
  } finally {
    tree.remove();
  }
  print(`${tried.filter(({ outcome }) => outcome === 'red').length} of ${chosen.length} faults caught`);
  addResult(values.results, { run: 'mutants', tried });
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  return failures.length;
}

const problems = problemsOf(chosen, fileURLToPath(new URL('../..', import.meta.url)));
for (const line of problems) process.stderr.write(`${line}\n`);
if (problems.length > 0 || chosen.length === 0) process.exitCode = 1;
else if (values.list === true) {
  for (const one of chosen) print([one.id, layerOf(one), one.file, one.test, one.says].join('\t'));
} else process.exitCode = (await run()) === 0 ? 0 : 1;

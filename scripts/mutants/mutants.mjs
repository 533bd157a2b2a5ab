// Plants each fault of list.mjs in a copy of the tree and runs its test alone there; a fault that the test does not
// notice fails the run, as does a test that is red without a fault, or that runs out of time. With --random, plants small
// changes that a seed chooses in a folder of src instead, and tries all tests that use the file.
//
//   npm run mutants -- --help
import { fileURLToPath } from 'node:url';
import { addResult, numberIn, optionsOf } from '../script-options.mjs';
import { mutants } from './list.mjs';
import { problemsOf } from './problems.mjs';
import { randomRun } from './random-run.mjs';
import { rules } from './rules.mjs';
import { outcomeOf } from './run-tests.mjs';
import { changeFile, copyTree } from './tree-copy.mjs';

const usage = `npm run mutants -- [--list | --rules] [--only ID,ID] [--part K/N] [--results FILE]
npm run mutants -- --random N --subject FOLDER [--seed S] [--minutes M] [--coverage DIR] [--results FILE]

  --list          prints the faults, one a line: its id, its layer, its file, its test and what it says
  --rules         prints the rules of docs/outcomes.md and docs/security.md, each with the faults that break it
  --only ID,ID    plants these alone
  --part K/N      plants every N-th, beginning with the K-th test
  --random N      plants N small changes that the seed (1) chooses, and prints what no test notices
  --subject FOLDER  where below src, such as sheets or cod/actions; the ledger has faults of its own in the list
  --minutes M     for all of them, 20; what was not noticed in its part of them counts as not noticed
  --coverage DIR  which tests run a line, of these sources: recorded there first, if it is not there; tries these alone
  --results FILE  adds what came of it to a file, for npm run proof-report
`;
const values = optionsOf(usage, {
  list: { type: 'boolean' },
  rules: { type: 'boolean' },
  only: { type: 'string' },
  part: { type: 'string', default: '1/1' },
  results: { type: 'string' },
  random: { type: 'string' },
  subject: { type: 'string', default: '' },
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '20' },
  coverage: { type: 'string' },
});
const only = values.only?.split(',');
const [part, parts] = values.part.split('/').map(Number);
// A test is run once without a fault: the faults of one test stay together.
const tests = [...new Set(mutants.map(({ test }) => test))];
const chosen = mutants.filter(
  ({ id, test }) => (only === undefined || only.includes(id)) && tests.indexOf(test) % parts === part - 1,
);
const root = fileURLToPath(new URL('../..', import.meta.url));
const print = (line) => process.stdout.write(`${line}\n`);

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

async function run() {
  const tree = copyTree();
  const failures = [];
  const tried = [];
  try {
    for (const test of new Set(chosen.map((one) => one.test))) {
      const without = await outcomeOf(tree.path, ['run', test]);
      if (without.outcome !== 'green') {
        failures.push(`${test} is not green without a fault`);
        continue;
      }
      for (const one of chosen.filter((other) => other.test === test)) {
        const putBack = changeFile(tree.path, one);
        const { outcome } = await outcomeOf(tree.path, ['run', test]);
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

/** The faults of the list that are chosen, printed or planted; how many things are wrong. */
async function runListed() {
  if (values.rules === true) {
    for (const { rule, faults } of rules) print(`${rule}\t${faults.join(', ')}`);
    return 0;
  }
  const problems = problemsOf(chosen, root);
  for (const line of problems) process.stderr.write(`${line}\n`);
  if (problems.length > 0 || chosen.length === 0) return problems.length + 1;
  if (values.list !== true) return run();
  for (const one of chosen) print([one.id, layerOf(one), one.file, one.test, one.says].join('\t'));
  return 0;
}

/** Small changes that a seed chooses; how many things are wrong. */
const runRandom = ({ random, seed, minutes, subject, coverage, results }) =>
  randomRun({
    count: numberIn('random', random),
    seed: numberIn('seed', seed),
    minutes: numberIn('minutes', minutes),
    subject,
    coverage,
    results,
    print,
  });

process.exitCode = (await (values.random === undefined ? runListed() : runRandom(values))) === 0 ? 0 : 1;

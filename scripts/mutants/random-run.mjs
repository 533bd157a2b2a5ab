// Plants small changes that a seed chooses in a folder of src, and says which of them no test of npm test notices.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addResult } from '../script-options.mjs';
import { chosenOf, mutationsOf } from './random-mutants.mjs';
import { outcomeOf } from './run-tests.mjs';
import { changeFile, copyTree } from './tree-copy.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The ledger's faults are kept by hand, in list.mjs. */
const elsewhere = /^src\/(?:flows|workspace)\/ledger\//;
/** Longer files are data: places, fonts. */
const MOST_CHARACTERS = 60_000;
/** More tests than these are not tried before all others. */
const MOST_NEAR = 15;

const filesIn = (...patterns) =>
  execFileSync('git', ['ls-files', '--', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));
const textOf = (file) => readFileSync(join(root, file), 'utf8');

/** Every small change of the sources of a folder, without those of the ledger. */
function mutationsIn(subject) {
  return filesIn(`src/${subject}/*.ts`, `src/${subject}/*.tsx`).flatMap((file) => {
    const text = textOf(file);
    if (elsewhere.test(file) || file.endsWith('.d.ts') || text.length > MOST_CHARACTERS) return [];
    return mutationsOf(file, text).map((one) => ({
      ...one,
      file,
      from: text.slice(one.start, one.end),
      line: text.slice(0, one.start).split('\n').length,
    }));
  });
}

/** The tests that import a source itself, or are in a folder that is named like its own: they notice soonest. */
function nearTests(file, tests) {
  const path = `/${basename(dirname(file))}/${basename(file)}'`;
  let folder = dirname(file).replace(/^src/, 'test');
  while (!existsSync(join(root, folder))) folder = dirname(folder);
  const own = tests.filter((test) => textOf(test).includes(path));
  const named = `/${basename(folder)}/`;
  return [...new Set([...own, ...tests.filter((test) => test.includes(named))])].slice(0, MOST_NEAR);
}

/** What one change of a copy comes to: the test that notices it, or why none is known. */
class Trial {
  #greens = new Map();
  #path;

  constructor(path) {
    this.#path = path;
  }

  /** Whether tests are green without the change, so that the change made them red. */
  async #isGreen(tests) {
    const key = tests.join();
    if (!this.#greens.has(key))
      this.#greens.set(key, (await outcomeOf(this.#path, ['run', ...tests])).outcome === 'green');
    return this.#greens.get(key);
  }

  async of(mutation, near, mostMs) {
    const end = Date.now() + mostMs;
    const related = ['related', '--run', mutation.file, '--passWithNoTests'];
    const steps = [
      ...(near.length === 0 ? [] : [['run', ...near]]),
      [...related, '--project=fast'],
      [...related, '--project=slow'],
    ];
    for (const words of steps) {
      const putBack = changeFile(this.#path, mutation);
      const { outcome, isLate, failed } = await outcomeOf(this.#path, words, Math.max(1, end - Date.now()));
      putBack();
      if (outcome === 'green') continue;
      if (isLate && words.length === near.length + 1 && (await this.#isGreen(near)))
        return { outcome: 'red', by: 'it does not end' };
      if (isLate) return { outcome: 'time', by: 'no test failed in time' };
      const culprits = failed === undefined ? near : [failed];
      if (culprits.length === 0 || (await this.#isGreen(culprits)))
        return { outcome: 'red', by: failed ?? 'it does not load' };
      return { outcome: 'time', by: `${failed ?? 'something'} is red without it` };
    }
    return { outcome: 'green', by: 'no test failed' };
  }
}

const short = (code) => {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

/**
 * Tries so many changes of a subject in some minutes: one that was not noticed within its part of them counts as not
 * noticed. Returns how many subjects there are not.
 */
export async function randomRun({ count, seed, subject, minutes, results, print }) {
  const all = mutationsIn(subject);
  if (subject === '' || all.length === 0) {
    process.stderr.write(`--subject is a folder of src with code, not ${JSON.stringify(subject)}\n`);
    return 1;
  }
  const chosen = chosenOf(all, count, seed);
  const tests = filesIn('test/*.test.ts').filter((test) => !test.endsWith('.proof.test.ts'));
  const end = Date.now() + minutes * 60_000;
  const tree = copyTree();
  const trial = new Trial(tree.path);
  const tried = [];
  try {
    for (const [at, mutation] of chosen.entries()) {
      const { file, line, kind, from, to } = mutation;
      const mostMs = (end - Date.now()) / (chosen.length - at);
      const { outcome, by } = await trial.of(mutation, nearTests(file, tests), mostMs);
      const change = `${kind}: ${short(from)} → ${to === '' ? 'nothing' : short(to)}`;
      print(`${outcome === 'red' ? 'caught  ' : 'SURVIVES'}  ${file}:${line}  ${change}  (${by})`);
      tried.push({ place: `${file}:${line}`, change, outcome });
    }
  } finally {
    tree.remove();
  }
  const caught = tried.filter(({ outcome }) => outcome === 'red').length;
  print(`src/${subject}: ${caught} of ${tried.length} caught, seed ${seed}`);
  addResult(results, { run: 'random mutants', subject, seed, tried });
  return 0;
}

// Plants small changes that a seed chooses in a folder of src, and says which of them no test of npm test notices.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addResult } from '../script-options.mjs';
import { coverageIn } from './coverage.mjs';
import { chosenOf, mutationsOf } from './random-mutants.mjs';
import { outcomeOf } from './run-tests.mjs';
import { changeFile, copyTree } from './tree-copy.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The ledger's faults are kept by hand, in list.mjs. */
const elsewhere = /^src\/ledger\//;
/** Longer files are data: places, fonts. */
const MOST_CHARACTERS = 60_000;
/** So many of the nearest tests are tried one after the other before all others. */
const NEAREST = [3, 12, 40];
/** The tests of everything that is declared, in the order in which they take longer: of what is run where it is loaded. */
const OF_DECLARATIONS = ['test/cli/tree.test.ts', 'test/cli/own-vietnamese.test.ts', 'test/cli/every-result.test.ts'];

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

/** The files of the project that each of its files imports, also where it needs them first. */
function importsIn(files) {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const names = [...textOf(file).matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)].map(([, name]) => name);
      return [file, names.map((name) => join(dirname(file), name)).filter((name) => known.has(name))];
    }),
  );
}

/** What tests would name of a source: what it exports, and the words of its commands. */
function namesOf(source) {
  const text = textOf(source);
  const own = [...text.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm)].map(([, name]) => name);
  const words = [...text.matchAll(/^ {2}words: \[(.+)\],$/gm)].map(([, list]) => list);
  return { own: own.map((name) => new RegExp(`\\b${name}\\b`)), words };
}

/** How much a test, with the files beside the tests that it uses, has to do with a source, by its names and its place. */
function likeness(source, test, { own, words }, imports) {
  const files = new Set([test]);
  for (const file of files) for (const name of imports.get(file) ?? []) if (name.startsWith('test/')) files.add(name);
  const [, subject] = source.split('/');
  const stem = basename(source).split('.')[0];
  const texts = [...files].map(textOf);
  const has = (isIn) => texts.some(isIn);
  return (
    own.filter((name) => name.test(texts[0])).length * 4 +
    words.filter((list) => has((text) => text.includes(list))).length * 3 +
    (test.includes(`/${stem}.`) ? 3 : 0) +
    (test.includes(`/${subject}/`) || has((text) => text.includes(`'${subject}'`)) ? 1 : 0)
  );
}

/** The tests that use a source: those first that are about it, and of those the ones that use it by the fewest other files. */
function nearTests(source, imports) {
  const users = new Map();
  for (const [file, own] of imports) for (const name of own) users.set(name, [...(users.get(name) ?? []), file]);
  const found = new Set([source]);
  // What is added to a set while it is read is read too.
  for (const file of found) for (const user of users.get(file) ?? []) found.add(user);
  const names = namesOf(source);
  const tests = [...found].filter((file) => file.endsWith('.test.ts'));
  const alike = new Map(tests.map((test) => [test, likeness(source, test, names, imports)]));
  return tests.sort((one, other) => alike.get(other) - alike.get(one));
}

/** What one change of a copy comes to: the test that notices it, or why none is known. */
class Trial {
  #took = new Map();
  #red = new Set();
  #path;

  constructor(path) {
    this.#path = path;
  }

  /** How long tests take that are green without the change, in milliseconds; longer than for ever if they are not. */
  async #without(tests) {
    const key = tests.join();
    if (!this.#took.has(key)) {
      const began = Date.now();
      const { outcome } = await outcomeOf(this.#path, ['run', ...tests]);
      this.#took.set(key, outcome === 'green' ? Date.now() - began : Number.POSITIVE_INFINITY);
    }
    return this.#took.get(key);
  }

  /** What tests notice of a change, the nearest first; where not only those can, all that use the file after them. */
  async of(mutation, { tests, areAll }, mostMs) {
    const end = Date.now() + mostMs;
    const ends = areAll ? [...NEAREST, tests.length] : NEAREST;
    const stages = ends.map((to, at) => tests.slice(ends[at - 1] ?? 0, to));
    for (const some of areAll ? stages : [...stages, undefined]) {
      if (some?.length === 0) continue;
      const noticed = await this.#by(mutation, some, { end, mostMs });
      if (noticed !== undefined) return noticed;
    }
    return { outcome: 'green', by: 'no test failed' };
  }

  /** What some tests, or all that use the file, notice of a change; undefined if nothing. */
  async #by(mutation, some, { end, mostMs }) {
    const related = ['related', '--run', mutation.file, '--passWithNoTests', '--project=quick'];
    for (;;) {
      const leftMs = Math.max(1, end - Date.now());
      const words = [...(some ? ['run', ...some, '--passWithNoTests'] : related), ...this.#left()];
      const putBack = changeFile(this.#path, mutation);
      const { outcome, isLate, failed } = await outcomeOf(this.#path, words, { mostMs: leftMs });
      putBack();
      if (outcome === 'green') return undefined;
      const culprits = failed === undefined ? (some ?? []) : [failed];
      const tookMs =
        culprits.length === 0 || (isLate && leftMs < mostMs) ? Number.POSITIVE_INFINITY : await this.#without(culprits);
      // Where it is for ever what was a moment, it is noticed as well.
      if (isLate)
        return tookMs < leftMs / 4
          ? { outcome: 'red', by: 'it does not end' }
          : { outcome: 'time', by: 'no test failed in time' };
      if (tookMs < Number.POSITIVE_INFINITY) return { outcome: 'red', by: failed ?? 'it does not load' };
      if (failed === undefined || this.#red.has(failed))
        return { outcome: 'time', by: `${failed ?? 'something'} is red without it` };
      this.#red.add(failed);
    }
  }

  /** The options that leave out what is red without a change, and so notices nothing. */
  #left() {
    return [...this.#red].map((name) => `--exclude=${name}`);
  }
}

/** The tests that may notice a change: those that run its line, where that was recorded. */
function candidates({ file, line, isLoaded }, imports, testsOf) {
  const near = nearTests(file, imports);
  const running = new Set(testsOf(file, line));
  if (isLoaded) return { tests: [...new Set([...OF_DECLARATIONS, ...near])], areAll: false };
  // What other processes and threads run is recorded of none.
  if (running.size === 0) return { tests: near, areAll: false };
  return { tests: [...new Set([...near.filter((test) => running.has(test)), ...running])], areAll: true };
}

const short = (code) => {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

/**
 * Tries so many changes of a subject in some minutes: one that was not noticed within its part of them counts as not
 * noticed. Returns how many subjects there are not.
 */
export async function randomRun({ count, seed, subject, minutes, coverage, results, print }) {
  const all = mutationsIn(subject);
  if (subject === '' || all.length === 0) {
    process.stderr.write(`--subject is a folder of src with code, not ${JSON.stringify(subject)}\n`);
    return 1;
  }
  const chosen = chosenOf(all, count, seed);
  const sources = filesIn('src/*.ts', 'src/*.tsx', 'test/*.ts').filter((file) => !file.endsWith('.proof.test.ts'));
  const imports = importsIn(sources);
  const tree = copyTree();
  const trial = new Trial(tree.path);
  const tried = [];
  try {
    const testsOf = coverage === undefined ? () => [] : await coverageIn(coverage, tree.path);
    const end = Date.now() + minutes * 60_000;
    for (const [at, mutation] of chosen.entries()) {
      const { file, line, kind, from, to } = mutation;
      const mostMs = (end - Date.now()) / (chosen.length - at);
      const { outcome, by } = await trial.of(mutation, candidates(mutation, imports, testsOf), mostMs);
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

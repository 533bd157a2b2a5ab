// Plants small changes that a seed chooses in a folder of src, and says which of them no test of npm test notices.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addResult } from '../script-options.mjs';
import { chosenOf, mutationsOf } from './random-mutants.mjs';
import { outcomeOf } from './run-tests.mjs';
import { changeFile, copyTree } from './tree-copy.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The ledger's faults are kept by hand, in list.mjs. */
const elsewhere = /^src\/ledger\//;
/** Longer files are data: places, fonts. */
const MOST_CHARACTERS = 60_000;
/** So many of the nearest tests are tried first, and so many then, before all others. */
const NEAREST = 8;
const NEAR = 40;

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

/** The tests that use a source, those first that use it by the fewest other files: they notice soonest. */
function nearTests(source, imports) {
  const users = new Map();
  for (const [file, own] of imports) for (const name of own) users.set(name, [...(users.get(name) ?? []), file]);
  const found = new Set([source]);
  // What is added to a set while it is read is read too.
  for (const file of found) for (const user of users.get(file) ?? []) found.add(user);
  return [...found].filter((file) => file.endsWith('.test.ts'));
}

/** What one change of a copy comes to: the test that notices it, or why none is known. */
class Trial {
  #took = new Map();
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

  async of(mutation, tests, mostMs) {
    const end = Date.now() + mostMs;
    for (const some of [tests.slice(0, NEAREST), tests.slice(NEAREST, NEAR), undefined]) {
      if (some?.length === 0) continue;
      const leftMs = Math.max(1, end - Date.now());
      const related = ['related', '--run', mutation.file, '--passWithNoTests', '--project=fast', '--project=slow'];
      const putBack = changeFile(this.#path, mutation);
      const { outcome, isLate, failed } = await outcomeOf(this.#path, some ? ['run', ...some] : related, leftMs);
      putBack();
      if (outcome === 'green') continue;
      const culprits = failed === undefined ? (some ?? []) : [failed];
      const tookMs =
        culprits.length === 0 || (isLate && leftMs < mostMs) ? Number.POSITIVE_INFINITY : await this.#without(culprits);
      // Where it is for ever what was a moment, it is noticed as well.
      if (isLate)
        return tookMs < leftMs / 4
          ? { outcome: 'red', by: 'it does not end' }
          : { outcome: 'time', by: 'no test failed in time' };
      if (tookMs < Number.POSITIVE_INFINITY) return { outcome: 'red', by: failed ?? 'it does not load' };
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
  const sources = filesIn('src/*.ts', 'src/*.tsx', 'test/*.ts').filter((file) => !file.endsWith('.proof.test.ts'));
  const imports = importsIn(sources);
  const end = Date.now() + minutes * 60_000;
  const tree = copyTree();
  const trial = new Trial(tree.path);
  const tried = [];
  try {
    for (const [at, mutation] of chosen.entries()) {
      const { file, line, kind, from, to } = mutation;
      const mostMs = (end - Date.now()) / (chosen.length - at);
      const { outcome, by } = await trial.of(mutation, nearTests(file, imports), mostMs);
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

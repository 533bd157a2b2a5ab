// Writes what came of runs that were made in parts into docs/proof-runs.md: a row for the worlds of each kind of store, one
// for the planted faults, and one for the small changes that a seed chose.
//
//   npm run proof-report -- --help
import { readFileSync } from 'node:fs';
import { recordRun } from './proof.mjs';
import { optionsOf } from './script-options.mjs';

const usage = `npm run proof-report -- --results FILE[,FILE]

  --results FILE  what simulate and mutants have added with their own --results, and the worlds on PostgreSQL with
                  SHOPCTL_TEST_RESULTS
`;
const { results } = optionsOf(usage, { results: { type: 'string', default: '' } });
const all = results
  .split(',')
  .filter((path) => path !== '')
  .flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean))
  .map((line) => JSON.parse(line));

const shown = (value) => value.toLocaleString('en-US');
const commits = (runs) => `commit ${[...new Set(runs.map(({ commit }) => commit))].join(', ')}`;

/** Seeds that follow one another, as one range. */
function rangesOf(runs) {
  const joined = [];
  for (const { first, many } of [...runs].sort((one, other) => one.first - other.first)) {
    const last = joined.at(-1);
    if (last !== undefined && first <= last.to + 1) last.to = Math.max(last.to, first + many - 1);
    else joined.push({ from: first, to: first + many - 1 });
  }
  return joined.map(({ from, to }) => `${shown(from)} to ${shown(to)}`).join(', ');
}

function recordWorlds(title, runs) {
  if (runs.length === 0) return;
  const counts = new Map();
  for (const run of runs)
    for (const [name, count] of Object.entries(run.counts)) counts.set(name, (counts.get(name) ?? 0) + count);
  const of = (name) => shown(counts.get(name) ?? 0);
  const figures = ['records', 'doubled', 'missing', 'told wrongly'].map((name) => `${of(name)} ${name}`).join(' × ');
  const rare = [...new Set(runs.flatMap(({ rareStates = [] }) => rareStates))].map((name) => `${name} ${of(name)}`);
  const states = rare.length === 0 ? '' : `; rare states: ${rare.join(', ')}`;
  const sum = (name) => runs.reduce((all, { [name]: value = 0 }) => all + value, 0);
  const steps = sum('steps') === 0 ? '' : ` in ${shown(sum('steps'))} steps`;
  recordRun(
    'simulate',
    title,
    `${shown(sum('many'))} interleavings${steps} × ${figures}; seeds ${rangesOf(runs)}; ${commits(runs)}${states}`,
  );
}

function recordMutants(runs) {
  const tried = new Map(runs.flatMap((run) => run.tried).map((one) => [one.id, one]));
  if (tried.size === 0) return;
  const caught = [...tried.values()].filter(({ outcome }) => outcome === 'red');
  const layers = [...new Set([...tried.values()].map(({ layer }) => layer))].sort();
  const shares = layers.map((layer) => {
    const own = [...tried.values()].filter((one) => one.layer === layer);
    return `${layer} ${own.filter(({ outcome }) => outcome === 'red').length} of ${own.length}`;
  });
  recordRun(
    'mutants',
    'planted faults',
    `${caught.length} of ${tried.size} caught (${shares.join(', ')}); ${commits(runs)}`,
  );
}

/** What was caught of all subjects, and of each, by its last run. */
function recordRandomMutants(runs) {
  const last = new Map(runs.map((run) => [run.subject, run]));
  if (last.size === 0) return;
  const caught = (tried) => tried.filter(({ outcome }) => outcome === 'red').length;
  const all = [...last.values()].flatMap(({ tried }) => tried);
  const shares = [...last.values()]
    .map(({ subject, tried }) => `${subject} ${caught(tried)} of ${tried.length}`)
    .sort();
  const seeds = `seed ${[...new Set([...last.values()].map(({ seed }) => seed))].join(', ')}`;
  recordRun(
    'random mutants',
    'small changes',
    `${caught(all)} of ${all.length} caught (${shares.join(', ')}); ${seeds}; ${commits([...last.values()])}`,
  );
}

recordWorlds(
  'worlds on SQLite, simulated',
  all.filter(({ run }) => run === 'simulation'),
);
recordWorlds(
  'worlds on PostgreSQL, real processes',
  all.filter(({ run }) => run === 'postgres'),
);
recordMutants(all.filter(({ run }) => run === 'mutants'));
recordRandomMutants(all.filter(({ run }) => run === 'random mutants'));

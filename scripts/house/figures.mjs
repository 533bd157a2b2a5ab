// What `npm run house` counts. Each figure is a list of places, so that whoever has to lower it finds them.
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';

/** Files that import each other in a circle, by import() and for a type too. */
function circles(sources) {
  const after = new Map(sources.map(({ path, imports }) => [path, imports]));
  const found = new Set();
  const done = new Set();
  const visit = (file, way) => {
    const at = way.indexOf(file);
    if (at >= 0) {
      const circle = way.slice(at);
      const first = circle.indexOf([...circle].sort()[0]);
      found.add([...circle.slice(first), ...circle.slice(0, first)].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const next of after.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of after.keys()) visit(file, []);
  return [...found].sort();
}

const subjectOf = (path) => {
  const [subject, room] = path.split('/');
  return subject === 'sandbox' && room === 'commands' ? 'sandbox/commands' : subject;
};
const isRoot = (path) => !path.includes('/');

/** Which subject imports which, but for the composition root. */
function between(sources) {
  const found = new Set();
  for (const { path, imports } of sources) {
    for (const to of imports) {
      if (isRoot(path) || isRoot(to) || subjectOf(path) === subjectOf(to)) continue;
      found.add(`${subjectOf(path)} → ${subjectOf(to)}`);
    }
  }
  return [...found].sort();
}

/** Subjects that reach themselves through others. */
function subjectCircles(sources) {
  const after = new Map();
  for (const arrow of between(sources)) {
    const [one, other] = arrow.split(' → ');
    after.set(one, [...(after.get(one) ?? []), other]);
  }
  const reached = (from) => {
    const seen = new Set();
    const open = [...(after.get(from) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(after.get(next) ?? []));
    }
    return seen;
  };
  return [...after.keys()].filter((subject) => reached(subject).has(subject));
}

/** What every subject may stand on, and the command line, which uses them all (test/architecture.test.ts). */
const ground = 'domain platform contract store client sheets settings action ledger operations cli'.split(' ');

const arrows = (sources) =>
  between(sources).filter((arrow) => arrow.split(' → ').every((subject) => !ground.includes(subject)));

const SMALL = 80;

/** Small files that one file of their subject imports, and nobody on demand: why are they not in it? */
function small(sources) {
  const importers = new Map();
  for (const { path, imports } of sources) {
    for (const to of imports) importers.set(to, [...(importers.get(to) ?? []), path]);
  }
  return sources.flatMap(({ path, whole }) => {
    const [only, ...others] = importers.get(path) ?? [];
    const isSmall = whole.split('\n').length <= SMALL;
    return isSmall && only !== undefined && others.length === 0 && subjectOf(only) === subjectOf(path) ? [path] : [];
  });
}

/** Words of this project alone, and what they are called elsewhere. */
const ownWords = new Map([
  ['told', 'reported'],
  ['looks', 'lookups; likeness, of what a text resembles'],
  ['meet', 'conflict'],
  ['deeds', 'callbacks'],
  ['sought', 'query'],
  ['wish', 'preference; request, of a listener'],
  ['bell', 'change signal'],
  ['alarm', 'timer'],
  ['presence', 'liveness'],
  ['manner', 'style'],
  ['front', 'ui, user interface'],
  ['door', 'opener, loader'],
  ['spool', 'row store'],
  ['noon', 'midnight, if it is that'],
]);
/** Columns of databases that people have. */
const columns = new Set(['told_at', 'looks']);

function privateWords(sources) {
  const wordsIn = (name) => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const ownIn = (name) =>
    columns.has(name)
      ? undefined
      : wordsIn(name)
          .find((word) => ownWords.has(word.toLowerCase()))
          ?.toLowerCase();
  return sources.flatMap(({ path, code }) => {
    const names = new Set([path, ...(code.match(/[A-Za-z_$][\w$]*/g) ?? [])]);
    return [...names].flatMap((name) => {
      const word = ownIn(name);
      return word === undefined ? [] : [`${path}: ${name}: not ${word}, but ${ownWords.get(word)}`];
    });
  });
}

/** Lines by subject, for whoever asks where they are. */
export function linesOf(sources) {
  const lines = new Map();
  for (const { path, whole } of sources) {
    const subject = isRoot(path) ? 'the composition root' : subjectOf(path);
    lines.set(subject, (lines.get(subject) ?? 0) + whole.split('\n').length - 1);
  }
  return [...lines].sort(([, one], [, other]) => other - one);
}

/** `x as T` (but `as const`), `!` behind a value, and each biome-ignore. */
function casts(sources) {
  return sources.flatMap(({ path, code, whole }) => {
    // Imports, exports and the keys of types are renamed with the same word.
    const renamed = /\b(?:import|export)\b(?:\s+type)?[^;()=]*?(?:\bfrom\b|\})|\[\w+ in [^\]\n]*? as (?=[^\n]*\])/g;
    const values = code.replaceAll(renamed, '');
    const asserted = [...values.matchAll(/(?<=[\w)\]}'"]\s)as (?!const\b)[\w{([][\w.]*/g)];
    const insisted = [...values.matchAll(/[\w)\]]!(?=[.[;,)\s])(?!\s*=)/g)];
    const ignored = [...whole.matchAll(/biome-ignore/g)];
    return [...asserted, ...insisted, ...ignored].map(([text]) => `${path}: ${text.trim()}`);
  });
}

const MOST_LINES = 60;

/** Functions of more lines than style allows, from their first to their last: the linter finds them. */
function longFunctions() {
  const words = ['lint', '--only=complexity/noExcessiveLinesPerFunction', '--max-diagnostics=none', '--reporter=json'];
  const { stdout } = spawnSync(
    process.execPath,
    [
      resolve('node_modules/@biomejs/biome/bin/biome'),
      ...words,
      '--config-path=scripts/house/long-functions.json',
      'src',
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const { diagnostics } = JSON.parse(stdout);
  return diagnostics.flatMap(({ location: { path, start, end } }) => {
    const lines = end.line - start.line + 1;
    return lines > MOST_LINES ? [`${path}:${start.line}: ${lines} lines`] : [];
  });
}

/** The composition root and the adapters are where time and chance come from; a page has a script of its own. */
const isOutside = /^(?:platform\/|console\/page\/|process\.ts|start\.ts|main\.ts)|-script\.ts$/;

/** Clocks, timers and ids that do not come through the context, where a test cannot step them. */
const unsteered = (sources) =>
  sources
    .filter(({ path }) => !isOutside.test(path))
    .flatMap(({ path, code }) =>
      [
        ...code.matchAll(
          /\b(?:performance\.now\(|set(?:Timeout|Interval)\(|randomUUID\(|systemClock\.\w+|timers\/promises)/g,
        ),
      ].map(([text]) => `${path}: ${text}`),
    );

/** Words that are not said to users: private ones, and those that a native writer of a command line would not use. */
const refused = [
  /\b(?:is|are|was|were) kept\b/i,
  /\btold\b/i,
  /\bmended\b/i,
  /\bis away\b/i,
  /\bin force\b/i,
  /\bfares?\b/i,
  /\bunder way\b/i,
  /\bnevertheless\b/i,
  /\bbecame of\b/i,
  /\bhow far it has come\b/i,
  /\btaken back\b/i,
  /\bhand(?:s|ed)?(?: \w+){0,3} on\b/i,
  /\bjudged\b/i,
  /\banew\b/i,
  /\bbef[ae]ll/i,
  /\bexamine/i,
  /\bjudge\b/i,
  /\bbe away\b/i,
  /\bis there (?:twice|already)\b/i,
  /^Read an? /,
  /^Ask (?:what|for)\b/,
  /^Put an? \w+ into\b/,
  /^Take an? \w+ out of\b/,
  /^Call a driver\b/,
  /\ba person\b/i,
  /\bthere is not an? \w+/i,
];

const sayings = (sources) =>
  sources.flatMap(({ path, texts }) =>
    texts
      .filter((text) => text.includes(' ') && refused.some((word) => word.test(text)))
      .map((text) => `${path}: ${text.slice(0, 100)}`),
  );

/** Every figure by its name, as the list of its places. */
export function figuresOf(sources) {
  return {
    files: sources.map(({ path }) => path),
    folders: [...new Set(sources.map(({ path }) => dirname(path)))],
    'circles of files': circles(sources),
    'circles of subjects': subjectCircles(sources),
    'arrows between subjects': arrows(sources),
    'small files with one importer': small(sources),
    'private words': privateWords(sources),
    casts: casts(sources),
    'functions over 60 lines': longFunctions(),
    'time and ids past the context': unsteered(sources),
    'refused words in texts': sayings(sources),
  };
}

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

function byFolder(sources) {
  const folders = new Map();
  for (const { path } of sources) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  return [...folders];
}

const crowded = (sources) =>
  byFolder(sources).flatMap(([folder, files]) => (files.length > 10 ? [`${folder}: ${files.length} files`] : []));

/** Folders with one file and no folder: no rooms. */
function lonely(sources) {
  const folders = byFolder(sources);
  const isParent = (folder) => folders.some(([other]) => other.startsWith(`${folder}/`));
  return folders.flatMap(([folder, files]) => (files.length === 1 && !isParent(folder) ? files : []));
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

/** Words that are not said to users, from the table of the style guide (CONTRIBUTING.md, "Words"). */
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
    circles: circles(sources),
    'folders of more than ten files': crowded(sources),
    'folders of one file': lonely(sources),
    casts: casts(sources),
    'functions over 60 lines': longFunctions(),
    'time and ids past the context': unsteered(sources),
    'refused words in texts': sayings(sources),
  };
}

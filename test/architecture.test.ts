import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/**
 * The subjects from the ground up (docs/architecture.md): each may import what stands in a row before its own, so there
 * is no circle of them. `sandbox` is the service itself, `sandbox/commands` what the command line offers for it.
 */
const order: readonly (readonly string[])[] = [
  ['domain'],
  ['platform'],
  ['contract', 'store'],
  ['client', 'sheets', 'sandbox'],
  ['settings'],
  ['action'],
  ['account', 'ledger'],
  ['live', 'operations'],
  ['ship'],
  ['batch'],
  ['events', 'slips'],
  ['mirror', 'doctor'],
  ['cod', 'reports'],
  ['workspace', 'sandbox/commands', 'console', 'agents'],
  ['cli'],
];

/** What every subject behind them stands on. */
const ground = [
  'domain',
  'platform',
  'contract',
  'store',
  'client',
  'sheets',
  'settings',
  'action',
  'ledger',
  'operations',
];

/** Of the others, which uses which: at most twelve. */
const arrows = [
  'batch → ship',
  'events → batch',
  'slips → batch',
  'mirror → events',
  'doctor → batch',
  'doctor → events',
  'cod → batch',
  'cod → mirror',
  'reports → mirror',
  'workspace → cod',
  'workspace → events',
  'sandbox/commands → cod',
];

/** What may use less than stands before it. */
const narrow: Readonly<Record<string, readonly string[]>> = {
  store: ['platform'],
  contract: ['domain'],
  sandbox: ['contract', 'domain', 'platform'],
};

/**
 * The floors inside the largest subjects, from the ground up: a folder imports only folders of lower floors, and a file
 * that stands loose in the subject's folder is one of its own. One that is named twice is a mistake of this table.
 */
const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  cli: [
    ['errors', 'context.ts'],
    ['input', 'print'],
    ['line'],
    ['help', 'session'],
    ['flags', 'sandbox'],
    ['report'],
    ['run'],
    ['tree'],
    ['complete'],
    ['generate', 'lent.ts'],
    ['vietnamese.ts'],
    ['interpreters.ts'],
    ['program.ts'],
  ],
  // The page is built for the browser; of the rest of the console it knows the shapes of what it is answered.
  console: [
    ['wire.ts', 'texts.ts'],
    ['texts.vi.ts'],
    ['model.ts'],
    ['page', 'served.ts', 'responses.ts'],
    ['serve.ts'],
    ['run', 'start.ts'],
    ['index.ts', 'action.ts'],
  ],
  sandbox: [['engine'], ['service'], ['lab'], ['dispatch.ts'], ['sandbox.ts'], ['server.ts'], ['index.ts']],
};

/** The composition root sees everything; nothing sees it. */
const roots = new Set(['main.ts', 'process.ts', 'start.ts', 'one-file.ts', 'version.ts']);

/** The one file of the command line that reaches the sandbox, and only by `import()`. */
const sandboxLoader = 'cli/sandbox/running.ts';

interface Import {
  readonly from: string;
  readonly to: string;
  readonly dynamic: boolean;
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function importsOf(path: string): Import[] {
  const text = withoutComments(readFileSync(path, 'utf8'));
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*|(\bimport\s*\(\s*))'([^']+)'/g);
  return [...found].flatMap(([, dynamic, specifier = '']) =>
    specifier.startsWith('.')
      ? [
          {
            from: relative(source, path),
            to: relative(source, resolve(dirname(path), specifier)),
            dynamic: dynamic !== undefined,
          },
        ]
      : [],
  );
}

const files = filesBelow(source);
const imports = files.flatMap(importsOf);
const subjectOf = (path: string) =>
  path.startsWith('sandbox/commands/') ? 'sandbox/commands' : (path.split('/')[0] ?? '');
const rankOf = (subject: string) => order.findIndex((row) => row.includes(subject));

/** The imports from one subject to another one, but for those of the composition root. */
const between = imports.flatMap(({ from, to, dynamic }) => {
  const [one, other] = [subjectOf(from), subjectOf(to)];
  return roots.has(from) || roots.has(to) || one === other ? [] : [{ from, to, dynamic, one, other }];
});

describe('the subjects', () => {
  it('are all there, and their files were seen', () => {
    const seen = new Set(files.map((file) => subjectOf(relative(source, file))).filter((name) => !roots.has(name)));
    expect([...seen].sort()).toEqual(order.flat().sort());
    expect(files.length).toBeGreaterThan(100);
    expect(between.length).toBeGreaterThan(files.length);
  });

  it('import only what stands before them', () => {
    expect(between.filter(({ one, other }) => rankOf(other) >= rankOf(one))).toEqual([]);
  });

  it('use each other only where that is written down', () => {
    const used = between
      .filter(({ one, other }) => one !== 'cli' && !ground.includes(one) && !ground.includes(other))
      .map(({ one, other }) => `${one} → ${other}`);
    expect([...new Set(used)].sort()).toEqual([...arrows].sort());
    expect(arrows.length).toBeLessThanOrEqual(12);
  });

  it('use no more of the ground than they need', () => {
    const wrong = between.filter(({ one, other }) => narrow[one] !== undefined && !narrow[one].includes(other));
    expect(wrong).toEqual([]);
  });

  it('leave the sandbox alone: one file of the command line loads it', () => {
    const users = between.filter(({ other }) => other === 'sandbox');
    expect(users).toMatchObject([{ from: sandboxLoader, dynamic: true }]);
  });

  it('do not import the composition root', () => {
    expect(imports.filter(({ from, to }) => roots.has(to) && !roots.has(from))).toEqual([]);
  });
});

describe.each(Object.entries(floors))('the floors inside %s', (subject, stories) => {
  const inside = imports.filter(({ from, to }) => subjectOf(from) === subject && subjectOf(to) === subject);
  const roomOf = (path: string) => path.split('/')[1] ?? '';
  const floorOf = (room: string) => stories.findIndex((rooms) => rooms.includes(room));

  it('name every room once, and none that is gone', () => {
    const seen = files.map((file) => relative(source, file)).filter((file) => subjectOf(file) === subject);
    expect([...new Set(seen.map(roomOf))].sort()).toEqual(stories.flat().sort());
    expect(inside.length).toBeGreaterThan(30);
  });

  it('are climbed in one direction', () => {
    const wrong = inside.filter(({ from, to }) => {
      const [one, other] = [roomOf(from), roomOf(to)];
      return one !== other && floorOf(other) >= floorOf(one);
    });
    expect(wrong).toEqual([]);
  });
});

/** Files that import each other in a circle: by import() too, and for nothing but a type too. */
function circles(): string[] {
  const after = new Map<string, string[]>();
  for (const { from, to } of imports) after.set(from, [...(after.get(from) ?? []), to]);
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) {
      const circle = way.slice(at);
      const first = circle.indexOf([...circle].sort()[0] ?? '');
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

describe('the files', () => {
  it('import each other in no circle', () => {
    expect(circles()).toEqual([]);
  });
});

describe('the outside world', () => {
  it('is reached through the context: `process` stands in the composition root and in platform adapters alone', () => {
    const users = files
      .filter((file) => /(?<![\w.'`/-])process\.(?!ts\b)/.test(withoutComments(readFileSync(file, 'utf8'))))
      .map((file) => relative(source, file))
      .filter((file) => !roots.has(file) && !file.startsWith('platform/'));
    expect(users).toEqual([]);
  });

  it('is never asked for the time or a random number behind the context', () => {
    const askers = files
      .filter((file) => /\b(?:Date\.now|Math\.random)\(/.test(withoutComments(readFileSync(file, 'utf8'))))
      .map((file) => relative(source, file))
      .filter((file) => !roots.has(file) && !file.startsWith('platform/'));
    expect(askers).toEqual([]);
  });

  it('has one clock on the wall: what a person sees of a moment is written by one file', () => {
    const local =
      /\.toLocale(?:Date|Time)String\(|\.get(?:Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)\(|\bDateTimeFormat\b|\bnew Date\((?!\d+, \d+, \d+\))\w+,/;
    const writers = files
      .filter((file) => local.test(withoutComments(readFileSync(file, 'utf8'))))
      .map((file) => relative(source, file));
    expect(writers).toEqual(['domain/calendar.ts']);
  });
});

describe('the tests', () => {
  const tests = filesBelow(fileURLToPath(new URL('.', import.meta.url))).map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]);

  it('choose by numbers of a seed that is told, and never by chance of their own', () => {
    const own = new RegExp(['Math', 'random'].join('\\.'));
    expect(tests.filter(([, text = '']) => own.test(text)).map(([path]) => path)).toEqual([]);
  });

  it('are skipped where they cannot be run, and never pass over themselves', () => {
    const passing = /\b(?:it|test)\b[^\n]*=> \{\n(?:\s*const [^\n]*;\n)*\s+if \([^\n]*\) return;/;
    expect(tests.filter(([, text = '']) => passing.test(text)).map(([path]) => path)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { enumerations } from './contract/contract-tables.ts';
import { readTable } from './contract/read-table.ts';

const { handWrittenDocs, sumOf } = await import(resolve('scripts/house/docs.mjs'));

const root = fileURLToPath(new URL('..', import.meta.url));
const here = relative(root, fileURLToPath(import.meta.url));
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

function filesBelow(directory: string, ending: string): string[] {
  if (!existsSync(join(root, directory))) return [];
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path, ending) : path.endsWith(ending) ? [path] : [];
  });
}

const generated = 'docs/reference/';
const documents = [
  ...filesBelow('docs', '.md').filter((path) => !path.startsWith(generated)),
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter((path) => existsSync(join(root, path))),
];
const sources = ['src', 'test'].flatMap((directory) => filesBelow(directory, '.ts')).filter((path) => path !== here);

const headingsOf = (markdown: string) => [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

/** The anchor that a heading gets where Markdown is shown. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** A source on one line, without the stars of its comments, so that a citation that was wrapped is whole. */
const unwrapped = (text: string) => text.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');

describe('the pages of the contract', () => {
  const tables = textOf('docs/contract-tables.md');
  const contract = textOf('docs/contract.md') + tables;

  it('names every operation once as a row, and every value of every enumeration', () => {
    const rows = [...tables.matchAll(/^\| `(\/v1\/[^`]+)`/gm)].map(([, path]) => path);
    const listed = readTable('operations.tsv').map(({ path }) => path);
    expect(rows.sort()).toEqual(listed.sort());
    for (const [name, values] of Object.entries(enumerations)) {
      const row = tables.split('\n').find((line) => line.startsWith(`| ${name} |`));
      const written = values.map((value) => (value === '' ? '*(empty)*' : `\`${value}\``));
      expect(row).toBe(`| ${name} | ${written.join(', ')} |`);
    }
  });

  it('has every heading and name that the code cites', () => {
    const headings = headingsOf(contract);
    const cited = sources.flatMap((path) => {
      const text = unwrapped(textOf(path));
      return [...text.matchAll(/contract, "([^"]+)"/g)].map(([, heading]) => ({ path, heading }));
    });
    expect(cited.length).toBeGreaterThan(40);
    expect(cited.filter(({ heading = '' }) => !headings.includes(heading))).toEqual([]);
    const names = sources.flatMap((path) =>
      [...unwrapped(textOf(path)).matchAll(/contract, ([A-Z]\w+)/g)].map(([, name = '']) => name),
    );
    expect(names.filter((name) => !contract.includes(name))).toEqual([]);
  });
});

describe('docs/contract-decisions.md', () => {
  const numbers = headingsOf(textOf('docs/contract-decisions.md')).flatMap(
    (heading) => /^(\d+)\. /.exec(heading)?.[1] ?? [],
  );

  it('has the ten sections, in order', () => {
    expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });

  it('has every section that the code cites', () => {
    const cited = sources.flatMap((path) =>
      [...unwrapped(textOf(path)).matchAll(/decisions, sections? ([\d, and]*\d)/g)].flatMap(([, list = '']) =>
        (list.match(/\d+/g) ?? []).map((number) => ({ path, number })),
      ),
    );
    expect(cited.length).toBeGreaterThan(80);
    expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([]);
  });
});

describe.each(documents)('%s', (document) => {
  const text = textOf(document);

  it('names paths that exist', () => {
    const named = [...text.matchAll(/`((?:src|test|bin|scripts|docs|bench|examples|completions)\/[^`\s*]*)`/g)];
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it('links to pages and headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = links
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const page = path === '' ? document : relative(root, join(root, dirname(document), path));
        if (!existsSync(join(root, page))) return true;
        return anchor !== undefined && !headingsOf(textOf(page)).map(anchorOf).includes(anchor);
      });
    expect(broken).toEqual([]);
  });
});

it('numbers the decisions without a gap, each with its four parts; a page names those whose place it has taken', () => {
  const pages = filesBelow('docs/decisions', '.md').sort();
  expect(pages.length).toBeGreaterThan(9);
  const numbers = pages.flatMap((page) => {
    const [, number = ''] = /^docs\/decisions\/(\d{3})-[a-z0-9-]+\.md$/.exec(page) ?? [];
    const text = textOf(page);
    const [title = '', ...parts] = headingsOf(text);
    expect(title).toMatch(new RegExp(`^${number} .`));
    expect(parts, page).toEqual(['Context', 'Decision', 'Evidence', 'Consequences']);
    const [, replaced = ''] = /^# .* \(replaces ([\d, and]+)\)\n/.exec(text) ?? [];
    return [number, ...(replaced.match(/\d+/g) ?? [])];
  });
  expect(numbers.sort()).toEqual(numbers.map((_, index) => String(index + 1).padStart(3, '0')));
});

describe('the documents that are written by hand', () => {
  const pages: readonly { path: string; lines: number }[] = handWrittenDocs();
  const paths = pages.map(({ path }) => path);

  it('have no more lines than their ceiling', () => {
    const { ceiling } = JSON.parse(textOf('scripts/house/ceilings.json'))['lines of hand-written docs'];
    expect(sumOf(pages)).toBeLessThanOrEqual(ceiling);
    expect(sumOf(pages)).toBeGreaterThan(ceiling / 2);
  });

  it('are all pages but those that say at their top that a program writes them', () => {
    const others = documents.filter((path) => !paths.includes(path)).sort();
    const generated = [
      'docs/contract-tables.md',
      'docs/mirror.md',
      'docs/proof-runs.md',
      'docs/reports.md',
      'docs/ship-recording.md',
    ];
    expect(
      others.filter((path) => !/^(?:docs\/(?:agents|glossary|install|mot-buoi-sang)|README\.vi)\.md$/.test(path)),
    ).toEqual(generated);
  });
});

describe('the walks of docs/architecture.md', () => {
  const walks = textOf('docs/architecture.md')
    .split(/^#+ /m)
    .flatMap((part) => (part.startsWith('Walk: ') ? [part] : []))
    .map((part) => ({
      name: /^Walk: (.+)$/m.exec(part)?.[1] ?? '',
      steps: [...part.matchAll(/^\d+\. (.*)$/gm)].map(([, text = '']) => text),
    }));

  it('are of an order, a row and a received change', () => {
    expect(walks.map(({ name }) => name)).toEqual(['one order', 'one row', 'one received change']);
  });

  it.each(walks)('$name: at most 32 steps in 22 files, each a function that is there', ({ steps }) => {
    const named = steps.map((step) => /^`(src\/[^`]+)` `(\w+)`: \S/.exec(step));
    expect(steps.filter((_, index) => named[index] === null)).toEqual([]);
    const declared = /\b(?:function\*?|class|const)\s+(\w+)|^\s+(?:async )?(\w+)\(/gm;
    const missing = named.filter((step) => {
      const [, path = '', name = ''] = step ?? [];
      return ![...textOf(path).matchAll(declared)].some((found) => found[1] === name || found[2] === name);
    });
    expect(missing).toEqual([]);
    expect(steps.length).toBeGreaterThan(15);
    expect(steps.length).toBeLessThanOrEqual(32);
    expect(new Set(named.map((step) => step?.[1])).size).toBeLessThanOrEqual(22);
  });
});

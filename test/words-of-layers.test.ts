import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));

/** What says what to type, to people or to other programs: the command line, pages, adapters. All else would be shown by another user interface too. */
const typed = /^(?:cli|console|sandbox|platform|action)\/|^(?:main|process|start|one-file|version)\.ts$/;
/** The texts of a subject, those of its actions among them. */
const isCatalogue = /\/texts(?:\.vi)?\.ts$/;
const isAction = /(?:^|\/)(?:actions|commands)(?:\/|\.ts$)/;

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : path.endsWith('.ts') ? [path] : [];
  });
}

/** Names that are no words to a person: custom properties of a style sheet, and what a kept hash is made of. */
const noWords = /--[a-z-]+(?=: [#\d])|var\(--[a-z-]+\)|`shopctl account \$\{/g;

/** What may name commands: declared examples, which are whole command lines, and the note on them in an API's document. */
const declared = /^\s*examples: \[(?:'(?:[^'\\]|\\.)*'|[^\]'])*\],$|^\s*'x-command': .*$/gm;

/** The source without its comments: those are for engineers. */
function codeOf(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, '');
}

/** Texts that say what to type: a flag, or a command of ours. */
function typedIn(code: string): string[] {
  const texts = code.replace(declared, '').replace(noWords, '');
  return [
    ...texts.matchAll(/(?<![\w$-])--[a-z][\w-]*|\bshopctl (?!is\b|has\b|khác|cũ |mới )[a-z$][^'"`\n]{0,40}/g),
  ].map(([text]) => text);
}

const all = filesBelow(source).map((path) => ({ path, place: relative(source, path) }));

describe('what stands below the actions', () => {
  const files = all
    .filter(({ place }) => !typed.test(place) && !isAction.test(place) && !isCatalogue.test(place))
    .map(({ path }) => path);

  it('are seen', () => {
    expect(files.length).toBeGreaterThan(400);
  });

  it('name no flag and no command: the command line says what to type', () => {
    const wrong = files.flatMap((path) => typedIn(codeOf(path)).map((text) => `${relative(source, path)}: ${text}`));
    expect(wrong).toEqual([]);
  });
});

describe('a catalogue', () => {
  /** What the actions of a subject say to type, where they say it in a sentence of their own. */
  const known: Readonly<Record<string, readonly string[]>> = {
    batch: ['--save', '--to'],
    cod: ['--output'],
    events: ['shopctl events list'],
    ledger: ['--again'],
    mirror: ['--watch'],
    reports: ['shopctl webhooks listen'],
  };

  it('names no other flag and no other command, in either language', () => {
    const catalogues = all.filter(({ place }) => isCatalogue.test(place) && !typed.test(place));
    const wrong = catalogues.flatMap(({ path, place }) =>
      typedIn(codeOf(path))
        .filter((text) => !known[place.split('/')[0] ?? '']?.some((each) => text.startsWith(each)))
        .map((text) => `${place}: ${text}`),
    );
    expect(wrong).toEqual([]);
    expect(catalogues.length).toBeGreaterThan(20);
  });
});

describe('what refusals and notices of actions say', () => {
  const files = all.filter(({ place }) => isAction.test(place)).map(({ path }) => path);
  /** The texts that an action says while it runs; what stands in its declaration is its help on the command line. */
  const said =
    /(?:new Refusal\(|report\.(?:notice|say|insist)\(|progress\.say\(|person\.tell\()\s*(?:'[a-z_]+',\s*)?((?:'[^']*'|`[^`]*`))/g;

  it('name no flag and no command either', () => {
    const texts = files.flatMap((path) =>
      [...codeOf(path).matchAll(said)].map(([, text = '']) => [relative(source, path), text] as const),
    );
    expect(texts.length).toBeGreaterThan(50);
    expect(texts.flatMap(([path, text]) => typedIn(text).map((found) => `${path}: ${found}`))).toEqual([]);
  });
});

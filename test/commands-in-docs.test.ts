import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { topicNames } from '../src/cli/help/topics.ts';
import { loadTree } from '../src/cli/tree/tree.ts';
import { shellWords } from './support/shell-words.ts';

const root = new URL('..', import.meta.url);
const textOf = (path: string) => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');
const pagesIn = (directory: string) =>
  readdirSync(fileURLToPath(new URL(directory, root)))
    .filter((name) => name.endsWith('.md'))
    .map((name) => directory + name);

// The guide's commands are an engineer's, with an example of one that does not exist yet.
const pages = ['README.md', 'README.vi.md', 'CHANGELOG.md', ...pagesIn('docs/'), ...pagesIn('docs/decisions/')];

const tree = await loadTree();
const commands = new Map(tree.commands.map((command) => [command.command, command]));
const groups = new Set(
  [...commands.keys()].flatMap((name) => name.split(' ').map((_, at, all) => all.slice(0, at).join(' '))),
);
const globalFlags = new Set(tree.global_flags.flatMap(({ name, short }) => [`--${name}`, `-${short}`]));

/** The command lines that a page shows: in fences as they are typed, and between backticks. */
function linesOf(text: string): string[] {
  const fenced = [...text.matchAll(/^```(?:sh|console)?\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  const typed = fenced.flatMap((line) =>
    [...line.matchAll(/^(?:\$ )?(?:\S+ && )?(shopctl .*)$/g)].map(([, typed = '']) => typed),
  );
  const inline = [...text.matchAll(/`(?:[A-Z_]+=\S+ )?(shopctl\s[^`]+)`/g)].map(([, line = '']) =>
    line.replace(/\s+/g, ' '),
  );
  return [...typed, ...inline];
}

/** What of a line the program does not know: its command, or a flag of it. Undefined where it knows all. */
function unknownIn(line: string): string | undefined {
  const words = shellWords(line.replace(/\s#.*$/, '')).slice(1);
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
  const named = own.filter(
    (word, at) => !word.startsWith('-') && !/^(?:-o|--(?:profile|as|base-url|output))$/.test(own[at - 1] ?? ''),
  );
  const [first = ''] = named;
  if (first === 'help')
    return named.slice(1).every((word) => topicNames.includes(word) || commands.has(word) || groups.has(word))
      ? undefined
      : line;
  // COMMAND, CMD and the like stand for any.
  if (/^(?:|version|__complete|[A-Z]+)$/.test(first)) return undefined;
  const name = named
    .map((_, at) => named.slice(0, named.length - at).join(' '))
    .find((words) => commands.has(words) || groups.has(words));
  if (name === undefined || (!commands.has(name) && name !== named.join(' '))) return line;
  const flags = new Set(
    (commands.get(name)?.flags ?? []).flatMap((flag) => [`--${flag.name}`, `--no-${flag.name}`, `-${flag.short}`]),
  );
  const strange = own
    .filter((word) => word.startsWith('--'))
    .map((word) => word.split('=')[0] ?? '')
    .filter(
      (word) =>
        !flags.has(word) &&
        !globalFlags.has(word) &&
        !['--help', '--skeleton', '--input', '--all-fields'].includes(word),
    );
  return strange.length === 0 ? undefined : `${line}: ${strange.join(' ')}`;
}

/** Flags of every command, and those that all of them take. */
const anyFlag = new Set([
  ...globalFlags,
  ...tree.commands.flatMap(({ flags }) => flags.flatMap(({ name }) => [`--${name}`, `--no-${name}`])),
  ...['--help', '--skeleton', '--input', '--all-fields'],
]);

// Decisions speak of other programs' flags, too.
describe.each(pages.filter((page) => !page.startsWith('docs/decisions/')))('%s', (page) => {
  it('names flags that some command takes', () => {
    const named = [...textOf(page).matchAll(/`(--[a-z][a-z.-]*)[^`]*`/g)].map(([, flag = '']) => flag);
    expect(named.filter((flag) => !anyFlag.has(flag))).toEqual([]);
  });
});

describe.each(pages)('%s', (page) => {
  it('names commands and flags that there are', () => {
    expect(linesOf(textOf(page)).map(unknownIn).filter(Boolean)).toEqual([]);
  });
});

it('finds the commands that pages name', () => {
  expect(pages.flatMap((page) => linesOf(textOf(page))).length).toBeGreaterThan(60);
  expect(unknownIn('shopctl orders gett 1')).toBeDefined();
  expect(unknownIn('shopctl orders get 1 --nope')).toBeDefined();
});

import type { Command } from '../flags/command.ts';
import { groupIndex } from '../help/group-index.ts';
import { readLine } from '../line/line.ts';
import { deepest, helpText, isOfParser, parserOf, unknownWord } from './parser.ts';
import type { WrittenCommand } from './written-commands.ts';

/** Reads a group as prepared by the build; throws if it cannot. */
export type ReadGroup = (name: string) => readonly WrittenCommand[];

const notRun = () => Promise.reject(new Error('a command that was written down is not run'));

/** A command that has help and cannot be run. */
const shown = (command: WrittenCommand): Command => ({
  ...command,
  flags: () => command.flags,
  actions: [],
  operations: [],
  diagnoses: false,
  run: notRun,
});

/**
 * The `--help` text for a line, from the same parser that runs lines; undefined if the line asks for something else, or
 * for something that does not exist.
 */
export async function writtenHelp(argv: readonly string[], read: ReadGroup): Promise<string | undefined> {
  const { words } = readLine(argv);
  const entries = groupIndex.map((summary) => ({
    ...summary,
    load: async () => ({ commands: read(summary.name).map(shown) }),
  }));
  const root = await parserOf(words, entries, () => {});
  try {
    await root.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!isOfParser(error)) throw error;
    if (error.code === 'commander.helpDisplayed') {
      const node = deepest(root, words);
      return unknownWord(node, words) === undefined ? helpText(node) : undefined;
    }
  }
  return undefined;
}

/** The record fields of the command that some words name; empty if they name none. */
export function fieldsIn(words: readonly string[], commands: readonly WrittenCommand[]): readonly string[] {
  const [, ...rest] = words;
  return commands.find((command) => command.words.every((word, index) => rest[index] === word))?.fields ?? [];
}

/** The output of `__complete fields -- WORDS`: one field per line. */
export function writtenFields(argv: readonly string[], read: ReadGroup): string {
  const { words } = readLine(argv.slice(argv.indexOf('--') + 1));
  const known = groupIndex.some(({ name }) => name === words[0]);
  return (known ? fieldsIn(words, read(words[0] ?? '')) : []).map((field) => `${field}\n`).join('');
}

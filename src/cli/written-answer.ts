import { CommanderError } from 'commander';
import type { Command } from './command.ts';
import { groupIndex } from './group-index.ts';
import { readLine } from './line.ts';
import { deepest, helpText, parserOf, unknownWord } from './parser.ts';
import type { WrittenCommand } from './written-commands.ts';

/** Reads what the build has written down of a group; throws where it cannot. */
export type ReadGroup = (name: string) => readonly WrittenCommand[];

const notRun = () => Promise.reject(new Error('a command that was written down is not run'));

/** A command that tells its help, and cannot be run. */
const shown = (command: WrittenCommand): Command => ({
  ...command,
  flags: () => command.flags,
  actions: [],
  operations: [],
  diagnoses: false,
  run: notRun,
});

/** What `--help` in a line shows, by the parser that runs lines too; undefined where the line asks for something else, or for what is not there. */
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
    if (error instanceof CommanderError && error.code === 'commander.helpDisplayed') {
      const node = deepest(root, words);
      return unknownWord(node, words) === undefined ? helpText(node) : undefined;
    }
    if (!(error instanceof CommanderError)) throw error;
  }
  return undefined;
}

/** The fields of the records of the command that some words name; none where they name none. */
export function fieldsIn(words: readonly string[], commands: readonly WrittenCommand[]): readonly string[] {
  const [, ...rest] = words;
  return commands.find((command) => command.words.every((word, index) => rest[index] === word))?.fields ?? [];
}

/** What `__complete fields -- WORDS` answers: a field a line. */
export function writtenFields(argv: readonly string[], read: ReadGroup): string {
  const { words } = readLine(argv.slice(argv.indexOf('--') + 1));
  const known = groupIndex.some(({ name }) => name === words[0]);
  return (known ? fieldsIn(words, read(words[0] ?? '')) : []).map((field) => `${field}\n`).join('');
}

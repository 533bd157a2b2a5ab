import type { CommandData } from '../../src/cli/tree/tree.ts';
import { shellWords } from './shell-words.ts';

/** The words after `shopctl` in an example; for `<(shopctl …)`, those inside. */
export function exampleWords(example: string): string[] {
  const words = shellWords(example.replace(/^.*?<\((.*)\)$/, '$1'));
  return words.slice(words.indexOf('shopctl') + 1);
}

/**
 * Commands whose example would not end by itself, would leave something behind, names a program of the reader's, or
 * makes records that nobody looks at.
 */
const tamed: Readonly<Record<string, readonly string[]>> = {
  'sandbox start': ['sandbox', 'start', '--ephemeral', '--port', '0', '--seed', 'none'],
  'sandbox exec': ['sandbox', 'exec', '--seed', 'none', '--', 'true'],
};

/**
 * Global flags in examples that affect how the result is printed, or that prevent sending; with the number of words of
 * each.
 */
const printing = new Map([
  ['--json', 1],
  ['--dry-run', 1],
  ['-o', 2],
  ['--query', 2],
  ['--fields', 2],
  ['--profile', 2],
  ['--as', 2],
]);

function withoutPrinting(words: readonly string[]): string[] {
  const left: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const length = printing.get(word);
    if (length === undefined) left.push(word);
    else index += length - 1;
  }
  return left;
}

/**
 * The words of a command's first example that does more than print a skeleton, in a form that a test can run and
 * extend.
 */
export function runnableWords({ command, examples }: CommandData): readonly string[] {
  const example = examples.find((candidate) => !candidate.includes('--skeleton')) ?? `shopctl ${command}`;
  return tamed[command] ?? withoutPrinting(exampleWords(example));
}

/** The same words with others appended: before a `--`, after which nothing is parsed. */
export function withWords(words: readonly string[], more: readonly string[]): string[] {
  const end = words.indexOf('--');
  return end < 0 ? [...words, ...more] : [...words.slice(0, end), ...more, ...words.slice(end)];
}

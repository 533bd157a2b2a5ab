import type { CommandData } from '../../src/cli/tree.ts';
import { shellWords } from './shell-words.ts';

/** The words behind `shopctl` in an example; of `<(shopctl …)` those inside. */
export function exampleWords(example: string): string[] {
  const words = shellWords(example.replace(/^.*?<\((.*)\)$/, '$1'));
  return words.slice(words.indexOf('shopctl') + 1);
}

/** Commands whose example would not end by itself, would leave something behind, or names a program of the reader's. */
const tamed: Readonly<Record<string, readonly string[]>> = {
  'sandbox start': ['sandbox', 'start', '--ephemeral', '--port', '0'],
  'sandbox exec': ['sandbox', 'exec', '--', 'true'],
};

/** The words of a command's first example, as a test can run them. */
export function runnableWords({ command, examples }: CommandData): readonly string[] {
  return tamed[command] ?? exampleWords(examples[0] ?? `shopctl ${command}`);
}

/** The same words with others behind them: before a `--`, after which nothing is ours. */
export function withWords(words: readonly string[], more: readonly string[]): string[] {
  const end = words.indexOf('--');
  return end < 0 ? [...words, ...more] : [...words.slice(0, end), ...more, ...words.slice(end)];
}

import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../src/platform/terminal/text-width.ts';
import type { RunOptions, TestMachine } from './context.ts';
import { pseudoLanguage } from './pseudo.ts';

/** Commands and flags, which are typed as they are: between backquotes, alone on a line or in a fact, or with dashes. */
const typed = /`[^`]*`|(?<=^ *|⟧)shopctl (?!:)[^⟦⟧\n]*(?=$|⟦)|(?<![\w-])--?[a-z][a-z-]*(?:=[^\s⟦⟧]+| [A-Z]+)?/gm;

/** What is made of letters and digits: cursors, codes, names that shopctl gives, sides, times. */
const codes =
  /[\w+/=-]{40,}|\bshopctl-s\d-[0-9a-f]+|\b[A-Z]{2}\d{6}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{10}\b|\bGMT[+-]\d+|\b\d+x\d+x\d+ cm|\b[\d.,]+ g\b/g;

const wordsOf = (text: string): string[] => text.match(/[\p{L}_]{2,}/gu) ?? [];

/**
 * The words of a text in the tests' own language that come from no catalogue, but for those of `data`: what was given or came
 * from the service, and words that are typed as they are. A pattern stands for all that it matches.
 */
export function leftWords(text: string, data: readonly (string | RegExp)[] = []): string[] {
  const known = new Set(data.flatMap((each) => (typeof each === 'string' ? wordsOf(each) : [])));
  const patterns = [codes, ...data.filter((each) => typeof each !== 'string')];
  const rest = patterns.reduce(
    (left, pattern) => left.replaceAll(pattern, ' '),
    text.replaceAll(typed, '').replaceAll(/⟦[^⟦⟧]*⟧/g, ' '),
  );
  return [...new Set(wordsOf(rest))].filter((word) => !known.has(word));
}

/** What a command says to a person who reads Vietnamese on a terminal of 80 columns, and whatever is wider than that. */
export async function inVietnamese({ run }: Pick<TestMachine, 'run'>, words: readonly string[], more: RunOptions = {}) {
  const env = { TERM: 'xterm', SHOPCTL_LANG: 'vi', TZ: 'Asia/Ho_Chi_Minh', ...more.env };
  const { exit, stdout, stderr, prompter } = await run(words, { terminal: true, columns: 80, ...more, env });
  const text = stripVTControlCharacters(`${stdout}${stderr}`).replaceAll('\u00a0', ' ');
  const lines = text.replace(/\n$/, '').split('\n');
  return { exit, lines, asked: prompter.asked, tooWide: lines.filter((line) => displayWidth(line) > 80) };
}

/** A command line, and what it is run with: a wide terminal unless that says otherwise. */
export type Surface = readonly [words: readonly string[], more?: RunOptions];

/**
 * What command lines leave in no catalogue in the tests' own language, on a wide terminal: in their results, notices,
 * questions, refusals and errors.
 */
export async function leftBy(
  { run }: Pick<TestMachine, 'run'>,
  surfaces: readonly Surface[],
  data: readonly (string | RegExp)[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const left: Record<string, readonly string[]> = {};
  for (const [words, { env = {}, ...more } = {}] of surfaces) {
    const options = { terminal: true, columns: 500, env: { TERM: 'xterm', ...env }, spoken: pseudoLanguage, ...more };
    const { stdout, stderr, prompter } = await run(words, options);
    const texts = [stdout, stderr, ...prompter.asked, ...prompter.offered];
    const said = texts.flatMap((text) => leftWords(stripVTControlCharacters(text), [...data, ...words]));
    if (said.length > 0) left[words.join(' ')] = [...new Set(said)];
  }
  return left;
}

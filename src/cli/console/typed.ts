import type { Action } from '../../action/action.ts';
import { isRecord, valueAt } from '../../domain/json/value-at.ts';
import { jsonSafe } from '../../platform/terminal/text-safety.ts';
import { shellWord } from '../errors/shell-word.ts';
import type { Flag } from '../flags/command.ts';
import { flagsOfAction } from '../flags/fields.ts';
import type { GivenGlobals } from '../line/globals.ts';

type Input = Readonly<Record<string, unknown>>;
type Further = Readonly<Record<string, string | undefined>>;

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** A value as the text of a flag or an argument; a text that would be read as a file's name is escaped. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value.startsWith('@') ? `@${value}` : value;
}

const wordFor = (text: string) => shellWord(jsonSafe(text));

/** The words of one flag; undefined if its value cannot be written as one. */
function wordsOf({ name, type }: Flag, value: unknown): readonly string[] | undefined {
  if (type === 'boolean') return [value === false ? `--no-${name}` : `--${name}`];
  const values = Array.isArray(value) ? value : [value];
  const texts = values.map(textOf);
  // A single dash reads stdin.
  if (texts.includes('-')) return undefined;
  return texts.map((text) => (text.startsWith('-') ? `--${name}=${wordFor(text)}` : `--${name} ${wordFor(text)}`));
}

/** The flags for an input, and the fields that they cover; a record is given by the flags of its fields. */
function flagsFor(action: Action, input: Input): { readonly words: string[]; readonly covered: ReadonlySet<string> } {
  const words: string[] = [];
  const covered = new Set<string>();
  const known = flagsOfAction(action).filter(({ path, type, entries }) => path && !(type === 'object' && entries));
  for (const flag of known) {
    const value = valueAt(input, (flag.path ?? []).join('.'));
    if (!isGiven(value)) continue;
    const written = wordsOf(flag, value);
    if (written === undefined) continue;
    words.push(...written);
    covered.add(flag.path?.[0] ?? '');
  }
  return { words, covered };
}

/** The global flags that select the account of a call, in the order in which the help lists them. */
const ofAccount = ['profile', 'shop', 'as', 'base-url'];

/** The flags of a line that its account depends on, as they are typed. */
function accountFlags(given: GivenGlobals): string {
  const values = ofAccount.map((name) => [name, given[name]] as const);
  return values.map(([name, value]) => (typeof value === 'string' ? ` --${name} ${shellWord(value)}` : '')).join('');
}

/**
 * The command line that gives an action this input, as it is pasted into a shell: positional arguments and flags, or the
 * whole input on stdin where a flag cannot say it.
 */
export function typedCommand(
  action: Action,
  input: Input,
  { globals, further = {} }: { readonly globals: GivenGlobals; readonly further?: Further | undefined },
): string {
  const { words, positional = [] } = action;
  const others = Object.entries(further).flatMap(([name, value]) => (value ? [` --${name} ${wordFor(value)}`] : []));
  const account = `${others.join('')}${accountFlags(globals)}`;
  const command = ['shopctl', ...words].join(' ');
  const places = positional.filter((name) => isGiven(input[name]));
  const first = places.flatMap((name) => [input[name]].flat().map((value) => wordFor(textOf(value))));
  const named = Object.fromEntries(Object.entries(input).filter(([name]) => !places.includes(name)));
  const flags = flagsFor(action, named);
  const missing = Object.keys(named).filter((name) => isGiven(named[name]) && !flags.covered.has(name));
  const isEmpty = (name: string) => isRecord(named[name]) && Object.keys(named[name]).length === 0;
  if (missing.every(isEmpty) || action.whole !== true) {
    return `${[command, ...first, ...flags.words].join(' ')}${account}`;
  }
  return `echo ${wordFor(JSON.stringify(input))} | ${command} --input -${account}`;
}

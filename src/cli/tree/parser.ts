import { type CommanderError, Option, Command as Program } from 'commander';
import { terminalWidth } from '../../platform/terminal/terminal-facts.ts';
import type { Command, Flag } from '../flags/command.ts';
import { placeholderOf } from '../flags/command.ts';
import { nestedSummaries } from '../help/group-index.ts';
import { rootHelp } from '../help/root-help.ts';
import { type GlobalFlag, globalFlags } from '../line/globals.ts';
import type { GroupEntry } from './groups.ts';

const WIDTH = 80;

/** Wraps words to indented lines that fit a terminal of 80 columns. */
function wrapped(words: readonly string[]): string {
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 3 > WIDTH) lines.push(`  ${word}`);
    else lines[lines.length - 1] = line === '' ? `  ${word}` : `${line} ${word}`;
  }
  return lines.join('\n');
}

/** An option known only by its full name: `--no-input` is a switch, and does not negate `--input FILE`. */
class PlainOption extends Option {
  constructor(flags: string, description: string) {
    super(flags, description);
    this.negate = false;
  }

  override attributeName(): string {
    return this.name();
  }
}

/** Every value that an option was given, in order. */
const collected = (text: string, earlier: unknown) => [...(Array.isArray(earlier) ? earlier : []), text];

function globalOption(flag: GlobalFlag): Option {
  const value = flag.value === undefined ? '' : flag.optionalValue ? ` [${flag.value}]` : ` <${flag.value}>`;
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const variable = flag.env === undefined ? '' : ` [$${flag.env}]`;
  const option = new PlainOption(`${short}--${flag.name}${value}`, `${flag.description}${variable}`);
  // Values are validated later, so that a bad one is reported alike from a flag and from the environment.
  if (flag.values !== undefined) option.description += ` (${flag.values.join(', ')})`;
  option.argParser(collected);
  return option.hideHelp();
}

function optionsOf(flag: Flag): Option[] {
  const placeholder = placeholderOf(flag);
  const values = flag.values === undefined ? '' : ` (${flag.values.join(', ')})`;
  const required = flag.required === true ? ' (required)' : '';
  const description = `${flag.description}${values}${required}`;
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  if (flag.type === 'boolean') {
    const negative = new PlainOption(`--no-${flag.name}`, `not ${flag.name}`).hideHelp();
    return [new PlainOption(`${short}--${flag.name}`, description), negative];
  }
  const option = new PlainOption(
    `${short}--${flag.name} ${flag.optionalValue === true ? `[${placeholder}]` : `<${placeholder}>`}`,
    description,
  );
  option.argParser(collected);
  return [option];
}

/**
 * A commander command that neither prints nor exits: messages are thrown as a CommanderError, help is returned by
 * `helpText`.
 */
class Silent extends Program {
  override outputHelp(): void {}

  /** Writes the help to the output set by `configureOutput`. */
  writeHelp(): void {
    super.outputHelp();
  }
}

function bare(name: string): Program {
  return new Silent(name)
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .configureOutput({
      writeOut: () => {},
      writeErr: () => {},
      getOutHelpWidth: () => terminalWidth() ?? 80,
      getOutHasColors: () => false,
    });
}

/** The names of the global flags; the top-level help describes them. */
const globalsNote = `\nGlobal flags (see shopctl --help):\n${wrapped(globalFlags.map(({ name }) => `--${name}`))}`;

function addGlobals(program: Program): void {
  for (const flag of globalFlags) {
    if (flag.name !== 'help') program.addOption(globalOption(flag));
  }
}

/** The parsed command, with its own flags and arguments. */
export interface Chosen {
  readonly command: Command;
  readonly leaf: Program;
  readonly flags: readonly Flag[];
  readonly arguments: readonly string[];
}

/** Receives the command that a line runs. */
export type Choose = (chosen: Chosen) => void;

function addCommand(program: Program, command: Command, full: boolean, choose: Choose): void {
  program.summary(command.summary);
  program.description([command.summary, command.description].filter(Boolean).join('\n\n'));
  for (const argument of command.arguments) {
    const name = argument.variadic === true ? `${argument.name}...` : argument.name;
    const isChecked = argument.required && argument.isSuggested !== true;
    program.argument(isChecked ? `<${name}>` : `[${name}]`, full ? argument.description : '');
    if (argument.isSuggested === true) program.usage(`[options] <${name}>`);
  }
  const flags = full ? command.flags() : [];
  for (const flag of flags) for (const option of optionsOf(flag)) program.addOption(option);
  if (command.examples.length > 0) {
    program.addHelpText('after', `\nExamples:\n${command.examples.map((example) => `  ${example}`).join('\n')}`);
  }
  program.addHelpText('after', globalsNote);
  addGlobals(program);
  program.action((...values: unknown[]) => {
    const operands = values.slice(0, command.arguments.length).flat();
    choose({
      command,
      leaf: program,
      flags,
      arguments: operands.filter((value): value is string => typeof value === 'string'),
    });
  });
}

/** The node for some words, created if missing. */
function nodeOf(parent: Program, word: string): Program {
  const found = parent.commands.find((child) => child.name() === word);
  if (found !== undefined) return found;
  const made = bare(word);
  addGlobals(made);
  parent.addCommand(made);
  return made;
}

/**
 * The one command that the words name, the longest match; all commands if there is none, for help and for suggestions.
 */
function meantBy(words: readonly string[], commands: readonly Command[]): readonly Command[] {
  const named = commands.filter((command) => command.words.length > 0 && isNamed(command, words));
  const [meant] = named.sort((one, other) => other.words.length - one.words.length);
  return meant === undefined ? commands : [meant];
}

function isNamed(command: Command, words: readonly string[]): boolean {
  return command.words.every((word, index) => words[index] === word);
}

async function addGroup(program: Program, entry: GroupEntry, words: readonly string[], choose: Choose): Promise<void> {
  const { commands } = await entry.load();
  for (const command of meantBy(words, commands)) {
    const full = isNamed(command, words);
    if (command.words.length === 0) {
      addCommand(program, command, full, choose);
      continue;
    }
    const parents = command.words.slice(0, -1);
    const parent = parents.reduce(nodeOf, program);
    const leaf = bare(command.words.at(-1) ?? '');
    addCommand(leaf, command, full, choose);
    parent.addCommand(leaf);
  }
  for (const inner of program.commands) {
    if (inner.commands.length > 0 && inner.summary() === '') {
      const about = nestedSummaries[`${program.name()} ${inner.name()}`];
      const summary = about ?? `Commands: ${inner.commands.map((command) => command.name()).join(', ')}`;
      inner.summary(summary).description(summary);
    }
  }
  program.summary(entry.summary).description(entry.summary);
}

/**
 * The parser for a line with these words: the group that they name is loaded, the others are known by their summaries.
 */
export async function parserOf(
  words: readonly string[],
  groups: readonly GroupEntry[],
  choose: Choose,
): Promise<Program> {
  const root = bare('shopctl');
  addGlobals(root);
  const named = groups.filter(({ name }) => name === words[0]);
  for (const entry of named.length > 0 ? named : groups) {
    const group = bare(entry.name).summary(entry.summary);
    if (entry.name === words[0]) await addGroup(group, entry, words.slice(1), choose);
    root.addCommand(group);
  }
  return root;
}

/** The parser's own errors, whichever copy of it a build has. */
export const isOfParser = (error: unknown): error is CommanderError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');

/** The deepest node that the words lead to. */
export function deepest(root: Program, words: readonly string[]): Program {
  let node = root;
  for (const word of words) {
    const next = node.commands.find((child) => child.name() === word);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

/** The word that matches none of a node's commands, if it has any: help was requested for something unknown. */
export function unknownWord(node: Program, words: readonly string[]): string | undefined {
  let depth = 0;
  for (let level: Program | null = node.parent; level !== null; level = level.parent) depth += 1;
  return node.commands.length === 0 ? undefined : words[depth];
}

/** The `--help` text of a node. */
export function helpText(node: Program): string {
  if (node.parent === null) return rootHelp();
  let text = '';
  node.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  if (node instanceof Silent) node.writeHelp();
  return text;
}

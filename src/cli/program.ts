import { CommanderError, Option, Command as Program } from 'commander';
import { CredentialError, RequestError } from '../client/errors.ts';
import { nearestName } from '../domain/nearest-name.ts';
import type { Command, Flag, Given, Result } from './command.ts';
import type { Context } from './context.ts';
import { namedByFlags } from './field-names.ts';
import { type GivenGlobals, type GlobalFlag, globalFlags } from './globals.ts';
import { type GroupEntry, groups } from './groups.ts';
import { front } from './interpret/front.ts';
import { placeholderOf } from './placeholder.ts';
import { rootHelp, wrapped } from './root-help.ts';
import { openSession, type Session } from './session.ts';
import { UsageError } from './usage-error.ts';
import { readLine } from './words.ts';

/** What a run ends with: a result to print with the session it was made in, or text that help or the version asked for. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: Result; readonly session: Session }
  | { readonly kind: 'text'; readonly text: string };

/** An option that is known by its whole name: `--no-input` is a switch of its own and not the opposite of `--input FILE`. */
class PlainOption extends Option {
  constructor(flags: string, description: string) {
    super(flags, description);
    this.negate = false;
  }

  override attributeName(): string {
    return this.name();
  }
}

function globalOption(flag: GlobalFlag): Option {
  const value = flag.value === undefined ? '' : flag.optionalValue ? ` [${flag.value}]` : ` <${flag.value}>`;
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const variable = flag.env === undefined ? '' : ` [$${flag.env}]`;
  const option = new PlainOption(`${short}--${flag.name}${value}`, `${flag.description}${variable}`);
  // Values are checked where they are read, so that a bad one is reported alike from a flag and from the environment.
  if (flag.values !== undefined) option.description += ` (${flag.values.join(', ')})`;
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
  option.argParser((text: string, earlier: string[] | undefined) => [...(earlier ?? []), text]);
  return [option];
}

/** A commander command that neither prints nor exits: what it has to say comes as a CommanderError. */
function bare(name: string): Program {
  return new Program(name)
    .exitOverride()
    .helpCommand(false)
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .configureOutput({ writeOut: () => {}, writeErr: () => {} });
}

/** The flags that every command honours, by name; the top-level help tells what they do. */
const globalsNote = `\nGlobal flags (see shopctl --help):\n${wrapped(globalFlags.map(({ name }) => `--${name}`))}`;

function addGlobals(program: Program): void {
  for (const flag of globalFlags) {
    if (flag.name !== 'help') program.addOption(globalOption(flag));
  }
}

/** The globals given on any level of the line; the innermost wins. */
function givenGlobals(leaf: Program): GivenGlobals {
  const given: Record<string, string | true> = {};
  for (let level: Program | null = leaf; level !== null; level = level.parent) {
    for (const flag of globalFlags) {
      if (level.getOptionValueSource(flag.name) !== 'cli' || flag.name in given) continue;
      const value: unknown = level.getOptionValue(flag.name);
      given[flag.name] = typeof value === 'string' ? value : true;
    }
  }
  return given;
}

function givenFlags(leaf: Program, flags: readonly Flag[]): Given['flags'] {
  const given: Record<string, readonly string[] | boolean> = {};
  for (const flag of flags) {
    if (leaf.getOptionValueSource(flag.name) === 'cli') given[flag.name] = leaf.getOptionValue(flag.name);
    if (leaf.getOptionValueSource(`no-${flag.name}`) === 'cli') given[flag.name] = false;
  }
  return given;
}

interface Chosen {
  readonly command: Command;
  readonly leaf: Program;
  readonly flags: readonly Flag[];
  readonly arguments: readonly string[];
}

type Choose = (chosen: Chosen) => void;

async function addCommand(program: Program, command: Command, full: boolean, choose: Choose): Promise<void> {
  program.summary(command.summary);
  program.description([command.summary, command.description].filter(Boolean).join('\n\n'));
  for (const argument of command.arguments ?? []) {
    const name = argument.variadic === true ? `${argument.name}...` : argument.name;
    program.argument(argument.required ? `<${name}>` : `[${name}]`, full ? argument.description : '');
  }
  const flags = full ? ((await command.flags?.()) ?? []) : [];
  for (const flag of flags) for (const option of optionsOf(flag)) program.addOption(option);
  if (command.examples !== undefined && command.examples.length > 0) {
    program.addHelpText('after', `\nExamples:\n${command.examples.map((example) => `  ${example}`).join('\n')}`);
  }
  program.addHelpText('after', globalsNote);
  addGlobals(program);
  program.action((...values: unknown[]) => {
    const operands = values.slice(0, command.arguments?.length ?? 0).flat();
    choose({
      command,
      leaf: program,
      flags,
      arguments: operands.filter((value): value is string => typeof value === 'string'),
    });
  });
}

/** The node that some words lead to, made where it is missing. */
function nodeOf(parent: Program, word: string): Program {
  const found = parent.commands.find((child) => child.name() === word);
  if (found !== undefined) return found;
  const made = bare(word);
  addGlobals(made);
  parent.addCommand(made);
  return made;
}

/** The one command that the words name, the longest such; all of them where they name none, for help and for what was likely meant. */
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
      await addCommand(program, command, full, choose);
      continue;
    }
    const parents = command.words.slice(0, -1);
    const parent = parents.reduce(nodeOf, program);
    const leaf = bare(command.words.at(-1) ?? '');
    await addCommand(leaf, command, full, choose);
    parent.addCommand(leaf);
  }
  program.summary(entry.summary).description(entry.summary);
}

async function build(words: readonly string[], choose: Choose): Promise<Program> {
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

function deepest(root: Program, words: readonly string[]): Program {
  let node = root;
  for (const word of words) {
    const next = node.commands.find((child) => child.name() === word);
    if (next === undefined) return node;
    node = next;
  }
  return node;
}

function asUsageError(error: CommanderError, node: Program): UsageError {
  const message = error.message.replace(/^error: /, '');
  const [what = message, ...rest] = message.split('\n');
  const near = rest.join(' ').replace(/^\((.*)\)$/, '$1');
  const hint = near === '' ? `see \`${pathOf(node)} --help\`` : near;
  const usage = new UsageError(what, { hint });
  usage.usage = `Usage: ${pathOf(node)} ${node.usage()}`;
  return usage;
}

function pathOf(node: Program): string {
  const names: string[] = [];
  for (let level: Program | null = node; level !== null; level = level.parent) names.unshift(level.name());
  return names.join(' ');
}

/** `help TOPIC` is the topic's text, `help WORDS` is `WORDS --help`. */
async function helpAsked(argv: readonly string[]): Promise<{ argv: readonly string[] } | { text: string }> {
  if (argv[0] !== 'help') return { argv };
  const [, word, ...rest] = argv;
  if (word === undefined) return { argv: ['--help'] };
  const { topicText } = await import('./topics.ts');
  const text = rest.length === 0 ? topicText(word) : undefined;
  return text === undefined ? { argv: [word, ...rest, '--help'] } : { text };
}

/** Turns words into a command, runs it, and gives back what there is to print. Throws what went wrong. */
export async function runProgram(context: Context): Promise<Outcome> {
  const asked = await helpAsked(context.argv);
  if ('text' in asked) return { kind: 'text', text: asked.text };
  const { argv } = asked;
  const { words } = readLine(argv);
  let chosen: Chosen | undefined;
  const root = await build(words, (choice) => {
    chosen = choice;
  });
  try {
    await root.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const node = deepest(root, words);
    const unknown = error.code === 'commander.helpDisplayed' ? unknownWord(node, words) : undefined;
    if (unknown !== undefined) throw await unknownCommand(node, unknown);
    if (error.code === 'commander.helpDisplayed' || (error.code === 'commander.help' && node === root)) {
      return { kind: 'text', text: helpText(node) };
    }
    if (error.code === 'commander.help') throw missingCommand(node);
    throw asUsageError(error, node);
  }
  const node = deepest(root, words);
  if (chosen === undefined) {
    if (node === root) return { kind: 'text', text: helpText(root) };
    throw missingCommand(node);
  }
  const globals = givenGlobals(chosen.leaf);
  const session = await openSession(context, globals, { diagnoses: chosen.command.diagnoses === true });
  const given = { arguments: chosen.arguments, flags: givenFlags(chosen.leaf, chosen.flags) };
  try {
    const result = await chosen.command.run({ context, session, given, front });
    return { kind: 'result', result, session };
  } catch (error) {
    if (error instanceof CredentialError) throw await withProfiles(error, session);
    const named = namedByFlags(error, chosen.flags, given);
    if (named instanceof UsageError || named instanceof RequestError) {
      named.usage ??= `Usage: ${pathOf(chosen.leaf)} ${chosen.leaf.usage()}`;
    }
    throw named;
  }
}

/** A key of another kind may stand in another profile: the hint names those that have one. */
async function withProfiles(error: CredentialError, session: Session): Promise<CredentialError> {
  const kind = error.operation?.startsWith('shop.') === true ? 'shop' : 'partner';
  if (error.code !== 'credential_missing' || session.settings.profile?.kind === kind) return error;
  const { profiles } = await session.store.read();
  const names = Object.keys(profiles).filter((name) => profiles[name]?.kind === kind && profiles[name]?.api_key);
  if (names.length === 0) return error;
  const choice = names.map((name) => `--profile ${name}`).join(' or ');
  return new CredentialError(
    error.code,
    error.message,
    error.operation,
    `there is such a key in another profile: ${choice}`,
  );
}

/** The word that names none of a node's commands, where it has some: help was asked for something that is not there. */
function unknownWord(node: Program, words: readonly string[]): string | undefined {
  let depth = 0;
  for (let level: Program | null = node.parent; level !== null; level = level.parent) depth += 1;
  return node.commands.length === 0 ? undefined : words[depth];
}

async function unknownCommand(node: Program, word: string): Promise<UsageError> {
  const topics = node.parent === null ? (await import('./topics.ts')).topicNames : [];
  const near = nearestName(word, [...node.commands.map((child) => child.name()), ...topics]);
  const [program = '', ...path] = pathOf(node).split(' ');
  const meant = [program, 'help', ...path, near].join(' ');
  const hint = near === undefined ? `see \`${pathOf(node)} --help\`` : `did you mean \`${meant}\`?`;
  const error = new UsageError(`there is no help for ${JSON.stringify([...path, word].join(' '))}`, { hint });
  error.usage = `Usage: ${pathOf(node)} ${node.usage()}`;
  return error;
}

function missingCommand(node: Program): UsageError {
  const names = node.commands.map((child) => child.name()).join(', ');
  const error = new UsageError(`${pathOf(node)} needs a command`, { hint: `one of: ${names}` });
  error.usage = `Usage: ${pathOf(node)} ${node.usage()}`;
  return error;
}

function helpText(node: Program): string {
  if (node.parent === null) return rootHelp();
  let text = '';
  node.configureOutput({
    writeOut: (piece) => {
      text += piece;
    },
  });
  node.outputHelp();
  return text;
}

import { CommanderError, type Command as Program } from 'commander';
import { RequestError } from '../client/errors.ts';
import { nearestName } from '../domain/nearest-name.ts';
import type { Context } from './context.ts';
import { UsageError } from './errors/usage-error.ts';
import type { Flag, Given, Invocation, Result } from './flags/command.ts';
import { namedByFlags } from './flags/field-names.ts';
import { flagsOfSettings } from './flags/fields.ts';
import { type GivenGlobals, globalFlags } from './line/globals.ts';
import { readLine } from './line/line.ts';
import { openSession, type Session } from './session/session.ts';
import { groups } from './tree/groups.ts';
import { type Chosen, deepest, helpText, parserOf, unknownWord } from './tree/parser.ts';
import { ui } from './ui.ts';

/** The outcome of a run: a result to print with the session that produced it, or the text of help or version. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: Result; readonly session: Session }
  | { readonly kind: 'text'; readonly text: string };

/** Refuses two different values of a flag that chooses what is written, for whom, or at what price. */
function refuseTwoValues({ name, isStyle }: Pick<Flag, 'name' | 'isStyle'>, values: readonly unknown[]): void {
  const [first] = values;
  const other = values.find((value) => value !== first);
  if (isStyle === true || other === undefined) return;
  throw new UsageError(`--${name} is given twice, as ${JSON.stringify(first)} and as ${JSON.stringify(other)}`, {
    hint: 'leave one of them out',
  });
}

/** The global flags; the program itself reads them, wherever in the line they stand. */
function givenGlobals(leaf: Program): GivenGlobals {
  const given: Record<string, string | true> = {};
  let root = leaf;
  while (root.parent !== null) root = root.parent;
  for (const flag of globalFlags) {
    if (root.getOptionValueSource(flag.name) !== 'cli') continue;
    const values: unknown[] = [root.getOptionValue(flag.name)].flat();
    refuseTwoValues(flag, values);
    const last = values.at(-1);
    given[flag.name] = typeof last === 'string' ? last : true;
  }
  return given;
}

/** Types of flags that take one value. */
const single: ReadonlySet<Flag['type']> = new Set(['string', 'id', 'integer', 'number']);

function givenFlags(leaf: Program, flags: readonly Flag[]): Given['flags'] {
  const given: Record<string, readonly string[] | boolean> = {};
  for (const flag of flags) {
    if (leaf.getOptionValueSource(flag.name) === 'cli') given[flag.name] = leaf.getOptionValue(flag.name);
    const texts = given[flag.name];
    if (single.has(flag.type) && Array.isArray(texts)) refuseTwoValues(flag, texts);
    if (leaf.getOptionValueSource(`no-${flag.name}`) !== 'cli') continue;
    if (texts === true) throw new UsageError(`--${flag.name} and --no-${flag.name} contradict each other`);
    given[flag.name] = false;
  }
  return given;
}

function asUsageError(error: CommanderError, node: Program): UsageError {
  // What follows the name of an unknown flag may be a key.
  const message = error.message.replace(/^error: /, '').replace(/^(unknown option '-[^=']*)=.*'(?=\n\(Did|$)/s, "$1'");
  const [what = message, ...rest] = message.split('\n');
  const near = rest.join(' ').replace(/^\(D(.*)\)$/, 'd$1');
  // A suggested command is quoted as it is typed.
  const worded = near.replace(/^(did you mean )([^-\s]\S*)\?$/, `$1\`${pathOf(node)} $2\`?`);
  const hint = near === '' ? `see \`${pathOf(node)} --help\`` : worded;
  const usage = new UsageError(what, { hint });
  usage.usage = `Usage: ${pathOf(node)} ${node.usage()}`;
  return usage;
}

function pathOf(node: Program): string {
  const names: string[] = [];
  for (let level: Program | null = node; level !== null; level = level.parent) names.unshift(level.name());
  return names.join(' ');
}

/** `help TOPIC` is the topic's text, `help WORDS` is `WORDS --help`; global flags change neither. */
async function helpAsked(argv: readonly string[]): Promise<{ argv: readonly string[] } | { text: string }> {
  const [first, ...words] = readLine(argv).words;
  if (first !== 'help') return { argv };
  const [word, ...rest] = words;
  if (word === undefined) return { argv: ['--help'] };
  const { topicText } = await import('./help/topics.ts');
  const text = topicText(word);
  if (text === undefined) return { argv: [...(argv[0] === 'help' ? argv.slice(1) : words), '--help'] };
  if (rest.length === 0) return { text };
  throw new UsageError(`${JSON.stringify(rest.join(' '))} is too much: the topic is ${word}`, {
    hint: 'give the name of one topic',
  });
}

/** The meaning of a line: a command with what was typed for it, or the requested help text. */
export type Typed =
  | { readonly kind: 'command'; readonly chosen: Chosen; readonly globals: GivenGlobals; readonly given: Given }
  | { readonly kind: 'text'; readonly text: string };

/** Parses a line by the grammar of the command line. Runs nothing; throws a UsageError for an invalid line. */
export async function readCommand(line: readonly string[]): Promise<Typed> {
  const asked = await helpAsked(line);
  if ('text' in asked) return { kind: 'text', text: asked.text };
  const { argv } = asked;
  const { words } = readLine(argv);
  let chosen: Chosen | undefined;
  const root = await parserOf(words, groups, (choice) => {
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
  const given = { arguments: chosen.arguments, flags: givenFlags(chosen.leaf, chosen.flags) };
  return { kind: 'command', chosen, globals: givenGlobals(chosen.leaf), given };
}

/** The console is loaded for its own command only. */
const startConsole: Invocation['startConsole'] = async (invocation, start) =>
  (await import('./start-console.ts')).startConsole(invocation, start);

/** Parses a command, runs it, and returns what to print. Throws what went wrong. */
export async function runProgram(context: Context): Promise<Outcome> {
  const typed = await readCommand(context.argv);
  if (typed.kind === 'text') return typed;
  const { chosen, globals, given } = typed;
  const session = await openSession(context, globals, { diagnoses: chosen.command.diagnoses === true });
  try {
    const result = await chosen.command.run({ context, session, given, ui, startConsole });
    return { kind: 'result', result, session };
  } catch (error) {
    const named = namedByFlags(error, [...chosen.flags, ...flagsOfSettings(chosen.command.actions)], given);
    if (named instanceof UsageError || named instanceof RequestError) {
      named.usage ??= `Usage: ${pathOf(chosen.leaf)} ${chosen.leaf.usage()}`;
    }
    throw named;
  }
}

async function unknownCommand(node: Program, word: string): Promise<UsageError> {
  const topics = node.parent === null ? (await import('./help/topics.ts')).topicNames : [];
  const near = nearestName(word, [...node.commands.map((child) => child.name()), ...topics]);
  const [program = '', ...path] = pathOf(node).split(' ');
  const meant = [program, 'help', ...path, near].join(' ');
  const hint = near === undefined ? `see \`${pathOf(node)} --help\`` : `did you mean \`${meant}\`?`;
  const error = new UsageError(`no help for ${JSON.stringify([...path, word].join(' '))}`, { hint });
  error.usage = `Usage: ${pathOf(node)} ${node.usage()}`;
  return error;
}

function missingCommand(node: Program): UsageError {
  const names = node.commands.map((child) => child.name()).join(', ');
  const error = new UsageError(`${pathOf(node)} needs a command`, { hint: `one of: ${names}` });
  error.usage = `Usage: ${pathOf(node)} ${node.usage()}`;
  return error;
}

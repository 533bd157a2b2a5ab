import type { CommanderError, Command as Program } from 'commander';
import type { Explained, UserInterface, Verdict } from '../action/ports.ts';
import { RequestError } from '../client/errors.ts';
import { speak } from '../domain/language.ts';
import { nearestName } from '../domain/nearest-name.ts';
import type { Context } from './context.ts';
import { adviceInWords } from './errors/advice.ts';
import type { ExitName } from './errors/exit.ts';
import { UsageError } from './errors/usage-error.ts';
import type { Flag, Given, Invocation, Result } from './flags/command.ts';
import { namedByFlags } from './flags/field-names.ts';
import { flagsOfSettings } from './flags/fields.ts';
import { groupIndex } from './help/group-index.ts';
import { type GivenGlobals, globalFlags } from './line/globals.ts';
import { readLine } from './line/line.ts';
import { reportOf } from './report/report.ts';
import { languageOf } from './session/language.ts';
import { openSession, type Session } from './session/session.ts';
import { groups } from './tree/groups.ts';
import { type Chosen, deepest, helpText, isOfParser, parserOf, unknownWord } from './tree/parser.ts';

/** The verdict of a failure's exit code: a failure is never a success, and never a signal. */
function verdictOf(exit: ExitName): Verdict {
  return exit === 'success' || exit === 'hungUp' || exit === 'interrupted' || exit === 'terminated' ? 'failure' : exit;
}

function explain(error: unknown): Explained {
  const { message, hint, exit } = reportOf(error);
  return { message, hint, verdict: verdictOf(exit) };
}

/** What the command line says about itself; all of it is loaded on demand. */
export const ui: UserInterface = {
  advise: adviceInWords,
  explain,
  commands: async () => (await loadTree()).commands,
  tree: loadTree,
  groups: () => groupIndex.map(({ name }) => name),
  async actionsOf(group) {
    const { groups } = await import('./tree/groups.ts');
    const { commands } = (await groups.find(({ name }) => name === group)?.load()) ?? { commands: [] };
    return commands.flatMap(({ actions }) => actions);
  },
  skill: async (version) => (await import('./help/topics.ts')).skill(version),
  completionScript: async (shell) => (await import('./complete/scripts.ts')).completionScript(shell),
};

async function loadTree() {
  return (await import('./tree/tree.ts')).loadTree();
}

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

/** What is meant by what the parser does not know, if other tools have it; undefined otherwise. */
async function meantInstead(
  error: CommanderError,
  node: Program,
  argv: readonly string[],
): Promise<string | undefined> {
  const { flagMeant, meantBy } = await import('./help/synonyms.ts');
  const [, unknown = ''] = /'(-{1,2}[^'=]+|[^']+)/.exec(error.message) ?? [];
  if (error.code === 'commander.unknownOption') {
    const levels: Program[] = [];
    for (let level: Program | null = node; level !== null; level = level.parent) levels.push(level);
    const own = levels.flatMap((level) => level.options.map(({ long }) => (long ?? '').replace(/^--/, '')));
    return flagMeant(unknown.replace(/^-+/, ''), own);
  }
  if (error.code === 'commander.excessArguments' && argv.includes('--json'))
    return 'use -o json --fields FIELD,FIELD: --json takes no fields';
  if (error.code !== 'commander.unknownCommand' && error.code !== 'commander.helpDisplayed') return undefined;
  const { words } = readLine(argv);
  const [, ...path] = pathOf(node).split(' ');
  const word = unknownWord(node, words) ?? unknown;
  const known = node.commands.map((child) => child.name());
  const group = path.join(' ');
  const rest = words.slice(path.length + 1);
  return meantBy(word, group === '' ? { known, rest } : { group, known, rest });
}

function asUsageError(error: CommanderError, node: Program, meant: string | undefined): UsageError {
  // What follows the name of an unknown flag may be a key.
  const message = error.message.replace(/^error: /, '').replace(/^(unknown option '-[^=']*)=.*'(?=\n\(Did|$)/s, "$1'");
  const [what = message, ...rest] = message.split('\n');
  const near = rest.join(' ').replace(/^\(D(.*)\)$/, 'd$1');
  // A suggested command is quoted as it is typed.
  const worded = near.replace(/^(did you mean )([^-\s]\S*)\?$/, `$1\`${pathOf(node)} $2\`?`);
  const hint = meant ?? (near === '' ? `see \`${pathOf(node)} --help\`` : worded);
  return new UsageError(what, { hint, usage: usageOf(node) });
}

const usageOf = (node: Program): string => `Usage: ${pathOf(node)} ${node.usage()}`;

function pathOf(node: Program): string {
  const names: string[] = [];
  for (let level: Program | null = node; level !== null; level = level.parent) names.unshift(level.name());
  return names.join(' ');
}

/** `help TOPIC` is the topic's text, `help WORDS` is `WORDS --help`; global flags change neither. */
async function helpAsked(
  argv: readonly string[],
  version: string,
): Promise<{ argv: readonly string[] } | { text: string }> {
  const [first, ...words] = readLine(argv).words;
  if (first !== 'help') return { argv };
  const [word, ...rest] = words;
  if (word === undefined) return { argv: ['--help'] };
  const { topicText } = await import('./help/topics.ts');
  const text = topicText(word, version);
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

/** Refuses a word whose bytes were no UTF-8: what stands in it in their place would be sent. */
function refuseDamaged(line: readonly string[]): void {
  const at = line.findIndex((word) => word.includes('\uFFFD'));
  const word = line[at];
  if (word === undefined) return;
  const [flag] = /^--?[\w-]+(?==)/.exec(word) ?? /^--?[\w-]+$/.exec(line[at - 1] ?? '') ?? [];
  throw new UsageError(`${flag === undefined ? 'an argument' : `the value of ${flag}`} is not UTF-8 text: ${word}`, {
    hint: 'a terminal, shell or script of another encoding wrote it: give it in UTF-8',
  });
}

/** Parses a line by the grammar of the command line. Runs nothing; throws a UsageError for an invalid line. */
export async function readCommand(line: readonly string[], version = ''): Promise<Typed> {
  refuseDamaged(line);
  const asked = await helpAsked(line, version);
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
    if (!isOfParser(error)) throw error;
    const node = deepest(root, words);
    const unknown = error.code === 'commander.helpDisplayed' ? unknownWord(node, words) : undefined;
    const meant = await meantInstead(error, node, argv);
    if (unknown !== undefined) throw await unknownCommand(node, unknown, meant);
    if (error.code === 'commander.helpDisplayed' || (error.code === 'commander.help' && node === root)) {
      return { kind: 'text', text: helpText(node) };
    }
    if (error.code === 'commander.help') throw missingCommand(node);
    throw asUsageError(error, node, meant);
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
  (await import('./interpreters.ts')).startConsole(invocation, start);

/** And so is what serves agents. */
const serveAgents: Invocation['serveAgents'] = async (invocation, start) =>
  (await import('./interpreters.ts')).serveToAgents(invocation, start);

const writeAsAgent: Invocation['writeAsAgent'] = async (invocation, action, input) =>
  (await import('./interpreters.ts')).writeAsAgent(invocation, action, input);

/** Parses a command, runs it, and returns what to print. Throws what went wrong. */
export async function runProgram(context: Context): Promise<Outcome> {
  const typed = await readCommand(context.argv, context.version);
  if (typed.kind === 'text') return typed;
  const { chosen, globals, given } = typed;
  const session = await openSession(context, globals, { diagnoses: chosen.command.diagnoses === true });
  if (languageOf(context, session) === 'vi') speak((await import('./vietnamese.ts')).vietnamese, context.clock.now());
  try {
    const result = await chosen.command.run({ context, session, given, ui, startConsole, serveAgents, writeAsAgent });
    return { kind: 'result', result, session };
  } catch (error) {
    const named = namedByFlags(error, [...chosen.flags, ...flagsOfSettings(chosen.command.actions)], given);
    if (named instanceof UsageError || named instanceof RequestError) {
      named.usage ??= usageOf(chosen.leaf);
    }
    throw named;
  }
}

async function unknownCommand(node: Program, word: string, known: string | undefined): Promise<UsageError> {
  const topics = node.parent === null ? (await import('./help/topics.ts')).topicNames : [];
  const near = nearestName(word, [...node.commands.map((child) => child.name()), ...topics]);
  const [program = '', ...path] = pathOf(node).split(' ');
  const meant = [program, 'help', ...path, near].join(' ');
  const hint = known ?? (near === undefined ? `see \`${pathOf(node)} --help\`` : `did you mean \`${meant}\`?`);
  return new UsageError(`no help for ${JSON.stringify([...path, word].join(' '))}`, { hint, usage: usageOf(node) });
}

function missingCommand(node: Program): UsageError {
  const names = node.commands.map((child) => child.name()).join(', ');
  return new UsageError(`${pathOf(node)} needs a command`, { hint: `one of: ${names}` });
}

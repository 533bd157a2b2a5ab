import type { CommanderError, Command as Program } from 'commander';
import type { Explained, UserInterface, Verdict } from '../action/ports.ts';
import { RequestError } from '../client/errors.ts';
import { speak } from '../domain/language.ts';
import { nearestName } from '../domain/nearest-name.ts';
import type { Context } from './context.ts';
import { adviceInWords, shellWord } from './errors/advice.ts';
import type { ExitName } from './errors/exit.ts';
import { say } from './errors/texts.ts';
import { UsageError } from './errors/usage-error.ts';
import type { Flag, Given, Invocation, Result } from './flags/command.ts';
import { namedByFlags } from './flags/field-names.ts';
import { flagsOfSettings } from './flags/fields.ts';
import { groupIndex } from './help/group-index.ts';
import { type GivenGlobals, globalFlags } from './line/globals.ts';
import { readLine } from './line/line.ts';
import { messageOf, reportOf } from './report/report.ts';
import { say as ofRun } from './run/texts.ts';
import { languageBefore, languageOf, offerVietnamese } from './session/language.ts';
import { openSession, type Session, zoneOf } from './session/session.ts';
import { groups } from './tree/groups.ts';
import { type Chosen, deepest, helpText, isOfParser, parserOf, unknownWord } from './tree/parser.ts';

/** The verdict of a failure's exit code: a failure is never a success, and never a signal. */
function verdictOf(exit: ExitName): Verdict {
  return exit === 'success' || exit === 'hungUp' || exit === 'interrupted' || exit === 'terminated' ? 'failure' : exit;
}

function explain(error: unknown): Explained {
  const report = reportOf(error);
  return { message: messageOf(report), hint: report.hint, verdict: verdictOf(report.exit) };
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
  const said = ofRun().input;
  const given = [first, other].map((value) => JSON.stringify(value));
  throw new UsageError(said.twice({ field: `--${name}`, values: given }), { hint: said.leaveOneOut });
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
    if (texts === true) {
      const [one, other] = [`--${flag.name}`, `--no-${flag.name}`];
      throw new UsageError(say().line.contradict({ flag: one, other }));
    }
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
  const { flagMeant, meantBy, shipCode } = await import('./help/synonyms.ts');
  const [, unknown = ''] = /'(-{1,2}[^'=]+|[^']+)/.exec(error.message) ?? [];
  if (error.code === 'commander.unknownOption') {
    const levels: Program[] = [];
    for (let level: Program | null = node; level !== null; level = level.parent) levels.push(level);
    const own = levels.flatMap((level) => level.options.map(({ long }) => (long ?? '').replace(/^--/, '')));
    return flagMeant(unknown.replace(/^-+/, ''), own);
  }
  if (error.code === 'commander.excessArguments' && argv.includes('--json')) return say().line.jsonTakesNone;
  const { words } = readLine(argv);
  const [, ...path] = pathOf(node).split(' ');
  const [name] = words.slice(path.length);
  const isNamed = node.registeredArguments.length === 0 && node.options.some(({ long }) => long === '--name');
  if (error.code === 'commander.excessArguments' && isNamed && name !== undefined)
    return say().line.nameByFlag({ command: `${pathOf(node)} --name ${shellWord(name)}` });
  if (error.code === 'commander.excessArguments' && path.join() === 'ship' && name !== undefined) return shipCode(name);
  if (error.code !== 'commander.unknownCommand' && error.code !== 'commander.helpDisplayed') return undefined;
  const word = unknownWord(node, words) ?? unknown;
  const known = node.commands.map((child) => child.name());
  const group = path.join(' ');
  const rest = words.slice(path.length + 1);
  return meantBy(word, group === '' ? { known, rest } : { group, known, rest });
}

/** What the parser has found, by its code; what it quotes are the facts. */
function faultOf({ code, message }: CommanderError): string {
  const [whole, quoted = '', most = '', given = ''] =
    /^error: .*?'(.*)'(?:\. Expected (\d+) arguments? but got (\d+)\.)?(?: argument missing)?(?=\n\(Did|$)/s.exec(
      message,
    ) ?? [];
  const { line } = say();
  if (whole === undefined) return message.replace(/^error: /, '');
  // What follows the name of an unknown flag may be a key.
  if (code === 'commander.unknownOption') return line.unknownFlag({ flag: quoted.replace(/^(-[^=]*)=.*$/s, '$1') });
  if (code === 'commander.unknownCommand') return line.unknownCommand({ word: quoted });
  if (code === 'commander.missingArgument') return line.missingArgument({ name: quoted });
  if (code === 'commander.optionMissingArgument') return line.flagLacks({ flag: quoted });
  return line.tooMany({ command: quoted, most: Number(most), given: Number(given) });
}

const seeHelp = (node: Program) => say().hint.see({ command: `${pathOf(node)} --help` });

function asUsageError(error: CommanderError, node: Program, meant: string | undefined): UsageError {
  const [, near = ''] = /\n\(Did you mean (?:one of )?(.*)\?\)$/.exec(error.message) ?? [];
  // A suggested command is quoted as it is typed.
  const names = near
    .split(', ')
    .map((name, _, { length }) => (length > 1 || name.startsWith('-') ? name : `\`${pathOf(node)} ${name}\``));
  const otherwise = near === '' ? seeHelp(node) : say().line.didYouMean({ names });
  return new UsageError(faultOf(error), { hint: meant ?? otherwise, usage: usageOf(node) });
}

const usageOf = (node: Program): string => say().line.usage({ command: `${pathOf(node)} ${node.usage()}` });

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
  const { oneTopic, tooMuch } = say().line;
  throw new UsageError(tooMuch({ words: rest.join(' '), topic: word }), { hint: oneTopic });
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
  throw new UsageError(say().line.notText({ flag, word }), { hint: say().line.giveText });
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

async function speakVietnamese({ clock }: Context, timeZone?: string): Promise<void> {
  const [{ vietnamese }, { wallClock }] = await Promise.all([
    import('./vietnamese.ts'),
    import('../domain/calendar.ts'),
  ]);
  speak(vietnamese, wallClock(clock.now(), timeZone));
}

/**
 * Reads a line and the settings, which tell the language of the run: what is wrong with either is said in it, too, also by a
 * command that reports it.
 */
async function inItsLanguage<Begun extends { readonly kind: string; readonly session?: Pick<Session, 'problem'> }>(
  context: Context,
  begin: () => Promise<Begun>,
): Promise<Begun> {
  const begun = await begin().catch((error: unknown) => ({ error }));
  const isWhole = !('error' in begun) && begun.session?.problem === undefined;
  if (!isWhole && (await languageBefore(context, readLine(context.argv))) === 'vi') {
    await speakVietnamese(context);
    return begin();
  }
  if ('error' in begun) throw begun.error;
  return begun;
}

/** Parses a command, runs it, and returns what to print. Throws what went wrong. */
export async function runProgram(context: Context): Promise<Outcome> {
  const begun = await inItsLanguage(context, async () => {
    const typed = await readCommand(context.argv, context.version);
    if (typed.kind === 'text') return typed;
    const { chosen, globals } = typed;
    return { ...typed, session: await openSession(context, globals, { diagnoses: chosen.command.diagnoses === true }) };
  });
  if (begun.kind === 'text') return begun;
  const { chosen, given, session } = begun;
  if (languageOf(context, session) === 'vi') await speakVietnamese(context, zoneOf(session));
  else if (session.problem === undefined) await offerVietnamese(context, session);
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
  const hint = known ?? (near === undefined ? seeHelp(node) : say().line.didYouMean({ names: [`\`${meant}\``] }));
  return new UsageError(say().line.noHelp({ words: [...path, word].join(' ') }), { hint, usage: usageOf(node) });
}

function missingCommand(node: Program): UsageError {
  const names = node.commands.map((child) => child.name());
  return new UsageError(say().line.needsCommand({ words: pathOf(node) }), { hint: say().refusal.oneOf({ names }) });
}

import type { Argument } from '../flags/command.ts';
import { topicNames } from '../help/topics.ts';
import type { GlobalFlag } from '../line/globals.ts';
import type { CommandData, CommandTree, FlagData } from '../tree/tree.ts';

/**
 * Where candidates for a value come from, as the scripts parse it: `switch` (no value), `any` (nothing to offer),
 * `files`, `directories`, `values A B …`, and `ask WHAT …`, which takes a call of shopctl.
 */
export type Source = string;

/** A word that may follow, and its description for shells that show one. */
export interface Candidate {
  readonly name: string;
  readonly description: string;
}

/** What may follow at one position in the tree. */
export interface Node {
  /** All words so far; empty at the top. */
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly flags: readonly Candidate[];
  /** One per position. */
  readonly arguments: readonly Source[];
}

/** The value source of flags, for one command or for all (path `*`). The first matching entry counts. */
export interface FlagSource {
  readonly path: string;
  /** Including the dashes. */
  readonly flags: readonly string[];
  readonly source: Source;
}

/** The input for generating the four shells' scripts. */
export interface CompletionSpec {
  readonly nodes: readonly Node[];
  readonly globals: readonly Candidate[];
  readonly flagSources: readonly FlagSource[];
}

const valuesSource = (values: readonly string[]): Source => `values ${values.join(' ')}`;

function ofPlaceholder(placeholder: string | undefined): Source | undefined {
  if (placeholder === 'FILE' || placeholder === 'FILES') return 'files';
  if (placeholder === 'DIR') return 'directories';
  return placeholder === undefined || placeholder === '' ? 'switch' : undefined;
}

/** The source of a value: its allowed values, what is offered for it, else what its placeholder indicates. */
function sourceOf({ values, offers }: Pick<Argument, 'values' | 'offers'>, placeholder: string | undefined): Source {
  if (values !== undefined) return valuesSource(values);
  if (offers !== undefined) return offers === 'commands' ? 'any' : `ask ${offers}`;
  return ofPlaceholder(placeholder) ?? 'any';
}

const sourceOfFlag = (flag: FlagData): Source =>
  flag.type === 'boolean' ? 'switch' : sourceOf(flag, flag.placeholder);

const sourceOfGlobal = (flag: GlobalFlag): Source => sourceOf(flag, flag.value ?? '');

/** An argument's name is also its placeholder. */
const sourceOfArgument = (argument: Argument): Source => sourceOf(argument, argument.name.toUpperCase());

const MOST_REPEATS = 8;

/** The last argument of a variadic command covers a few more positions. */
function sourcesOfArguments(command: CommandData): Source[] {
  return command.arguments.flatMap((argument) =>
    Array<Source>(argument.variadic === true ? MOST_REPEATS : 1).fill(sourceOfArgument(argument)),
  );
}

function nodesOf(tree: CommandTree): Node[] {
  const groupNames = new Set(tree.groups.map(({ name }) => name));
  const nodes = new Map<string, { words: Candidate[]; flags: readonly Candidate[]; arguments: readonly Source[] }>();
  const at = (path: string) => {
    const node = nodes.get(path) ?? { words: [], flags: [], arguments: [] };
    nodes.set(path, node);
    return node;
  };
  const groups = tree.groups.map(({ name, summary }) => ({ name, description: summary }));
  const help = { name: 'help', description: 'Show help on a topic or a command' };
  at('').words.push(...groups, help);
  const topics = topicNames.filter((name) => !groupNames.has(name));
  at('help').words.push(...topics.map((name) => ({ name, description: 'Help topic' })), ...groups);
  for (const command of tree.commands) {
    const words = command.command.split(' ');
    for (const depth of words.keys()) {
      const [parent, name = ''] = [at(words.slice(0, depth).join(' ')), words[depth]];
      if (parent.words.some((word) => word.name === name)) continue;
      const isLeaf = depth === words.length - 1;
      parent.words.push({ name, description: isLeaf ? command.summary : `Manage ${name}` });
    }
    Object.assign(at(command.command), {
      flags: command.flags.map(({ name, description }) => ({ name: `--${name}`, description })),
      arguments: sourcesOfArguments(command),
    });
    if (command.arguments[0]?.offers === 'commands') at(command.command).words.push(...groups);
  }
  return [...nodes].map(([path, node]) => ({ path, ...node }));
}

/** Groups entries by key, in the order in which keys first appear. */
function grouped<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): [string, Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return [...groups];
}

const spellings = ({ name, short }: { readonly name: string; readonly short?: string }) =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];

/** Every flag's source: the most common one for all commands, and the exceptions by command. */
function flagSourcesOf(tree: CommandTree): FlagSource[] {
  const usual = new Map<string, Source>();
  for (const flag of tree.global_flags) for (const name of spellings(flag)) usual.set(name, sourceOfGlobal(flag));
  const own = tree.commands.flatMap(({ command, flags }) =>
    flags.flatMap((flag) => {
      const source = sourceOfFlag(flag);
      return spellings(flag).map((name) => ({ path: command, name, source }));
    }),
  );
  for (const [name, entries] of grouped(own, (entry) => entry.name)) {
    const bySource = grouped(entries, ({ source }) => source).sort(([, one], [, other]) => other.length - one.length);
    const most = bySource[0]?.[0];
    if (!usual.has(name) && most !== undefined) usual.set(name, most);
  }
  const exceptions = own.filter(({ name, source }) => usual.get(name) !== source);
  // A flag that is not in the list defaults to a value with no candidates.
  const known = [...usual].filter(([, source]) => source !== 'any');
  return [
    ...exceptions.map(({ path, name, source }) => ({ path, flags: [name], source })),
    ...grouped(known, ([, source]) => source).map(([source, flags]) => ({
      path: '*',
      flags: flags.map(([name]) => name),
      source,
    })),
  ];
}

/** Derives the completion specification from the command tree. */
export function completionSpec(tree: CommandTree): CompletionSpec {
  return {
    nodes: nodesOf(tree),
    globals: tree.global_flags.map(({ name, description }) => ({ name: `--${name}`, description })),
    flagSources: flagSourcesOf(tree),
  };
}

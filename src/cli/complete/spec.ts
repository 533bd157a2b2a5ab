import type { Argument } from '../command.ts';
import type { GlobalFlag } from '../globals.ts';
import { topicNames } from '../topics.ts';
import type { CommandData, CommandTree, FlagData } from '../tree.ts';

/**
 * What can stand where a value is expected, as the scripts read it: `switch` (no value), `any` (nothing to offer),
 * `files`, `directories`, `values A B …`, and `ask WHAT …`, which only a call of shopctl can answer.
 */
export type Source = string;

/** A word that may follow, and what is said of it where the shell shows that. */
export interface Candidate {
  readonly name: string;
  readonly description: string;
}

/** What may follow at one place of the tree. */
export interface Node {
  /** All words up to here; empty at the top. */
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly flags: readonly Candidate[];
  /** One for each position. */
  readonly arguments: readonly Source[];
}

/** What a flag takes, at one command or anywhere (path `*`). The first entry that fits counts. */
export interface FlagSource {
  readonly path: string;
  /** With its dashes. */
  readonly flags: readonly string[];
  readonly source: Source;
}

/** What the four shells' scripts are written from. */
export interface CompletionSpec {
  readonly nodes: readonly Node[];
  readonly globals: readonly Candidate[];
  readonly flagSources: readonly FlagSource[];
}

const valuesSource = (values: readonly string[]): Source => `values ${values.join(' ')}`;

function ofPlaceholder(placeholder: string | undefined): Source | undefined {
  if (placeholder === 'FILE') return 'files';
  if (placeholder === 'DIR') return 'directories';
  return placeholder === undefined || placeholder === '' ? 'switch' : undefined;
}

/** The group whose ids a field like `customer-id` takes, where there is one of that name. */
function ofIdName(name: string, group: string, groupNames: ReadonlySet<string>): Source {
  const [, kind] = /^(.+)[-_]id$/.exec(name) ?? [];
  const named = [`${kind}s`, `${kind}es`].find((plural) => groupNames.has(plural));
  if (name === 'shop-id') return 'ask shops';
  if (kind === undefined) return `ask ids ${group}`;
  return named === undefined ? 'any' : `ask ids ${named}`;
}

function sourceOfFlag(flag: FlagData, group: string, groupNames: ReadonlySet<string>): Source {
  if (flag.type === 'boolean') return 'switch';
  if (flag.values !== undefined) return valuesSource(flag.values);
  if (flag.type === 'id' || /^(?:.+-)?id$/.test(flag.name)) return ofIdName(flag.name, group, groupNames);
  return ofPlaceholder(flag.placeholder) ?? 'any';
}

function sourceOfGlobal({ name, value, values }: GlobalFlag): Source {
  if (name === 'fields' || name === 'profile' || name === 'shop') return `ask ${name.replace(/s$/, '')}s`;
  return values === undefined ? (ofPlaceholder(value) ?? 'any') : valuesSource(values);
}

/** An argument is offered what its name says: the same name means the same thing in every command. */
function sourceOfArgument(argument: Argument, command: CommandData, groupNames: ReadonlySet<string>): Source {
  if (argument.values !== undefined) return valuesSource(argument.values);
  if (/^(?:.+_)?id$/.test(argument.name)) return ofIdName(argument.name, command.group, groupNames);
  if (argument.name === 'shop') return 'ask shops';
  if (argument.name === 'file' || argument.name === 'files') return 'files';
  // A profile that is added has a name that no other one has.
  const namesProfile = command.group === 'profiles' && argument.name === 'name' && command.command !== 'profiles add';
  return namesProfile ? 'ask profiles' : 'any';
}

const MOST_REPEATS = 8;

/** The last argument of a variadic command serves some more positions. */
function sourcesOfArguments(command: CommandData, groupNames: ReadonlySet<string>): Source[] {
  return command.arguments.flatMap((argument) =>
    Array<Source>(argument.variadic === true ? MOST_REPEATS : 1).fill(sourceOfArgument(argument, command, groupNames)),
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
  at('schema').words.push(...groups);
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
      arguments: sourcesOfArguments(command, groupNames),
    });
  }
  return [...nodes].map(([path, node]) => ({ path, ...node }));
}

/** The entries of each key, in the order the keys first came. */
function grouped<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): [string, Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return [...groups];
}

const spellings = ({ name, short }: { readonly name: string; readonly short?: string }) =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];

/** Every flag's source: the one it has in most commands for all of them, and the exceptions by their command. */
function flagSourcesOf(tree: CommandTree): FlagSource[] {
  const groupNames = new Set(tree.groups.map(({ name }) => name));
  const usual = new Map<string, Source>();
  for (const flag of tree.global_flags) for (const name of spellings(flag)) usual.set(name, sourceOfGlobal(flag));
  const own = tree.commands.flatMap(({ command, group, flags }) =>
    flags.flatMap((flag) => {
      const source = sourceOfFlag(flag, group, groupNames);
      return spellings(flag).map((name) => ({ path: command, name, source }));
    }),
  );
  for (const [name, entries] of grouped(own, (entry) => entry.name)) {
    const bySource = grouped(entries, ({ source }) => source).sort(([, one], [, other]) => other.length - one.length);
    const most = bySource[0]?.[0];
    if (!usual.has(name) && most !== undefined) usual.set(name, most);
  }
  const exceptions = own.filter(({ name, source }) => usual.get(name) !== source);
  // A flag that the scripts do not find takes a value that nothing is known about.
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

/** What the scripts are written from. */
export function completionSpec(tree: CommandTree): CompletionSpec {
  return {
    nodes: nodesOf(tree),
    globals: tree.global_flags.map(({ name, description }) => ({ name: `--${name}`, description })),
    flagSources: flagSourcesOf(tree),
  };
}

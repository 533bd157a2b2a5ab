import type { Candidate, CompletionSpec, FlagSource, Source } from './spec.ts';

/** The specification as lookup tables for the scripts. */
export interface ScriptTables {
  /** The words that may follow a path. */
  readonly words: ReadonlyMap<string, readonly Candidate[]>;
  /** The flags of a path, except the global ones. */
  readonly flags: ReadonlyMap<string, readonly Candidate[]>;
  readonly globals: readonly Candidate[];
  readonly flagSources: readonly FlagSource[];
  /** By path and position, `orders get 0`. */
  readonly arguments: ReadonlyMap<string, Source>;
}

/** Leaves out empty entries, so that a script contains only what it can offer. */
export function scriptTables({ nodes, globals, flagSources }: CompletionSpec): ScriptTables {
  const filled = (pick: 'words' | 'flags') =>
    new Map(nodes.filter((node) => node[pick].length > 0).map((node) => [node.path, node[pick]]));
  const positions = nodes.flatMap(({ path, arguments: sources }) =>
    sources.map((source, position): [string, Source] => [`${path} ${position}`, source]),
  );
  return {
    words: filled('words'),
    flags: filled('flags'),
    globals,
    flagSources,
    arguments: new Map(positions.filter(([, source]) => source !== 'any')),
  };
}

/** Groups the keys that have the same result. */
export function groupedArms(arms: ReadonlyMap<string, string>): [answer: string, keys: string[]][] {
  const keys = new Map<string, string[]>();
  for (const [key, answer] of arms) keys.set(answer, [...(keys.get(answer) ?? []), key]);
  return [...keys];
}

/** What came of a series of worlds. */
export interface Told {
  readonly steps: number;
  /** Of the worlds in which a promise was not kept. */
  readonly broken: readonly { readonly seed: number; readonly trace: string }[];
  readonly counts: Readonly<Record<string, number>>;
  /** The digest of every trace. */
  readonly hash: string;
  /** The trace of the last world. */
  readonly trace: string;
}

export const rareStates: readonly string[];
export const rareStatesOfAgents: readonly string[];

export function bundleSimulator(directory: string): Promise<string>;

export function playWorlds(
  simulator: string,
  series: {
    readonly first: number;
    readonly many: number;
    readonly atOnce: number;
    readonly isOfAgents?: boolean;
  },
): Promise<Told>;

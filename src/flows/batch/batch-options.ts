/** What every run of a batch keeps. Amounts are currency units. */
export interface BatchOptions {
  /** `cheapest`, `fastest`, `best-value`, or the code of a service. */
  readonly pick?: string | undefined;
  /** Carriers that may be chosen; all when empty. */
  readonly carriers: readonly string[];
  /** The moment by which a parcel has to be there, in milliseconds since 1970. */
  readonly by?: number | undefined;
  /** The dearest fee of a row. */
  readonly maxFee?: number | undefined;
  /** The most that all rows may cost. */
  readonly maxTotal?: number | undefined;
  readonly blankClears: boolean;
}

const words: Readonly<Record<keyof BatchOptions, string>> = {
  pick: 'pick',
  carriers: 'carrier',
  by: 'by',
  maxFee: 'max_fee',
  maxTotal: 'max_total',
  blankClears: 'blank',
};

const shown = (value: unknown) =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? 'not given' : String(value);

/** In what two sets of options differ, for a person. */
export function optionDifferences(before: BatchOptions, now: BatchOptions): string[] {
  return (Object.keys(words) as (keyof BatchOptions)[]).flatMap((name) =>
    shown(before[name]) === shown(now[name])
      ? []
      : [`${words[name]} was ${shown(before[name])}, is ${shown(now[name])}`],
  );
}

/** Options as they are kept. */
export function optionsText(options: BatchOptions): string {
  return JSON.stringify(options);
}

/** The options that a batch began with. */
export function optionsOf(text: string): BatchOptions {
  return { carriers: [], blankClears: false, ...(JSON.parse(text) as Partial<BatchOptions>) };
}

import { keysOf } from '../../domain/json/keys-of.ts';
import { readOwn } from '../../domain/json/value-at.ts';
/** The options that every run of a batch keeps. Amounts are currency units. */
export interface BatchOptions {
  /** `cheapest`, `fastest`, `best-value`, or the code of a service. */
  readonly pick?: string | undefined;
  /** Carriers that may be chosen; all if empty. */
  readonly carriers: readonly string[];
  /** The latest delivery time of a parcel, in milliseconds since 1970. */
  readonly by?: number | undefined;
  /** The highest fee of a row. */
  readonly maxFee?: number | undefined;
  /** The highest total of all rows. */
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

/** How two sets of options differ, for a person. */
export function optionDifferences(before: BatchOptions, now: BatchOptions): string[] {
  return keysOf(words).flatMap((name) =>
    shown(before[name]) === shown(now[name])
      ? []
      : [`${words[name]} was ${shown(before[name])}, is ${shown(now[name])}`],
  );
}

/** Options as stored. */
export function optionsText(options: BatchOptions): string {
  return JSON.stringify(options);
}

/** The options that a batch was started with. */
export function optionsOf(text: string): BatchOptions {
  return { carriers: [], blankClears: false, ...readOwn<Partial<BatchOptions>>(text) };
}

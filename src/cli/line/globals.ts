import type { Offer } from '../../contract/schema/hint.ts';
import { allSettings } from '../../settings/in-force.ts';
import { formatNames } from '../print/formats.ts';

/** The command line's capabilities, where settings depend on them. */
export const known = { formats: formatNames };

/** A flag that every command accepts, before or after it. */
export interface GlobalFlag {
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value; absent for a switch. */
  readonly value?: string;
  /** Whether its value may be omitted. */
  readonly optionalValue?: boolean;
  readonly description: string;
  readonly values?: readonly string[];
  /** What can be completed for its value. */
  readonly offers?: Offer;
  /** The environment variable for it. */
  readonly env?: string;
  /** Whether it shapes the output or the waiting, so that of several values the last counts. */
  readonly isStyle?: boolean;
}

/** The flags of the settings. */
const settingFlags: readonly GlobalFlag[] = allSettings.flatMap(
  ([, { flag, description, type, variable, isStyle }]) => {
    if (flag === undefined) return [];
    const values = type.values?.(known);
    return [
      {
        name: flag.name,
        description,
        ...(flag.short === undefined ? {} : { short: flag.short }),
        ...(flag.placeholder === undefined ? {} : { value: flag.placeholder }),
        ...(values === undefined ? {} : { values }),
        ...(flag.offers === undefined ? {} : { offers: flag.offers }),
        ...(variable === undefined ? {} : { env: variable }),
        ...(isStyle === undefined ? {} : { isStyle }),
      },
    ];
  },
);

/** The global flags in the order of the help: the settings first, then those for one run only. */
export const globalFlags: readonly GlobalFlag[] = [
  ...settingFlags,
  { name: 'json', description: 'same as -o json' },
  {
    name: 'fields',
    value: 'PATHS',
    optionalValue: true,
    offers: 'fields',
    isStyle: true,
    description: 'print these fields only (a,b.c); without a value, list the fields there are',
  },
  {
    name: 'query',
    value: 'JMESPATH',
    isStyle: true,
    description: 'print the result of this expression over the whole output',
  },
  { name: 'utc', description: 'show times in UTC' },
  { name: 'no-csv-guard', description: 'write csv cells unchanged, even if a spreadsheet would run them' },
  {
    name: 'bom',
    description: 'csv for Excel: with a byte order mark, and ids and phone numbers that keep their digits',
  },
  {
    name: 'quiet',
    short: 'q',
    description: 'no notices and no progress, but for what is needed whatever happens next',
  },
  { name: 'yes', short: 'y', description: 'answer confirmations with yes' },
  { name: 'dry-run', short: 'n', description: 'check, print the request, send nothing' },
  { name: 'curl', description: 'print the call as a curl command, send nothing' },
  { name: 'no-color', description: 'no colours' },
  { name: 'version', short: 'v', description: 'print the version' },
  { name: 'help', short: 'h', description: 'show help' },
];

/** The given global flags by name: the text of a value, or true for a switch. */
export type GivenGlobals = Readonly<Record<string, string | true>>;

export { isOn } from '../../settings/setting.ts';

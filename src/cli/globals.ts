import { outputFormats } from './document.ts';

/** A flag that every command honours, before or after it. */
export interface GlobalFlag {
  readonly name: string;
  readonly short?: string;
  /** Placeholder of its value; absent for a switch. */
  readonly value?: string;
  /** Whether the value may be left out. */
  readonly optionalValue?: boolean;
  readonly description: string;
  readonly values?: readonly string[];
  /** The variable that stands for it. */
  readonly env?: string;
}

/** The global flags, in the order that help shows them. */
export const globalFlags: readonly GlobalFlag[] = [
  { name: 'profile', value: 'NAME', description: 'use this profile', env: 'SHOPCTL_PROFILE' },
  { name: 'shop', value: 'ID', description: 'act for this shop', env: 'SHOPCTL_SHOP' },
  {
    name: 'as',
    value: 'KIND',
    description: 'call as partner or as shop, where both can',
    values: ['partner', 'shop'],
    env: 'SHOPCTL_AS',
  },
  { name: 'base-url', value: 'URL', description: 'address of the service', env: 'SHOPCTL_BASE_URL' },
  {
    name: 'output',
    short: 'o',
    value: 'FORMAT',
    description: 'how to print the result',
    values: outputFormats,
    env: 'SHOPCTL_OUTPUT',
  },
  { name: 'json', description: 'same as -o json' },
  {
    name: 'fields',
    value: 'PATHS',
    optionalValue: true,
    description: 'print these fields only (a,b.c); without a value, list the fields there are',
  },
  { name: 'query', value: 'JMESPATH', description: 'print what this expression makes of the whole result' },
  { name: 'utc', description: 'show times in UTC' },
  { name: 'no-csv-guard', description: 'write csv cells as they are, also where a spreadsheet would run them' },
  { name: 'quiet', short: 'q', description: 'no notices, no progress' },
  { name: 'debug', description: 'tell on stderr what goes over the wire, keys redacted', env: 'SHOPCTL_DEBUG' },
  { name: 'no-input', description: 'never ask', env: 'SHOPCTL_NO_INPUT' },
  { name: 'yes', short: 'y', description: 'answer confirmations with yes' },
  { name: 'dry-run', short: 'n', description: 'check, print the request, send nothing' },
  { name: 'curl', description: 'print the call as a curl command, send nothing' },
  { name: 'timeout', value: 'SECONDS', description: 'limit for one attempt', env: 'SHOPCTL_TIMEOUT' },
  { name: 'max-retries', value: 'N', description: 'how often a call is tried again', env: 'SHOPCTL_MAX_RETRIES' },
  { name: 'read-only', description: 'refuse everything that writes', env: 'SHOPCTL_READ_ONLY' },
  { name: 'no-color', description: 'no colours' },
  { name: 'version', description: 'print the version' },
  { name: 'help', short: 'h', description: 'show help' },
];

/** What was given on the command line, by flag name: the text of a value, or true for a switch. */
export type GivenGlobals = Readonly<Record<string, string | true>>;

/** Whether an environment variable switches something on: any text but empty, 0, false and no. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());
}

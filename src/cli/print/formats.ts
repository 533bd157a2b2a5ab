import type { Writer } from './rows.ts';

/** One format of results. */
export interface Format {
  readonly name: string;
  /** One line for the help. */
  readonly description: string;
  /** Whether it is for people: only then there are questions and progress, and a text may replace a record. */
  readonly forPeople?: boolean;
  /** Whether a text may replace a record although a program reads it. */
  readonly bareText?: boolean;
  /** Whether it has columns: then a record that consists only of a list is shown as that list. */
  readonly columns?: boolean;
  /** Control characters that the format itself writes, besides line breaks: a text never brings its own. */
  readonly ownCharacters?: string;
  /** Whether errors are a line of JSON; otherwise they are text. */
  readonly errorsAsJson?: boolean;
  /** Loaded on first use. */
  readonly load: () => Promise<Writer>;
}

/** Every format; the first one is the default. */
export const formats: readonly [Format, ...Format[]] = [
  {
    name: 'table',
    description: 'for people (default): plain, never cut when it is not a terminal; a narrow one shows fewer columns',
    forPeople: true,
    bareText: true,
    columns: true,
    load: async () => (await import('./table.ts')).table,
  },
  {
    name: 'json',
    description: 'the answer of the service; of a list, one array over all pages',
    errorsAsJson: true,
    load: async () => (await import('./json.ts')).json,
  },
  {
    name: 'jsonl',
    description: 'one record a line',
    errorsAsJson: true,
    load: async () => (await import('./json.ts')).jsonLines,
  },
  {
    name: 'csv',
    description: "RFC 4180; cells that a spreadsheet would run begin with ' (--no-csv-guard leaves them)",
    columns: true,
    load: async () => (await import('./csv.ts')).csv,
  },
  { name: 'yaml', description: 'as json', load: async () => (await import('./yaml.ts')).yaml },
  {
    name: 'name',
    description: 'ids, one a line',
    bareText: true,
    load: async () => (await import('./name.ts')).name,
  },
];

/** The names of the formats. */
export const formatNames: readonly string[] = formats.map(({ name }) => name);

/** The format of that name; the default for any other text. */
export function formatOf(name: string | undefined): Format {
  return formats.find((format) => format.name === name) ?? formats[0];
}

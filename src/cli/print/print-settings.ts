import type { CsvManner } from '../../domain/csv-guard.ts';

/** Everything that affects how a result is printed. */
export interface PrintSettings extends CsvManner {
  /** The name of the format. */
  readonly format: string;
  /** `--fields a,b.c`: only these paths, in this order. */
  readonly fields?: readonly string[];
  /** `--query`: a JMESPath expression over the whole result. */
  readonly query?: string;
  readonly colour: boolean;
  /** Width of the terminal; absent without one, where a table is never truncated. */
  readonly columns?: number;
  /** Whether stdout is a terminal. */
  readonly terminal: boolean;
  readonly quiet: boolean;
  /** Tables show times in UTC, marked with a Z, instead of local ones. */
  readonly utc?: boolean;
  /** IANA name of the time zone for local times; the machine's own when absent. */
  readonly timeZone?: string;
  /** Stops the printing of a list between two rows. */
  readonly signal?: AbortSignal;
  /** Called with the paths of the columns that a table shows: a narrow terminal may not fit all. */
  readonly onColumns?: (paths: readonly string[]) => void;
}

/** What was printed. `closed` means that the reader disconnected (`| head`), which is success. */
export interface Printed {
  /** Number of records that stdout accepted; 1 for a record, 0 for text. */
  readonly rows: number;
  readonly closed: boolean;
}

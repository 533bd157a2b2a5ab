/** Everything that decides how a result reads. */
export interface PrintSettings {
  /** The name of the format. */
  readonly format: string;
  /** `--fields a,b.c`: these paths only, in this order. */
  readonly fields?: readonly string[];
  /** `--query`: a JMESPath expression over the whole result. */
  readonly query?: string;
  readonly colour: boolean;
  /** Width of the terminal; absent without one, where a table is never cut. */
  readonly columns?: number;
  /** Whether stdout is a terminal. */
  readonly terminal: boolean;
  readonly quiet: boolean;
  /** Tables show times in UTC, marked with a Z, in place of local ones. */
  readonly utc?: boolean;
  /** IANA name of the zone that local times are shown in; the machine's own when absent. */
  readonly timeZone?: string;
  /** False writes csv cells as they are, even if a spreadsheet would run them as a formula. */
  readonly csvGuard?: boolean;
  /** Whether csv is written so that Excel reads it as it is meant: UTF-8, and digits as text. */
  readonly forExcel?: boolean;
  /** Ends the printing of a list between two rows. */
  readonly signal?: AbortSignal;
  /** Told the paths of the columns that a table shows: a narrow terminal has no room for all. */
  readonly onColumns?: (paths: readonly string[]) => void;
}

/** What was printed. `closed` tells that the reader went away (`| head`), which is success. */
export interface Printed {
  /** Records that stdout took; 1 for a record, 0 for text. */
  readonly rows: number;
  readonly closed: boolean;
}

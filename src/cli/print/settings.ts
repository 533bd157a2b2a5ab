import type { PrintOptions } from '../document.ts';

/** Everything that decides how a result reads: the print options and what only single formats ask for. */
export interface PrintSettings extends PrintOptions {
  /** Tables show times in UTC, marked with a Z, in place of local ones. */
  readonly utc?: boolean;
  /** IANA name of the zone that local times are shown in; the machine's own when absent. */
  readonly timeZone?: string;
  /** False writes csv cells as they are, also where a spreadsheet would run them as a formula. */
  readonly csvGuard?: boolean;
  /** Ends the printing of a list between two rows. */
  readonly signal?: AbortSignal;
}

/** What was printed. `closed` tells that the reader went away (`| head`), which is success. */
export interface PrintResult {
  /** Records that stdout took; 1 for a record, 0 for text. */
  readonly rows: number;
  readonly closed: boolean;
}

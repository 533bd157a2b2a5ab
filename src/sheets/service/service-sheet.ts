import type { SheetLine, TableSheet } from '../formats/sheet.ts';
import type { CellFault, CodeLookup } from '../source-row.ts';
import type { LayoutColumn, Places } from './layout.ts';

/** One record of a sheet of the service, in the contract's fields and units. */
export interface ServiceRecord {
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly CellFault[];
  readonly notes: readonly CellFault[];
  readonly lookups: readonly CodeLookup[];
  /** The address field that also contains the places, if they have no columns of their own. */
  readonly placesFrom?: 'address1' | undefined;
  /** Whether province, district and ward must all be known where one of them is given. */
  readonly placesWhole?: true;
  /** The cell of a field, by its path or the last step of it. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A fact about a line that an earlier line must not have, or only with the same value. */
export interface Unique<Key extends string> {
  /** The column that is at fault. */
  readonly key: Key;
  /** Identifies the fact. */
  readonly of: string;
  /** Two lines with the same value agree. */
  readonly value?: string;
  /** What is wrong, followed by the name of the earlier cell. */
  readonly message: string;
}

/** The declaration of a sheet that the service's own web shop reads. */
export interface ServiceSheet<Key extends string> {
  /** Its name, for a person. */
  readonly name: string;
  readonly columns: readonly LayoutColumn<Key>[];
  /** The commands that its records can be used for, in words; the first is the default. */
  readonly commands: readonly string[];
  /** The column that names a record; the first one if it is absent. */
  readonly nameKey: Key;
  /** Whether a line is empty. */
  isEmpty(line: SheetLine, places: Places<Key>): boolean;
  /**
   * Identifies the record that a line belongs to: consecutive lines with the same name are one record; undefined means
   * a record of its own.
   */
  recordName(line: SheetLine, places: Places<Key>, command: string): string | undefined;
  /** What must not come again further down in the file. */
  unique?(line: SheetLine, places: Places<Key>): readonly Unique<Key>[];
  /** Reads the lines of one record for `command`. */
  read(sheet: TableSheet, places: Places<Key>, lines: readonly SheetLine[], command: string): ServiceRecord;
}

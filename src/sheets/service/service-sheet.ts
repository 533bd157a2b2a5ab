import type { SheetLine, TableSheet } from '../sheet.ts';
import type { CellFault, CodeLookup } from '../source-row.ts';
import type { LayoutColumn, Places } from './layout.ts';

/** One record of a sheet of the service, in the contract's fields and units. */
export interface ServiceRecord {
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly CellFault[];
  readonly notes: readonly CellFault[];
  readonly lookups: readonly CodeLookup[];
  /** The field of the address that holds the places too, where they have no columns of their own. */
  readonly placesFrom?: 'address1' | undefined;
  /** The cell of a field, by its path or by the last step of it. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A sheet that the service's own web shop reads, as a declaration. */
export interface ServiceSheet<Key extends string> {
  /** How a person calls it. */
  readonly name: string;
  readonly columns: readonly LayoutColumn<Key>[];
  /** What can be done with its records, by the words of the command; the first is the default. */
  readonly commands: readonly string[];
  /** Whether a line says nothing. */
  isEmpty(line: SheetLine, places: Places<Key>): boolean;
  /** What tells the record that a line is of: lines that follow each other with the same name are one; undefined: its own. */
  recordName(line: SheetLine, places: Places<Key>, command: string): string | undefined;
  /** Reads the lines of one record; `command` is what will be done with it. */
  read(sheet: TableSheet, places: Places<Key>, lines: readonly SheetLine[], command: string): ServiceRecord;
}

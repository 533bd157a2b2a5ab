import type { LocationTree } from '../../domain/places/places.ts';
import type { Account } from '../account/account.ts';
import type { Column, ColumnOptions } from '../fields.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { say } from '../texts.ts';

/** How rows are read. */
export interface RowOptions extends ColumnOptions {
  /** The fields that name a record; consecutive lines with the same name are one record. */
  readonly nameFields: readonly string[];
  /** Whether a blank cell clears its field. */
  readonly blankClears: boolean;
  /** The command that the rows are for, in words. */
  readonly command: string;
  /** How to read columns whose names are not fields; its constants apply to every row. */
  readonly mapping?: Mapping | undefined;
  /** The day on which it is read, like 2026-01-31: a day of delivery after it is a wish. */
  readonly today?: string | undefined;
  /** Keeps account of the reading. */
  readonly account: Account;
  /** The cash in a cell that says it in words, such as "COD 100k" or "đã ck"; undefined for any other text. */
  readonly cashOfCell?: ((text: string) => number | undefined) | undefined;
  /** Loads all places, for sheets that write them into the address. */
  readonly places: () => Promise<LocationTree>;
}

/** A record while it is read. */
export type Draft = Record<string, unknown>;

/** Why a column or a field is left out, in words; a result of an earlier run is left out in silence. */
export function whyLeftOut(why: 'not-settable' | 'ignored' | 'unnamed'): string;
export function whyLeftOut(why: 'result' | 'not-settable' | 'ignored' | 'unnamed'): string | undefined;
export function whyLeftOut(why: 'result' | 'not-settable' | 'ignored' | 'unnamed'): string | undefined {
  return why === 'result' ? undefined : say().column[why];
}

/** A column of a sheet that is a field of the command. */
export type FieldColumn = Extract<Column, { kind: 'field' }> & { readonly index: number };

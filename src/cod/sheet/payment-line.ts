import type { PaymentKind } from '../../domain/amounts/payment-kinds.ts';
import type { LeftOut, SheetAccount, SheetWarning } from '../../sheets/account/account.ts';

/** One amount of one kind for one parcel. */
export interface PaymentLine {
  /** The cell that it was read from, such as H12. */
  readonly cell: string;
  /** The payment session; undefined if the file does not say. */
  readonly session: string | undefined;
  /** The carrier's code of the parcel; empty if the file has none. */
  readonly shippingCode: string;
  /** Our id of the shipment as the file has it; empty if it has none. */
  readonly fulfillmentId: string;
  readonly kind: PaymentKind;
  /** As it counts for the shop: what the carrier keeps is below zero. */
  readonly amount: number;
  /** The day that the file tells of the parcel, YYYY-MM-DD; undefined without one. */
  readonly day: string | undefined;
  /** The cell of the same amount in a row before it that is equal in all cells: this one is not counted. */
  readonly duplicateOf: string | undefined;
  /** A hash of all cells of its row, except for the number of the row in the file. */
  readonly cells: string;
}

/** What is wrong with a cell of a payment file. */
export interface PaymentProblem {
  readonly sheet: string | null;
  readonly row: number;
  readonly cell: string;
  readonly value: string;
  readonly problem: string;
}

/** A cell that is read otherwise than it is written. */
export interface PaymentReading {
  readonly cell: string;
  readonly value: string;
  readonly message: string;
}

/** Something unusual about a cell that counts nevertheless; `code` says of which kind. */
export interface PaymentCaution extends PaymentReading {
  readonly row: number;
  readonly code: string;
}

/** A payment file as it was read. */
export interface PaymentFile {
  /** The name of the layout. */
  readonly layout: string;
  readonly carrier: string | undefined;
  readonly sheet: string | null;
  /** Lines of its sheets, the header and blank ones excepted: those with a row, and those that are left out. */
  readonly allLines: number;
  readonly leftOut: readonly LeftOut[];
  readonly sheets: readonly SheetAccount[];
  readonly readings: readonly PaymentReading[];
  /** What is unusual about the file as a whole, and about its cells. */
  readonly warnings: readonly SheetWarning[];
  readonly cautions: readonly PaymentCaution[];
  /** Rows with a parcel or an amount, whether they could be read or not. */
  readonly rows: number;
  /** Rows that could not be read: nothing in them is counted. */
  readonly unread: number;
  /** Rows without a parcel and without an amount, such as titles. */
  readonly textRows: readonly number[];
  /** Rows that hold the sums of others. */
  readonly sumRows: readonly number[];
  readonly lines: readonly PaymentLine[];
  readonly problems: readonly PaymentProblem[];
  /** What a person should know, and nothing is wrong with. */
  readonly notes: readonly string[];
}

/** What tells the lines of one parcel from those of another: its code, otherwise our id. */
export const parcelOf = ({ shippingCode, fulfillmentId }: Pick<PaymentLine, 'shippingCode' | 'fulfillmentId'>) =>
  shippingCode === '' ? `#${fulfillmentId}` : shippingCode;

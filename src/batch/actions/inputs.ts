import type * as z from 'zod';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, oneOf, text } from '../../contract/schema/scalars.ts';
import { askedAt, lastMomentOf } from '../../domain/moment-text.ts';
import { pickNames } from '../../ship/pick-quote.ts';
import type { BatchOptions } from '../plan/new-batch.ts';
import { say } from '../texts.ts';

/** What a batch may cost. */
export const limitFields = {
  max_fee: int('refuse an offer for a row that costs more', 'currency units'),
  max_total: int('refuse rows that would make the batch cost more', 'currency units'),
};

/** What to do with each row, and which offer to choose for it. */
export const policyFields = {
  do: text('the command to run for each row: ship, or a command that writes, such as "customers update"'),
  pick: text(
    `which offer to choose for a parcel: ${pickNames.join(', ')}, or the code of a service; cheapest when absent`,
  ),
  carrier: list(text('a carrier'), 'a carrier that may be chosen; may be given several times'),
  by: text('leave out offers that deliver later: a day, or a time with a zone'),
  ...limitFields,
  blank: oneOf(
    ['keep', 'clears'],
    'what a blank cell does to a field in an update: keep leaves the field, clears empties it',
  ),
};

/** How to read the file. */
export const readingFields = {
  format: text('format of the file, if its name does not show it'),
  sheet: text('name of the sheet; asked for if several have rows below a known header; hidden ones are read only so'),
  all_sheets: flag('read all sheets with rows below a known header; they need the same columns'),
  header_row: int('the row of the sheet that names the columns; found when absent', 'rows'),
  map: text('how to read the columns: the name of a saved mapping, or a mapping file'),
  ignore_columns: flag('leave out columns that match no field, and new columns of an export'),
  hidden_rows: oneOf(
    ['read', 'skip'],
    'what to do with hidden rows, for example those that a filter hides; asked when absent',
  ),
  struck_rows: oneOf(
    ['read', 'skip'],
    'what to do with rows that have a cell struck through which is read; asked when absent',
  ),
  equal_rows: oneOf(
    ['once', 'each'],
    'whether a row that equals the one above it, with the same code, counts; asked when absent',
  ),
  line_cash: oneOf(
    ['once', 'each'],
    'whether equal cash on several rows of an order is collected once, or for each row; asked when absent',
  ),
  same_recipient: oneOf(
    ['one', 'each'],
    'whether rows without a code that repeat the recipient of the row above are of one order; asked when absent',
  ),
  blank_cash: oneOf(
    ['total', 'zero'],
    'what is collected where the cash is blank beside cells with cash: the total of the order, or nothing; asked when absent',
  ),
  pieces: oneOf(
    ['quantity', 'ask'],
    'whether the quantity counts where goods name other pieces ("Áo x2"), or such cells are invalid; asked when absent',
  ),
  status: list(
    text('WORD=ship or WORD=skip; =ship and =skip for a blank cell'),
    'whether orders with this word of status, or this note, are sent; may be given several times; asked when absent',
  ),
  tracked: oneOf(
    ['ship', 'skip'],
    'whether orders that have a tracking code or a mark of dispatch already are sent; asked when absent',
  ),
  payment: list(
    text('WORD=cash or WORD=paid; =cash and =paid for a blank cell'),
    'whether orders with this word of payment collect cash; may be given several times; asked when absent',
  ),
  unit: oneOf(['thousand', 'one'], 'what small amounts are counted in; asked when absent'),
  new_wards: oneOf(
    ['ask', 'same-name'],
    'what a ward of 2025 without a district is: the former one of its name, or an invalid cell; asked when absent',
  ),
  skip_bad: flag('leave out rows with invalid cells, instead of sending nothing'),
};

/** How to treat rows that appeared in earlier batches. */
export const meetingFields = {
  continue: text('a batch that already sent rows of this file: equal rows are not sent again'),
  again: flag('send rows that an earlier batch sent again, as new records'),
  resend_ended: list(
    text('undone, cancelled, returned or undeliverable, or the name of an order'),
    'send orders again that have ended since they were sent, which are left out otherwise; one whose parcel travels on only by its name; may be given several times',
  ),
};

/** How to run it. */
export const runningFields = {
  concurrency: int('how many rows to send in parallel, at most 32; adapts to the service when absent', 'rows'),
  max_outage: text(
    'how long the service may be unreachable before the batch stops, for example 30s or 10m (the default)',
  ),
  keep: int('forget finished batches older than this many days; 90 when absent', 'days'),
};

/** How to plan without running: a plan that stops has cost nothing and is simply made again. */
export const planningFields = {
  max_outage: text(
    'how long the service may be unreachable before planning stops, for example 30s (the default) or 10m',
  ),
};

/** The longest outage that planning waits for, unless it is told otherwise. */
export const PLANNING_OUTAGE = '30s';

/** Options that can be changed for a batch that was started. */
export const goingFields = { concurrency: runningFields.concurrency, max_outage: runningFields.max_outage };

/** The options for planning and running a sheet: one declaration for both. */
export const sheetFields = { ...policyFields, ...readingFields, ...meetingFields };

/** The inputs that answer what a file leaves unsure. */
export type FileAnswers = Partial<
  Pick<
    SheetInput,
    | 'sheet'
    | 'all_sheets'
    | 'hidden_rows'
    | 'struck_rows'
    | 'equal_rows'
    | 'line_cash'
    | 'same_recipient'
    | 'blank_cash'
    | 'pieces'
    | 'status'
    | 'tracked'
    | 'payment'
    | 'unit'
    | 'new_wards'
    | 'ignore_columns'
    | 'resend_ended'
  >
> & { readonly replaces?: readonly string[] | null | undefined; readonly adds?: boolean | null | undefined };

/** So much of a text of a person is repeated in a message. */
export const MOST_NAME = 60;

/** The given options. */
export type SheetInput = {
  readonly [Name in keyof typeof sheetFields]?: z.output<(typeof sheetFields)[Name]> | null | undefined;
};

/** The file of rows. */
export const file = text('the file: csv, tsv, xlsx, json, jsonl or yaml; - for stdin');
export const fileHint = { placeholder: 'FILE', from: 'path', page: 'upload' } as const;
export const nameHint = { placeholder: 'BATCH', from: 'path' } as const;
/** What sending requires. */
export const needs = ['key', 'workspace'] as const;

/** Hints for the fields above. */
export const batchHints = {
  do: { placeholder: 'COMMAND', from: 'text' },
  pick: { placeholder: 'WHICH' },
  carrier: { placeholder: 'NAME' },
  by: { placeholder: 'DATE' },
  map: { placeholder: 'NAME', from: 'path', page: 'upload' },
  status: { placeholder: 'WORD=ship|skip', from: 'path' },
  payment: { placeholder: 'WORD=cash|paid', from: 'path' },
  continue: { placeholder: 'BATCH', from: 'path' },
  resend_ended: { placeholder: 'KIND|ORDER' },
  max_outage: { placeholder: 'TIME', from: 'path', isStyle: true },
  concurrency: { isStyle: true },
} as const;

type Policy = Partial<Record<keyof typeof policyFields, unknown>>;

const given = <Value>(value: unknown): Value | undefined => (value === null ? undefined : (value as Value | undefined));

/** The options of a batch from the given input. Throws a Refusal. */
export function optionsFrom(input: Policy, ports: Pick<Ports, 'clock' | 'settings'>): BatchOptions {
  const by = given<string>(input.by);
  const moment = by === undefined ? undefined : lastMomentOf(by, askedAt(ports));
  if (by !== undefined && moment === undefined) {
    throw new Refusal('moment_unreadable', say().refused.badMoment({ given: by }));
  }
  return {
    pick: given<string>(input.pick),
    carriers: given<string[]>(input.carrier) ?? [],
    by: moment,
    maxFee: given<number>(input.max_fee),
    maxTotal: given<number>(input.max_total),
    blankClears: input.blank === 'clears',
  };
}

/** Whether an option was given that a batch keeps from its first run. */
export function hasOptions(input: Policy): boolean {
  return Object.entries(input).some(
    ([name, value]) => name in policyFields && name !== 'do' && value !== undefined && value !== null,
  );
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as 30s, 10m or 1h, in milliseconds. Throws a Refusal. */
export function durationOf(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined;
  const [, number = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const factor = unitsMs[unit];
  if (factor === undefined) throw new Refusal('duration_unreadable', say().refused.badDuration({ given: text }));
  return Number(number) * factor;
}

/** The argument that names a batch. */
export const batchName = text('the batch: its name, or the start or end of its name');

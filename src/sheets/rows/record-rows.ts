import { fieldPath } from '../../contract/schema/hint.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { doubtOf } from '../../contract/schema/written-values.ts';
import { withoutUnseen } from '../../domain/damaged-text.ts';
import { fieldsIn, isRecord, setOwn } from '../../domain/json/values.ts';
import type { RowQuestion } from '../account/account.ts';
import { answerAbout } from '../account/questions.ts';
import { fieldNamed, RESULT_PREFIX } from '../fields.ts';
import { placeText, type RecordSheet, SheetError, type SheetRecord } from '../formats/sheet.ts';
import { type Constant, constantsOf, withConstants } from '../mapping/constants.ts';
import { isOfCancellation, ownStatuses } from '../mapping/export-statuses.ts';
import { orderCommands } from '../mapping/exports.ts';
import { isRuined } from '../ruined-number.ts';
import type { CellFault, SourceRow, SourceRows } from '../source-row.ts';
import { say } from '../texts.ts';
import { codeOf, readCell, withoutUnseenNoted } from '../values.ts';
import { CASH, lineTotals } from './gathering.ts';
import { heldBackBy, meaningOfUnread } from './held-back.ts';
import { type Draft, type RowOptions, whyLeftOut } from './row-options.ts';
import { SmallAmounts } from './small-amounts.ts';
import { meaningOf } from './status-rule.ts';

/** What the records of a file have in common. */
interface Reader {
  readonly options: RowOptions;
  readonly constants: readonly Constant[];
  readonly leftOut: Map<string, string>;
  readonly amounts: SmallAmounts;
}

type Path = readonly (string | number)[];

/**
 * Reads one record: its texts like cells, and its numbers as in the file of a single command; fields that the service
 * returns and the command cannot set are ignored.
 */
class RecordReading {
  readonly #of: Reader;
  readonly #record: SheetRecord;
  readonly #faults: CellFault[] = [];
  readonly #notes: CellFault[] = [];
  /** What a person has to say about it. */
  readonly #asks: RowQuestion[];

  constructor(of: Reader, record: SheetRecord, asks: readonly RowQuestion[]) {
    this.#of = of;
    this.#record = record;
    this.#asks = [...asks];
  }

  row(given: Draft): SourceRow {
    const { place } = this.#record;
    const { schema } = this.#of.options;
    const value = schema.properties === undefined ? given : this.#fields(given, schema.properties, []);
    return {
      place,
      cells: [[JSON.stringify(given)]],
      value: withConstants(value, this.#of.constants),
      faults: this.#faults,
      notes: this.#notes,
      cleared: 0,
      cellOf: (path) => (path === '' ? place : `${place}, ${path}`),
      cellNames: () => [],
      ...this.#withBlankCash(value),
      ...(this.#asks.length > 0 && { asks: this.#asks }),
    };
  }

  /** Cash that is null or an empty text beside cash of others: nobody guesses it, as in a table. */
  #withBlankCash({ shipping, deposit, payment_method, ...value }: Draft): Pick<SourceRow, 'collectsTotal'> {
    const { account, command } = this.#of.options;
    const { cod_amount } = fieldsIn(shipping);
    const isBlank = cod_amount === null || (typeof cod_amount === 'string' && cod_amount.trim() === '');
    const isSaid = (deposit ?? payment_method ?? '') !== '' || !orderCommands.includes(command);
    if (!isBlank || isSaid || !lineTotals(value).some((total) => total > 0)) return {};
    const answer = account.answers.blank_cash;
    this.#asks.push(this.#of.amounts.blankIn(CASH, `${this.#record.place}, ${CASH}`, answer));
    return answer === 'total' ? { collectsTotal: true } : {};
  }

  #read(value: unknown, schema: JsonSchema, path: Path): unknown {
    const { items, properties } = schema;
    if (items !== undefined && Array.isArray(value)) {
      return value.map((item, index) => this.#read(item, items, [...path, index]));
    }
    if (properties !== undefined && isRecord(value)) return this.#fields(value, properties, path);
    return this.#scalar(value, schema, path);
  }

  #fields(record: Draft, properties: Readonly<Record<string, JsonSchema>>, path: Path): Draft {
    const read: Draft = {};
    for (const [name, inner] of Object.entries(record)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (known !== undefined) setOwn(read, name, this.#read(inner, known, [...path, name]));
      else if (this.#passesOn([...path.filter((step) => typeof step === 'string'), name].join('.'))) {
        setOwn(read, name, inner);
      }
    }
    return read;
  }

  /** Whether a field that the command does not know stays in the record, where the check of the request refuses it. */
  #passesOn(dotted: string): boolean {
    const { ignored, shown } = this.#of.options;
    if (dotted === RESULT_PREFIX.slice(0, -1)) return false;
    if (shown.some((record) => fieldNamed(record, dotted) !== undefined)) {
      this.#of.leftOut.set(dotted, whyLeftOut('not-settable'));
      return false;
    }
    return !ignored.includes(dotted) && !ignored.includes('*');
  }

  #scalar(value: unknown, schema: JsonSchema, path: Path): unknown {
    const here = fieldPath(path);
    const fault = { cell: `${this.#record.place}, ${here}`, value: String(value), path: here };
    const written = this.#record.written(path);
    const doubt = doubtOf(schema, value, written);
    if (doubt !== undefined) this.#faults.push({ ...fault, value: written ?? fault.value, message: doubt });
    if (typeof value === 'number' && isRuined(value, '')) this.#faults.push({ ...fault, message: say().cell.ruined });
    if (typeof value !== 'string') return doubt === undefined ? this.#counted(value, schema, path, fault) : value;
    // What the file writes as an escape is meant.
    const seen = this.#record.hasUnseen === true ? withoutUnseen(value) : value;
    const whole = readCell(seen, schema, String(path.at(-1) ?? ''));
    const inWords = whole.kind === 'wrong' && here === CASH ? this.#of.options.cashOfCell?.(seen) : undefined;
    if (inWords !== undefined) {
      this.#notes.push({ ...fault, message: say().cell.readAsAmount({ amount: inWords }) });
      return this.#counted(inWords, schema, path, fault);
    }
    const reading = seen === value ? whole : withoutUnseenNoted(whole);
    if (reading.kind === 'wrong') this.#faults.push({ ...fault, message: reading.message });
    if (reading.kind === 'value' && reading.note !== undefined) {
      this.#notes.push({ ...fault, message: reading.note, ...codeOf(reading) });
    }
    return reading.kind === 'value' ? this.#counted(reading.value, schema, path, fault) : value;
  }

  /** An amount as it counts: one below 1,000 may be in thousands, in a list as in a table. */
  #counted(value: unknown, schema: JsonSchema, path: Path, fault: Omit<CellFault, 'message'>): unknown {
    if (schema.unit !== 'currency units' || typeof value !== 'number') return value;
    const field = path.filter((step) => typeof step === 'string').join('.');
    const { amount, note, message, ask } = this.#of.amounts.count(field, fault.cell, value);
    if (note !== undefined) this.#notes.push({ ...fault, message: note });
    if (message !== undefined) this.#faults.push({ ...fault, message });
    if (ask !== undefined) this.#asks.push(ask);
    return amount;
  }
}

/** What an order says against sending it, in notes and as cancelled, as questions with what was answered. */
function heldIn(order: Draft, place: string, { account: { answers }, schema }: RowOptions): readonly RowQuestion[] {
  const notes = { 'shipping.shipping_note': fieldsIn(order.shipping).shipping_note, order_note: order.order_note };
  const asked = (path: string, name: string): RowQuestion[] => [
    { id: 'status', name, cell: `${place}, ${path}`, answer: answerAbout(name, answers) },
  ];
  return [
    ...Object.entries(notes).flatMap(([path, text]) =>
      typeof text !== 'string' || heldBackBy(text, 'note') === undefined ? [] : asked(path, text),
    ),
    ...Object.entries(order).flatMap(([name, value]) => {
      if (!isOfCancellation(name) || fieldNamed(schema, name) !== undefined) return [];
      const said = meaningOfUnread(name)?.nameOf(String(value ?? ''));
      return said === undefined ? [] : asked(name, said);
    }),
  ];
}

/** What is to be asked of a record of a list that we wrote, by its status; undefined if it is no order to ship. */
function askedOf(order: Draft, place: string, options: RowOptions): readonly RowQuestion[] | undefined {
  const { command, account, schema } = options;
  const { status } = order;
  const isOfOrders = orderCommands.includes(command);
  const held = isOfOrders ? heldIn(order, place, options) : [];
  if (held.some(({ answer }) => answer === 'skip')) {
    account.leaveOut(place, say().reason.heldBack({ names: held.map(({ name }) => name) }));
    account.ask(...held);
    return undefined;
  }
  if (typeof status !== 'string' || !isOfOrders || fieldNamed(schema, 'status') !== undefined) return held;
  const cell = `${place}, status`;
  const meaning = meaningOf(status, ownStatuses);
  const answer = account.answers.status?.[status];
  const asks: readonly RowQuestion[] = meaning === 'ask' ? [{ id: 'status', name: status, cell, answer }] : [];
  if (meaning === 'not' || (meaning === 'ask' && answer === 'skip')) {
    account.leaveOut(cell, say().reason.word({ column: 'status', word: status }));
    account.ask(...asks);
    return undefined;
  }
  return [...asks, ...held];
}

/** The rows of a file of records, JSON or YAML. Throws a SheetError where an entry is not a record. */
export function recordRows(sheet: RecordSheet, options: RowOptions): SourceRows {
  const leftOut = new Map<string, string>();
  const amounts = new SmallAmounts(options.account.answers.unit);
  const reader = { options, leftOut, amounts, constants: constantsOf(options.mapping, options.schema) };
  async function* rows(): AsyncGenerator<SourceRow, void, undefined> {
    for await (const record of sheet.records) {
      if (!isRecord(record.value)) throw new SheetError(say().line.noRecord({ place: placeText(record.place) }));
      const asks = askedOf(record.value, record.place, options);
      if (asks !== undefined) yield new RecordReading(reader, record, asks).row(record.value);
    }
    amounts.finish(options.account);
  }
  return { header: [], leftOut, rows: rows() };
}

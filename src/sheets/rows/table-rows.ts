import { unescapeHidden } from '../../platform/terminal/text-safety.ts';
import type { Account, RowQuestion } from '../account/account.ts';
import { equalRowsRule, type JudgedLines, type Judging, judged, marksRule } from '../account/judge-lines.ts';
import { type Role, type Roles, roleOf } from '../account/questions-open.ts';
import { type Column, columnsOf } from '../fields.ts';
import { textInCell } from '../formats/records-as-lines.ts';
import {
  factsOfSheets,
  inSheet,
  nameCellIn,
  placeOfColumn,
  placeText,
  SheetError,
  type SheetLine,
  type TableSheet,
} from '../formats/sheet.ts';
import { constantsOf } from '../mapping/constants.ts';
import { isOfCancellation, isOfState } from '../mapping/export-statuses.ts';
import { orderCommands } from '../mapping/exports.ts';
import { normalForm } from '../service/layout.ts';
import { nearlyRecognised } from '../service/service-rows.ts';
import type { CellFault, SourceRow, SourceRows } from '../source-row.ts';
import { say } from '../texts.ts';
import { numberIn, textOf } from '../values.ts';
import { dataLines, leaveOutRule } from './data-lines.ts';
import { type Gatherer, Gathering, readColumn } from './gathering.ts';
import { type FieldColumn, type RowOptions, whyLeftOut } from './row-options.ts';
import { SmallAmounts } from './small-amounts.ts';
import { besideColumns, collecting, readColumnsOf, statusRule, unreadPayments } from './status-rule.ts';

/** How much of a bad header is reported. */
const MOST_FAULTS_REPORTED = 50;
const MOST_CHARACTERS_REPORTED = 80;

/** Whether a record may span several lines: a column belongs to a list that each line adds an entry to. */
function mayGoOn(columns: readonly FieldColumn[]): boolean {
  return columns.some(({ field }) => field.path.includes('*'));
}

/** The columns that name a record, the one that counts most first. */
function nameColumns(columns: readonly FieldColumn[], names: readonly string[]): readonly FieldColumn[] {
  return names.flatMap((name) => columns.filter(({ field }) => field.path.join('.') === name));
}

function nameReader(found: readonly FieldColumn[]): (line: SheetLine) => string {
  return ({ cells }) => {
    for (const { index } of found) {
      const text = textOf(cells[index] ?? '');
      if (text !== '') return text;
    }
    return '';
  };
}

const MOST_COLUMNS_REPORTED = 3;

/** That no column is known, of a header from another program. */
function allUnknown(command: string, names: readonly string[]): string {
  const reported = names.slice(0, MOST_COLUMNS_REPORTED).map((name) => name.slice(0, MOST_CHARACTERS_REPORTED));
  return say().column.allUnknown({ command, names: reported, more: names.length - reported.length });
}

/** A header that cannot be used: what is wrong with each column. Throws a SheetError. */
function refuseColumns(
  sheet: TableSheet,
  { columns, faults }: ReturnType<typeof columnsOf>,
  { mapping, command }: RowOptions,
): never {
  const isMapped = Object.keys(mapping?.columns ?? {}).length > 0;
  const nearly = isMapped ? undefined : nearlyRecognised(sheet.columns);
  if (nearly !== undefined) {
    const message = say().column.nearly({ sheet: say().service[nearly.name], missing: nearly.missing });
    throw new SheetError(inSheet(sheet, message), { code: 'cells_wrong', hint: say().column.nearlyHint });
  }
  const isUnknown = !isMapped && columns.every(({ kind }) => kind !== 'field');
  const each = faults
    .slice(0, MOST_FAULTS_REPORTED)
    .map(({ name, message }) => say().column.wrong({ name: name.slice(0, MOST_CHARACTERS_REPORTED), message }))
    .join('; ');
  const names = faults.map(({ name }) => name);
  const message = isUnknown ? allUnknown(command, names) : each;
  const known = isUnknown ? { unmapped: 'all' } : isMapped ? {} : { unmapped: 'some' };
  // A mapping says what it was made for.
  const other = mapping?.command !== undefined && mapping.command !== command ? { fits: mapping.command } : {};
  // Columns of a second table have the same names.
  const isTwice = faults.some((fault) => fault.isTwice === true);
  throw new SheetError(inSheet(sheet, message), {
    code: 'cells_wrong',
    ...(isTwice && { hint: say().column.secondTable }),
    facts: { columns: names.join(','), ...known, ...other, ...factsOfSheets(sheet.others) },
  });
}

/** The columns of a sheet by what they are to the command. Throws a SheetError if the header cannot be used. */
function understood(sheet: TableSheet, options: RowOptions): readonly Column[] {
  const { mapping } = options;
  const mapped =
    mapping && ((column: string) => (mapping.columns[column] === null ? null : mapping.columns[column]?.field));
  const joins = (column: string) => mapping?.columns[column]?.join !== undefined;
  const found = columnsOf(sheet.columns, { ...options, mapped, joins });
  if (found.faults.length > 0) refuseColumns(sheet, found, options);
  return found.columns;
}

/** The roles that tell a record from the lines of the one above it. */
const ownRoles: readonly (Role | undefined)[] = ['code', 'recipient', 'phone', 'address'];

const ownColumns = (roles: Roles) => [...roles].flatMap(([index, role]) => (ownRoles.includes(role) ? [index] : []));

/** The lines of a record. */
interface Group {
  readonly lines: SheetLine[];
  /** Where a line without a code repeats the recipient of the one above: it may be of the same order, or of its own. */
  repeats?: SheetLine;
  /** The first line of the next record, which has a cell merged with one of these. */
  merges?: SheetLine;
}

/** The columns by which a line without a code may be of the order above. */
interface Repeating {
  readonly own: readonly number[];
  /** The columns of the cash, the quantity and the price: cash that is that of the line's goods is of its own order. */
  readonly cash: readonly (number | undefined)[];
}

/** What tells whether rows repeat a recipient; undefined for a sheet in our own layout, in which they are orders. */
function repeatingIn(used: readonly FieldColumn[], roles: Roles, options: RowOptions): Repeating | undefined {
  const isExplained = Object.keys(options.mapping?.columns ?? {}).length > 0;
  if (!isExplained || !orderCommands.includes(options.command)) return undefined;
  const own = [...roles].flatMap(([index, role]) =>
    role === 'recipient' || role === 'phone' || role === 'address' ? [index] : [],
  );
  const at = (name: string) => used.find(({ field }) => field.path.join('.') === name)?.index;
  const cash = ['shipping.cod_amount', 'lines.*.quantity', 'lines.*.retail_price'].map(at);
  return [...roles.values()].includes('phone') ? { own, cash } : undefined;
}

/** Whether a line has its own cash, which is what its goods cost. */
function hasOwnCash({ cells }: SheetLine, { cash }: Repeating): boolean {
  const [amount, quantity, price] = cash.map((index) => (index === undefined ? undefined : numberIn(cells[index])));
  return amount !== undefined && amount > 0 && amount === (quantity ?? Number.NaN) * (price ?? Number.NaN);
}

/** Whether a line has the recipient, the phone and the address of another one, or leaves some blank, and may be of the same order. */
function repeatsRecipient(line: SheetLine, head: SheetLine, repeating: Repeating): boolean {
  const formOf = ({ cells }: SheetLine, index: number) => normalForm(textOf(cells[index] ?? '')).replaceAll(' ', '');
  const isLike = (form: string, index: number) => form === '' || form === formOf(head, index);
  return (
    repeating.own.every((index) => isLike(formOf(line, index), index)) &&
    !(hasOwnCash(line, repeating) && hasOwnCash(head, repeating))
  );
}

/**
 * The lines of each record: consecutive lines with the same name are one, if each adds an entry to a list, and a line
 * without code, recipient, phone and address belongs to the one above, as below merged cells.
 */
async function* grouped(
  lines: AsyncIterable<SheetLine>,
  { naming, roles, used }: { naming: readonly FieldColumn[]; roles: Roles; used: readonly FieldColumn[] },
  options: RowOptions,
): AsyncGenerator<Group, void, undefined> {
  const goesOn = options.nameFields.length > 0 && mayGoOn(used);
  const repeating = repeatingIn(used, roles, options);
  const nameOf = nameReader(naming);
  const own = ownColumns(roles);
  const belongs = ({ cells }: SheetLine) =>
    own.length > 0 && own.every((index) => String(cells[index] ?? '').trim() === '');
  let group: Group = { lines: [] };
  let name = '';
  for await (const line of lines) {
    const isSame = nameOf(line) === name && name !== '';
    const [head] = group.lines;
    if (head !== undefined && goesOn && (isSame || (belongs(line) && !belongs(head)))) {
      group.lines.push(line);
      continue;
    }
    const isUnsure =
      head !== undefined &&
      goesOn &&
      repeating !== undefined &&
      nameOf(line) === '' &&
      !belongs(line) &&
      repeatsRecipient(line, head, repeating);
    if (isUnsure && options.account.answers.same_recipient === 'one') {
      group.lines.push(line);
      group.repeats = line;
      continue;
    }
    if (line.merged !== undefined) group.merges = line;
    if (group.lines.length > 0) yield group;
    group = { lines: [line], ...(isUnsure && { repeats: line }) };
    name = nameOf(line);
  }
  if (group.lines.length > 0) yield group;
}

/** The amounts of an order that are merged with the next one: that of both would be collected with one. */
const mergedWith = ({ merges }: Group, { sheet, columns }: Gatherer): readonly CellFault[] =>
  columns.flatMap(({ index, isOfList, schema }) => {
    const merged = merges?.merged?.get(index);
    if (merges === undefined || merged === undefined || isOfList || schema.unit !== 'currency units') return [];
    const message = say().line.mergedOver({ cell: placeText(sheet.cellName(merges.line, index)) });
    return [{ cell: merged.cell, value: merged.text, message }];
  });

/** The records of groups of lines, without what is left out. */
async function* records(
  gatherer: Gatherer,
  account: Account,
  groups: AsyncIterable<Group>,
  judge: (lines: readonly SheetLine[]) => JudgedLines,
): AsyncGenerator<SourceRow, void, undefined> {
  for await (const group of groups) {
    const { lines, faults, asks } = judge(group.lines);
    if (lines.length === 0) continue;
    const gathering = new Gathering(gatherer);
    for (const line of lines) gathering.add(line);
    gathering.faults.push(...faults, ...mergedWith(group, gatherer));
    const row = gathering.finished();
    // Whether an equal row counts, and whether a row is of the order above, comes first.
    const isRepeated = asks.some(({ id, answer }) => id === 'equal_rows' && answer === undefined);
    const { sheet, nameColumn } = gatherer;
    const repeated: RowQuestion[] =
      group.repeats === undefined
        ? []
        : [
            {
              id: 'same_recipient',
              name: '',
              cell: sheet.cellName(group.repeats.line, nameColumn),
              answer: account.answers.same_recipient,
            },
          ];
    const isOfAbove = repeated.some(({ answer }) => answer === undefined);
    const isLater = ({ id }: RowQuestion) => (isRepeated && id === 'line_cash') || (isOfAbove && id === 'blank_cash');
    const all = [...asks, ...repeated, ...gathering.asks.filter((one) => !isLater(one))];
    yield all.length === 0 ? row : { ...row, asks: all };
  }
  gatherer.amounts.finish(account);
}

/** That a column which tells whether a cell counts, or else a line, is there so often. */
function conditionFault(name: string, counted: string | undefined, count: number): string {
  const texts = say().column;
  if (counted === undefined) return count === 0 ? texts.noneLeavesOut({ name }) : texts.severalLeaveOut({ name });
  return count === 0 ? texts.noneCounts({ name, counted }) : texts.severalCount({ name, counted });
}

/** Whether what a list of ours has besides is known to say nothing of sending it: not its state, nor that it was cancelled. */
const isSilent = ({ name, ...column }: Column): boolean =>
  column.kind === 'left-out' &&
  (column.why === 'result' || (column.why === 'not-settable' && !isOfState(name) && !isOfCancellation(name)));

/**
 * Refuses a condition of a mapping on a column that the file lacks, or has twice: cash would be collected from everybody, and cancelled
 * orders shipped. Throws a SheetError.
 */
function requireConditions(sheet: TableSheet, { mapping }: RowOptions): void {
  const ofCells = sheet.columns.flatMap((column) =>
    Object.keys(mapping?.columns[column]?.when ?? {}).map((name) => ({ name, counted: column })),
  );
  const required = (mapping?.statuses?.words ?? []).flatMap(({ column, isRequired }) => (isRequired ? [column] : []));
  const ofLines = [...Object.keys(mapping?.leaveOut ?? {}), ...required].map((name) => ({ name, counted: undefined }));
  for (const { name, counted } of [...ofCells, ...ofLines]) {
    const count = sheet.columns.filter((column) => column === name).length;
    if (count === 1) continue;
    throw new SheetError(inSheet(sheet, conditionFault(name, counted, count)), {
      code: 'cells_wrong',
      hint: say().column.conditionHint,
      facts: factsOfSheets(sheet.others),
    });
  }
}

/** The columns that a mapping reads, and the file lacks, one sentence each. */
function lackingColumns({ columns }: TableSheet, { mapping }: RowOptions): readonly string[] {
  return Object.entries(mapping?.columns ?? {}).flatMap(([name, to]) =>
    to === null || columns.includes(name) ? [] : [say().column.lacking({ name, field: to.field })],
  );
}

/** The rows of a table in our own layout, or of one that a mapping explains. Throws a SheetError for a bad header. */
export function tableRows(sheet: TableSheet, options: RowOptions): SourceRows {
  const columns = understood(sheet, options);
  requireConditions(sheet, options);
  const { mapping } = options;
  const used = columns.flatMap((column, index) => (column.kind === 'field' ? [{ ...column, index }] : []));
  if (used.length === 0) {
    throw new SheetError(inSheet(sheet, say().column.none), { facts: factsOfSheets(sheet.others) });
  }
  const leftOut = new Map<string, string>();
  for (const [index, column] of columns.entries()) {
    const why = column.kind === 'left-out' ? whyLeftOut(column.why) : undefined;
    if (why !== undefined) leftOut.set(column.name.trim() || placeOfColumn(sheet, index), why);
  }
  const roles: Roles = new Map(
    used.map(({ index, field }) => [index, roleOf(field.path.join('.').replaceAll('.*', ''), field.schema)]),
  );
  const silent = columns.flatMap((column, index) => (isSilent(column) ? [index] : []));
  const readOnly = readColumnsOf(used, silent);
  const naming = nameColumns(used, options.nameFields);
  const paying = unreadPayments(sheet, readOnly, options);
  const gatherer: Gatherer = {
    sheet,
    columns: used.map((column) => readColumn(column, options, { header: sheet.columns, unreadPayments: paying })),
    constants: constantsOf(mapping, options.schema),
    joined: new Set(
      used.flatMap(({ name, field }) => (mapping?.columns[name]?.join === undefined ? [] : [field.path.join('.')])),
    ),
    amounts: new SmallAmounts(options.account.answers.unit),
    cashOfCell: options.cashOfCell,
    own: ownColumns(roles),
    unread: besideColumns(sheet, readOnly, options),
    unreadPayments: paying,
    answers: options.account.answers,
    nameColumn: (naming[0] ?? used[0])?.index ?? 0,
    textIn: sheet.style.delimiter === undefined ? unescapeHidden : textInCell,
  };
  const { lines, rule } = dataLines(sheet, options, used, roles);
  options.account.warn('column_missing', ...lackingColumns(sheet, options));
  const collects = collecting(sheet, readOnly, options, false);
  const judging: Judging = { sheet, roles, account: options.account, collects };
  const rules = [
    rule,
    leaveOutRule(sheet, options),
    statusRule(sheet, readOnly, options),
    marksRule(judging),
    equalRowsRule(judging),
  ];
  const groups = grouped(lines, { naming, roles, used }, options);
  const rows = records(gatherer, options.account, groups, (group) => judged(judging, rules, group));
  const nameCellOf = naming[0] && nameCellIn(sheet, naming[0].index);
  return {
    header: sheet.columns,
    leftOut,
    rows,
    ...(nameCellOf && { nameCellOf }),
  };
}

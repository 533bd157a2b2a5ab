import { contractTexts, say as ofContract } from '../contract/texts.ts';
import { formatMoney } from '../domain/amounts/money.ts';
import { dayText, englishOf, textsIn } from '../domain/language.ts';
import { domainTexts, say as ofDomain } from '../domain/texts.ts';
import { placeText } from '../sheets/formats/sheet.ts';
import { say as ofSheets, sheetsTexts } from '../sheets/texts.ts';
import { say as ofShip, shipTexts } from '../ship/texts.ts';

/** What a question says of sums: the fees of all rows, and what their parcels collect; null where none are shipped. */
interface Sums {
  readonly fees: number;
  readonly money: { readonly total: number; readonly without: number } | null;
}

/** How many rows of a plan are in each state; `ends` says how records have ended. */
interface Counts {
  /** Whether each row is an order that is shipped. */
  readonly isShip: boolean;
  readonly rows: number;
  readonly left: number;
  readonly existed: number;
  readonly ended: number;
  readonly failed: number;
  readonly skipped: number;
  readonly ends: readonly { readonly kind: string; readonly count: number }[];
}

/** Rows that may go wrong, by what is wrong: the first cells, and how many more there are. */
interface Risk {
  readonly kind: 'phone' | 'place' | 'cash' | 'text';
  readonly count: number;
  readonly cells: readonly string[];
  readonly rest: number;
}

/** A payment session as a person knows it. */
interface Session {
  readonly files: readonly string[];
  readonly day: string;
  readonly lines: number;
  readonly amount: number;
  readonly isClosed: boolean;
}

const counted = (count: number, word: string) => `${formatMoney(count)} ${word}${count === 1 ? '' : 's'}`;

const rows = (count: number) => counted(count, 'row');

function sumsAsked(sums: Sums | null): string {
  if (sums === null) return '';
  const { fees, money } = sums;
  if (money === null) return ` for ${formatMoney(fees)} in all`;
  const cash = money.total === 0 ? 'collect nothing' : `collect ${formatMoney(money.total)}`;
  return `: ${cash}, pay ${formatMoney(fees)} for delivery`;
}

function countsOf({ left, existed, ended, failed, skipped, ends }: Counts): string {
  const kinds = ends.map(({ kind, count }) => `${formatMoney(count)} ${kind}`).join(', ');
  const parts = [
    [left, 'to send'],
    [existed, 'already there'],
    [ended, `ended${kinds === '' ? '' : ` (${kinds})`}`],
    [failed, 'differ from the existing record'],
    [skipped, 'left out'],
  ] as const;
  const there = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatMoney(count)} ${what}`);
  return there.join(', ') || 'nothing to send';
}

const risks = {
  phone: 'an odd phone',
  place: 'a place that is not on the list',
  cash: 'cash that does not fit',
  text: 'letters that a program spoilt',
};

/** What should perhaps not be sent as it is, in brackets behind how much is sent; nothing if all is well. */
function doubted(repeats: number, found: readonly Risk[]): string {
  const parts = [
    ...(repeats === 0 ? [] : [`${formatMoney(repeats)} of them may be repeats`]),
    ...found.map(
      ({ kind, count, cells, rest }) =>
        `${formatMoney(count)} with ${risks[kind]}: ${cells.join(', ')}${rest === 0 ? '' : ', …'}`,
    ),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

const alternatives = (names: readonly string[]) => names.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** What people read of this subject. */
export const batchTexts = {
  /** What is asked where a file leaves something unsure; the choices are called as they are typed, but for these. */
  answers: {
    unreadable: ({ given, ends }: { given: string; ends: readonly string[] }) =>
      `${given} does not end with ${ends.join(' or ')}`,
    twice: ({ quoted, meanings }: { quoted: string; meanings: readonly string[] }) =>
      `${quoted} is answered with ${meanings.join(' and with ')}`,
    travelling: 'orders whose parcels travel on are sent again by their names alone',
    choice: (value: string) => value,
    allSheets: 'all of them',
    morePlaces: ({ count }: { count: number }) => `… and ${formatMoney(count)} more`,
    stop: 'stop here',
    ownSession: 'a session of its own',
    replaceSession: ({ name }: { name: string }) => `replace all lines of ${name}`,
    addLines: 'add its lines',
    addLinesTo: ({ sessions }: { sessions: readonly string[] }) => `add its lines to ${sessions.join('; ')}`,
    /** A session, with its files, the day of the last of them, its lines and their sum. */
    sessionCalled: ({ name, known }: { name: string; known: Session | undefined }) =>
      known === undefined
        ? name
        : `${name} (${known.files.join(', ')}, ${dayText(known.day)}, ${counted(known.lines, 'line')}, ${formatMoney(known.amount)}${known.isClosed ? ', closed' : ''})`,
    sessionName: 'What is it called?',
    leaveThemOut: 'leave them out',
    ordersThatWere: ({ kind }: { kind: string }) => `Orders that were ${kind}?`,
    ordersWith: ({ quoted }: { quoted: string }) => `Orders with ${quoted}?`,
    ordersBlank: ({ id }: { id: string }) => `Orders with a blank ${id}?`,
    keep: ({ mapping }: { mapping: string }) => `Keep these answers with the mapping ${mapping}?`,
  },
  /** What `batch map` asks and says of columns. */
  columns: {
    stored: ({ count, all }: { count: number; all: number }) =>
      `The answers about ${count} of ${all} columns are stored: the same command continues.`,
    fromLastTime: ({ count }: { count: number }) => `${count} columns are answered from the last time`,
    fromMapping: ({ name }: { name: string }) => `the mapping ${name} has these columns: only what is new is asked`,
    units: { g: 'grams', kg: 'kilograms', cm: 'centimetres', m: 'metres', '₫': '₫', thousand: 'thousands of ₫' },
    blank: 'blank',
    leaveOut: 'leave it out',
    /** A field that a column may be: how it is called, how it is displayed, and what its help says. */
    field: ({ name }: { name: string; label: string }) => name,
    /** A field with a title of its own. */
    titled: ({ name, title }: { name: string; title: string }) => (title === name ? name : `${title} (${name})`),
    help: ({ text }: { text: string }) => text,
    numbers: ({ column, examples }: { column: string; examples: string }) =>
      `What are the numbers of "${column}" (${examples})?`,
    dates: ({ column, examples }: { column: string; examples: string }) =>
      `How are the dates of "${column}" (${examples}) written?`,
    word: ({ column, word }: { column: string; word: string }) => `What does "${word}" in column "${column}" mean?`,
    meanings: {
      'lines.piece_discount': 'a discount of each piece',
      'lines.line_discount': 'a discount of the line, for all its pieces',
      order_discount: 'a discount of the whole order',
      buyer_shipping_fee: 'a delivery fee that the buyer pays',
      deposit: 'what the buyer has paid already: the rest is collected',
    },
    whichField: ({ column, examples }: { column: string; examples: string }) =>
      `Which field is column "${column}" (${examples})? Type what it is.`,
    amount: ({ column, examples }: { column: string; examples: string }) =>
      `What is the amount "${column}" (${examples})?`,
    traits: ({ columns }: { columns: readonly string[] }) => `Where does ${columns.join(', ')} go?`,
    behindName: 'behind the name of the product',
    attribute: 'an attribute of the line',
    status: ({ column, word }: { column: string; word: string }) =>
      `Are orders with "${word}" in "${column}" to be shipped?`,
    shipThem: 'ship them',
    leaveThemOut: 'leave them out',
    tracked: ({ column, examples }: { column: string; examples: string }) =>
      `What does a filled cell of "${column}" (${examples}) say of its order?`,
    wasSent: 'it was sent already: leave it out',
    saysNothing: 'nothing: send it',
    correctLeftOut: ({ column }: { column: string }) => `correct "${column}": left out`,
    correctReadAs: ({ column, field }: { column: string; field: string }) => `correct "${column}": read as ${field}`,
    correctWord: ({ column, word, meant }: { column: string; word: string; meant: string }) =>
      `correct "${word}" in "${column}": ${meant}`,
    areRight: 'Are the columns right?',
    allRight: 'all are right',
    noField: ({ column, examples }: { column: string; examples: readonly string[] }) =>
      `column "${column}" (${examples.join(', ')}) is left out: no field is called so`,
    mapItTo: ({ column, fields }: { column: string; fields: readonly string[] }) =>
      `column "${column}" is left out: map it to ${alternatives(fields)}, if it is that`,
    readIn: ({ column, unit }: { column: string; unit: string }) =>
      `column "${column}" is read in ${unit}: is that right?`,
    wordUnknown: ({ column, word }: { column: string; word: string }) =>
      `column "${column}": the word "${word}" is not known`,
    datesOtherwise: ({ column }: { column: string }) =>
      `column "${column}" has dates that are not written like 2026-01-31`,
  },
  /** What `batch map` asks that is the same in every row. */
  constants: {
    notBlank: 'must not be blank',
    fullName: 'Pickup: full name',
    phone: 'Pickup: phone',
    place: 'Pickup: ward, district and province, as in hoa khanh nam lien chieu da nang',
    street: 'Pickup: street and number',
    pickup: 'Where are the parcels of this sheet picked up?',
    otherAddress: 'another address',
    tryOn: 'May recipients open the parcel before they pay, or try the goods on?',
    weight: 'What does each parcel weigh, in grams, if they are alike? Blank: not known',
    notGrams: 'must be whole grams, such as 500, or blank',
    insurance: 'Are the parcels insured for the value of their goods? The carrier charges for it',
    choice: (value: string) => value,
    field: ({ field, value }: { field: string; value: string | number | boolean }) => `${field} ${value}`,
    pickedUp: ({ address }: { address: string }) => `picked up at ${address}`,
    tryOnIs: ({ value }: { value: string }) => `try on: ${value}`,
    insuredIs: ({ value }: { value: string }) => `insured: ${value}`,
    keep: ({ each }: { each: readonly string[] }) => `The same in every row: ${each.join('; ')}. Keep it?`,
    lacking: ({ field }: { field: string }) =>
      `no column has ${field}, which every row needs: add it to the mapping, below constants`,
    noPrice: 'no column has lines.retail_price: the price of one piece, which every line needs',
    noInsurance: 'no column has shipping.include_insurance: every parcel is insured, unless it is "no" below constants',
  },
  mapping: {
    ownSheet: ({ title }: { title: string }) => `this is ${title}, which is read without a mapping; nothing was saved`,
    noNeed: ({ title }: { title: string }) => `read as ${title}: no mapping of its columns is needed`,
    noColumns: ({ file }: { file: string }) => `${file} holds records without columns`,
    notYaml: ({ path }: { path: string }) => `${path} is not YAML`,
    badName: ({ name }: { name: string }) => `${name} is not a name for a mapping: use letters, digits, - and _`,
    exists: ({ name }: { name: string }) => `the mapping ${name} already exists; nothing was saved`,
    change: ({ name }: { name: string }) => `The mapping ${name} exists. Ask only what is new, and change it?`,
    taken: ({ name }: { name: string }) => `the mapping ${name} exists, and would be replaced`,
    saveAs: 'Save these answers as (any name)',
    mapNow: ({ about }: { about: string }) => `${about}. Say now what its columns are?`,
  },
  /** Faulty and unusual cells, some of many. */
  faults: {
    rowsSuch: ({ count, of, fault }: { count: number; of: number | undefined; fault: string }) =>
      `${formatMoney(count)}${of === undefined ? '' : ` of ${formatMoney(of)}`} rows, such as ${fault}`,
    more: ({ count }: { count: number }) => `… and ${formatMoney(count)} more; -o json lists all of them`,
    ofRowsSuch: ({ count, rows: of, fault }: { count: number; rows: number; fault: string }) =>
      `${formatMoney(count)} of ${rows(of)}, such as ${fault}`,
    cellsLikeThis: ({ count }: { count: number }) =>
      `… and ${counted(count, 'cell')} more like this; -o json and --to plan.xlsx of \`batch plan\` have them`,
    cellsMore: ({ count }: { count: number }) =>
      `… and ${counted(count, 'cell')} more; -o json and --to plan.xlsx of \`batch plan\` have them`,
    warning: ({ line }: { line: string }) => `warning: ${line}`,
  },
  /** What happens while a batch runs. */
  run: {
    began: ({ batch }: { batch: string }) => `batch ${batch}`,
    continues: ({ batch }: { batch: string }) => `batch ${batch} continues`,
    dropped: ({ batch }: { batch: string }) => `batch ${batch} was not stored: nothing was sent`,
    waiting: 'another shopctl is working on this batch; waiting for it to finish',
    away: ({ reason }: { reason: string }) => `the service is unreachable: ${reason}; waiting for it`,
    back: ({ seconds }: { seconds: number }) => `the service is back after ${seconds} s`,
    others: 'waiting for rows that other machines are working on',
    nothingBad: ({ bad }: { bad: number }) =>
      `nothing was sent again: ${bad} ${bad === 1 ? 'row has' : 'rows have'} invalid cells; fix them in the file, and add it`,
    nothingFailed: 'nothing was sent again: no row has failed',
    stopping: 'stopping: nothing new is sent, rows in progress are finished; Ctrl-C again quits now',
    unreachable: ({ message }: { message: string }) => `the service is unreachable: ${message}`,
    hintThen: ({ hint, way }: { hint: string; way: string }) => `${hint}; then \`${way}\``,
    concurrency: ({ given, most }: { given: number; most: number }) =>
      `${given} rows in parallel are not between 1 and ${most}`,
    stopped: ({ message }: { message: string }) => `the batch stopped: ${message}`,
    stoppedWith: ({
      reason,
      batch,
      applied,
      unknown,
    }: {
      reason: string;
      batch: string;
      applied: number;
      unknown: number;
    }) => `${reason}; batch ${batch} stopped with ${applied} rows applied and ${unknown} unknown`,
    leftInFlight: ({ count, left }: { count: number; left: number }) =>
      `${formatMoney(count)} of the ${formatMoney(left)} left ${count === 1 ? 'was' : 'were'} being sent, perhaps done: run the same again, it looks first`,
    holderBatch: ({ batch }: { batch: string }) =>
      `batch ${batch} may have created the records of rows that were not sent: settle it first`,
    holderEntry: ({ entry }: { entry: string }) =>
      `ledger entry ${entry} may have created the records of rows that were not sent: settle it first`,
    /** What the service has said in its own words. */
    refusal: ({ message }: { message: string }) => message,
    reasonOne: ({ message }: { message: string }) => `1 row: ${message}`,
    reasonOneAt: ({ cell, message }: { cell: string; message: string }) => `1 row (${cell}): ${message}`,
    reasonMany: ({ count, cell, message }: { count: number; cell: string; message: string }) =>
      `${formatMoney(count)} rows (the first: ${cell}): ${message}`,
    otherReasons: ({ count }: { count: number }) =>
      `… and ${formatMoney(count)} other ${count === 1 ? 'reason' : 'reasons'}`,
    fees: ({ total, carriers }: { total: number; carriers: readonly string[] }) =>
      `fees ${formatMoney(total)}${carriers.length > 0 ? `: ${carriers.join(', ')}` : ''}`,
    next: ({ way }: { way: string }) => `next: ${way}`,
    column: ({ message, column }: { message: string; column: string }) => `${message} (column "${column}")`,
    doneByThis: ({ done, rows: all }: { done: number; rows: number }) =>
      `done by this command: ${formatMoney(done)} of ${formatMoney(all)} rows`,
    ranBefore: ({ batch }: { batch: string }) => `this file was run as ${batch}: nothing was sent`,
    joined: 'the address was joined with another one meanwhile: nothing was sent',
  },
  question: {
    ship: ({
      orders,
      repeats,
      risks: found,
      sums,
    }: {
      orders: number;
      repeats: number;
      risks: readonly Risk[];
      sums: Sums | null;
    }) => `Ship ${counted(orders, 'order')}${doubted(repeats, found)}${sumsAsked(sums)}?`,
    send: ({
      rows: count,
      command,
      risks: found,
      sums,
    }: {
      rows: number;
      command: string;
      risks: readonly Risk[];
      sums: Sums | null;
    }) => `Send ${rows(count)} by "${command}"${doubted(0, found)}${sumsAsked(sums)}?`,
    continue: ({ about }: { about: string }) => `${about}. Leave out what was sent, and go on with the others?`,
    retry: ({ batch, rows: count, sums }: { batch: string; rows: number; sums: Sums | null }) =>
      `Send ${rows(count)} of batch ${batch} again${sumsAsked(sums)}?`,
    resume: ({
      batch,
      command,
      rows: count,
      sums,
    }: {
      batch: string;
      command: string;
      rows: number;
      sums: Sums | null;
    }) =>
      `Continue batch ${batch} (${command}), and send the ${count === 1 ? '1 row that is left' : `${formatMoney(count)} rows that are left`}${sumsAsked(sums)}?`,
    undo: ({
      records,
      named,
      more,
      batch,
      command,
    }: {
      /** Whether each is an order that was shipped. */
      readonly isShip: boolean;
      records: number;
      named: readonly string[];
      more: boolean;
      batch: string;
      command: string;
    }) =>
      `Undo ${counted(records, 'record')}${named.length === 0 ? '' : ` (${named.join('; ')}${more ? ' …' : ''})`} of batch ${batch} by "${command}"?`,
    /** What a confirmation is for, where nobody can give it. */
    whats: {
      run: 'running a batch',
      resume: 'continuing a batch that was not named',
      retry: 'sending rows of a batch again',
      undo: 'undoing a batch',
    },
  },
  plan: {
    lines: ({ lines, used, leftOut }: { lines: number; used: number; leftOut: number }) =>
      `${counted(lines, 'line')}: ${formatMoney(used)} in orders, ${formatMoney(leftOut)} left out`,
    rows: (counts: Counts) => `${rows(counts.rows)}: ${countsOf(counts)}`,
    cash: ({ total, without }: { total: number; without: number }) =>
      `cash ${formatMoney(total)} to collect${without === 0 ? '' : `; ${counted(without, 'parcel')} without cash`}`,
    insured: ({ parcels, value }: { parcels: number; value: number }) =>
      `${counted(parcels, 'parcel')} insured, for goods worth ${formatMoney(value)}`,
    unweighed: ({ parcels }: { parcels: number }) =>
      `${counted(parcels, 'parcel')} without a weight: the fee is the lowest, the carrier may charge more`,
    insuranceCost: ({ total, unknown }: { total: number; unknown: number }) =>
      `insurance costs ${formatMoney(total)} of the fees${unknown === 0 ? '' : `; ${formatMoney(unknown)} insured parcels are not offered without it`}`,
    columnLeftOut: ({ column, why }: { column: string; why: string }) => `column ${column} is left out: ${why}`,
    columnLeftOutByMapping: ({ quoted }: { quoted: string }) =>
      `column ${quoted} is left out by the mapping: its amounts count nowhere`,
    newColumns: ({ title, columns }: { title: string; columns: readonly string[] }) =>
      `new in ${title}, and left out: ${columns.join(', ')}`,
    ofMapping: ({ name }: { name: string }) => `mapping ${name}`,
    readAs: ({ title }: { title: string }) => `read as ${title}`,
    lookedUp: ({ records, requests }: { records: number; requests: number }) =>
      `${records} record${records === 1 ? '' : 's'} looked up by code or phone, with ${requests} request${requests === 1 ? '' : 's'}`,
    standsAt: ({ place }: { place: string }) => `the order stands at ${place} as well`,

    otherColumns: ({
      name,
      first,
      besides,
      lacks,
    }: {
      name: string;
      first: string;
      besides: readonly string[];
      lacks: readonly string[];
    }) => {
      const named = (what: string, columns: readonly string[]) =>
        columns.length === 0 ? [] : [`${what} ${columns.map((column) => JSON.stringify(column)).join(', ')}`];
      const differing = [...named('it has', besides), ...named('it lacks', lacks)].join('; ');
      return `the columns of sheet ${JSON.stringify(name)} are not those of ${JSON.stringify(first)}: ${differing}`;
    },
    sameHeader: 'sheets that are read together have the same columns, in any order; read one at a time',
    duplicates: ({ cells, rest }: { cells: readonly string[]; rest: number }) =>
      `possible duplicates (same phone and lines): ${cells.join(', ')}${rest === 0 ? '' : ` and ${formatMoney(rest)} more`}`,
    moreDuplicates: ({ groups }: { groups: number }) => `… and ${counted(groups, 'more group')} of possible duplicates`,
    together: ({ cells, rest }: { cells: readonly string[]; rest: number }) =>
      `parcels to one phone: ${cells.join(', ')}${rest === 0 ? '' : ` and ${formatMoney(rest)} more`}: send them together (gửi chung)?`,
    moreTogether: ({ groups }: { groups: number }) => `… and ${counted(groups, 'more group')} of parcels to one phone`,
    couldBeTogether: ({ cells, rest }: { cells: readonly string[]; rest: number }) =>
      `parcels to one phone, which could be sent together: ${cells.join(', ')}${rest === 0 ? '' : ` and ${formatMoney(rest)} more`}`,
    cleared: ({ fields }: { fields: number }) => `${counted(fields, 'field')} would be cleared by blank cells`,
    filled: ({ fields }: { fields: readonly { readonly field: string; readonly count: number }[] }) =>
      `filled: ${fields.map(({ field, count }) => `${field} in ${rows(count)}`).join(', ')}`,
    moreRows: ({ count }: { count: number }) => `… and ${rows(count)} more; -o json has them`,
    notAgain: ({ cell, name, end }: { cell: string; name: string; end: string }) =>
      `${cell} (${name}) is not sent again: ${end}`,
    sendsAgain: ({ way }: { way: string }) => `${way} sends them again`,
    travellingAgain: ({ way }: { way: string }) =>
      `an order whose parcel travels on is sent again by its name alone: ${way}`,
    differs: ({ cell, name, changes }: { cell: string; name: string; changes: readonly string[] }) =>
      `${cell} (${name}) differs from its record in ${changes.join(', ')}`,
    unread: ({ count, why }: { count: number; why: string }) =>
      `${counted(count, 'record')} not read again, and not sent again: ${why}`,
    noUndo: ({ command }: { command: string }) => `"${command}" cannot be undone: store a copy of what it changes`,
    noUndoOf: ({ field, count }: { field: string; count: number }) =>
      `${field} cannot be undone in ${rows(count)}: its old value is not known or cannot be set again`,
    priceChanges: ({
      percent,
      count,
      shown,
      rest,
    }: {
      percent: number;
      count: number;
      shown: readonly number[];
      rest: number;
    }) =>
      `warning: a price changes by more than ${percent} % in ${rows(count)}: ${shown.join(', ')}${rest === 0 ? '' : ` and ${formatMoney(rest)} more`}`,
    moreThanShown: ({ count }: { count: number }) => `and ${formatMoney(count)} more`,
    moreThanListed: ({ count }: { count: number }) =>
      `and ${formatMoney(count)} more rows: --save and --to have all of them`,
    savedIn: ({ file, way }: { file: string; way: string }) => `the plan is in ${file}: run it with \`${way}\``,
    writtenTo: ({ file }: { file: string }) => `the plan is written to ${file}`,
    ranAs: ({ batch }: { batch: string }) => `these rows were run as ${batch}`,
    overLimit: ({ most }: { most: number }) =>
      `that is more than the limit of ${formatMoney(most)}: a run would be refused`,
    sentBefore: ({ count, by, similar }: { count: number; by: string; similar: number }) =>
      `${formatMoney(count)} rows were sent before, by ${by}; ${formatMoney(similar)} new ones go to a recipient of an earlier row`,
    bySingles: 'single commands',
    byAnother: 'another batch',
    byBatch: ({ batch }: { batch: string }) => `batch ${batch}`,
    blank: 'blank',
    sameGoods: ({ at, code, cash }: { at: string; code: string; cash: string }) =>
      `got the same goods at ${at}: ${code}, ${cash}; is this the same order under another name?`,
    sameGoodsOf: ({ at, code, batch, cash }: { at: string; code: string; batch: string; cash: string }) =>
      `got the same goods at ${at}: ${code} of batch ${batch}, ${cash}; is this the same order under another name?`,
    gotParcel: ({ at, code, cash }: { at: string; code: string; cash: string }) =>
      `got a parcel at ${at}: ${code}, ${cash}; is this another one?`,
  },
  /** A plan as a file for whoever approves it. */
  written: {
    title: ({ file, command }: { file: string; command: string }) => `Plan of ${file}: ${command}`,
    times: ({ zone }: { zone: string }) => `times are in ${zone}`,
    rest: ({ count }: { count: number }) => `and ${formatMoney(count)} more; all of them with --to plan.xlsx`,
    warnings: 'Warnings',
    readings: 'Readings',
    plan: 'Plan',
    remarks: 'Remarks',
    /** The kind of a remark of how a cell is read. */
    reading: 'reading',
    columns: {
      row: 'row',
      external_id: 'external_id',
      recipient: 'recipient',
      phone: 'phone',
      where: 'where',
      what: 'what',
      cash: 'cash',
      fee: 'fee',
      carrier: 'carrier',
      delivery: 'delivery',
      kind: 'kind',
      cell: 'cell',
      value: 'value',
      message: 'message',
    },
    formatUnknown: ({ path }: { path: string }) => `a plan can be written to .xlsx, .md or .html, not to ${path}`,
  },
  result: {
    noColumns: ({ batch }: { batch: string }) => `batch ${batch} was read from records without columns: write jsonl`,
    /** Why the workbook of a batch cannot have its results. */
    workbook: {
      severalSheets: ({ path }: { path: string }) => `the workbook ${path} was read from several sheets`,
      gone: ({ path }: { path: string }) => `the workbook ${path} no longer exists`,
      otherColumns: ({ path }: { path: string }) => `the workbook ${path} has other columns now`,
      unreadable: ({ path, message }: { path: string; message: string }) =>
        `the workbook ${path} can no longer be read (${message})`,
      otherLines: ({ path }: { path: string }) => `the workbook ${path} has other lines now`,
    },
    doesNotFit: ({ what, batch }: { what: string; batch: string }) =>
      `${what}, so the results of batch ${batch} do not fit in it`,
    inNewWorkbook: ({ what }: { what: string }) =>
      `${what}: the results are in a new workbook that has only the batch's lines`,
    toStdout: 'a result is written to a file, not to stdout: name a file that ends in .csv, .tsv, .xlsx or .jsonl',
    noFormat: ({ to }: { to: string }) =>
      `${to} does not say a format: name a file that ends in .csv, .tsv, .xlsx or .jsonl`,
    formatUnknown: ({ format }: { format: string }) =>
      `a result can be written as csv, tsv, xlsx or jsonl, not as ${format}`,
  },
  undo: {
    newest: ({ batches }: { batches: readonly { batch: string; command: string; count: number }[] }) =>
      `the newest that can be undone: ${batches.map(({ batch, command, count }) => `${batch} (${command}, ${rows(count)})`).join(', ')}`,
    toBeUndone: ({ record }: { record: string }) => `to be undone: ${record}`,
    left: ({ cell, name, message }: { cell: string; name: string; message: string }) =>
      `${cell} (${name}) is left: ${message}`,
    moreLeft: ({ count }: { count: number }) => `… and ${count} ${count === 1 ? 'record' : 'records'} more are left`,
    changed: ({ cell, name, fields }: { cell: string; name: string; fields: readonly string[] }) =>
      `${cell} (${name}) was changed since: ${fields.join(', ')}`,
    moreChanged: ({ count }: { count: number }) =>
      `… and ${count} ${count === 1 ? 'record' : 'records'} more were changed since`,
    stays: ({ cell, name, fields }: { cell: string; name: string; fields: readonly string[] }) =>
      `${cell} (${name}): ${fields.join(', ')} cannot be restored and stays as it is`,
    moreStay: ({ count }: { count: number }) => `… and ${count} ${count === 1 ? 'record' : 'records'} more like this`,
    unclear: ({ count }: { count: number }) =>
      `${count} ${count === 1 ? 'record' : 'records'} may have been created or changed, and were left alone: settle them first`,
    resend: ({ way }: { way: string }) => `the same sheet leaves out what was undone; with ${way} it is sent again`,
    beside: ({ count, batch, way }: { count: number; batch: string; way: string }) =>
      `${count} ${count === 1 ? 'record' : 'records'} of batch ${batch} are not in the undo that was gone on with: ${way} undoes them`,
    nothingMade: ({ batch }: { batch: string }) => `batch ${batch} created nothing that still exists`,
    noRow: ({ word, batch }: { word: string; batch: string }) =>
      `${word} is no row of batch ${batch} that was done and is not undone`,
    notFinished: ({ undo, batch }: { undo: string; batch: string }) =>
      `the undo ${undo} of batch ${batch} is not finished: resume it before you undo single rows`,
    beingSent: ({ batch }: { batch: string }) => `batch ${batch} is being sent`,
    inFlight: ({ batch }: { batch: string }) => `batch ${batch} has rows that may be in flight: resume it first`,
    helped: ({ batch }: { batch: string }) => `batch ${batch} is being sent: a helper is working on it`,
    beingUndone: ({ batch, undo }: { batch: string; undo: string }) => `batch ${batch} is being undone by ${undo}`,
    insteadRun: ({ quoted }: { quoted: string }) => `${quoted} cannot be undone: run the file again instead`,
    onlyThese: ({ quoted }: { quoted: string }) => `${quoted} cannot be undone: only creations and updates can`,
    fromFile: 'an undo takes its rows from a batch, not from a file',
  },
  look: {
    nothingFound: ({ batches, record }: { batches: number; record: string }) =>
      `no row of ${batches} stored ${batches === 1 ? 'batch' : 'batches'} has ${record} as its name, id, code or parcel code`,
    workedAt: ({ batch }: { batch: string }) => `another machine is working on batch ${batch}`,
    unknownRows: ({ batch }: { batch: string }) => `batch ${batch} has rows whose outcome is not known yet`,
    noneYet: 'there is no batch yet',
    noneOpen: 'there is no unfinished batch',
    beingPlanned: ({ name }: { name: string }) => `batch ${name} is still being planned: it has no rows to send yet`,
    none: ({ name }: { name: string }) => `there is no batch ${name}`,
    several: ({ name }: { name: string }) => `several batches begin or end with ${name}`,
    elsewhere: ({ batch, shop, origin }: { batch: string; shop: string; origin: string }) =>
      `batch ${batch} belongs to another account: shop ${shop} at ${origin}`,
    row: ({ row, cell, name }: { row: number; cell: string; name: string }) => `row ${row} (${cell}, ${name})`,
    severalRows: ({ word, rows: found, own }: { word: string; rows: readonly string[]; own: string }) =>
      `${word} names several rows: ${found.join(', ')}; name one by a word of its own, such as ${own}`,
    notUnclear: ({ word, batch }: { word: string; batch: string }) => `${word} is not an unclear row of batch ${batch}`,
    settledMeanwhile: ({ word }: { word: string }) =>
      `${word} was checked or sent again by another process meanwhile, so this was not recorded`,
    settleHow: 'choose whether the row was done or not',
  },
  /** Why nothing was sent. */
  refused: {
    badMoment: ({ given }: { given: string }) =>
      `${given} is neither a day such as 2026-02-03 nor a time such as 2026-02-03T12:00Z`,
    badDuration: ({ given }: { given: string }) => `${given} is not a length of time such as 30s, 10m or 1h`,
    noFile: 'a file or a plan is needed',
    planChanged: ({ path }: { path: string }) => `${path} was changed since the plan was saved; nothing was sent`,
    planOlder: ({ path }: { path: string }) => `${path} was saved by an older version: save the plan again`,
    noPlan: ({ path }: { path: string }) => `${path} is not a plan of a batch`,
    theAccount: 'the account',
    theRows: ({ name }: { name: string }) => `the rows of ${name}`,
    planStale: ({ changed }: { changed: readonly string[] }) =>
      `the plan is stale: since it was made, this changed: ${changed.join('; ')}`,
    planOtherwise: ({ row, cell }: { row: number; cell: string }) =>
      `the plan is stale: it says otherwise what is sent for row ${row} (${cell})`,
    notGiven: 'not given',
    optionDiffers: ({ name, was, is }: { name: string; was: string; is: string }) => `${name} was ${was}, is ${is}`,
    keepsOptions: ({ batch, different }: { batch: string; different: readonly string[] }) =>
      `batch ${batch} keeps the options of its first run: ${different.join('; ')}`,
    shared: ({
      shared,
      rows: all,
      most,
      by,
      fresh,
      similar,
    }: {
      shared: number;
      rows: number;
      most: number;
      by: string;
      fresh: number;
      similar: number;
    }) =>
      `${shared} of ${rows(all)} were sent before, ${most} of them by ${by}; ${fresh} are new, ${similar} of those to a recipient of an earlier row`,
    overTotal: ({ sum, most }: { sum: number; most: number }) =>
      `the rows cost ${formatMoney(sum)} together, and ${formatMoney(most)} is the limit; nothing was sent`,
    noOffer: ({ count }: { count: number }) => `${rows(count)} cannot be shipped as requested; nothing was sent`,
    cells: ({ count }: { count: number }) => `${counted(count, 'cell')} cannot be used; nothing was sent`,

    spentAlready: ({ batch, spent, most }: { batch: string; spent: number; most: number }) =>
      `batch ${batch} has spent ${formatMoney(spent)} already, more than ${formatMoney(most)}`,
    otherCount: ({ count, batch, total }: { count: number; batch: string; total: number }) =>
      `the file has ${count} rows and batch ${batch} has ${total}: a changed row is found by its position, so rows must not be added or removed`,
    standsAtAnother: ({ cell }: { cell: string }) => `${cell} is changed, and stands where another row was`,
    standsAtState: ({ cell, state }: { cell: string; state: string }) =>
      `${cell} is changed, and stands where a row that is ${state} was`,
    needsShopKey: ({ command }: { command: string }) =>
      `${command} needs a shop's own API key: use a profile of the kind shop`,
    noCommandMeant: ({ quoted, meant }: { quoted: string; meant: string }) =>
      `${quoted} is not a command that writes a record: did you mean ${meant}?`,
    noCommand: ({ quoted, names }: { quoted: string; names: readonly string[] }) =>
      `${quoted} is not a command that writes a record: there are ${names.join(', ')}`,
    recordsGone: ({ name, batch }: { name: string; batch: string }) =>
      `${name} of batch ${batch} no longer exists at the service, which knows of no deletion: was it reset?`,
    resendUnknown: ({ quoted, kinds }: { quoted: string; kinds: readonly string[] }) =>
      `${quoted} is no order of this file that was sent before, and none of ${kinds.join(', ')}`,
  },
  /** What is wrong with a cell, or is said of it; the text follows what the cell has. */
  cell: {
    column: ({ column, message }: { column: string; message: string }) => `${column} ${message}`,
    noColumn: ({ required }: { required: string }) =>
      `${required}, and no column has it: add one, or a constant of a mapping`,
    noCode: 'is no code, which has 2 to 100 characters: if the column is a running number, leave it out',
    copied: 'was derived for other content, a copied name: leave external_id out',
    formerWard: ({ places }: { places: readonly string[] }) => `may be ${places.join(' or ')}; write the former ward`,
    addDistrict: ({ places }: { places: readonly string[] }) => `may be ${places.join(' or ')}; add the district`,
    addWard: ({ places }: { places: readonly string[] }) => `may be ${places.join(' or ')}; add the ward`,
    newer: ({ place }: { place: string }) => `is newer than the service's list, and sent as ${place}`,
    aboutSame: ({ first }: { first: string }) => `is about the same record as ${first}`,
    sameAs: ({ first }: { first: string }) => `is the same as at ${first}, and other rows stand between`,
    is: ({ name }: { name: string }) => `is ${name}`,
    negative: 'must not be negative',
    overLine: ({ price }: { price: number }) => `is more than the price of the line, ${formatMoney(price)}`,
    priceAfter: ({ price }: { price: number }) =>
      `does not fit the price after it, ${formatMoney(price)}: leave one of the columns out`,
    besideFee: 'stands beside a fee line for the delivery: leave one of them out',
    depositNoTotal: 'is a deposit, and nothing says what the order costs: write the cash to collect',
    depositNoParcel: 'is a deposit, and the order has no parcel: write the cash to collect',
    overTotal: ({ total }: { total: number }) => `is more than the total of the order, ${formatMoney(total)}`,
    depositPaidBy: ({ method }: { method: string }) =>
      `is a deposit of an order that is paid by ${method}: write the cash to collect`,
    depositWhole: ({ rest, total }: { rest: number; total: number }) =>
      `is a deposit, and the whole total is to be collected: ${formatMoney(rest)} of ${formatMoney(total)} ${rest === 0 ? 'is' : 'are'} left`,
    depositOther: ({ rest, total, cash }: { rest: number; total: number; cash: number }) =>
      `is a deposit after which ${formatMoney(rest)} of ${formatMoney(total)} ${rest === 0 ? 'is' : 'are'} left, and ${formatMoney(cash)} is collected`,
    depositCollected: ({ rest, total }: { rest: number; total: number }) =>
      `is a deposit: ${formatMoney(rest)} of ${formatMoney(total)} ${rest === 0 ? 'is' : 'are'} left, which is collected`,
    cutBracket: ({ read }: { read: string }) =>
      `is not understood, of which ${read} is left: write it without brackets`,
    wholeCollected: ({ total }: { total: number }) => `is no deposit: all of ${formatMoney(total)} is collected`,
    blankCollected: ({ total }: { total: number }) => `is blank: all of ${formatMoney(total)} is collected`,
    noDeposit: ({ total, cash }: { total: number; cash: number }) =>
      `is the deposit, so that ${formatMoney(total)} are left, and ${formatMoney(cash)} is collected`,
    noGoods: ({ field }: { field: string }) =>
      `is a fee or a discount, and no goods: write it in a column of its own, of ${field} or order_discount`,
    unreadNote: 'is not understood: it goes along, and the order is sent',
    tryOn: ({ fitting, tryOn }: { fitting: readonly string[]; tryOn: string }) =>
      `says what the buyer may do before paying (${fitting.join(' or ')}), and the order is sent with try_on ${tryOn}`,
    collects: ({ amount }: { amount: number }) => `says that ${formatMoney(amount)} are collected, and no cash is`,
    unclearNone: ({ unclear }: { unclear: string }) => `says ${unclear}, and no cash is collected`,
    onDelivery: 'says that it is paid on delivery, and no cash is collected',
    paidPart: ({ quoted, left }: { quoted: string; left: string }) => `says ${quoted}: ${left}`,
    cashOtherwise: ({ quoted, collects }: { quoted: string; collects: number }) =>
      `says ${quoted}, and ${formatMoney(collects)} are collected`,
    depositUnsaid: ({ quoted }: { quoted: string }) => `says ${quoted}: how much is left to collect is not said`,
    nothingLeft: ({ collects }: { collects: number }) =>
      `says that nothing is left to pay, and ${formatMoney(collects)} are collected`,
    ownColumn: ({ message }: { message: string }) => `${message}; write the cash in its own column`,
    isThatLeft: ({ quoted, collects }: { quoted: string; collects: number }) =>
      `says ${quoted}: are ${formatMoney(collects)} what is left?`,
    unclearCash: ({ unclear, collects }: { unclear: string; collects: number }) =>
      `says ${unclear}, and ${formatMoney(collects)} are collected`,
    speaksOf: ({ amount, collects }: { amount: number; collects: number }) =>
      `speaks of ${formatMoney(amount)} to collect, and ${formatMoney(collects)} are collected`,
    /** The parts of an address that is one text. */
    parts: {
      full_name: 'person',
      phone: 'phone number',
      address1: 'street',
      ward: 'ward',
      district: 'district',
      province: 'province',
    },
    namesNo: ({ parts }: { parts: readonly string[] }) => `names no ${parts.join(', no ')}`,
    namesNoReadAs: ({ parts, known }: { parts: readonly string[]; known: string }) =>
      `names no ${parts.join(', no ')}; it is read as ${known}`,
    readAs: ({ known }: { known: string }) => `is read as ${known}`,
    notUnderstood: 'is not understood, and left out',
    phoneToNote: 'is another phone number than that of the row: it goes into the note',
    saidTwice: 'is left out: it has a column of its own',
    cash: ({ amount }: { amount: number }) => `cash ${formatMoney(amount)}`,
    noWard: ({ quoted }: { quoted: string }) => `${quoted} is no ward of the list there`,
    idRequired: ({ names }: { names: readonly string[] }) => `id is required, or one of ${names.join(', ')}`,
    noKey: "cannot be looked up without the shop's own API key",
    isNotUsed: ({ fault }: { fault: string }) => `${fault}; it is not used`,
    /** By the kind of the record, and by what it is named. */
    records: { product: 'product', variant: 'variant', customer: 'customer' },
    names: { code: 'code', external_id: 'external_id', phone: 'phone number' },
    noRecord: ({ of }: { of: string }) => `is no ${of} of the shop`,
    nameOfNone: ({ by, of }: { by: string; of: string }) => `is the ${by} of no ${of} of the shop`,
    nameOfSeveral: ({
      by,
      of,
      count,
      named,
      more,
    }: {
      by: string;
      of: string;
      count: number;
      named: readonly string[];
      more: boolean;
    }) => `is the ${by} of ${count} ${of}s (${named.join(', ')}${more ? ', …' : ''}): use the code or the id`,
    nameOfAnother: ({ by, of, id, other }: { by: string; of: string; id: string; other: string }) =>
      `is the ${by} of another ${of} than the one that the row names: ${id}, not ${other}`,
    codeTaken: ({ of }: { of: string }) => `is the code of another ${of} of the shop`,
  },
  /**
   * What is stored of rows, which is English: `inWords` says it in the language of the run where it is shown. So its facts
   * are texts, and stand in it as they are.
   */
  row: {
    planLeavesOut: 'the plan leaves it out',
    over: 'it was created before, and has since been cancelled, returned or deleted',
    changed: ({ fields }: { fields: string }) => `its record differs in ${fields}`,
    differs: ({ name, fields }: { name: string; fields: string }) => `${name} exists already, and differs in ${fields}`,
    lostAndDiffers: ({ name, fields }: { name: string; fields: string }) =>
      `its answer was lost, and ${name} exists, but differs in ${fields}`,
    halfDone: ({ name }: { name: string }) => `${name} was created, but is neither confirmed nor shipped`,
    notShipped: ({ name }: { name: string }) =>
      `${name} was created before, but neither confirmed nor shipped: see orders confirm`,
    sentBefore: ({ name, changes }: { name: string; changes: string }) =>
      `${name} was sent before, and differs in ${changes}`,
    itsContent: 'its content',
    equalOrder: ({ order }: { order: string }) => `an equal order was sent within a day: ${order}`,
    noId: 'its id is not known',
    heldByRow: ({ row, batch }: { row: string; batch: string }) =>
      `row ${row} of batch number ${batch} may have made its record, and its outcome is unknown: nothing was sent`,
    heldBy: ({ holder }: { holder: string }) =>
      `${holder} may have made its record, and its outcome is unknown: nothing was sent`,
    nothingChanged: 'the service has changed nothing',
    halfAnswered: 'its answer says that it is neither confirmed nor shipped',
    unprovedId: 'its answer has an id without what was sent, and reading that record proved nothing',
    sentBeforeToo: ({ message }: { message: string }) => `${message}; it was sent before`,
    lost: 'its answer was lost, and it is not known whether it was carried out',
    nameTaken: 'its name is taken, but no record with it was found',
    priceChanged: ({ service, fee, message }: { service: string; fee: string; message: string }) =>
      `service ${service} cost ${fee} when it was planned; ${message}`,
    hasEnded: 'it was created, and has since been cancelled or returned',
    noLookUp: 'its answer was lost, and it cannot be looked up',
    lookUpUnclear: 'its answer was lost, and looking it up did not clarify it',
    byHand: 'recorded by hand as not done',
    noRoom: ({ fee }: { fee: string }) => `its fee of ${fee} is more than is left of what all rows may cost`,
    madeTwice: 'another command used its name in the meantime',
    held: ({ as, count }: { as: string; count: string }) =>
      `${as} were added since (${count}), and would go with it: it is left as it is`,
    gone: 'it no longer exists',
    changedSince: ({ fields }: { fields: string }) => `it was changed since (${fields}): nothing was overwritten`,
    lostAnd: ({ why }: { why: string }) => `its answer was lost, and ${why}`,
    notStored: 'what it changed was not stored',
    notRestored: ({ fields }: { fields: string }) => `${fields} cannot be restored`,
    pickedUpUnsaid: 'the answer does not say whether its parcel was picked up: it is left as it is',
    otherName: ({ name }: { name: string }) => `the record has another external_id than ${name}: it is left as it is`,
    pickedUp: ({ state }: { state: string }) => `its parcel is ${state}: it was picked up and is still on its way`,
    nameDiffers: ({ fields }: { fields: string }) => `what has its name differs in ${fields}: it is left as it is`,
    notRead: ({ why }: { why: string }) => `not read again: ${why}`,
    newestOnly: ({ count }: { count: string }) => `only the newest ${count} are`,
    recordRenamed: 'its record has another name',
    notFound: 'the service does not find it',
    deleted: 'it was deleted',
    undone: 'undone',
    cancelled: 'cancelled',
    returned: 'returned',
    undeliverable: 'lost, or given up as undeliverable',
    travelling: 'cancelled, but its parcel travels on or has arrived',
    endedOn: ({ end, at }: { end: string; at: string }) => `${end} on ${at}`,
    undoneBatch: ({ batch }: { batch: string }) => `undone: batch ${batch}`,
    noFee: ({ service }: { service: string }) => `service ${service} has no fee`,
    endedSince: ({ end, why }: { end: string; why: string }) => `${end}: ${why}`,
  },
};

export const say = textsIn('batch', batchTexts);

/** How texts that this run has stored were said in it, by what they are in English. */
const saidNow = new Map<string, { readonly text: string; readonly in: object }>();

/** A text that was said in this run as it is stored: in English. */
export function asStored(said: string, english = englishOf(said)): string {
  if (english !== said) saidNow.set(english, { text: said, in: say() });
  return english;
}

/** The catalogues whose texts are stored with rows: as they are in English, and in the language of the run. */
const storedTexts = (): readonly (readonly [english: object, said: object])[] => [
  [batchTexts.row, say().row],
  [batchTexts.cell, say().cell],
  [sheetsTexts, ofSheets()],
  [contractTexts, ofContract()],
  [domainTexts, ofDomain()],
  [shipTexts, ofShip()],
];

/** Characters that no text has: around a fact, and before what stands between the entries of one that is a list. */
const [MARK, BETWEEN] = ['\uE000', '\uE001'];

/** A fact that a text names, as a text or a list of them. */
const marker = (name: string) => ({
  toString: () => `${MARK}${name}${MARK}`,
  join: (between = ',') => `${MARK}${name}${BETWEEN}${between}${MARK}`,
});

const markers = new Proxy({}, { get: (_, name) => marker(String(name)) });

/** What a fact of a stored text looks like: `at` is a time, and everything else is any text. */
const capture = (fact: string) => (fact === 'at' ? String.raw`(\d{4}-\d{2}-\d{2}\S*)` : '(.+?)');

/** A text that may stand in what is stored: in which catalogue, by which names, and how it looks there. */
interface Pattern {
  readonly of: number;
  readonly path: readonly string[];
  readonly facts: readonly string[];
  readonly whole: RegExp;
  /** How many letters of it are its own. */
  readonly letters: number;
}

/** Texts with fewer letters of their own may be anybody's. */
const LEAST_LETTERS = 9;

/** How a text looks with its facts marked; undefined for one that does more with them than to name them. */
function markedText(text: unknown): string | undefined {
  if (typeof text !== 'function') return typeof text === 'string' ? text : undefined;
  try {
    const said = String(Reflect.apply(text, undefined, [markers]));
    return said.includes('undefined') ? undefined : said;
  } catch {
    return undefined;
  }
}

function patternsIn(texts: object, of: number, path: readonly string[] = []): Pattern[] {
  return Object.entries(texts).flatMap(([name, text]: [string, unknown]) => {
    const own = [...path, name];
    if (typeof text === 'object' && text !== null) return patternsIn(text, of, own);
    const parts = markedText(text)?.split(MARK) ?? [];
    const [facts, literals] = [1, 0].map((rest) => parts.filter((_, at) => at % 2 === rest));
    const letters = (literals ?? []).join('').length;
    if (parts.length === 0 || (of > 0 && letters < LEAST_LETTERS)) return [];
    const pattern = parts.map((part, at) =>
      at % 2 === 1 ? capture(part) : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
    );
    return [{ of, path: own, facts: facts ?? [], whole: new RegExp(`^${pattern.join('')}$`, 's'), letters }];
  });
}

/** Of several that fit, the one that says most itself is meant. */
const patternsOf = () =>
  storedTexts()
    .flatMap(([english], of) => patternsIn(english, of))
    .sort((one, other) => other.letters - one.letters);

let patterns: readonly Pattern[] | undefined;

/** A number as it is written in English, with its thousands apart or not. */
const NUMBER = /^-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)$/;

/** A fact as it was given, with its name: a list, or a number unless its digits would be lost. */
function factOf(fact: string, text: string): readonly [name: string, value: unknown] {
  const [name = '', between] = fact.split(BETWEEN);
  if (between !== undefined) return [name, text.split(between).map(inWords)];
  const number = NUMBER.test(text) ? Number(text.replaceAll(',', '')) : Number.NaN;
  return [name, Number.isSafeInteger(number) ? number : inWords(text)];
}

/** The facts that a stored text names; one that it does not name, and another language would, ends it. */
const knownFacts = (values: ReadonlyMap<unknown, unknown>) =>
  new Proxy(
    {},
    {
      get(_, name) {
        if (!values.has(name)) throw new RangeError(String(name));
        return values.get(name);
      },
    },
  );

/** Where what is wrong with a cell begins in what is stored of a row. */
const FAULT = /(?:^|; )((?:line|row) \d+(?:, column [^:]+)?|[^;:!]*![A-Z]+\d+): /;

/** What is stored of a row as it is said in the language of the run; what the service has said stays as it is. */
export function inWords(stored: string): string {
  if (say() === batchTexts || stored === '') return stored;
  const now = saidNow.get(stored);
  if (now?.in === say()) return now.text;
  const [before = '', ...faults] = stored.split(FAULT);
  if (before === '' && faults.length > 0)
    return faults
      .map((part, at) => (at % 2 === 0 ? `${at === 0 ? '' : '; '}${placeText(part)}: ` : inWords(part)))
      .join('');
  patterns ??= patternsOf();
  for (const { of, path, facts, whole } of patterns) {
    const found = whole.exec(stored);
    if (found === null) continue;
    const text = path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), storedTexts()[of]?.[1]);
    if (typeof text !== 'function') return String(text);
    const values = new Map<unknown, unknown>(facts.map((fact, at) => factOf(fact, found[at + 1] ?? '')));
    try {
      return String(Reflect.apply(text, undefined, [knownFacts(values)]));
    } catch {
      return stored;
    }
  }
  return stored;
}

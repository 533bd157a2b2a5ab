import { grouped, textsIn } from '../domain/language.ts';

/** What a question is about, such as a word or a sheet, with the first of its rows and their number. */
interface Asked {
  readonly name: string;
  readonly rows: readonly string[];
  readonly count: number;
}

interface About {
  readonly subjects: readonly Asked[];
}

const MOST_NAMES = 12;

const quoted = (name: string) => (name === '' ? 'blank' : JSON.stringify(name));
const listOf = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ');
const rowsOf = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;
const orMeant = (name: string | undefined) => (name === undefined ? '' : `; did you mean ${name}?`);
const andMore = (count: number) => (count > 0 ? ` and ${count} more` : '');

const placesOf = ({ rows, count }: Asked) => `${rows.join(', ')}${andMore(count - rows.length)}`;

function namesOf(subjects: readonly Asked[]): string {
  const shown = subjects.slice(0, MOST_NAMES).map(({ name }) => quoted(name));
  return `${shown.join(', ')}${andMore(subjects.length - shown.length)}`;
}

const aboutRows = (subjects: readonly Asked[], what: string) =>
  subjects.map((one) => `${rowsOf(one.count)} ${one.count === 1 ? 'is' : 'are'} ${what} (${placesOf(one)})`).join('; ');

const namedRows = (subjects: readonly Asked[]) =>
  subjects.map((one) => `${quoted(one.name)} in ${rowsOf(one.count)} (${placesOf(one)})`).join(', ');

/** Places; nothing where they stand elsewhere. */
const inBrackets = (one: Asked) => (one.rows.length === 0 ? '' : ` (${placesOf(one)})`);

const sessionsOf = (subjects: readonly Asked[]) =>
  subjects.map((one) => `session ${quoted(one.name)} has ${one.count}${inBrackets(one)}`).join(', ');

const linesBeginning = (lines: readonly number[], more: number) =>
  `line${lines.length + more === 1 ? '' : 's'} ${lines.join(', ')}${andMore(more)}`;

const IN_PROGRAM = 'open it in your spreadsheet program and save it as .xlsx, or as csv';

/** What is said of files with rows: of their cells, their lines and columns, and what is asked about them. */
export const sheetsTexts = {
  /** Where something stands in a file without cells of their own names. */
  place: {
    line: ({ line }: { line: number }) => `line ${line}`,
    column: ({ line, column }: { line: number; column: string }) => `line ${line}, column ${column}`,
    row: ({ row }: { row: number }) => `row ${row}`,
    entry: ({ entry }: { entry: number }) => `entry ${entry}`,
    within: ({ place, field }: { place: string; field: string }) => `${place}, ${field}`,
  },
  /** What became of the sheets and lines of a file. */
  account: {
    unused: ({ written }: { written: string }) => `${written} answers nothing that this file asks: it changes nothing`,
    sheets: ({
      names,
      others,
    }: {
      names: readonly string[];
      others: readonly { readonly name: string; readonly reason: string }[];
    }) => {
      const not = others.map(({ name, reason }) => `${JSON.stringify(name)} (${reason})`);
      const rest = not.length === 0 ? '' : `, and not ${not.join(', ')}`;
      return `${names.length === 1 ? `sheet ${listOf(names)} is` : `sheets ${listOf(names)} are`} read${rest}`;
    },
    leftOut: ({ count, reason, cells }: { count: number; reason: string; cells: readonly string[] }) =>
      `${count} ${count === 1 ? 'line is' : 'lines are'} left out: ${reason} (${cells.join(', ')}${count > cells.length ? ', …' : ''})`,
    headerInLine: ({ line }: { line: number }) => `the header is in line ${line}`,
    headerInRow: ({ row }: { row: number }) => `the header is in row ${row}`,
    sheetRead: ({ name }: { name: string }) => `sheet ${JSON.stringify(name)} is read`,
    sheetReadFrom: ({ name, row }: { name: string; row: number }) =>
      `sheet ${JSON.stringify(name)} is read, the header is in row ${row}`,
  },
  /** Why a sheet is not read. */
  sheet: {
    hidden: 'hidden',
    'very hidden': 'very hidden',
    'no rows below its header': 'no rows below its header',
    'no header that is known': 'no header that is known',
    'it cannot be read': 'it cannot be read',
    otherAsked: 'another sheet was asked for',
    otherRead: 'another sheet is read',
  },
  /** Why a column or a field is left out. */
  column: {
    'not-settable': 'the command cannot set it',
    ignored: 'as asked',
    unnamed: 'it has no name',
    twice: 'appears twice',
    twiceUnlike: ({ first, second }: { first: string; second: string }) =>
      `appears twice, in ${first} and ${second}, with other cells: which one is meant?`,
    /** Why one of several columns with one header is not read. */
    repeated: {
      alike: ({ read }: { read: string }) => `has the same in every line as column ${read}, which is read`,
      blank: ({ read }: { read: string }) => `has no cells, and column ${read} has its header, which is read`,
    },
    noField: ({ nearest }: { nearest: string | undefined }) => `is not a field${orMeant(nearest)}`,
    mappedTo: ({ field, wrong }: { field: string; wrong: string }) => `is mapped to ${field}, which ${wrong}`,
    wrong: ({ name, message }: { name: string; message: string }) => `column ${JSON.stringify(name)} ${message}`,
    allUnknown: ({ command, names, more }: { command: string; names: readonly string[]; more: number }) =>
      `no column is a field of ${JSON.stringify(command)}: there are ${listOf(names)}${andMore(more)}`,
    nearly: ({ sheet, missing }: { sheet: string; missing: readonly string[] }) =>
      `the file looks like the service's ${sheet}, but has no column ${listOf(missing)}`,
    nearlyHint: 'add it; cells that may be blank can stay blank',
    secondTable:
      'give each column a name of its own, or leave one out by ignore_columns in a mapping, as "Name (2)" or by its letter; a second table that stands beside the first belongs on a sheet of its own',
    none: 'no column of the file is a field of the command',
    /** A column that a mapping's condition needs. */
    noneCounts: ({ name, counted }: { name: string; counted: string }) =>
      `there is no column ${JSON.stringify(name)} to say whether ${JSON.stringify(counted)} counts`,
    severalCount: ({ name, counted }: { name: string; counted: string }) =>
      `there are several columns ${JSON.stringify(name)} to say whether ${JSON.stringify(counted)} counts`,
    noneLeavesOut: ({ name }: { name: string }) =>
      `there is no column ${JSON.stringify(name)} to say whether a line is left out`,
    severalLeaveOut: ({ name }: { name: string }) =>
      `there are several columns ${JSON.stringify(name)} to say whether a line is left out`,
    conditionHint: 'fix the header, or read the file with a mapping that does not need the column',
    lacking: ({ name, field }: { name: string; field: string }) =>
      `there is no column ${JSON.stringify(name)}, from which the mapping reads ${field}`,
    inSheet: ({ sheet, message }: { sheet: string; message: string }) => `sheet ${JSON.stringify(sheet)}: ${message}`,
  },
  /** Why lines are left out. */
  reason: {
    hidden: 'hidden',
    struck: 'struck through',
    equal: 'equal to the row above',
    blank: ({ column }: { column: string }) => `${column} is blank`,
    word: ({ column, word }: { column: string; word: string }) => `${column} ${JSON.stringify(word)}`,
    /** A word of a mapping's list. */
    quoted: ({ column, word }: { column: string; word: string }) => `${column} "${word}"`,
    filled: ({ column }: { column: string }) => `${column} is filled`,
    returned: ({ back, sold }: { back: string; sold: number }) => `${back} of ${sold} returned`,
    heldBack: ({ names }: { names: readonly string[] }) => `held back (${listOf(names)})`,
    note: ({ text }: { text: string }) => `a note: ${JSON.stringify(text)}`,
    headerAgain: 'the header again',
    unticked: 'nothing but boxes that nobody has ticked',
    explanation: 'an explanation of the columns',
    sums: 'a row of sums',
  },
  /** What is asked about a file. */
  question: {
    sheet: ({ subjects }: About) =>
      `several sheets have rows below a header (${namesOf(subjects)}): which one is read, or all of them?`,
    hidden_rows: ({ subjects }: About) => `${aboutRows(subjects, 'hidden, as by a filter')}: read or skip?`,
    struck_rows: ({ subjects }: About) =>
      `${aboutRows(subjects, 'struck through, as a whole or in a cell')}: read or skip?`,
    equal_rows: ({ subjects }: About) =>
      `${aboutRows(subjects, 'equal to the row above, with the same code')}: count once or each?`,
    line_cash: ({ subjects }: About) =>
      `${aboutRows(subjects, 'of an order whose cash also stands on the row above')}: is it collected once, or for each row?`,
    same_recipient: ({ subjects }: About) =>
      `${aboutRows(subjects, 'without a code, and of the recipient of the row above')}: one order with it, or an order each?`,
    blank_cash: ({ subjects }: About) =>
      `cash is blank beside cells with cash: ${namedRows(subjects)}; is the total of the order collected (total), or nothing (zero)?`,
    pieces: ({ subjects }: About) =>
      `goods name other pieces than their quantity: ${namedRows(subjects)}; does the quantity count (quantity), or are these cells invalid (ask)?`,
    status: ({ subjects }: About) =>
      `a status, a note or a colour leaves open whether orders are to be shipped: ${namedRows(subjects)}; ship or skip?`,
    tracked: ({ subjects }: About) =>
      `${aboutRows(subjects, 'of orders with a tracking code, a day of dispatch or a mark that they were sent')}: ship or skip?`,
    payment: ({ subjects }: About) =>
      `a word of payment leaves open whether cash is collected: ${namedRows(subjects)}; cash or paid?`,
    unit: ({ subjects }: About) => {
      const amounts = subjects.map((one) => `${quoted(one.name)} in ${placesOf(one)}`);
      return `amounts are small: ${amounts.join('; ')}; are they in thousands (thousand), or right as they are (one)?`;
    },
    new_wards: ({ subjects }: About) => {
      const wards = subjects.slice(0, MOST_NAMES).map((one) => `${quoted(one.name)} in ${placesOf(one)}`);
      return `wards of 2025 without a former district: ${wards.join(', ')}${andMore(subjects.length - wards.length)}; is the former ward of the same name meant (same-name), or are these cells invalid (ask)?`;
    },
    resend_ended: ({ subjects }: About) => {
      const ends = subjects.map((one) => `${one.name} in ${rowsOf(one.count)} (${placesOf(one)})`);
      return `orders were sent before, and were undone, cancelled or returned since: ${ends.join(', ')}; leave them out (skip), or send them again (send)?`;
    },
    ignore_columns: ({ subjects }: About) =>
      `columns that nothing reads may say what is to be shipped, collected or paid (${namesOf(subjects)}): leave them out?`,
    replaces: ({ subjects }: About) =>
      `payments of this file's parcels were imported before: ${sessionsOf(subjects)}; does the file replace such a session, or is it added to it?`,
    session: ({ subjects }: About) =>
      `payments of another carrier are in the session of this file: ${sessionsOf(subjects)}; has the file a session of its own, or is it added to that one?`,
  },
  /** What is wrong with a line, or read in it otherwise than it is written; it follows its cell. */
  line: {
    merged: ({ cell, text }: { cell: string; text: string }) =>
      `is blank, and merged with ${cell}, ${JSON.stringify(text)}: write it on each row that it is meant for`,
    mergedOver: ({ cell }: { cell: string }) =>
      `is merged with ${cell}, a row of another order: write on each row what is meant for it`,
    parted: ({ reason }: { reason: string }) =>
      `is ${reason}, and other rows of the same order are not: an order is sent whole, or not at all`,
    noStatus: 'is in no list of statuses of such an export: is the order to be shipped?',
    cashBlank: ({ open }: { open: number }) =>
      `is blank, and ${grouped(open)} are not paid: write the cash to collect, or 0`,
    cashBlankBy: ({ column, word }: { column: string; word: string }) =>
      `is blank, and ${column} says ${JSON.stringify(word)}: write the cash to collect, or 0`,
    /** So much is paid, or all of it, or a part of it; and so much is left, if that is said. */
    cashUnlike: ({ paid, isAll, left }: { paid: number; isAll: boolean; left: number | undefined }) => {
      const rest = left === undefined ? 'how much is left is not said' : `${grouped(left)} would be left`;
      const what = paid > 0 ? grouped(paid) : isAll ? 'all of it' : 'a part of it';
      return `does not fit: ${what} is paid already, and ${rest}; write the cash to collect`;
    },
    sumOrLine: 'has the sums of the rows above, and goods: is it a row of sums, or a line of the order above?',
    loneText:
      'stands alone on its row: is it a note, which has no place here, or an order whose other cells are missing?',
    sumInWords:
      'is on a row of sums, as it looks: no other cell says whose order it is, or what is in it. Write the word alone, such as "Cộng", or remove the row',
    neither: 'is neither an order nor a line of one: it has no code, recipient, phone, address or goods',
    sumDiffers: ({ cell, given, above }: { cell: string; given: number; above: number }) =>
      `${cell}: the row of sums has ${grouped(given)}, and the rows above add up to ${grouped(above)}`,
    sumAlone: ({ cell, text }: { cell: string; text: string }) =>
      `${cell}: ${JSON.stringify(text)} stands in a row of sums, and no row above has anything in that column`,
    sumAloneHint: 'write the amount on the row of its order, or map the column to nothing',
    otherTable: ({ cell }: { cell: string }) =>
      `${cell} begins another table: its columns are not those of the header above`,
    otherTableHint: 'put each table on a sheet or in a file of its own',
    legend: ({ cell, text }: { cell: string; text: string }) =>
      `${cell}: ${JSON.stringify(text)} says what colours of rows mean, and not which rows have them`,
    legendHint: 'write it in a column of its own on each row, and remove that text',
    countsBy: ({ column }: { column: string }) =>
      `counts by the column ${JSON.stringify(column)}, which is the error of a formula: fix it in the spreadsheet`,
    notReadBlank: ({ column }: { column: string }) => `is not read: ${column} is blank`,
    notReadWord: ({ column, word }: { column: string; word: string }) =>
      `is not read: ${column} is ${JSON.stringify(word)}`,
    differs: ({ before, cell }: { before: string; cell: string }) =>
      `differs from ${JSON.stringify(before)} at ${cell}, though both belong to one order`,
    added: ({ all }: { all: number }) => `is added to that of the other lines: ${grouped(all)} in all`,
    thousands: ({ amount }: { amount: number }) => `is read as ${grouped(amount)}, in thousands`,
    mixedThousands: ({ column, cells }: { column: string; cells: readonly string[] }) =>
      `column ${JSON.stringify(column)} has amounts that may be in ₫ or in thousands beside others in ₫: ${cells.join(', ')}`,
    mixedThousandsHint: 'write every amount of it in ₫ (250 as 250000) or in thousands',
    smallAmounts: ({ column, cells, isMore }: { column: string; cells: readonly string[]; isMore: boolean }) =>
      `small amounts of ${JSON.stringify(column)} beside larger ones: ${cells.join(', ')}${isMore ? ', …' : ''}`,
    cashNowhere: ({ column, cell }: { column: string; cell: string }) =>
      `${cell}: column ${JSON.stringify(column)} has no cash in any row, so that it is not known whether the total is collected`,
    cashNowhereHint: 'write the cash to collect, or 0, into the column',
    noRecord: ({ place }: { place: string }) => `${place} is not a record`,
  },
  /** What is wrong with a cell, or read in it otherwise than it is written; it follows its text. */
  cell: {
    lostLetter: 'has a "?" between letters: was a letter lost on its way?',
    ditto: 'means the same as the row above, which is not filled in: write the value itself',
    madeDate: 'looks like a date that a spreadsheet has made of it: is 12-3 or 3/12 meant?',
    readAs: ({ value }: { value: number }) => `is read as ${value}`,
    readAsText: ({ text }: { text: string }) => `is read as ${JSON.stringify(text)}`,
    wholeNumber: 'must be a whole number',
    wholeNumberOf: ({ unit }: { unit: string }) => `must be a whole number of ${unit}`,
    wholeItems: 'must be a whole number of items',
    number: 'must be a number',
    yesOrNo: 'must be yes or no',
    oneOf: ({ values }: { values: readonly string[] }) => `must be one of ${values.join(', ')}`,
    wholeAmount: 'must be a whole amount, without a fraction',
    thousandsOrDecimals: ({ whole, broken }: { whole: number; broken: number }) =>
      `may be ${grouped(whole)} or ${broken}: write the whole amount`,
    ruined: 'is a number that a spreadsheet has ruined: format the column as text, and type it again',
    shownShort: ({ holds }: { holds: number }) =>
      `is what its format leaves of ${grouped(holds)}: write the whole amount, in a format without a comma at its end`,
    decimalCode: 'is a code that a program wrote as a number with decimals: write it as text, without the ".0"',
    ruinedDay: 'is a date that a spreadsheet has made of it: format the column as text, and type it again',
    formulaError: 'is the error of a formula: fix it in the spreadsheet',
    dayNumber: 'is the number of a day in a spreadsheet: write the day, like 1990-01-31',
    unseen: 'has a character that cannot be seen: type it again',
    unseenAnd: ({ removed, note }: { removed: string; note: string }) => `${removed}; ${note}`,
    phoneSent: ({ note, phone }: { note: string; phone: string }) => `${note}: ${phone} is sent`,
    tooDeep: 'is nested too deeply',
    keyTwice: ({ key }: { key: string }) => `has the key ${JSON.stringify(key)} twice`,
    jsonFault: ({ fault }: { fault: string }) => `is JSON in which ${fault}`,
    jsonField: ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
    jsonText: ({ path, text, message }: { path: string; text: string; message: string }) =>
      `${path} ${JSON.stringify(text)} ${message}`,
    allDigits: 'must have all its digits',
    jsonList: 'must be a list as JSON, or be in columns of its own',
    jsonObject: 'must be an object as JSON, or be in columns of its own',
    doubtful: 'can be read in more than one way: write it without marks between the thousands',
    twoWeights: ({ number, base, unit }: { number: number; base: string; unit: string }) =>
      `may be ${number} ${base} or ${number} ${unit}: write it with its unit, like ${number} ${unit}`,
    twoAmounts: ({ one, other }: { one: number; other: number }) =>
      `may be ${grouped(one)} or ${grouped(other)}, since its column is in thousands: write it with its unit, like 30k or 12tr5`,
    notWholeOf: ({ base }: { base: string }) => `is not a whole number of ${base}, and nothing is rounded`,
    notWholeAmount: 'is not a whole number of currency units, and nothing is rounded',
    numberOf: ({ unit }: { unit: string }) => `must be a number of ${unit}`,
    numberOfThousands: 'must be a number of thousands',
    readAsAmount: ({ amount }: { amount: number }) => `is read as ${grouped(amount)}`,
    dayLike: ({ layout }: { layout: string }) => `must be a day like ${layout}`,
    blank: 'must not be blank',
  },
  /** What is wrong with a cell of one of the service's own sheets. */
  service: {
    'order sheet': 'order sheet',
    'fulfilment sheet': 'fulfilment sheet',
    'product sheet of 14 columns': 'product sheet of 14 columns',
    'product sheet of 13 columns': 'product sheet of 13 columns',
    otherCommand: ({ sheet, command }: { sheet: string; command: string }) =>
      `the file is the service's ${sheet}, which is not for ${command}`,
    otherCommandHint: ({ commands }: { commands: readonly string[] }) => `it is for ${commands.join(', ')}`,
    negative: 'must not be negative',
    kilograms: 'must be a weight in kg, like 1.2',
    rounded: ({ grams }: { grams: number | bigint }) => `is ${grams} g, rounded up`,
    share: 'must be a share like 35%, at most 100%',
    yesOrNo: 'must be Có or Không',
    sentAs: ({ value }: { value: string }) => `is sent as ${value}`,
    tryOn: 'must be "Không cho xem hàng", "Cho xem hàng không thử" or "Cho thử hàng"',
    mark: 'must be x, or blank for no insurance',
    leastGrams: ({ least }: { least: number }) => `must be at least ${least} g`,
    leastCash: ({ least }: { least: number }) => `must be 0, or at least ${least}`,
    leastOne: 'must be at least 1',
    aboveZero: 'must be more than 0',
    aboveOne: ({ price }: { price: number }) => `is more than the price of one, ${price}`,
    product: ({ quantity, price, amount }: { quantity: number; price: number; amount: number }) =>
      `must be ${quantity} × ${price} = ${amount}`,
    must: ({ expected }: { expected: number }) => `must be ${expected}`,
    each: ({ quantity, price, all }: { quantity: number; price: number; all: number }) =>
      `for ${quantity} is sent as ${price} each, ${all} in all`,
    differs: ({ first, cell }: { first: string; cell: string }) =>
      `differs from ${JSON.stringify(first)} at ${cell}: both belong to one order`,
    sumOfFees: ({ total }: { total: number }) => `must be the sum of the fees, ${total}`,
    sumOfRows: ({ sum }: { sum: number }) => `must be the sum of the rows, ${sum}`,
    total: ({ goods, discount, fee, expected }: { goods: number; discount: number; fee: number; expected: number }) =>
      `must be ${goods} - ${discount} + ${fee} = ${expected}`,
    cash: ({ cash }: { cash: number }) => `must be Có: ${cash} is to be collected`,
    noCash: 'must be Không: nothing is to be collected',
    lineCount: ({ given, count }: { given: number; count: number }) =>
      `tells ${given} rows, and the order has ${count}`,
    attributes: 'must be a list like màu: xanh, cỡ: M',
    mostAttributes: ({ count, most }: { count: number; most: number }) => `has ${count} attributes: at most ${most}`,
    unset: 'is left out: no command sets it',
    sameVariant: ({ cell }: { cell: string }) => `is the same variant as ${cell}`,
    codeAgain: ({ cell }: { cell: string }) => `is the code of another row, at ${cell}`,
    codeInAll: ({ cell }: { cell: string }) => `must be filled in all rows of a product, or none: ${cell}`,
    places: 'must end with ward, district and province, with commas between them',
    blankPlace: 'must not be blank beside the other parts',
    again: ({ cell }: { cell: string }) => `is the same as ${cell}, and other rows stand between`,
  },
  /** What is said of saved mappings, and of the exports of other programs. */
  mapping: {
    none: ({ name, faults }: { name: string; faults: readonly string[] }) =>
      `${name} is not a mapping: ${faults.join('; ')}`,
    hint: 'it has columns (a field for each column), and may have constants and command',
    fault: ({ path, message }: { path: string; message: string }) => `${path}: ${message}`,
    faultOfFile: ({ message }: { message: string }) => `the file: ${message}`,
    field: 'must be a field, or an object with a field',
    unknownKeys: ({ keys }: { keys: readonly string[] }) =>
      `Unrecognized key${keys.length > 1 ? 's' : ''}: ${listOf(keys)}`,
    empty: 'must not be empty',
    words: 'must be a word, or a list of words, for each column: {Payment: [COD]}',
    textOrNumber: 'must be a text or a number',
    constant: ({ name, message }: { name: string; message: string }) => `the constant ${name} ${message}`,
    exportOf: ({ title }: { title: string }) => `an export of ${title}`,
    shippingFee: 'who pays it is not said, and cash is the price of the goods',
  },
  /** Why a file cannot be read. */
  file: {
    quoteOpen: ({ name }: { name: string }) => `${name}: a quote is not closed`,
    quoteOpenAt: ({ name, line }: { name: string; line: number }) => `${name}: a quote is not closed near line ${line}`,
    behindQuote: ({ name }: { name: string }) => `${name}: there is text after a closing quote`,
    behindQuoteAt: ({ name, line }: { name: string; line: number }) =>
      `${name}: there is text after a closing quote near line ${line}`,
    rowsInQuote: ({ name, from, to }: { name: string; from: number; to: number }) =>
      `${name}: a quote that opens in line ${from} closes in line ${to}, and rows of the table stand inside it; remove it, or close it in its own row`,
    quoteInside: ({ name }: { name: string }) =>
      `${name}: a quote stands in the middle of a cell that does not begin with one`,
    quoteInsideAt: ({ name, line }: { name: string; line: number }) =>
      `${name}: a quote stands in the middle of a cell that does not begin with one near line ${line}`,
    longLine: ({ name }: { name: string }) =>
      `${name}: a line is longer than 1,048,576 characters; is a quote not closed?`,
    longLineAt: ({ name, line }: { name: string; line: number }) =>
      `${name}: a line is longer than 1,048,576 characters; is a quote not closed? near line ${line}`,
    noCsv: ({ name }: { name: string }) => `${name}: it is not csv`,
    noCsvAt: ({ name, line }: { name: string; line: number }) => `${name}: it is not csv near line ${line}`,
    cellsMissing: ({ lines, more }: { lines: readonly number[]; more: number }) =>
      `${linesBeginning(lines, more)} ${lines.length + more === 1 ? 'has' : 'have'} fewer cells than the header, and the last columns are read as blank: is a separator missing?`,
    moreCells: ({ name, line, cells, columns }: { name: string; line: number; cells: number; columns: number }) =>
      `${name}: line ${line} has ${cells} cells, and the header has ${columns}`,
    moreCellsHint: 'a comma inside a cell needs quotes around the cell',
    empty: ({ name }: { name: string }) => `${name} is empty: the first line names the columns`,
    blankHeader: ({ line }: { line: number }) => `line ${line} is blank, and names no columns`,
    noFormat: ({ given, names }: { given: string; names: readonly string[] }) =>
      `${given} is not a format of a sheet: the formats are ${names.join(', ')}`,
    otherKind: ({ name, is, hint }: { name: string; is: string; hint: string }) => `${name} ${is}: ${hint}`,
    untold: ({ name }: { name: string }) => `the name ${name} does not tell the format`,
    noText: ({ name, is }: { name: string; is: string }) => `${name} ${is}, and no text`,
    noXlsx: ({ name, is }: { name: string; is: string }) => `${name} ${is}, and no .xlsx file`,
    at: ({ name, place, message }: { name: string; place: string; message: string }) => `${name}, ${place}: ${message}`,
    whole: ({ name, message }: { name: string; message: string }) => `${name}: ${message}`,
    tooDeep: 'is nested too deeply',
    listOpen: 'the list is not closed',
    behindList: 'there is text after the list',
    longRecord: ({ most }: { most: number }) => `a record has at most ${most} characters`,
    noUnicode: ({ name }: { name: string }) => `${name} is neither UTF-8 nor UTF-16 text`,
    saveAsUtf8: 'save it as UTF-8; in Excel: "CSV UTF-8"',
    tooLarge: ({ name }: { name: string }) => `${name} is too large for its format`,
    tooLargeHint: 'save it as csv or jsonl',
  },
  /** What a file is that cannot be read; it follows its name. */
  kind: {
    oldWorkbook: 'is a workbook of the old Excel format',
    binaryWorkbook: 'is a binary workbook (.xlsb)',
    macroWorkbook: 'is a workbook with macros (.xlsm)',
    openDocument: 'is a sheet of LibreOffice (.ods)',
    appleNumbers: 'is a sheet of Apple Numbers',
    webPage: 'is a web page, whatever its name says',
    workbookXml: 'is a workbook of Excel 2003 in XML',
    document: 'is a document of a text program',
    pdf: 'is a PDF',
    picture: 'is a picture',
    archive: 'is a compressed archive',
    zip: 'is a workbook or an archive, whatever its name says',
    utf16: 'is UTF-16 text without its mark',
    shortcut: 'is a shortcut to a sheet on the web',
  },
  /** How the rows of such a file can be read. */
  kindHint: {
    oldWorkbook: 'save it as .xlsx or .csv',
    binaryWorkbook: IN_PROGRAM,
    macroWorkbook: IN_PROGRAM,
    openDocument: IN_PROGRAM,
    appleNumbers: 'in Numbers: File › Export To › Excel',
    webPage: IN_PROGRAM,
    workbookXml: IN_PROGRAM,
    document: 'copy its table into a spreadsheet, and save that as .xlsx',
    pdf: 'get the table itself, as .xlsx or csv',
    picture: 'get the table itself, as .xlsx or csv',
    archive: 'unpack it, and read the file in it',
    zip: 'give it the ending .xlsx, if it is one',
    utf16: 'save it as UTF-8; in Excel: "CSV UTF-8"',
    shortcut: 'in Google Sheets: File › Download › .xlsx',
  },
  workbook: {
    tooLarge: ({ name }: { name: string }) => `${name} is larger than 50 MB`,
    tooLargeHint: 'save it as csv, or as several files',
    damaged: ({ name }: { name: string }) => `${name} is not an .xlsx file, or is damaged`,
    damagedHint: 'save it again, or as csv',
    password: ({ name }: { name: string }) => `${name} has a password, or is an .xls of the old kind`,
    passwordHint: 'open it in your spreadsheet program and save it as .xlsx without a password, or as csv',
    unpacked: ({ name, size }: { name: string; size: number }) =>
      `${name} would take ${size} MiB when unpacked: at most 512 MiB`,
    unpackedHint: 'delete what you do not need, or save it as csv',
    noSheet: ({ name, sheet, names }: { name: string; sheet: string; names: readonly string[] }) =>
      `${name} has no sheet ${sheet}: there are ${names.join(', ')}`,
    conditional: ({ ranges, isMore }: { ranges: readonly string[]; isMore: boolean }) =>
      `the look of ${ranges.join(', ')}${isMore ? ', …' : ''} depends on conditions, which are not read: what a colour or a line through cells says there is not asked about`,
    comment: ({ cell, text }: { cell: string; text: string }) =>
      `${cell} has a comment, which is in no order: ${JSON.stringify(text)}`,
    beside: ({ cell, text }: { cell: string; text: string | number | boolean | null }) =>
      `${cell} stands beside the table, and is not read: ${JSON.stringify(text)}`,
    moreBeside: 'more cells stand beside the table, and are not read',
    spoilt: ({ name, cells, more }: { name: string; cells: readonly string[]; more: number }) =>
      `${name}: ${cells.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
    spoiltHint: 'fix the formulas, or open the file in your spreadsheet program and save it again',
    spoiltCell: ({ cell, what }: { cell: string; what: string }) => `${cell} ${what}`,
    noResult: 'has a formula without its result',
    lostText: 'has a text that is not in the file',
    failed: ({ value }: { value: string }) => `is ${value}`,
    failedSomehow: 'is an error',
    tooManyLines: ({ name, most }: { name: string; most: number }) =>
      `${name} has more than ${most} lines, more than a spreadsheet can hold`,
    tooManyColumns: ({ name }: { name: string }) => `${name} has more columns than a spreadsheet`,
    saveAsCsv: 'save it as csv',
    longCell: ({ name, cell, most }: { name: string; cell: string; most: number }) =>
      `${name}: cell ${cell} has more than ${most} characters`,
    outOfOrder: ({ name, row, before }: { name: string; row: number; before: number }) =>
      `${name}: row ${row} stands below row ${before}`,
    outOfOrderHint: 'open it in your spreadsheet program and save it again',
    longText: ({ most }: { most: number }) =>
      `a cell of a spreadsheet holds at most ${most} characters: write csv or jsonl`,
    longSheet: ({ most }: { most: number }) => `a sheet holds at most ${most} lines: write csv or jsonl`,
  },
};

export const say = textsIn('sheets', sheetsTexts);

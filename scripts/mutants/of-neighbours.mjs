/** Faults outside the ledger as a stranger has planted them, each in another part, and neighbours of them. */
const tests = {
  days: 'test/sheets/serial-days.test.ts',
  sheets: 'test/sheets/sheets.test.ts',
  classes: 'test/cod/classes.test.ts',
  reconcile: 'test/cod/reconcile.test.ts',
  pages: 'test/workspace/mirror-pages.test.ts',
  gate: 'test/console/gate.test.ts',
  retry: 'test/client/retry.test.ts',
  outcome: 'test/client/outcome.test.ts',
  settings: 'test/platform/node-settings.test.ts',
  content: 'test/platform/settings-content.test.ts',
  rounds: 'test/client/rounds.test.ts',
  list: 'test/client/pages.test.ts',
  repeats: 'test/events/repeats.test.ts',
};
const serialDays = 'src/sheets/xlsx/serial-days.ts';
const gathering = 'src/sheets/rows/gathering.ts';
const classes = 'src/cod/classes.ts';
const pageWriter = 'src/mirror/store/write/write-page.ts';
const admit = 'src/console/start.ts';
const secrets = 'src/console/start.ts';
const settingsContent = 'src/platform/settings/node-settings-content.ts';
const receiver = 'src/events/listen/receiver.ts';

const ofSheets = (fault) => [
  fault(
    'leap-day-of-1900',
    'the 28th of February 1900 is written as the number of a day that spreadsheets alone have',
    serialDays,
    'const FIRST_DAY = 61;',
    'const FIRST_DAY = 60;',
    tests.days,
  ),
  fault(
    'epoch-of-1904',
    'every date of a workbook that counts from 1904 is a day late',
    serialDays,
    'const EPOCH_DAYS_1904 = 24_107;',
    'const EPOCH_DAYS_1904 = 24_106;',
    tests.days,
  ),
  fault(
    'workbook-of-1904',
    'a workbook that counts from 1904 is read as one that counts from 1900',
    'src/sheets/xlsx/workbook.ts',
    "if (tag === 'workbookPr') from1904 = isTrue(attributes.date1904);",
    '',
    tests.days,
  ),
  fault(
    'year-of-six-digits',
    'a number after the year 9999 is a date that nobody can read',
    serialDays,
    'if (/^[+-]/.test(text)) return undefined;',
    '',
    tests.days,
  ),
  fault(
    'two-thousandths',
    'a quantity of 2.000 is read as 2',
    'src/sheets/values.ts',
    '(?:[.,]0{1,2})?$/.test(text)',
    '(?:[.,]0{1,3})?$/.test(text)',
    tests.sheets,
  ),
  fault(
    'holes-in-lists',
    'a list whose second entry is blank is sent with a hole',
    gathering,
    'closeUp(this.value, [], former);',
    '',
    tests.sheets,
  ),
  fault(
    'cell-behind-a-hole',
    'a fault of an entry behind a blank one is told of the blank cell',
    gathering,
    "former.get(steps.slice(0, at).join('.'))?.[Number(step)] ?? step",
    'step',
    tests.sheets,
  ),
];

const ofCash = (fault) => [
  fault(
    'repeated-line-in-a-sum',
    'what a session adds up to counts a line once more that a file repeats',
    'src/cod/reconcile.ts',
    'deleted_at is null and repeats is null group by',
    'deleted_at is null group by',
    tests.classes,
  ),
  fault(
    'line-of-a-file-that-is-gone',
    'what a session adds up to counts the lines of a file that was removed',
    'src/cod/reconcile.ts',
    'deleted_at is null and repeats is null group by',
    'repeats is null group by',
    tests.classes,
  ),
  fault(
    'work-on-saturdays',
    'a Saturday is a day on which a carrier has to pay',
    'src/cod/working-days.ts',
    '![0, 6].includes(',
    '![0].includes(',
    tests.classes,
  ),
  fault(
    'unpaid-before-it-is-late',
    'a parcel is told to be unpaid while the carrier has time',
    classes,
    'paid = 0 and overdue = 1"',
    'paid = 0"',
    tests.classes,
  ),
  fault(
    'unpaid-beside-awaiting',
    'a parcel that awaits its cash is told to be unpaid as well, in a random shop',
    classes,
    'paid = 0 and overdue = 1"',
    'paid = 0"',
    tests.reconcile,
  ),
  fault(
    'fees-below-the-quote',
    'fees that are lower than quoted are no difference',
    classes,
    'fee_charged <> fee_quoted',
    'fee_charged > fee_quoted',
    tests.classes,
  ),
  fault(
    'charge-without-cash',
    'a parcel for which the carrier took cash away is not short',
    classes,
    "'paid < due and paid <> 0'",
    "'paid < due and paid > 0'",
    tests.classes,
  ),
];

/** Small changes that a seed chose, and that no test had noticed. */
const ofChance = (fault) => [
  fault(
    'day-of-a-dispute-is-a-text',
    'a dispute sheet has the day of a parcel as a text, by which no spreadsheet sorts',
    'src/cod/dispute-sheet.ts',
    "if (column === CLOSED) return 'day';",
    '',
    'test/cli/cod/dispute-sheet.test.ts',
  ),
  fault(
    'record-beside-nothing',
    'an answer with a field that is null cannot be searched for its record',
    'src/client/settle/found-record.ts',
    '[answer, ...Object.values(answer)].filter(isRecord).find(isIt)',
    '[answer, ...(Object.values(answer) as Fields[])].find(isIt)',
    tests.rounds,
  ),
  fault(
    'rounds-without-a-wait',
    'what was lost is sent again at once, round after round',
    'src/client/settle/settle-lost.ts',
    'await lost.wait(round);',
    '',
    tests.rounds,
  ),
  fault(
    'trace-without-failures',
    'a trace has no line for a request that got no answer',
    'src/client/exchange.ts',
    "trace('failure', () => ({ failure: error.failure, sent: error.sent, milliseconds }));",
    'void milliseconds;',
    tests.rounds,
  ),
  fault(
    'account-of-a-bound-key',
    'the account of a key is told for a service that it may not be sent to',
    'src/client/account.ts',
    '  keyFor(credential, operation, origin, connection);\n  const key',
    '  const key',
    'test/client/account.test.ts',
  ),
  fault(
    'page-without-a-turn',
    'whoever gathers the records of a list cannot write any before it waits for the next page',
    'src/client/pages.ts',
    '        await nextTurn();\n',
    '',
    tests.list,
  ),
  fault(
    'awaiting-differs',
    'a parcel that is paid in time is listed as one about which something differs',
    classes,
    "vietnamese: 'Chờ thanh toán',\n    isClean: true,",
    "vietnamese: 'Chờ thanh toán',",
    tests.classes,
  ),
  fault(
    'carrier-of-a-file',
    'a payment file of a known carrier is told to be of none',
    'src/cod/import-payments.ts',
    "carrier: file.carrier === '' ? null",
    "carrier: file.carrier !== '' ? null",
    tests.classes,
  ),
];

const ofTheCopy = (fault) => [
  fault(
    'older-deletion-removes',
    'a deletion that a webhook brings late removes a newer record',
    pageWriter,
    '!before.gone && (isPresent || version >= before.version)',
    '!before.gone',
    tests.pages,
  ),
  fault(
    'webhook-unmarks',
    'a change that a webhook brings unmarks what a whole walk has met, which is deleted then',
    pageWriter,
    'walk ?? known.get(id)?.walk ?? 0',
    'walk ?? 0',
    tests.pages,
  ),
  fault(
    'unchanged-is-unmarked',
    'what a whole walk has met unchanged is not marked, and is deleted then',
    pageWriter,
    'if (page.walk !== undefined) into.push(...this.#marking(page, inWalk));',
    '',
    tests.pages,
  ),
  fault(
    'news-keep-their-looks',
    'a change counts as looked at because an earlier one of its record was',
    pageWriter,
    'looks = 0, change_type',
    'change_type',
    tests.pages,
  ),
  fault(
    'new-again-is-an-update',
    'a record that was created and changed before a poll is told as an update',
    pageWriter,
    "case when t.change_type = 'create' and excluded.change_type = 'update' then 'create' else excluded.change_type end",
    'excluded.change_type',
    tests.pages,
  ),
];

const ofTheGate = (fault) => [
  fault(
    'token-of-a-page',
    'a page that knows the token gets an address of the console',
    admit,
    'return isAsked && !isBrowser && sameSecret(',
    'return isAsked && sameSecret(',
    tests.gate,
  ),
  fault(
    'frame-of-its-own',
    'a frame on a page of the console is answered',
    admit,
    "site === 'same-origin' && headers['sec-fetch-dest'] !== 'iframe'",
    "site === 'same-origin'",
    tests.gate,
  ),
  fault(
    'addresses-for-ever',
    'an address that was printed and never opened stays open for ever',
    secrets,
    'if (open.length > MOST_OPEN) open.shift();',
    '',
    tests.gate,
  ),
  fault(
    'one-address',
    'whoever asks for an address closes that of somebody else',
    secrets,
    'const MOST_OPEN = 16;',
    'const MOST_OPEN = 1;',
    tests.gate,
  ),
];

const ofCalls = (fault) => [
  fault(
    'retry-by-our-clock',
    'a date after which to come again is compared with the clock of this machine',
    'src/client/retry.ts',
    "const served = Date.parse(headers.date ?? '');",
    'const served = Number.NaN;',
    'test/wire/retries.test.ts',
  ),
  fault(
    'limit-of-a-list',
    'an answer with one record may be as large as memory, and a list may not',
    'src/client/exchange.ts',
    'subject.operation !== undefined && subject.operation.page === undefined',
    'subject.operation !== undefined && subject.operation.page !== undefined',
    tests.list,
  ),
  fault(
    'given-up-is-refused',
    'a write is told not to be applied where a gateway gave its answer up (499)',
    'src/client/retry.ts',
    'new Set([408, 499])',
    'new Set([408])',
    tests.outcome,
  ),
  fault(
    'short-keys-in-answers',
    'a key of less than twenty characters that the service repeats is printed',
    'src/client/authorization.ts',
    '.{8,}$/s;',
    '.{20,}$/s;',
    'test/client/credentials.test.ts',
  ),
];

const ofThisMachine = (fault) => [
  fault(
    'settings-of-a-group',
    'settings that the group may read are not reported',
    'src/platform/settings/node-settings-guard.ts',
    'if ((mode & 0o077) === 0) return [];',
    'if ((mode & 0o007) === 0) return [];',
    tests.settings,
  ),
  fault(
    'unknown-key-moves',
    'an unknown field of a profile, which may be a key, moves to another service with it',
    settingsContent,
    'former === undefined || former.base_url !== profile.base_url || former.kind !== profile.kind',
    'former === undefined || former.kind !== profile.kind',
    tests.content,
  ),
  fault(
    'numbers-for-texts',
    'a setting of a profile that is no text is taken',
    settingsContent,
    'for (const name of Object.keys(texts)) requiredText(',
    'for (const name of Object.keys(texts).slice(0, 0)) requiredText(',
    tests.content,
  ),
  fault(
    'given-up-while-away',
    'a change is given up while its target does not answer at all',
    'src/events/listen/forward/forward.ts',
    ' && liveness.hasAnsweredSince(item.firstFailedAt)',
    '',
    'test/events/forward.test.ts',
  ),
  fault(
    'bytes-wait-for-ever',
    'what waited for the disk counts as waiting for ever: after 64 MiB every callback is refused',
    receiver,
    '        waitingBytes -= body.length;',
    '',
    tests.repeats,
  ),
  fault(
    'failure-waits-for-ever',
    'what could not be stored counts as waiting for ever',
    receiver,
    '        onFailure(error);',
    '        onFailure(error);\n        waitingBytes += body.length;',
    tests.repeats,
  ),
];

/** The faults; `fault` makes one. */
export const ofNeighbours = (fault) => [
  ...ofSheets(fault),
  ...ofCash(fault),
  ...ofTheCopy(fault),
  ...ofTheGate(fault),
  ...ofCalls(fault),
  ...ofThisMachine(fault),
  ...ofChance(fault),
];

import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { absolutePath, flagsOf, serviceActions } from '../../action/service.ts';
import { answering, answersIn, type KnownSession } from '../../batch/actions/answering.ts';
import { readingFields } from '../../batch/actions/inputs.ts';
import { allSaved, savedOrFile } from '../../batch/actions/mappings.ts';
import { pathFrom } from '../../batch/actions/plan/plan-file.ts';
import { accountFields } from '../../batch/actions/plan/plan-outputs.ts';
import { warningLines } from '../../batch/actions/plan/warning-lines.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, money, requiring, text } from '../../contract/schema/scalars.ts';
import { paymentKindNames } from '../../domain/amounts/payment-kinds.ts';
import { dayInZone } from '../../domain/calendar.ts';
import { FileError } from '../../platform/files/files.ts';
import { freeMemory } from '../../platform/process/free-memory.ts';
import { SheetError } from '../../sheets/formats/sheet.ts';
import type { Imported } from '../import-payments.ts';
import type { NotReplaced } from '../replace-sessions.ts';
import { builtInLayouts } from '../sheet/built-in.ts';
import { layoutOf, type PaymentLayout } from '../sheet/layout.ts';
import { say } from '../texts.ts';
import { type AtPayments, atPayments, payToMirrorIfAny } from './files.ts';

type LayoutPorts = Pick<Ports, 'files' | 'places' | 'workingDirectory'>;

/** The layout of a name: built in, saved, or in a file. Throws a FileError and a SheetError. */
async function layoutNamed(name: string, ports: LayoutPorts): Promise<PaymentLayout> {
  const own = builtInLayouts.find((layout) => layout.name === name);
  if (own !== undefined) return own;
  const layout = await savedOrFile(name, ports, 'layouts', layoutOf);
  return { ...layout, name };
}

/** Every layout: those that are built in, and those that were saved. */
async function allLayouts(ports: LayoutPorts): Promise<PaymentLayout[]> {
  const saved = await allSaved(ports, 'layouts', layoutOf);
  return [...builtInLayouts, ...saved.map(([name, layout]) => ({ ...layout, name }))];
}

/** How long the service that imports a folder waits between two runs. */
const PAUSE = '15m';

/** What the heap may hold after a file, in bytes, before the garbage of those before is collected. */
const MOST_BETWEEN_FILES = 48 * 1024 * 1024;

const problem = z.object({
  sheet: z.nullable(text('The sheet; null for a text file')),
  row: int('The row, from 1', 'rows'),
  cell: text('The cell, such as H12'),
  value: text('What stands there'),
  problem: text('What is wrong with it'),
});

const kinds = z.object(Object.fromEntries(paymentKindNames.map((kind) => [kind, z.optional(money(`Sum of ${kind}`))])));

const row = z.object({
  file: text('The file'),
  id: text('Its id: the beginning of the hash of its content'),
  new: flag('Whether it was imported now; false if it had been before'),
  layout: text('The layout with which it was read'),
  carrier: z.nullable(text('The carrier; null if nothing says which')),
  sessions: list(text('A session'), 'The payment sessions in it'),
  rows: int('Rows with a parcel or an amount', 'rows'),
  unread: int('Rows that could not be read: nothing in them is counted', 'rows'),
  lines: int('Payment lines that count', 'lines'),
  repeated: int('Lines that repeat another one: stored, and not counted', 'lines'),
  replaced: int('Lines of the session that it took the place of', 'lines'),
  amount: money('Sum of the lines that count, from the point of view of the shop'),
  kinds: kinds.meta({ description: 'Sums by kind' }),
  problems: list(problem, 'What is wrong in it, by cell'),
  read: z
    .object({
      sheets: accountFields.sheets,
      lines: int('Lines of the file, without its header: rows, and lines that are left out', 'lines'),
      rows: int('Rows with a parcel or an amount', 'rows'),
      left_out: accountFields.left_out,
      readings: accountFields.readings,
      warnings: accountFields.warnings,
    })
    .meta({ description: 'The account of every line of the file' }),
});

const input = requiring(
  { file: list(text('a payment file: csv, tsv or xlsx, or a folder of them'), 'the files') },
  {
    layout: text(
      'how its columns are read: ghtk, ghn, vtp, the name of a saved layout, or a file; by its headers when absent',
    ),
    session: text('the payment session of a file that does not name one; its file name when absent'),
    carrier: text('the carrier, for parcels that the shop does not know'),
    format: text('format of the file, where its name does not say it'),
    sheet: readingFields.sheet,
    all_sheets: flag('read all sheets with rows below the header of a layout'),
    hidden_rows: readingFields.hidden_rows,
    struck_rows: readingFields.struck_rows,
    unit: readingFields.unit,
    ignore_columns: flag('leave out columns of money that the layout does not know; asked when absent'),
    replaces: list(text('a payment session'), 'the sessions whose lines the file replaces'),
    adds: flag('add the lines to what sessions have of the parcels already, except for equal ones'),
  },
);

const MOST_PROBLEMS = 20;
/** Lines that are there already stand below what is wrong with others. */
const MOST_REPEATS = 3;

function report({ file, problems, repeats, repeated, notes, ...one }: Imported, ports: Ports): void {
  const { notice, verdict } = ports.report;
  const texts = say().import;
  const tell = (what: string) => notice(`${file}: ${what}`);
  for (const note of notes) tell(note);
  if (one.isReadOtherwise)
    tell(texts.storesNow({ advice: ports.ui.advise('replace_sessions', { sessions: one.sessions }) }));
  for (const line of warningLines({ ...one.unusual, rows: one.rows })) tell(line);
  const shown = [
    ...problems.filter((one) => !repeats.has(one)).slice(0, MOST_PROBLEMS),
    ...problems.filter((one) => repeats.has(one)).slice(0, MOST_REPEATS),
  ];
  for (const { sheet, cell, value, problem } of shown) {
    tell(`${sheet === null ? '' : `${sheet}!`}${cell}${value === '' ? '' : ` ${JSON.stringify(value)}`}: ${problem}`);
  }
  if (problems.length > shown.length) tell(texts.moreProblems({ count: problems.length - shown.length }));
  if (one.unread > 0) tell(texts.unread({ count: one.unread, rows: one.rows }));
  if (repeated > 0) tell(texts.repeated({ count: repeated }));
  if (problems.length > 0) verdict('partial');
  if (one.replaced > 0) tell(texts.replaced({ count: one.replaced, sessions: one.sessions.join(', ') }));
  const kinds = Object.entries(one.kinds).map(([kind, amount]) =>
    texts.kind({ kind: say().kind[kind] ?? kind, amount }),
  );
  tell(texts.done({ rows: one.rows, lines: one.lines, amount: one.amount, kinds: kinds.join(', ') }));
}

/** Whether something about one file stops it, and none of the others. */
const isOfFile = (error: unknown): error is Error =>
  error instanceof SheetError ||
  error instanceof FileError ||
  (error instanceof Refusal && error.code === 'questions_open');

/** The same with all that was typed besides the layout: whoever reads the file otherwise types it again. */
function withGiven(error: unknown, { file: _, layout: __, ...given }: z.output<typeof input>): unknown {
  if (!(error instanceof SheetError)) return error;
  const { message, hint, code, facts } = error;
  const flags = flagsOf(given).join('\n');
  return new SheetError(message, { hint, code, cause: error, facts: { ...facts, flags } });
}

/** Refuses to replace a session by several files: the second would take the place of the first. */
function refuseReplacing(files: readonly string[], { replaces }: z.output<typeof input>): void {
  if ((replaces ?? []).length === 0 || files.length === 1) return;
  const message = say().import.replacesOne;
  throw new Refusal('invalid_input', `replaces ${message}`, { fieldErrors: [{ path: 'replaces', message }] });
}

function notReplaced({ kind, sessions }: NotReplaced): Refusal {
  const names = sessions.join(', ');
  if (kind === 'no_session')
    return new Refusal('cod_unknown', say().files.noSession({ session: names }), { kind: 'missing' });
  if (kind === 'other_carrier')
    return new Refusal('cod_other_carrier', say().import.otherCarrier({ sessions: names }), { kind: 'policy' });
  const message = say().import.closed({ sessions: names });
  return new Refusal('cod_closed', message, { kind: 'policy', facts: { session: sessions[0] ?? '' } });
}

/** The sessions that have payments, by name. */
async function sessionsKnown(
  { payments, shopId }: AtPayments,
  ports: Ports,
): Promise<ReadonlyMap<string, KnownSession>> {
  const [files, kinds, closed] = await Promise.all([
    payments.files(shopId),
    payments.kinds(shopId),
    payments.closed(shopId),
  ]);
  const known = new Map<string, KnownSession>();
  // Oldest first: the day is that of the last file.
  for (const { number, name, imported_at } of files.toReversed()) {
    const day = dayInZone(Date.parse(imported_at), ports.timeZone());
    for (const { session, lines, amount } of kinds.filter(({ file }) => file === number)) {
      const { files = [], ...sums } = known.get(session) ?? { lines: 0, amount: 0 };
      known.set(session, {
        files: [...new Set([...files, name])],
        day,
        lines: sums.lines + Number(lines),
        amount: sums.amount + Number(amount),
        isClosed: closed.some((one) => one.session === session),
      });
    }
  }
  return known;
}

/** What a folder's files are called that are imported; a file that a spreadsheet has open beside it is not. */
const PAYMENT_FILE = /^[^.~].*\.(?:csv|tsv|xlsx)$/i;

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // What is not there is reported as the file that it was meant to be.
    return false;
  }
}

/** The files that are meant: of a folder those directly in it, sorted. */
async function filesMeant(given: readonly string[], ports: Ports): Promise<readonly string[]> {
  const meant = await Promise.all(
    given.map(async (path) => {
      const folder = absolutePath(path, ports);
      if (!isFolder(folder)) return [path];
      const names = (await ports.files.list(folder)).filter((name) => PAYMENT_FILE.test(name));
      if (names.length === 0) ports.report.notice(say().import.noFile({ path }));
      return names.map((name) => join(path, name));
    }),
  );
  return meant.flat();
}

/** `cod import`. */
export const importFiles = action({
  id: 'cod.import',
  words: ['cod', 'import'],
  summary: 'Import payment files of carriers',
  description:
    'Each amount becomes a payment line: a parcel, a kind and an amount. A row that cannot be read is listed with its cell, and does not stop the others. Importing the same file again changes nothing. What a session has already is asked about: --replaces or --adds answers it, and without a terminal the command exits with 2. Exits with 9 if something in a file is wrong.',
  examples: [
    'shopctl cod import ghtk-2026-11-20.xlsx',
    'shopctl cod import *.xlsx',
    'shopctl cod import payments/',
    'shopctl cod import viettel.xlsx --layout vtp --session 2026-11-20',
    'shopctl cod import ghtk-corrected.xlsx --replaces ghtk-2026-11-20',
  ],
  effect: 'store',
  undo: 'cod forget',
  needs: ['key', 'workspace'],
  page: 'allowed',
  input,
  positional: ['file'],
  hints: {
    file: { placeholder: 'FILE', from: 'path', page: 'upload' },
    layout: {
      placeholder: 'NAME',
      from: 'path',
      values: ['ghtk', 'ghn', 'vtp'],
      page: { values: ['ghtk', 'ghn', 'vtp'] },
    },
    session: { placeholder: 'NAME' },
    carrier: { placeholder: 'NAME' },
    replaces: { placeholder: 'SESSION' },
  },
  output: list(row, 'What was read, a file each'),
  view: () => ({
    columns: [
      { path: 'file', cut: 'start' },
      { path: 'layout' },
      { path: 'rows', kind: 'number' },
      { path: 'unread', kind: 'number' },
      { path: 'lines', header: say().files.linesHeader, kind: 'number' },
      { path: 'repeated', kind: 'number', optional: true },
      { path: 'amount', kind: 'number' },
    ],
    name: 'id',
    fields: ['kinds', 'sessions', 'problems'],
  }),
  async run(given, ports) {
    const files = await filesMeant(given.file, ports);
    refuseReplacing(files, given);
    ports.intend({ import: files });
    const layouts = given.layout ? [await layoutNamed(given.layout, ports)] : await allLayouts(ports);
    const { importPayments } = await import('../index.ts');
    const rows: Imported[] = [];
    await atPayments(ports, async ({ payments, shopId }) => {
      for (const file of files) {
        ports.signal.throwIfAborted();
        try {
          const done = await answering(
            {
              answers: { ...answersIn(given), session: given.session ?? undefined },
              sessions: () => sessionsKnown({ payments, shopId }, ports),
            },
            ports,
            (answers) =>
              ports.progress.during(() =>
                importPayments(payments, {
                  shopId,
                  path: pathFrom(ports.workingDirectory, file),
                  format: given.format ?? undefined,
                  answers,
                  layouts,
                  carrier: given.carrier ?? undefined,
                  at: new Date(ports.clock.now()).toISOString(),
                  signal: ports.signal,
                }),
              ),
          );
          if ('kind' in done) throw notReplaced(done);
          report(done, ports);
          rows.push(done);
        } catch (error) {
          // The others of a folder are imported, however many there are.
          if (given.file.join() === files.join() && files.length === 1) throw withGiven(error, given);
          if (!isOfFile(error)) throw error;
          ports.report.notice(say().import.notImported({ file, why: error.message }));
          ports.report.verdict('partial');
        }
        freeMemory(MOST_BETWEEN_FILES);
        ports.progress.came(rows.length);
      }
    });
    await payToMirrorIfAny(ports);
    return rows.map(({ notes: _, unusual: __, repeats: ___, isReadOtherwise: ____, ...one }) => one);
  },
});

/** The import of a folder as a user service. */
export const { install, uninstall } = serviceActions({
  group: 'cod',
  called: 'payments',
  summary: 'Write systemd user units that import payment files of a folder',
  description:
    'A timer starts `cod import` of the folder with the current profile: what was imported before changes nothing. Keys stay where they are saved: keys from the environment are not written to the unit.',
  examples: ['shopctl cod install ~/payments', 'shopctl cod install ~/payments --every 1h --layout ghtk'],
  input: requiring(
    { folder: text('the folder with the payment files') },
    {
      layout: input.shape.layout,
      carrier: input.shape.carrier,
      every: text(`how long to wait between two imports; ${PAUSE} when absent`),
      name: text("name of the units; the profile's when absent"),
    },
  ),
  positional: ['folder'],
  hints: {
    folder: { placeholder: 'FOLDER', from: 'path' },
    layout: { placeholder: 'NAME', from: 'path' },
    carrier: { placeholder: 'NAME' },
    every: { placeholder: 'DURATION', isStyle: true, from: 'path' },
  },
  pause: PAUSE,
  words: ({ folder, layout, carrier }, ports) => [
    'cod',
    'import',
    absolutePath(folder, ports),
    ...flagsOf({ layout, carrier }),
  ],
});

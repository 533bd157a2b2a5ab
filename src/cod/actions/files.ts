import { statSync } from 'node:fs';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { pathFrom } from '../../batch/actions/plan/plan-file.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, list, money, requiring, text, time } from '../../contract/schema/scalars.ts';
import { inCapitalsToo, isNamedBy } from '../../domain/named-by.ts';
import { openWorkspace } from '../../ledger/open.ts';
import { payToMirror } from '../../mirror/actions/copy-payments.ts';
import { atMirror, shopInForce } from '../../mirror/actions/place.ts';
import type { Payments, StoredFile } from '../payments.ts';
import { say } from '../texts.ts';

/** The payments of the shop whose key is used. */
export interface AtPayments {
  readonly payments: Payments;
  readonly shopId: string;
}

/** Opens the payments of the workspace for some work. Throws a Refusal, a WorkspaceError or a CallError. */
export async function atPayments<Result>(ports: Ports, work: (at: AtPayments) => Promise<Result>): Promise<Result> {
  const shopId = await shopInForce(ports);
  const { Payments } = await import('../index.ts');
  const workspace = await openWorkspace(ports);
  try {
    return await work({ payments: new Payments(workspace), shopId });
  } finally {
    await workspace.close();
  }
}

/** Copies the payments to the mirror if there is one. Throws a WorkspaceError. */
export async function payToMirrorIfAny(ports: Ports): Promise<void> {
  const [{ mirrorExists }, { mirrorPlace }] = await Promise.all([
    import('../../mirror/index.ts'),
    import('../../mirror/actions/place.ts'),
  ]);
  if (mirrorExists(mirrorPlace(ports))) await atMirror(ports, (at) => payToMirror(at, ports));
}

const file = z.object({
  id: text('Its id: the beginning of the hash of its content'),
  file: text('Its name'),
  layout: text('The layout with which it was read'),
  carrier: z.nullable(text('The carrier; null if nothing says which')),
  sessions: list(text('A session'), 'The payment sessions in it'),
  closed: list(text('A session'), 'Those of them that are closed'),
  state: text('Whether they are closed: open, closed, or partly closed'),
  imported_at: time('When it was imported'),
  rows: int('Rows with a parcel or an amount', 'rows'),
  unread: int('Rows that could not be read', 'rows'),
  lines: int('Payment lines that count', 'lines'),
  amount: money('Sum of those lines, from the point of view of the shop'),
});

const sum = (numbers: readonly unknown[]) => numbers.reduce<number>((total, number) => total + Number(number), 0);

/** `cod list`. */
export const listFiles = action({
  id: 'cod.list',
  words: ['cod', 'list'],
  summary: 'List the payment files that were imported, newest first',
  examples: ['shopctl cod list', 'shopctl cod list -o json'],
  effect: 'read',
  agents: 'read',
  needs: ['key', 'workspace'],
  page: 'allowed',
  input: z.object({}),
  output: list(file, 'The files'),
  view: () => ({
    columns: [
      { path: 'file', cut: 'start' },
      { path: 'sessions', cut: 'never' },
      { path: 'state' },
      { path: 'unread', kind: 'number' },
      { path: 'lines', header: say().files.linesHeader, kind: 'number' },
      { path: 'amount', kind: 'number' },
      { path: 'layout', optional: true },
      { path: 'rows', kind: 'number', optional: true },
      { path: 'imported_at', kind: 'time', optional: true },
      { path: 'id', goesFirst: true },
    ],
    name: 'id',
    fields: ['carrier', 'closed'],
  }),
  run: (_, ports) =>
    atPayments(ports, async ({ payments, shopId }) => {
      const [files, kinds, closed] = await Promise.all([
        payments.files(shopId),
        payments.kinds(shopId),
        payments.closed(shopId),
      ]);
      return files.map(({ number, name, id, layout, carrier, imported_at, rows, unread }) => {
        const own = kinds.filter((one) => one.file === number);
        const counting = own.filter(({ lines }) => Number(lines) > 0);
        // What only repeats a session is of that session.
        const sessions = [...new Set((counting.length > 0 ? counting : own).map(({ session }) => session))];
        const shut = sessions.filter((session) => closed.some((one) => one.session === session));
        const { open, partly, allClosed } = say().files.state;
        return {
          id,
          file: name,
          layout,
          carrier: carrier === '' ? null : carrier,
          sessions,
          closed: shut,
          state: shut.length === 0 ? open : shut.length < sessions.length ? partly : allClosed,
          imported_at,
          rows,
          unread,
          lines: sum(own.map(({ lines }) => lines)),
          amount: sum(own.map(({ amount }) => amount)),
        };
      });
    }),
});

/** The files that a name or the beginning of an id stands for. */
async function filesNamed(name: string, { payments, shopId }: AtPayments): Promise<StoredFile[]> {
  const files = await payments.files(shopId);
  return files.filter((one) => one.name === name || isNamedBy(name, one.id));
}

/** What was imported with the content of a file that is called otherwise now. */
async function importedFrom(name: string, at: AtPayments, ports: Ports, tells?: 'tells'): Promise<StoredFile[]> {
  const path = pathFrom(ports.workingDirectory, name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const { idOfPayments } = await import('../index.ts');
  const same = await filesNamed(await idOfPayments(path), at);
  for (const one of tells === undefined ? [] : same)
    ports.report.notice(say().files.importedAs({ name, as: one.name }));
  return same;
}

/** Whether a text can only be our id of a shipment. */
const isId = (of: string) => /^\d{19}$/.test(of);

const line = z.object({
  file: text('The file'),
  imported_at: time('When the file was imported'),
  cell: text('The cell'),
  session: text('The payment session'),
  shipping_code: text("The carrier's code of the parcel"),
  fulfillment_id: text('Our id of the shipment, as the file has it'),
  kind: text('cod, delivery, return, insurance and so on'),
  amount: money('The amount from the point of view of the shop'),
  day: z.nullable(text('The day that the file has for the parcel, YYYY-MM-DD')),
  repeats: z.nullable(text('The line that it repeats: it is not counted')),
  after_close: flag('Whether its session was closed when it was imported'),
});

/** `cod show`. */
export const showLines = action({
  id: 'cod.show',
  words: ['cod', 'show'],
  summary: 'Show every payment line of a file or of a parcel',
  examples: ['shopctl cod show ghtk-2026-11-20.xlsx', 'shopctl cod show GR0000123'],
  effect: 'read',
  agents: 'read',
  needs: ['key', 'workspace'],
  page: { about: 'of' },
  input: requiring({ of: text("a file, by its name or id, or a parcel, by the carrier's code or our id") }, {}),
  positional: ['of'],
  hints: { of: { placeholder: 'FILE|PARCEL', from: 'path' } },
  output: list(line, 'The lines in the order in which they were imported'),
  view: {
    columns: [
      { path: 'file', cut: 'start' },
      { path: 'cell', kind: 'place' },
      { path: 'session', optional: true },
      { path: 'shipping_code' },
      { path: 'kind' },
      { path: 'amount', kind: 'number' },
      { path: 'repeats', optional: true },
      { path: 'imported_at', header: 'imported', kind: 'time', optional: true },
    ],
    name: 'cell',
    fields: ['fulfillment_id', 'day', 'after_close'],
  },
  run: ({ of }, ports) =>
    atPayments(ports, async (at) => {
      const { payments, shopId } = at;
      const files = await filesNamed(of, at);
      const linesOf = (parcel: string) =>
        payments.lines(shopId, files.length > 0 ? { files: files.map(({ number }) => number) } : { parcel });
      let lines: Awaited<ReturnType<typeof linesOf>> = [];
      for (const typed of inCapitalsToo(of)) if (lines.length === 0) lines = await linesOf(typed);
      // A record that no line is about has none; any other text has to be a file or a code that is known.
      if (lines.length === 0 && files.length === 0 && !isId(of)) {
        throw new Refusal('cod_unknown', say().files.noFileNorParcel({ name: of }), { kind: 'missing' });
      }
      const known = await payments.files(shopId);
      const names = new Map(known.map(({ id, name }) => [id, name]));
      const times = new Map(known.map(({ id, imported_at }) => [id, imported_at]));
      const shown = (repeats: string) => {
        const [id = '', cell = ''] = repeats.split(' ');
        return `${names.get(id) ?? id} ${cell}`;
      };
      const counting = lines.filter(({ repeats }) => repeats === null).map(({ amount }) => amount);
      ports.report.notice(say().files.lines({ count: lines.length, amount: sum(counting) }));
      return lines.map(({ name, repeats, late, ...one }) => ({
        file: name,
        imported_at: times.get(one.file_id) ?? '',
        cell: one.cell,
        session: one.session,
        shipping_code: one.shipping_code,
        fulfillment_id: one.fulfillment_id,
        kind: say().kind[one.kind] ?? one.kind,
        amount: Number(one.amount),
        day: one.day,
        repeats: repeats === null ? null : shown(repeats),
        after_close: Number(late) === 1,
      }));
    }),
});

/** The one file that is meant, and how those are called who are told of another name. Throws a Refusal. */
async function fileMeant(name: string, at: AtPayments, ports: Ports, tells?: 'tells'): Promise<StoredFile> {
  const named = await filesNamed(name, at);
  const [found, ...others] = named.length > 0 ? named : await importedFrom(name, at, ports, tells);
  if (found === undefined) throw new Refusal('cod_unknown', say().files.noFile({ name }), { kind: 'missing' });
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id }) => id).join(', ');
    throw new Refusal('cod_ambiguous', say().files.several({ name, ids }));
  }
  return found;
}

function notDeleted({ name }: StoredFile, closed: readonly string[]): Refusal {
  const message = say().files.notDeleted({ name, sessions: closed.join(', ') });
  return new Refusal('cod_closed', message, { kind: 'policy', facts: { session: closed[0] ?? '' } });
}

/** What goes with a file: its sessions, its lines and what they add up to. Throws a Refusal for a closed session. */
async function subjectOf(name: string, at: AtPayments, ports: Ports) {
  const { payments, shopId } = at;
  const found = await fileMeant(name, at, ports);
  const [kinds, closed] = await Promise.all([payments.kinds(shopId), payments.closed(shopId)]);
  const own = kinds.filter((one) => one.file === found.number);
  const sessions = [...new Set(own.map(({ session }) => session))];
  const shut = sessions.filter((session) => closed.some((one) => one.session === session));
  if (shut.length > 0) throw notDeleted(found, shut);
  const isAlone = (session: string) => kinds.every((one) => one.session !== session || one.file === found.number);
  const [lines, amount] = [sum(own.map((one) => one.lines)), sum(own.map((one) => one.amount))];
  return { called: found.name, effect: say().files.goes({ sessions, lines, amount, gone: sessions.filter(isAlone) }) };
}

/** `cod forget`. */
export const removeFile = action({
  id: 'cod.forget',
  words: ['cod', 'forget'],
  summary: 'Delete an imported payment file and its lines',
  description:
    'Lines of other files that repeated one of its lines are counted from then on. A file with lines of a closed session is not deleted.',
  examples: ['shopctl cod forget ghtk-2026-11-20.xlsx --yes'],
  effect: 'remove',
  undo: 'cod import',
  needs: ['key', 'workspace'],
  page: 'allowed',
  destructive: true,
  input: requiring({ file: text('the file, by its name or id') }, {}),
  positional: ['file'],
  hints: { file: { placeholder: 'FILE', from: 'path' } },
  subject: ({ file: name }, ports) => atPayments(ports, (at) => subjectOf(name, at, ports)),
  output: z.object({ file: text('The file that was deleted'), id: text('Its id') }),
  view: { columns: [{ path: 'file' }, { path: 'id' }], name: 'id' },
  async run(given, ports) {
    const removed = await atPayments(ports, async (at) => {
      const found = await fileMeant(given.file, at, ports, 'tells');
      ports.intend({ remove: found.name, id: found.id });
      const closed = await at.payments.remove(at.shopId, found);
      if (closed.length > 0) throw notDeleted(found, closed);
      ports.report.alone(say().files.deleted({ name: found.name }));
      return { file: found.name, id: found.id };
    });
    await payToMirrorIfAny(ports);
    return removed;
  },
});

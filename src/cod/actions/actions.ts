import * as z from 'zod';
import { action } from '../../action/action.ts';
import { readingFields } from '../../batch/actions/inputs.ts';
import { mappedPayments, mappedPaymentsView } from '../../batch/actions/mapped.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, int, money, requiring, text, time } from '../../contract/schema/scalars.ts';
import type { Payments } from '../payments.ts';
import { say } from '../texts.ts';
import { atPayments, listFiles, payToMirrorIfAny, removeFile, showLines } from './files.ts';
import { importFiles, install, uninstall } from './import.ts';
import { agreeToClose, reconcileAction } from './reconcile.ts';

const noSession = (session: string) =>
  new Refusal('cod_unknown', say().files.noSession({ session }), { kind: 'missing' });

const notClosed = (session: string) => new Refusal('cod_open', say().files.notClosed({ session }));

const changedMeanwhile = (sums: { session: string; seen: number; now: number }) =>
  new Refusal('cod_changed', say().files.changedMeanwhile(sums), { kind: 'policy' });

function closedAlready(session: string, closed: Awaited<ReturnType<Payments['closed']>>): Refusal {
  const { closed_by: by = '', closed_at: at = '', amount = 0 } = closed.find((one) => one.session === session) ?? {};
  const message = say().files.closedAlready({ session, by, at, amount: Number(amount) });
  return new Refusal('cod_closed', message, { kind: 'policy', facts: { session } });
}

/** `cod close`. */
const close = action({
  id: 'cod.close',
  words: ['cod', 'close'],
  summary: 'Close a payment session: record that its sums were agreed to, by whom and when',
  description:
    'Says first what still differs by the mirror; at a terminal it then asks. Lines that are imported for a closed session later are marked, and its files cannot be deleted. --undo opens it again.',
  examples: ['shopctl cod close ghtk-2026-11-20 --by Lan', 'shopctl cod close ghtk-2026-11-20 --undo'],
  effect: 'store',
  takesWord: true,
  undo: { whyNot: 'a closed session stays closed' },
  needs: ['key', 'workspace'],
  page: 'allowed',
  input: requiring(
    { session: text('the payment session') },
    {
      by: text('who agreed; the name of the user of this machine when absent'),
      note: text('a note'),
      undo: flag('open a closed session again'),
    },
  ),
  positional: ['session'],
  hints: { session: { placeholder: 'SESSION', from: 'path' }, by: { placeholder: 'NAME' } },
  output: z.object({
    session: text('The session'),
    closed_at: z.nullable(time('When it was closed; null if it is open')),
    closed_by: z.nullable(text('Who agreed; null if it is open')),
    note: text('The note'),
    lines: int('Payment lines that count', 'lines'),
    amount: money('Their sum, from the point of view of the shop'),
  }),
  view: {
    name: 'session',
    columns: [
      { path: 'session' },
      // Of a parcel it says when that ended.
      { path: 'closed_at', header: 'closed at', kind: 'time' },
      { path: 'closed_by' },
      { path: 'note' },
      { path: 'lines', kind: 'number' },
      { path: 'amount', kind: 'number' },
    ],
  },
  async run({ session, by, note, undo }, ports) {
    const result = await atPayments(ports, async ({ payments, shopId }) => {
      const sums = await payments.session(shopId, session);
      if (sums === undefined) throw noSession(session);
      const [lines, amount] = [Number(sums.lines), Number(sums.amount)];
      if (undo === true) {
        ports.intend({ reopen: session });
        if (!(await payments.reopen(shopId, session))) throw notClosed(session);
        ports.report.alone(say().files.reopened({ session, amount }));
        return { session, closed_at: null, closed_by: null, note: '', lines, amount };
      }
      const isOpen = (await payments.closed(shopId)).every((one) => one.session !== session);
      if (isOpen) await agreeToClose({ session, amount }, ports);
      ports.intend({ close: session });
      const name = by ?? (ports.user() || 'unknown');
      const at = new Date(ports.clock.now()).toISOString();
      const closed = await payments.close(shopId, session, { at, name, note: note ?? '', seen: sums });
      if (closed === undefined) throw noSession(session);
      if (closed === false) throw closedAlready(session, await payments.closed(shopId));
      if ('now' in closed) throw changedMeanwhile({ session, seen: amount, now: Number(closed.now.amount) });
      const { shop_id: _, ...rest } = closed;
      return { ...rest, lines, amount };
    });
    await payToMirrorIfAny(ports);
    return result;
  },
});

/** `cod map`. */
const mapPayments = action({
  id: 'cod.map',
  words: ['cod', 'map'],
  summary: 'Define how the columns of a payment file are read, and save the layout',
  description:
    'Proposes a field for each column by its header, Vietnamese or English, and shows the first three rows as they would be read. On a terminal it asks about the columns that it does not know, and then lets you correct a single answer: a column, or one word of it. A saved layout is found by the headers of a file.',
  examples: ['shopctl cod map spx.xlsx', 'shopctl cod map spx.xlsx --save spx'],
  effect: 'store',
  undo: 'cod map',
  needs: [],
  input: requiring(
    { file: text('a payment file: csv, tsv or xlsx') },
    {
      format: text('format of the file, where its name does not say it'),
      sheet: text('name of the sheet, for files that have several'),
      header_row: readingFields.header_row,
      save: text('save the layout under this name'),
      replace: flag('replace a saved layout of that name'),
    },
  ),
  positional: ['file'],
  hints: { file: { placeholder: 'FILE', from: 'path' }, save: { placeholder: 'NAME', from: 'path' } },
  output: mappedPayments,
  view: mappedPaymentsView,
  run: async (given, ports) => (await import('./map-payments.ts')).mapPaymentFile(given, ports),
});

/** Cash on delivery: what carriers paid, and what they owe. */
export const actions = [
  importFiles,
  listFiles,
  showLines,
  removeFile,
  reconcileAction,
  close,
  mapPayments,
  install,
  uninstall,
];

import { resolve } from 'node:path';
import * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import type { Listed } from '../../client/pages.ts';
import { Refusal } from '../../client/refusal.ts';
import { int, list, money, oneOf, requiring, text } from '../../contract/schema/scalars.ts';
import { writeParts } from '../../platform/files/file-parts.ts';
import type { Cell } from '../../sheets/formats/sheet.ts';
import type { CarriedParcel, CarrierLayout } from '../payment-file.ts';
import { say } from '../texts.ts';

const count = (description: string) => int(description, 'parcels');

const input = requiring(
  { layout: oneOf(['ghtk', 'ghn', 'vtp'], 'the layout of the file'), to: text('the file: xlsx, csv or tsv') },
  {
    carrier: text('only parcels of this carrier, by its code; all when absent'),
    session: int('only parcels of this week, counted from the first one with a parcel; all when absent', 'weeks'),
    short: count('number of parcels that are paid 20,000 too little'),
    missing: count('number of parcels that are left out'),
    unknown: count('number of rows for parcels that the shop does not have'),
    provisional: count('number of parcels with a provisional charge'),
    doubled: count('number of rows that appear twice'),
    fee_raised: count('number of fees that are 5,000 higher'),
  },
);

const textIn = (record: Listed, ...path: readonly string[]): string => {
  let at: unknown = record;
  for (const step of path)
    at = typeof at === 'object' && at !== null ? Object.entries(at).find(([name]) => name === step)?.[1] : undefined;
  return typeof at === 'string' ? at : '';
};

const numberIn = (record: Listed, name: string): number => (typeof record[name] === 'number' ? record[name] : 0);

const parcelFrom = (record: Listed): CarriedParcel => ({
  id: textIn(record, 'id'),
  shippingCode: textIn(record, 'shipping_code'),
  state: textIn(record, 'shipping_state'),
  cash: numberIn(record, 'actual_cod_amount'),
  fee: numberIn(record, 'actual_shipping_service_fee') || numberIn(record, 'shipping_service_fee'),
  createdAt: textIn(record, 'created_at'),
  closedAt: textIn(record, 'closed_at') || textIn(record, 'updated_at'),
  recipient: textIn(record, 'shipping_address', 'full_name'),
  address: textIn(record, 'shipping_address', 'address1'),
});

/** The parcels of the sandbox, as its shop's own key lists them. */
async function parcelsOf(carrier: string | undefined, ports: Ports): Promise<CarriedParcel[]> {
  const [{ listRecords }, { ListFulfillments }] = await Promise.all([
    import('../../client/pages.ts'),
    import('../../contract/shop/fulfillment.ts'),
  ]);
  const parcels: CarriedParcel[] = [];
  for await (const record of listRecords(ListFulfillments, {}, ports.connection())) {
    if (carrier === undefined || textIn(record, 'carrier') === carrier) parcels.push(parcelFrom(record));
  }
  return parcels.sort((one, other) => one.closedAt.localeCompare(other.closedAt));
}

/** The bytes of a file, by the ending of its name. Throws a Refusal for another ending. */
async function bytesOf(path: string, lines: readonly (readonly Cell[])[]): Promise<string | Uint8Array> {
  const [first = [], ...rest] = lines;
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  const { delimitedLine } = await import('../../sheets/formats/records-as-lines.ts');
  if (ending === 'csv' || ending === 'tsv') {
    return lines
      .map((cells) =>
        delimitedLine(
          cells.map((cell) => String(cell ?? '')),
          ending === 'tsv' ? '\t' : ',',
        ),
      )
      .join('');
  }
  if (ending !== 'xlsx') throw new Refusal('format_unknown', say().sandbox.ending({ path }));
  const { xlsxOf } = await import('../../sheets/xlsx/write-xlsx.ts');
  return xlsxOf(
    first.map((cell) => String(cell ?? '')),
    rest,
  );
}

const planted = z.object({
  fault: text('What was done'),
  shipping_code: text("The carrier's code of the parcel"),
  amount: money('By how much the file is wrong for it'),
});

/** `sandbox payment-file`. */
export const paymentFile = action({
  id: 'sandbox.payment-file',
  words: ['sandbox', 'payment-file'],
  summary: "Write a carrier's payment file for the parcels of the sandbox",
  description:
    'Lists parcels that were delivered or came back, as GHTK, GHN or Viettel Post do in their files. The result lists every planted mistake.',
  examples: [
    'shopctl sandbox payment-file --layout ghtk --to ghtk.xlsx',
    'shopctl sandbox payment-file --layout ghn --carrier greenmile --session 1 --short 2 --doubled 1 --to ghn.tsv',
  ],
  effect: 'store',
  undo: { whyNot: 'it only writes the named file' },
  needs: ['sandbox', 'key'],
  input,
  hints: { to: { placeholder: 'FILE', from: 'path' }, carrier: { placeholder: 'CODE' } },
  output: z.object({
    file: text('The file'),
    rows: int('Rows with a parcel', 'rows'),
    planted: list(planted, 'The planted mistakes'),
  }),
  view: {
    columns: [
      { path: 'file' },
      { path: 'rows', kind: 'number' },
      { path: 'planted', each: [{ path: 'fault' }, { path: 'shipping_code' }, { path: 'amount', kind: 'number' }] },
    ],
    name: 'file',
  },
  async run(given, ports) {
    const { carrierFile, paymentWeeks } = await import('../index.ts');
    const all = await parcelsOf(given.carrier ?? undefined, ports);
    const weeks = paymentWeeks(all);
    const parcels = typeof given.session === 'number' ? (weeks[given.session - 1] ?? []) : weeks.flat();
    if (parcels.length === 0) {
      const { noParcel, noParcelInWeek } = say().sandbox;
      const message = typeof given.session === 'number' ? noParcelInWeek({ weeks: weeks.length }) : noParcel;
      throw new Refusal('no_parcels', message);
    }
    const layout: CarrierLayout = given.layout;
    const made = carrierFile(layout, parcels, {
      short: given.short ?? 0,
      missing: given.missing ?? 0,
      unknown: given.unknown ?? 0,
      provisional: given.provisional ?? 0,
      doubled: given.doubled ?? 0,
      feeRaised: given.fee_raised ?? 0,
    });
    const path = resolve(ports.workingDirectory, given.to);
    const bytes = await bytesOf(path, made.lines);
    ports.intend({ write: given.to });
    await writeParts(
      path,
      (async function* () {
        yield bytes;
      })(),
    );
    return { file: given.to, rows: made.rows, planted: [...made.planted] };
  },
});

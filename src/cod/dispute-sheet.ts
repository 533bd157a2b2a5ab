import { formatMoney } from '../domain/amounts/money.ts';
import { onPaper, type PaperLanguage } from '../domain/paper.ts';
import type { Cell } from '../sheets/formats/sheet.ts';
import { type ColumnKind, type Tab, workbookOf } from '../sheets/xlsx/write-xlsx.ts';
import { reportedBy } from './classes.ts';
import type { Evidence, ReconciledParcel } from './reconcile.ts';

const vi = {
  shipping_code: 'Mã vận đơn',
  order: 'Mã đơn của shop',
  recipient: 'Người nhận',
  phone: 'SĐT',
  session: 'Phiên',
  state: 'Trạng thái',
  closed: 'Ngày hoàn tất',
  problem: 'Vấn đề',
  also: 'Vấn đề khác',
  due: 'COD phải trả',
  paid: 'COD đã trả',
  short: 'COD trả thiếu',
  over: 'COD trả thừa',
  fee_quoted: 'Phí báo giá',
  fee_charged: 'Phí đã thu',
  fee_difference: 'Chênh lệch phí',
  provisional: 'Tạm thu chưa hoàn',
  evidence: 'Chứng từ',
  delivered: 'Đã giao',
  returned: 'Đã hoàn',
  returning: 'Đang hoàn',
  undeliverable: 'Không giao được',
  delivering: 'Đang giao',
  holding: 'Đã lấy hàng',
  picking: 'Đang lấy hàng',
  created: 'Chờ lấy hàng',
  cancelled: 'Đã hủy',
  other: 'Khác',
  total: 'Tổng cộng',
  nothing: 'Không có chênh lệch',
  again: 'lặp',
};

const en: typeof vi = {
  shipping_code: 'Shipping code',
  order: "Shop's order code",
  recipient: 'Recipient',
  phone: 'Phone',
  session: 'Session',
  state: 'State',
  closed: 'Closed on',
  problem: 'Problem',
  also: 'Also',
  due: 'COD due',
  paid: 'COD paid',
  short: 'COD short',
  over: 'COD over',
  fee_quoted: 'Fee quoted',
  fee_charged: 'Fee charged',
  fee_difference: 'Fee difference',
  provisional: 'Provisional charge not returned',
  evidence: 'Evidence',
  delivered: 'Delivered',
  returned: 'Returned',
  returning: 'Returning',
  undeliverable: 'Undeliverable',
  delivering: 'Delivering',
  holding: 'Picked up',
  picking: 'Being picked up',
  created: 'Waiting for pickup',
  cancelled: 'Cancelled',
  other: 'Other',
  total: 'Total',
  nothing: 'No differences',
  again: 'repeated',
};

type Word = keyof typeof vi;

const columns = [
  'shipping_code',
  'order',
  'recipient',
  'phone',
  'session',
  'state',
  'closed',
  'problem',
  'also',
  'due',
  'paid',
  'short',
  'over',
  'fee_quoted',
  'fee_charged',
  'fee_difference',
  'provisional',
  'evidence',
] as const satisfies readonly Word[];

/** The columns with amounts, from 0. */
const amounts = [9, 10, 11, 12, 13, 14, 15, 16];

/** The column with the day on which a parcel was closed. */
const CLOSED = 6;

const kinds = columns.map((_, column): ColumnKind | undefined => {
  if (column === CLOSED) return 'day';
  return amounts.includes(column) ? 'amount' : undefined;
});

const isWord = (name: string): name is Word => Object.hasOwn(vi, name);

const MOST_EVIDENCE = 6;

/** What is wrong with a parcel, in the language of the sheet. */
const problemIn = (language: PaperLanguage) => (name: string) => {
  const vietnamese = reportedBy.get(name)?.vietnamese ?? name;
  return onPaper(language, { vi: { [name]: vietnamese }, en: { [name]: name.replaceAll('_', ' ') } })(name);
};

/** An amount in a text, as it is written where carriers read it: 640.000. */
const amountText = (amount: number) => formatMoney(amount).replaceAll(',', '.');

function evidence(lines: readonly Evidence[], again: string): string {
  const shown = lines
    .slice(0, MOST_EVIDENCE)
    .map(
      ({ file, cell, amount, repeated }) => `${file} ${cell}: ${amountText(amount)}${repeated ? ` (${again})` : ''}`,
    );
  const more = lines.length > MOST_EVIDENCE ? ` … (+${lines.length - MOST_EVIDENCE})` : '';
  return `${shown.join('; ')}${more}`;
}

function lineOf(parcel: ReconciledParcel, dayOf: (moment: string) => string, language: PaperLanguage): Cell[] {
  const say = onPaper(language, { vi, en });
  const problem = problemIn(language);
  const { fee_quoted, fee_charged, difference } = parcel;
  return [
    parcel.shipping_code,
    parcel.order ?? '',
    parcel.recipient ?? '',
    parcel.phone ?? '',
    parcel.session ?? '',
    parcel.state !== null && isWord(parcel.state) ? say(parcel.state) : (parcel.state ?? ''),
    parcel.closed_at === null ? '' : dayOf(parcel.closed_at),
    problem(parcel.class),
    parcel.also.map(problem).join(', '),
    parcel.due,
    parcel.paid,
    difference < 0 ? -difference : '',
    difference > 0 ? difference : '',
    fee_quoted ?? '',
    fee_charged ?? '',
    fee_quoted === null || fee_charged === null ? '' : fee_charged - fee_quoted,
    parcel.provisional === 0 ? '' : parcel.provisional,
    evidence(parcel.lines, say('again')),
  ];
}

const sumOf = (lines: readonly (readonly Cell[])[], column: number) =>
  lines.reduce((sum, cells) => sum + Number(cells[column] ?? 0), 0);

/** A sheet's name: at most 31 characters, without those that a spreadsheet refuses; unique among `taken`. */
function tabName(carrier: string, taken: Set<string>, otherwise: string): string {
  const bare =
    carrier
      .replaceAll(/[\\/?*:[\]']/g, ' ')
      .trim()
      .slice(0, 27) || otherwise;
  let name = bare;
  for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${bare} ${count}`;
  taken.add(name.toLowerCase());
  return name;
}

/**
 * A workbook to send to the carriers: a sheet for each, with the parcels about which something differs, sums, and the
 * cells of their files as evidence; `dayOf` returns the day of a moment in the shop's time zone. Throws a RangeError for more parcels than a sheet holds.
 */
export async function disputeSheet(
  parcels: AsyncIterable<ReconciledParcel>,
  dayOf: (moment: string) => string,
  language: PaperLanguage = 'vi',
): Promise<Uint8Array> {
  const say = onPaper(language, { vi, en });
  const names = columns.map((column) => say(column));
  const byCarrier = new Map<string, Cell[][]>();
  for await (const parcel of parcels) {
    const carrier = parcel.carrier ?? say('other');
    const own = byCarrier.get(carrier);
    const line = lineOf(parcel, dayOf, language);
    if (own === undefined) byCarrier.set(carrier, [line]);
    else own.push(line);
  }
  const taken = new Set<string>();
  const tabs = [...byCarrier].map(([carrier, lines]): Tab => {
    const total = columns.map((_, column): Cell => {
      if (column === 0) return say('total');
      return amounts.includes(column) ? sumOf(lines, column) : '';
    });
    return {
      name: tabName(carrier, taken, say('other')),
      columns: names,
      lines: [...lines, total],
      kinds,
      isWide: true,
    };
  });
  return workbookOf(
    tabs.length > 0 ? tabs : [{ name: tabName(say('nothing'), taken, ''), columns: names, lines: [], isWide: true }],
  );
}

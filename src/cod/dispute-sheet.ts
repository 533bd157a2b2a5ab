import { formatMoney } from '../domain/amounts/money.ts';
import type { Cell } from '../sheets/formats/sheet.ts';
import { type ColumnKind, type Tab, workbookOf } from '../sheets/xlsx/write-xlsx.ts';
import { reportedBy } from './classes.ts';
import type { Evidence, ReconciledParcel } from './reconcile.ts';

const columns = [
  'Mã vận đơn',
  'Mã đơn của shop',
  'Người nhận',
  'SĐT',
  'Phiên',
  'Trạng thái',
  'Ngày hoàn tất',
  'Vấn đề',
  'Vấn đề khác',
  'COD phải trả',
  'COD đã trả',
  'COD trả thiếu',
  'COD trả thừa',
  'Phí báo giá',
  'Phí đã thu',
  'Chênh lệch phí',
  'Tạm thu chưa hoàn',
  'Chứng từ',
];

/** The columns with amounts, from 0. */
const amounts = [9, 10, 11, 12, 13, 14, 15, 16];

/** The column with the day on which a parcel was closed. */
const CLOSED = 6;

const kinds = columns.map((_, column): ColumnKind | undefined => {
  if (column === CLOSED) return 'day';
  return amounts.includes(column) ? 'amount' : undefined;
});

const states: Readonly<Record<string, string>> = {
  delivered: 'Đã giao',
  returned: 'Đã hoàn',
  returning: 'Đang hoàn',
  undeliverable: 'Không giao được',
  delivering: 'Đang giao',
  holding: 'Đã lấy hàng',
  picking: 'Đang lấy hàng',
  created: 'Chờ lấy hàng',
  cancelled: 'Đã hủy',
};

const MOST_EVIDENCE = 6;

const inVietnamese = (name: string) => reportedBy.get(name)?.vietnamese ?? name;

/** An amount in a text, as it is written where carriers read it: 640.000. */
const amountText = (amount: number) => formatMoney(amount).replaceAll(',', '.');

function evidence(lines: readonly Evidence[]): string {
  const shown = lines
    .slice(0, MOST_EVIDENCE)
    .map(({ file, cell, amount, repeated }) => `${file} ${cell}: ${amountText(amount)}${repeated ? ' (lặp)' : ''}`);
  const more = lines.length > MOST_EVIDENCE ? ` … (+${lines.length - MOST_EVIDENCE})` : '';
  return `${shown.join('; ')}${more}`;
}

function lineOf(parcel: ReconciledParcel, dayOf: (moment: string) => string): Cell[] {
  const { fee_quoted, fee_charged, difference } = parcel;
  return [
    parcel.shipping_code,
    parcel.order ?? '',
    parcel.recipient ?? '',
    parcel.phone ?? '',
    parcel.session ?? '',
    parcel.state === null ? '' : (states[parcel.state] ?? parcel.state),
    parcel.closed_at === null ? '' : dayOf(parcel.closed_at),
    inVietnamese(parcel.class),
    parcel.also.map(inVietnamese).join(', '),
    parcel.due,
    parcel.paid,
    difference < 0 ? -difference : '',
    difference > 0 ? difference : '',
    fee_quoted ?? '',
    fee_charged ?? '',
    fee_quoted === null || fee_charged === null ? '' : fee_charged - fee_quoted,
    parcel.provisional === 0 ? '' : parcel.provisional,
    evidence(parcel.lines),
  ];
}

const sumOf = (lines: readonly (readonly Cell[])[], column: number) =>
  lines.reduce((sum, cells) => sum + Number(cells[column] ?? 0), 0);

/** A sheet's name: at most 31 characters, without those that a spreadsheet refuses; unique among `taken`. */
function tabName(carrier: string, taken: Set<string>): string {
  const bare =
    carrier
      .replaceAll(/[\\/?*:[\]']/g, ' ')
      .trim()
      .slice(0, 27) || 'Khác';
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
): Promise<Uint8Array> {
  const byCarrier = new Map<string, Cell[][]>();
  for await (const parcel of parcels) {
    const carrier = parcel.carrier ?? 'Khác';
    const own = byCarrier.get(carrier);
    const line = lineOf(parcel, dayOf);
    if (own === undefined) byCarrier.set(carrier, [line]);
    else own.push(line);
  }
  const taken = new Set<string>();
  const tabs = [...byCarrier].map(([carrier, lines]): Tab => {
    const total = columns.map((_, column): Cell => {
      if (column === 0) return 'Tổng cộng';
      return amounts.includes(column) ? sumOf(lines, column) : '';
    });
    return { name: tabName(carrier, taken), columns, lines: [...lines, total], kinds, isWide: true };
  });
  return workbookOf(tabs.length > 0 ? tabs : [{ name: 'Không có chênh lệch', columns, lines: [], isWide: true }]);
}

import type { Cell } from '../sheets/formats/sheet.ts';

/** A parcel of a carrier as its payment file needs it. Money is an integer of currency units. */
export interface CarriedParcel {
  readonly id: string;
  readonly shippingCode: string;
  readonly state: string;
  readonly cash: number;
  readonly fee: number;
  readonly createdAt: string;
  readonly closedAt: string;
  readonly recipient: string;
  readonly address: string;
}

/** How many mistakes of each kind a file shall have. */
export interface PlantedFaults {
  readonly short: number;
  readonly missing: number;
  readonly unknown: number;
  readonly provisional: number;
  readonly doubled: number;
  readonly feeRaised: number;
}

/** A mistake that was planted; `amount` is by how much the shop is worse off, below zero, or better. */
export interface Planted {
  readonly fault: string;
  readonly shipping_code: string;
  readonly amount: number;
}

/** One row of a payment file before a carrier's layout gives it cells. */
export interface CarrierRow extends CarriedParcel {
  readonly returnFee: number;
  readonly provisional: number;
}

/** The layouts in which a carrier's file can be written. */
export type CarrierLayout = 'ghtk' | 'ghn' | 'vtp';

const SHORT_BY = 20_000;
const FEE_RAISED_BY = 5_000;
const PROVISIONAL = 30_000;
const UNKNOWN_CASH = 150_000;
const UNKNOWN_FEE = 22_000;

const two = (number: number) => String(number).padStart(2, '0');

/** A moment in Vietnam, in parts. */
function parts(moment: string) {
  const at = new Date(Date.parse(moment) + 7 * 3_600_000);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()];
  return { year, month: two(month), day: two(day), time: `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}` };
}

const dayFirst = (moment: string) => {
  const { year, month, day, time } = parts(moment);
  return `${time}, ${day}-${month}-${year}`;
};

const monthFirst = (moment: string) => {
  const { year, month, day, time } = parts(moment);
  return `${month}/${day}/${String(year).slice(2)} ${time}`;
};

const netOf = ({ cash, fee, returnFee, provisional }: CarrierRow) => cash - fee - returnFee - provisional;

/** How a layout writes its rows: lines above the header, the header, cells, and the columns that a row of sums adds up. */
interface Writing {
  readonly titles: readonly (readonly Cell[])[];
  readonly header: readonly string[];
  readonly cells: (row: CarrierRow, index: number) => readonly Cell[];
  readonly sums: readonly number[];
}

const writings: Readonly<Record<CarrierLayout, Writing>> = {
  ghtk: {
    titles: [['BẢNG ĐỐI SOÁT'], ['Giao Hàng Tiết Kiệm']],
    header: [
      'STT',
      'Mã đơn hàng',
      'Mã đơn hàng shop',
      'Thông tin khách hàng',
      'Tổng tiền thu hộ',
      'Shop trả trước',
      'Phí bảo hiểm',
      'Phí dịch vụ',
      'Phí đồng kiểm',
      'Phí chuyển hoàn',
      'Khuyến mãi',
      'Phí thay đổi địa chỉ giao',
      'Tạm thu',
      'Thanh toán',
      'Ngày tạo',
      'Ngày hoàn thành',
    ],
    cells: (row, index) => [
      index + 1,
      `S1.A1.${row.shippingCode}`,
      row.id,
      row.recipient,
      row.cash,
      0,
      0,
      row.fee,
      0,
      row.returnFee,
      0,
      0,
      row.provisional,
      netOf(row),
      dayFirst(row.createdAt),
      dayFirst(row.closedAt),
    ],
    sums: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
  },
  ghn: {
    titles: [],
    header: [
      'Mã đơn hàng',
      'Mã đơn hàng KH',
      'Ngày tạo',
      'Ngày giao hàng thành công',
      'Người nhận',
      'Địa chỉ',
      'COD',
      'Tạm thu',
    ],
    cells: (row) => [
      row.shippingCode,
      row.id,
      monthFirst(row.createdAt),
      monthFirst(row.closedAt),
      row.recipient,
      row.address,
      row.cash,
      row.provisional,
    ],
    sums: [],
  },
  vtp: {
    titles: [['BẢNG KÊ THANH TOÁN']],
    header: ['STT', 'Ngày gửi', 'Mã vận đơn', 'Tiền thu hộ', 'Tổng cước', 'Thực nhận', 'Ngày phát', 'Tạm thu'],
    cells: (row, index) => {
      const { year, month, day, time } = parts(row.closedAt);
      const sent = parts(row.createdAt);
      return [
        index + 1,
        `${sent.day}/${sent.month}/${sent.year}`,
        row.shippingCode,
        row.cash,
        row.fee + row.returnFee,
        netOf(row),
        `${day}/${month}/${year} ${time}`,
        row.provisional,
      ];
    },
    sums: [3, 4, 5, 7],
  },
};

/** Whether a carrier's file lists a parcel: it is delivered, or came back. */
export const isSettled = ({ state }: Pick<CarriedParcel, 'state'>) => state === 'delivered' || state === 'returned';

const rowOf = (parcel: CarriedParcel): CarrierRow => ({
  ...parcel,
  cash: parcel.state === 'delivered' ? parcel.cash : 0,
  returnFee: parcel.state === 'delivered' ? 0 : Math.round(parcel.fee / 2),
  provisional: 0,
});

/** Rows with the mistakes that were asked for, each at another parcel; those with cash come first. */
function planted(parcels: readonly CarriedParcel[], faults: PlantedFaults) {
  const rows = parcels.map(rowOf);
  const free = [...rows.keys()].sort((one, other) => Number(rows[other]?.cash !== 0) - Number(rows[one]?.cash !== 0));
  const reported: Planted[] = [];
  const gone = new Set<number>();
  const twice = new Set<number>();
  const plant = (
    fault: string,
    count: number,
    change: (row: CarrierRow, index: number) => readonly [CarrierRow, number],
  ) => {
    for (const index of free.splice(0, count)) {
      const row = rows[index];
      if (row === undefined) continue;
      const [changed, amount] = change(row, index);
      rows[index] = changed;
      reported.push({ fault, shipping_code: row.shippingCode, amount });
    }
  };
  plant('short', faults.short, (row) => {
    const less = Math.min(SHORT_BY, Math.max(0, row.cash - 1));
    return [{ ...row, cash: row.cash - less }, -less];
  });
  plant('missing', faults.missing, (row, index) => {
    gone.add(index);
    return [row, -row.cash];
  });
  plant('provisional', faults.provisional, (row) => [{ ...row, provisional: PROVISIONAL }, -PROVISIONAL]);
  plant('doubled', faults.doubled, (row, index) => {
    twice.add(index);
    return [row, row.cash];
  });
  plant('fee_raised', faults.feeRaised, (row) => [{ ...row, fee: row.fee + FEE_RAISED_BY }, -FEE_RAISED_BY]);
  const last = rows.at(-1);
  const strangers =
    last === undefined
      ? []
      : Array.from({ length: faults.unknown }, (_, index): CarrierRow => {
          const shippingCode = `${last.shippingCode.slice(0, 2)}${900_001 + index}`;
          reported.push({ fault: 'unknown', shipping_code: shippingCode, amount: UNKNOWN_CASH });
          return { ...last, id: '', shippingCode, cash: UNKNOWN_CASH, fee: UNKNOWN_FEE, returnFee: 0, provisional: 0 };
        });
  const written = rows.flatMap((row, index) => (gone.has(index) ? [] : twice.has(index) ? [row, row] : [row]));
  return { rows: [...written, ...strangers], reported };
}

/** The lines of a payment file as a carrier would write it for these parcels, and the mistakes in it. */
export function carrierFile(
  layout: CarrierLayout,
  parcels: readonly CarriedParcel[],
  faults: PlantedFaults,
): { readonly lines: readonly (readonly Cell[])[]; readonly planted: readonly Planted[]; readonly rows: number } {
  const { titles, header, cells, sums } = writings[layout];
  const { rows, reported } = planted(parcels.filter(isSettled), faults);
  const body = rows.map(cells);
  const total = header.map((_, column): Cell => {
    if (column === 0) return 'Tổng cộng';
    return sums.includes(column) ? body.reduce((sum, line) => sum + Number(line[column]), 0) : '';
  });
  return {
    lines: [...titles, header, ...body, ...(sums.length === 0 ? [] : [total])],
    planted: reported,
    rows: rows.length,
  };
}

/** The parcels of the weeks in which some were closed, oldest week first; weeks begin on Monday in Vietnam. */
export function paymentWeeks(parcels: readonly CarriedParcel[]): (readonly CarriedParcel[])[] {
  const weekOf = ({ closedAt }: CarriedParcel) => {
    const days = Math.floor((Date.parse(closedAt) + 7 * 3_600_000) / 86_400_000);
    return Math.floor((days + 3) / 7);
  };
  const weeks = new Map<number, CarriedParcel[]>();
  for (const parcel of parcels.filter(isSettled)) {
    const week = weeks.get(weekOf(parcel)) ?? [];
    if (week.length === 0) weeks.set(weekOf(parcel), week);
    week.push(parcel);
  }
  return [...weeks].sort(([one], [other]) => one - other).map(([, own]) => own);
}

import { fc } from '../support/fast-check.ts';
import type { PlantedParcel } from './cod-world.ts';
import type { MeantFile, MeantRow } from './referee.ts';

const states = [
  'delivered',
  'delivered',
  'delivered',
  'returned',
  'returning',
  'undeliverable',
  'delivering',
  'cancelled',
];

const isOver = (state: string) => !['delivering', 'cancelled'].includes(state);

const parcel = fc.record({
  state: fc.constantFrom(...states),
  cod: fc.constantFrom(0, 150_000, 399_000, 1_250_000),
  changed: fc.constantFrom(0, 0, 0, -50_000),
  quoted: fc.constantFrom(18_000, 24_500),
  day: fc.integer({ min: 1, max: 20 }),
  hour: fc.integer({ min: 0, max: 23 }),
  carrier: fc.constantFrom('greenmile', 'bluewhale'),
});

/** The parcels of a random shop. */
export const shops = fc.array(parcel, { minLength: 1, maxLength: 14 }).map((all) =>
  all.map(({ state, cod, changed, quoted, day, hour, carrier }, index): PlantedParcel => {
    const closed = `2026-11-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:30:00Z`;
    return {
      id: `10000000000000000${String(10 + index)}`,
      code: `GR${String(index).padStart(6, '0')}`,
      carrier,
      state,
      cod,
      actual: Math.max(0, cod + changed),
      quoted,
      closedAt: isOver(state) ? closed : null,
    };
  }),
);

const rowOf = fc.record({
  which: fc.nat(1_000),
  isStranger: fc.nat(9).map((one) => one === 0),
  byId: fc.nat(5).map((one) => one === 0),
  cashOff: fc.constantFrom(0, 0, 0, -20_000, 15_000),
  noCash: fc.nat(4).map((one) => one === 0),
  feeOff: fc.constantFrom(0, 0, 0, 5_000, -4_000),
  back: fc.constantFrom(0, 0, 9_000),
  provisional: fc.constantFrom(0, 0, 0, 30_000),
  given: fc.constantFrom(0, 0, 0, 30_000),
  twice: fc.nat(7).map((one) => one === 0),
  broken: fc.nat(9).map((one) => one === 0),
});

const fileOf = fc.record({
  layout: fc.constantFrom('ghtk' as const, 'ghn' as const, 'vtp' as const),
  session: fc.constantFrom('s1', 's2'),
  rows: fc.array(rowOf, { minLength: 1, maxLength: 10 }),
});

/** Random files for a shop: some rows are twice, of strangers, wrong by some amount, or cannot be read. */
export const filesFor = (parcels: readonly PlantedParcel[]) =>
  fc.array(fileOf, { minLength: 1, maxLength: 4 }).map((files) =>
    files.map(({ layout, session, rows }): MeantFile => {
      const meant = rows.flatMap((row): MeantRow[] => {
        const own = parcels[row.which % parcels.length];
        if (own === undefined) return [];
        const stranger = row.isStranger ? { code: `X${row.which}`, id: '' } : undefined;
        const byId = layout === 'ghtk' && row.byId ? { code: '', id: own.id } : undefined;
        const named = stranger ?? byId ?? { code: own.code, id: layout === 'vtp' ? '' : own.id };
        const one: MeantRow = {
          ...named,
          cash: row.noCash ? 0 : Math.max(0, own.actual + row.cashOff),
          delivery: own.quoted + row.feeOff,
          back: row.back,
          provisional: row.provisional,
          given: layout === 'vtp' ? 0 : row.given,
          broken: row.broken,
        };
        return row.twice ? [one, one] : [one];
      });
      return { layout, session, rows: meant };
    }),
  );

const dotted = (amount: number) => String(amount).replace(/\B(?=(?:\d{3})+$)/g, '.');

/** How each layout is written: by hand, as the facts on the carriers' files have it. */
const written = {
  ghtk: {
    head: [
      'Đối soát tháng 11',
      '',
      'STT;Mã đơn hàng;Mã đơn hàng shop;Thông tin khách hàng;Tổng tiền thu hộ;Shop trả trước;Phí bảo hiểm;Phí dịch vụ;Phí đồng kiểm;Phí chuyển hoàn;Khuyến mãi;Phí thay đổi địa chỉ giao;Tạm thu;Hoàn tạm thu;Thanh toán;Ngày tạo;Ngày hoàn thành',
    ],
    row: ({ code, id, cash, delivery, back, provisional, given, broken }: MeantRow, index: number) => {
      const net = cash - delivery - back - provisional + given;
      return `${index};${code && `S1.A1.${code}`};${id};Lan;${broken ? 'abc' : dotted(cash)};0;;${delivery};0;${back};0;-;${provisional};${given};${net};08:30, 02-11-2026;10:00, 05-11-2026`;
    },
    sum: (rows: readonly MeantRow[]) =>
      `Tổng cộng;;;;${rows.reduce((sum, { cash, broken }) => sum + (broken ? 0 : cash), 0)};;;;;;;;;;;;`,
  },
  ghn: {
    head: [
      'Mã đơn hàng\tMã đơn hàng KH\tNgày tạo\tNgày giao hàng thành công\tNgười nhận\tĐịa chỉ\tCOD\tTạm thu\tHoàn tạm thu',
    ],
    row: ({ code, id, cash, provisional, given, broken }: MeantRow) =>
      `${code}\t${id}\t11/02/26 08:30\t11/25/26 10:00\tLan\t1 Lê Lợi\t${broken ? '1,5' : cash}\t${provisional}\t${given}`,
    sum: () => '',
  },
  vtp: {
    head: ['BẢNG KÊ', 'STT,Ngày gửi,Mã vận đơn,Tiền thu hộ,Tổng cước,Thực nhận,Ngày phát,Tạm thu'],
    row: ({ code, cash, delivery, back, provisional, broken }: MeantRow, index: number) => {
      const fee = delivery + back;
      return `${index},02/11/2026,${code},${broken ? '12x' : cash},${fee},${cash - fee - provisional},05/11/2026 10:00,${provisional}`;
    },
    sum: () => '',
  },
} as const;

/** The text of a file as its carrier writes it. */
export function textOfFile({ layout, rows }: MeantFile): string {
  const { head, row, sum } = written[layout];
  return [...head, ...rows.map((one, index) => row(one, index + 1)), sum(rows)].join('\n');
}

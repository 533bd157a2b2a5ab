import { join } from 'node:path';
import { expect, it } from 'vitest';
import { python, readElsewhere } from '../../support/openpyxl.ts';
import { paidWorld, parcel } from './paid-world.ts';

it.skipIf(python === undefined)(
  'a dispute sheet has a tab for each carrier, in Vietnamese, with every difference, its sums and its evidence',
  async () => {
    const world = await paidWorld([
      parcel(1, 350_000),
      parcel(2, 150_000),
      parcel(3, 200_000),
      parcel(4, 500_000, { carrier: 'other: [one]', shipping_code: 'OT4' }),
      parcel(5, 100_000),
    ]);
    await world.pay('week.csv', [
      ['SPX1', 's47', 'Thu hộ', 330_000],
      ['SPX2', 's47', 'Thu hộ', 150_000],
      ['SPX2', 's47', 'Tạm thu', -30_000],
      ['SPX3', 's47', 'Thu hộ', 200_000],
      ['SPX3', 's47', 'Phí giao hàng', -27_000],
      ['SPX5', 's47', 'Thu hộ', 100_000],
      ['SPX5', 's47', 'Thu hộ', 100_000],
    ]);
    const to = join(world.directory, 'disputes.xlsx');
    expect((await world.run(['cod', 'reconcile', '--to', to, '-q'])).exit).toBe(11);
    const [sheets = []] = readElsewhere([to]);
    expect(sheets.map(({ title }) => title)).toEqual(['other   one', 'spx']);
    const [other, spx] = sheets;
    expect(
      other?.rows.slice(1).map(([code, , , , , problem, , due, paid, rest]) => [code, problem, due, paid, rest]),
    ).toEqual([
      ['OT4', 'Quá hạn chưa thanh toán', 500_000, 0, -500_000],
      ['Tổng cộng', null, 500_000, 0, -500_000],
    ]);
    const [head = [], ...rows] = spx?.rows ?? [];
    expect(head).toEqual([
      'Mã vận đơn',
      'Mã đơn (ID)',
      'Phiên',
      'Trạng thái',
      'Ngày hoàn tất',
      'Vấn đề',
      'Vấn đề khác',
      'COD phải trả',
      'COD đã trả',
      'Chênh lệch COD',
      'Phí báo giá',
      'Phí đã thu',
      'Chênh lệch phí',
      'Tạm thu chưa hoàn',
      'Chứng từ',
    ]);
    const day = '2026-01-16';
    const id = (number: number) => parcel(number, 0).id;
    expect(rows).toEqual([
      [
        'SPX1',
        id(1),
        's47',
        'Đã giao',
        day,
        'Trả thiếu COD',
        null,
        350_000,
        330_000,
        -20_000,
        22_000,
        null,
        null,
        null,
        'week.csv D2: 330,000',
      ],
      [
        'SPX2',
        id(2),
        's47',
        'Đã giao',
        day,
        'Tạm thu chưa hoàn',
        null,
        150_000,
        150_000,
        0,
        22_000,
        null,
        null,
        -30_000,
        'week.csv D3: 150,000; week.csv D4: -30,000',
      ],
      [
        'SPX3',
        id(3),
        's47',
        'Đã giao',
        day,
        'Phí khác báo giá',
        null,
        200_000,
        200_000,
        0,
        22_000,
        27_000,
        5_000,
        null,
        'week.csv D5: 200,000; week.csv D6: -27,000',
      ],
      [
        'SPX5',
        id(5),
        's47',
        'Đã giao',
        day,
        'Đã thanh toán đủ',
        'Dòng bị lặp',
        100_000,
        100_000,
        0,
        22_000,
        null,
        null,
        null,
        'week.csv D7: 100,000; week.csv D8: 100,000 (lặp)',
      ],
      [
        'Tổng cộng',
        null,
        null,
        null,
        null,
        null,
        null,
        800_000,
        780_000,
        -20_000,
        88_000,
        27_000,
        5_000,
        -30_000,
        null,
      ],
    ]);
    // Amounts have thousands separators, and ids stay texts.
    expect(spx?.formats[1]?.slice(7, 10)).toEqual(['#,##0', '#,##0', '#,##0']);
    expect(spx?.formats[1]?.[1]).toBe('General');
    // The day is a date, by which a spreadsheet can sort.
    expect(spx?.formats[1]?.[4]).toBe('yyyy\\-mm\\-dd');
  },
);

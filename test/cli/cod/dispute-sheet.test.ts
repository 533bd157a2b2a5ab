import { join } from 'node:path';
import { expect, it } from 'vitest';
import { python, readElsewhere } from '../../support/openpyxl.ts';
import { paidWorld, parcel } from './paid-world.ts';

it.skipIf(python === undefined)(
  'a dispute sheet has a tab for each carrier, in Vietnamese, with every difference, its sums and its evidence',
  async () => {
    const buyer = { full_name: 'Lê Thị Hồng Nhung', phone: '0938111222' };
    const order = {
      id: '2000000000000000001',
      code: 'DH000001',
      created_at: '2026-01-10T03:00:00Z',
      updated_at: '2026-01-10T03:00:00Z',
    };
    const orders = [
      { ...order, external_id: 'MB1001' },
      { ...order, id: '2000000000000000002', code: 'DH000002' },
    ];
    const parcels = [
      parcel(1, 350_000, { order_id: orders[0]?.id, shipping_address: buyer, shipping_state: 'delivered' }),
      parcel(2, 150_000, { order_id: orders[1]?.id }),
      parcel(3, 200_000),
      parcel(4, 500_000, { carrier: 'other: [one]', shipping_code: 'OT4' }),
      parcel(5, 100_000),
      parcel(6, 120_000),
      parcel(7, 90_000, { shipping_state: 'holding', closed_at: null }),
    ];
    const world = await paidWorld(parcels, orders);
    await world.pay('week.csv', [
      ['SPX1', 's47', 'Thu hộ', 330_000],
      ['SPX2', 's47', 'Thu hộ', 150_000],
      ['SPX2', 's47', 'Tạm thu', -30_000],
      ['SPX3', 's47', 'Thu hộ', 200_000],
      ['SPX3', 's47', 'Phí giao hàng', -27_000],
      ['SPX5', 's47', 'Thu hộ', 100_000],
      ['SPX5', 's47', 'Thu hộ', 100_000],
      ['SPX6', 's47', 'Thu hộ', 640_000],
      ['SPX7', 's47', 'Thu hộ', 90_000],
      ['SPX9', 's47', 'Thu hộ', 150_000],
    ]);
    const to = join(world.directory, 'disputes.xlsx');
    expect((await world.run(['cod', 'reconcile', '--to', to, '-q'])).exit).toBe(11);
    const [sheets = []] = readElsewhere([to]);
    expect(sheets.map(({ title }) => title)).toEqual(['other   one', 'spx']);
    const [other, spx] = sheets;
    expect(
      other?.rows
        .slice(1)
        .map(([code, , , , , , , problem, , due, paid, short, over]) => [code, problem, due, paid, short, over]),
    ).toEqual([
      ['OT4', 'Quá hạn chưa thanh toán', 500_000, 0, 500_000, null],
      ['Tổng cộng', null, 500_000, 0, 500_000, 0],
    ]);
    const [head = [], ...rows] = spx?.rows ?? [];
    expect(head).toEqual([
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
    ]);
    const day = '2026-01-16';
    const none: null[] = [null, null, null];
    expect(rows).toEqual([
      // biome-ignore format: a line a parcel
      ...[
        ['SPX1', 'MB1001', buyer.full_name, buyer.phone, 's47', 'Đã giao', day, 'Trả thiếu COD', null, 350_000, 330_000, 20_000, null, 22_000, ...none, 'week.csv D2: 330.000'],
        ['SPX2', 'DH000002', null, null, 's47', 'Đã giao', day, 'Tạm thu chưa hoàn', null, 150_000, 150_000, null, null, 22_000, null, null, -30_000, 'week.csv D3: 150.000; week.csv D4: -30.000'],
        ['SPX3', ...none, 's47', 'Đã giao', day, 'Phí khác báo giá', null, 200_000, 200_000, null, null, 22_000, 27_000, 5_000, null, 'week.csv D5: 200.000; week.csv D6: -27.000'],
        ['SPX5', ...none, 's47', 'Đã giao', day, 'Đã thanh toán đủ', 'Dòng bị lặp', 100_000, 100_000, null, null, 22_000, ...none, 'week.csv D7: 100.000; week.csv D8: 100.000 (lặp)'],
        ['SPX6', ...none, 's47', 'Đã giao', day, 'Trả thừa COD', null, 120_000, 640_000, null, 520_000, 22_000, ...none, 'week.csv D9: 640.000'],
        ['SPX7', ...none, 's47', 'Đã lấy hàng', null, 'Đã trả tiền nhưng chưa giao', null, 0, 90_000, null, 90_000, 22_000, ...none, 'week.csv D10: 90.000'],
        ['SPX9', ...none, 's47', null, null, 'Đơn không phải của shop', null, 0, 150_000, null, 150_000, null, ...none, 'week.csv D11: 150.000'],
      ],
      // What is short and what is over are added up apart.
      [
        'Tổng cộng',
        ...none,
        ...none,
        null,
        null,
        920_000,
        1_660_000,
        20_000,
        760_000,
        132_000,
        27_000,
        5_000,
        -30_000,
        null,
      ],
    ]);
    // Amounts have thousands separators, and ids stay texts.
    expect(spx?.formats[1]?.slice(9, 12)).toEqual(['#,##0', '#,##0', '#,##0']);
    expect(spx?.formats[1]?.[1]).toBe('General');
    // The day is a date, by which a spreadsheet can sort.
    expect(spx?.formats[1]?.[6]).toBe('yyyy\\-mm\\-dd');
  },
);

it.skipIf(python === undefined)(
  'a dispute sheet has what a session left out, and not what the platform has settled',
  async () => {
    const soon = { closed_at: '2026-01-30T03:00:00Z', updated_at: '2026-01-30T03:00:00Z' };
    const world = await paidWorld([
      parcel(1, 350_000, soon),
      parcel(2, 150_000, soon),
      parcel(3, 200_000, { platform_payment_status: 'P' }),
      parcel(4, 120_000, { platform_payment_status: 'P' }),
      parcel(5, 80_000, { closed_at: '2026-01-10T03:00:00Z' }),
    ]);
    await world.pay('week.csv', [
      ['SPX1', 's47', 'Thu hộ', 350_000],
      ['SPX4', 's47', 'Thu hộ', 100_000],
    ]);
    const claimed = async (...words: readonly string[]) => {
      const to = join(world.directory, 'disputes.xlsx');
      const { exit, stderr } = await world.run(['cod', 'reconcile', '--to', to, ...words]);
      const [sheets = []] = readElsewhere([to]);
      const rows = sheets.flatMap((sheet) => sheet.rows.slice(1, -1));
      const shown = rows.map(([code, , , , session, , , problem, also, due]) => [code, session, problem, also, due]);
      return { exit, stderr, shown };
    };
    const leftOut = [
      ['SPX2', 's47', 'Chờ thanh toán', 'Bị bỏ sót trong phiên', 150_000],
      ['SPX5', 's47', 'Quá hạn chưa thanh toán', 'Bị bỏ sót trong phiên', 80_000],
    ];
    const all = await claimed();
    expect([all.exit, all.shown]).toEqual([11, leftOut]);
    expect(all.stderr).toContain('2 parcels were written to');
    expect(all.stderr).toContain("2 more are not in it: the platform's own payments settled what is due");
    // What a file of the session says of a parcel counts all the same.
    const one = await claimed('--session', 's47');
    expect(one.shown).toEqual([...leftOut, ['SPX4', 's47', 'Trả thiếu COD', null, 120_000]]);
    expect(one.stderr).toContain('1 more is not in it');
    // What the platform settled was left out of no session: nobody has to pay it.
    const due = '2 delivered parcels with 230,000 due, paid in no session (SPX2 by s47, SPX5 by s47)';
    for (const { stderr } of [all, one]) expect(stderr).toContain(`left out: ${due}`);
    const closed = await world.run(['cod', 'close', 's47', '--by', 'Lan']);
    expect(closed.stderr).toContain('short 1 (-20,000); left out 2 (-230,000)');
  },
);

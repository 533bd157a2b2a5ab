import { describe, expect, it } from 'vitest';
import { builtInLayouts } from '../../src/cod/sheet/built-in.ts';
import { layoutOf } from '../../src/cod/sheet/layout.ts';
import type { PaymentFile } from '../../src/cod/sheet/payment-cells.ts';
import { readPayments } from '../../src/cod/sheet/read-payments.ts';
import { Account } from '../../src/sheets/account/account.ts';
import { sheetFormatOf } from '../../src/sheets/formats/formats.ts';
import { delimitedLine } from '../../src/sheets/formats/records-as-lines.ts';
import { xlsxOf } from '../../src/sheets/xlsx/write-xlsx.ts';

type Rows = readonly (readonly string[])[];

/** A carrier's file of two parcels, and where its columns stand. Row numbers count from the header. */
interface Sample {
  readonly name: 'ghtk' | 'ghn' | 'vtp';
  readonly header: readonly string[];
  readonly rows: Rows;
  readonly code: number;
  readonly cash: number;
  /** The column of a fee; absent where there is none. */
  readonly fee?: number;
  readonly net?: number;
  readonly day: number;
  /** What the dates are written like with day and month swapped. */
  readonly swapped: readonly string[];
  /** The sum of all lines. */
  readonly amount: number;
}

const samples: readonly Sample[] = [
  {
    name: 'ghtk',
    header:
      'STT|Mã đơn hàng|Mã đơn hàng shop|Thông tin khách hàng|Tổng tiền thu hộ|Shop trả trước|Phí bảo hiểm|Phí dịch vụ|Phí đồng kiểm|Phí chuyển hoàn|Khuyến mãi|Phí thay đổi địa chỉ giao|Thanh toán|Ngày tạo|Ngày hoàn thành'.split(
        '|',
      ),
    rows: [
      '1|S1.A1.17373471|1000000000000000001|Lan|350000|0|1000|22000|0|0|2000|0|329000|08:30, 02-11-2026|10:00, 25-11-2026',
      '2|S1.A1.17373472|1000000000000000002|An|150000|0|0|18000|0|0|0|5000|127000|08:30, 02-11-2026|10:00, 26-11-2026',
    ].map((row) => row.split('|')),
    code: 1,
    cash: 4,
    fee: 7,
    net: 12,
    day: 14,
    swapped: ['10:00, 11-25-2026', '10:00, 11-26-2026'],
    amount: 456_000,
  },
  {
    name: 'ghn',
    header: 'Mã đơn hàng|Mã đơn hàng KH|Ngày tạo|Ngày giao hàng thành công|Người nhận|Địa chỉ|COD'.split('|'),
    rows: [
      'GAN1|1000000000000000001|11/02/26 08:30|11/25/26 10:00|Lan|1 Lê Lợi|350000',
      'GAN2|1000000000000000002|11/02/26 08:30|11/26/26 10:00|An|2 Lê Lợi|150000',
    ].map((row) => row.split('|')),
    code: 0,
    cash: 6,
    day: 3,
    swapped: ['25/11/26 10:00', '26/11/26 10:00'],
    amount: 500_000,
  },
  {
    name: 'vtp',
    header: 'STT|Ngày gửi|Mã vận đơn|Tiền thu hộ|Tổng cước|Thực nhận|Ngày phát'.split('|'),
    rows: [
      '1|02/11/2026|VTP1|350000|22000|328000|25/11/2026 10:00',
      '2|02/11/2026|VTP2|150000|18000|132000|26/11/2026 10:00',
    ].map((row) => row.split('|')),
    code: 2,
    cash: 3,
    fee: 4,
    net: 5,
    day: 6,
    swapped: ['11/25/2026 10:00', '11/26/2026 10:00'],
    amount: 460_000,
  },
];

const textOf = (rows: Rows, mark: string) => rows.map((cells) => delimitedLine(cells, mark)).join('');

function read(
  name: string,
  content: string | Uint8Array,
  layout: string,
  more: Partial<Parameters<typeof readPayments>[0]> = {},
): Promise<PaymentFile> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const layouts = layout === 'vtp' ? builtInLayouts.filter((one) => one.name === 'vtp') : builtInLayouts;
  return readPayments({
    name,
    format: sheetFormatOf(name),
    open: () => ({
      name,
      bytes: (async function* () {
        yield bytes;
      })(),
    }),
    layouts,
    ...more,
  });
}

const sumOf = ({ lines }: PaymentFile) =>
  lines.reduce((sum, { amount, duplicateOf }) => sum + (duplicateOf === undefined ? amount : 0), 0);

/** The cell of a row (1 is the first below the header) in a file whose header is in row 1. */
const at = (column: number, row: number) => `${String.fromCharCode(65 + column)}${row + 1}`;

it('does not take an unknown file for one that is read by the places of its columns, unless that is named', async () => {
  const rows = samples.find(({ name }) => name === 'vtp')?.rows ?? [];
  const content = textOf([['a', 'b', 'c', 'd', 'e', 'f', 'g'], ...rows], ',');
  await expect(read('a.csv', content, 'any')).rejects.toThrow('no row has the headers of a known layout');
  expect(await read('a.csv', content, 'vtp')).toMatchObject({ layout: 'vtp', rows: 2 });
});

it('names the layout of which a file lacks the least', async () => {
  const { header = [], rows = [], cash = 0 } = samples.find(({ name }) => name === 'ghtk') ?? {};
  const near = builtInLayouts.find(({ name }) => name === 'ghtk');
  const column = near?.columns.get(header[cash] ?? '');
  if (near === undefined || column === undefined) throw new TypeError('the layout has a column of cash');
  const far = { ...near, name: 'far', columns: new Map([...near.columns, ['Thu hộ khác', column]]) };
  const content = textOf(
    [header, ...rows].map((cells) => cells.filter((_, index) => index !== cash)),
    ',',
  );
  await expect(read('a.csv', content, 'any', { layouts: [far, near] })).rejects.toThrow(
    '(ghtk), but row 1 has no column',
  );
});

it('says which carrier the places of the columns are those of, and how that is read', async () => {
  const sample = samples.find(({ name }) => name === 'vtp');
  const rows = [['a', 'b', 'c', 'd', 'e', 'f', 'g'], ...(sample?.rows ?? [])];
  await expect(read('a.csv', textOf(rows, ','), 'any')).rejects.toThrow('those of Viettel Post (vtp)');
  const other = rows.map((cells) => cells.slice(0, 3));
  await expect(read('a.csv', textOf(other, ','), 'any')).rejects.not.toThrow('Viettel Post');
});

it('reads the days of a carrier that writes days first as spreadsheets write them anew', async () => {
  const { header = [], rows = [], day = 0 } = samples.find(({ name }) => name === 'ghtk') ?? {};
  const daysOf = async (...days: readonly string[]) => {
    const dated = days.map((text, row) => (rows[row] ?? []).map((cell, index) => (index === day ? text : cell)));
    const { lines, problems } = await read('a.csv', textOf([header, ...dated], ','), 'ghtk');
    return [[...new Set(lines.map((line) => line.day))], problems];
  };
  expect(await daysOf('2026/11/28', '2026.11.29')).toEqual([['2026-11-28', '2026-11-29'], []]);
  expect(await daysOf('5/11/26', '6/11/26')).toEqual([['2026-11-05', '2026-11-06'], []]);
  expect(await daysOf('11/25/26', '11/5/26')).toEqual([['2026-11-25', '2026-11-05'], []]);
});

it('does not read a file of cash alone in which most rows keep more than they collect', async () => {
  const { header = [], rows = [] } = samples.find(({ name }) => name === 'ghn') ?? {};
  const withHeld = (columns: readonly string[], ...held: readonly (readonly string[])[]) =>
    read(
      'a.csv',
      textOf(
        [
          [...header.slice(0, -1), ...columns],
          ...rows.map((cells, row) => [...cells.slice(0, -1), ...(held[row] ?? [])]),
        ],
        ',',
      ),
      'ghn',
    );
  const own = ['COD', 'Tạm thu'];
  expect(sumOf(await withHeld(own, ['350000', '0'], ['0', '30000']))).toBe(320_000);
  const swapped = withHeld(own, ['0', '350000'], ['30000', '150000']);
  await expect(swapped).rejects.toThrow(
    'in 2 of 2 rows (G2, G3) more is taken off than COD has: columns may be swapped',
  );
  expect(sumOf(await withHeld(own.toReversed(), ['0', '350000'], ['30000', '150000']))).toBe(470_000);
});

describe.each(samples.filter(({ net, fee }) => net !== undefined && fee !== undefined))(
  'a payment file of $name whose headers and numbers disagree',
  ({ name, header, rows, code, cash, fee = 0, net = 0, amount }) => {
    const exchanged = (cells: readonly string[], one: number, other: number) =>
      cells.map((cell, index) => (index === one ? (cells[other] ?? '') : index === other ? (cells[one] ?? '') : cell));
    const csv = (body: Rows) => read('a.csv', textOf([header, ...body], ','), name);

    it('is not read where cash and fees are swapped', async () => {
      await expect(csv(rows.map((cells) => exchanged(cells, cash, fee)))).rejects.toThrow(
        /in 2 of 2 rows \(\w+, \w+\) .* does not follow from the amounts of the row: columns may be swapped/,
      );
      // One row alone is a mistake in that row.
      const [first = [], second = []] = rows;
      expect(await csv([exchanged(first, cash, fee), second])).toMatchObject({ unread: 0, rows: 2 });
    });

    const id = header.findIndex((title) => /shop$|KH$/.test(title));
    it.skipIf(id < 0)('is not read where codes and ids are swapped', async () => {
      const own = rows.map((cells, row) =>
        cells.map((cell, index) => (index === id ? `273495096902100133${row}` : index === code ? `GR${row}` : cell)),
      );
      expect(sumOf(await csv(own))).toBe(amount);
      await expect(csv(own.map((cells) => exchanged(cells, id, code)))).rejects.toThrow('the two may be swapped');
    });

    it('is read with what is below zero in parentheses', async () => {
      const [first = [], second = []] = rows;
      const numberAt = (index: number) => Number(first[index]);
      const rest = numberAt(net) - numberAt(cash) + numberAt(fee) - 32_220;
      const given = new Map([
        [cash, '0'],
        [fee, '(32.220)'],
        [net, `(${-rest})`],
      ]);
      const file = await csv([first.map((cell, index) => given.get(index) ?? cell), second]);
      expect(file).toMatchObject({ unread: 0, problems: [] });
      expect(sumOf(file)).toBe(amount - numberAt(net) + rest);
      expect(file.readings.map(({ value, message }) => [value, message])).toContainEqual([
        '(32.220)',
        'is read as -32,220',
      ]);
    });
  },
);

describe.each(samples)('a payment file of $name', (sample) => {
  const { name, header, rows, code, cash, fee, net, day, swapped, amount } = sample;
  const [first = [], second = []] = rows;
  const withCell = (row: readonly string[], column: number, value: string) =>
    row.map((cell, index) => (index === column ? value : cell));
  const csv = (body: Rows) => read('a.csv', textOf([header, ...body], ','), name);

  it('is read as it is, in csv and as a workbook', async () => {
    const file = await csv(rows);
    expect(file).toMatchObject({ layout: name, rows: 2, unread: 0, problems: [] });
    expect(sumOf(file)).toBe(amount);
    expect(file.lines.map((line) => line.day)).toEqual(
      file.lines.map(({ cell }) => (cell.endsWith('2') ? '2026-11-25' : '2026-11-26')),
    );
    const book = await read(
      'a.xlsx',
      xlsxOf(
        header,
        rows.map((cells) => cells.map((cell) => (/^\d{4,6}$/.test(cell) ? Number(cell) : cell))),
      ),
      name,
    );
    expect(book.lines).toEqual(file.lines);
  });

  it('without a needed column is not read at all', async () => {
    const without = [header, ...rows].map((cells) => cells.filter((_, index) => index !== cash));
    const reading = read('a.csv', textOf(without, ','), name);
    if (name === 'vtp') {
      const file = await reading.catch((error: Error) => error);
      // What stands in the place of the net amount does not follow from the row, or is no amount.
      if (!(file instanceof Error)) expect(file.problems.length).toBeGreaterThanOrEqual(2);
    } else
      await expect(reading).rejects.toThrow(
        name === 'ghtk' ? /row 1 has no column "Tổng tiền thu hộ"/ : /no row has the headers/,
      );
  });

  it('with its header in row 7', async () => {
    const titles = ['Đối soát', 'Kỳ', 'Shop', 'a', 'b', 'c'].map((title) => [title]);
    const file = await read('a.csv', textOf([...titles, header, ...rows], ','), name);
    expect(sumOf(file)).toBe(amount);
    expect(file.textRows.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(file.lines[0]?.cell).toBe(at(cash, 7));
  });

  it('with a doubled line, which is counted once', async () => {
    const file = await csv([first, first, second]);
    expect(sumOf(file)).toBe(amount);
    expect(file.problems[0]).toMatchObject({
      cell: at(cash, 2),
      problem: `repeats ${at(cash, 1)}: cod 350,000 is counted once`,
    });
  });

  it('with signs between thousands', async () => {
    const grouped = (cells: readonly string[]) =>
      cells.map((cell) => (/^\d{4,6}$/.test(cell) ? cell.replace(/(\d{3})$/, '.$1') : cell));
    expect(sumOf(await csv(rows.map(grouped)))).toBe(amount);
    const wrong = await csv([withCell(first, cash, '35.0000'), second]);
    expect(wrong).toMatchObject({ unread: 1, problems: [{ cell: at(cash, 1), value: '35.0000' }] });
  });

  it('with day and month swapped', async () => {
    const all = await csv([withCell(first, day, swapped[0] ?? ''), withCell(second, day, swapped[1] ?? '')]);
    expect(all.lines.map((line) => line.day)).toEqual(
      all.lines.map(({ cell }) => (cell.endsWith('2') ? '2026-11-25' : '2026-11-26')),
    );
    expect(all.notes).toHaveLength(1);
    const mixed = await csv([withCell(first, day, swapped[0] ?? ''), second]);
    expect(mixed.problems).toMatchObject([{ cell: at(day, 1), value: expect.stringMatching(/25/) }]);
    expect(sumOf(mixed)).toBe(amount);
  });

  it('with tabs or semicolons for commas', async () => {
    for (const mark of ['\t', ';'])
      expect(sumOf(await read('a.csv', textOf([header, ...rows], mark), name))).toBe(amount);
  });

  it('with a row of sums, which is compared', async () => {
    const sums = header.map((_, index) => (index === 0 ? 'Tổng cộng' : index === cash ? '500000' : ''));
    const file = await csv([...rows, sums]);
    expect([sumOf(file), file.sumRows, file.problems]).toEqual([amount, [4], []]);
    const wrong = await csv([...rows, withCell(sums, cash, '520000')]);
    expect(sumOf(wrong)).toBe(amount);
    expect(wrong.problems).toMatchObject([
      { cell: at(cash, 3), problem: expect.stringMatching(/add up to 500,000, 20,000 less than that/) },
    ]);
  });

  it('with a blank fee, which the net amount shows', async () => {
    if (fee === undefined || net === undefined) {
      expect(await csv([withCell(first, cash, ''), second])).toMatchObject({
        unread: 1,
        problems: [{ cell: at(cash, 1) }],
      });
      return;
    }
    const file = await csv([withCell(first, fee, ''), second]);
    expect(file).toMatchObject({
      unread: 0,
      problems: [{ cell: at(net, 1), problem: expect.stringContaining('22,000') }],
    });
    const blank = withCell(withCell(first, fee, ''), net, String(Number(first[net]) + 22_000));
    expect(await csv([blank, second])).toMatchObject({ unread: 0, problems: [] });
  });

  it('in UTF-16', async () => {
    const text = textOf([header, ...rows], '\t');
    const content = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    expect(sumOf(await read('a.csv', content, name))).toBe(amount);
  });

  it('with an amount below zero, which counts only if the net amount confirms it', async () => {
    const refused = await csv([withCell(first, cash, '-350000'), second]);
    expect(refused).toMatchObject({ unread: 1, problems: [{ cell: at(cash, 1), value: '-350000' }] });
    if (fee === undefined || net === undefined) return;
    // A fee that is written as a deduction.
    expect(sumOf(await csv([withCell(first, fee, '-22000'), second]))).toBe(amount);
    const back = await csv([
      withCell(withCell(first, fee, '-22000'), net, String(Number(first[net]) + 44_000)),
      second,
    ]);
    expect(sumOf(back)).toBe(amount + 44_000);
  });

  it('with a code that a spreadsheet has ruined, or none', async () => {
    const ids = header.findIndex((title) => /shop$|KH$/.test(title));
    const nameless = (row: readonly string[], value: string) => withCell(withCell(row, ids, ''), code, value);
    expect(await csv([nameless(first, '1.73735E+18'), second])).toMatchObject({
      unread: 1,
      problems: [{ cell: at(code, 1) }],
    });
    const blank = await csv([nameless(first, ''), second]);
    expect(blank).toMatchObject({
      unread: 1,
      problems: [{ cell: at(code, 1), problem: expect.stringContaining('350,000') }],
    });
  });

  it('with a parcel in two sessions is the sum of both', async () => {
    const files = [await csv([first]), await csv([first, second])];
    expect(
      files
        .flatMap(({ lines }) => lines)
        .filter(({ kind, duplicateOf }) => kind === 'cod' && duplicateOf === undefined),
    ).toHaveLength(3);
  });
});

describe('a row that says what became of its parcel', () => {
  const layout = layoutOf({ columns: { Code: 'shipping_code', COD: 'cod', Fee: 'delivery' } }, 'own');
  const withNet = layoutOf({ columns: { Code: 'shipping_code', COD: 'cod', Fee: 'delivery', Net: 'net' } }, 'net');
  const readRows = (lines: readonly string[], one = layout) =>
    readPayments({
      name: 'own.csv',
      format: sheetFormatOf('own.csv'),
      open: () => ({
        name: 'own.csv',
        bytes: (async function* () {
          yield Buffer.from(`Code;COD;Fee;${one === withNet ? 'Net;' : ''}Trạng thái;Ghi chú\n${lines.join('\n')}\n`);
        })(),
      }),
      layouts: [one],
    });

  it.each([
    ['Chuyển hoàn', 'không thu được COD'],
    ['Chuyển hoàn', ''],
    ['Đang giao', ''],
    ['Đang giao hàng', 'chưa thu tiền'],
    ['Ký nhận', 'Tồn - chưa trả COD'],
    ['', 'đã hủy'],
    ['Da hoan', ''],
    ['Giao thất bại', ''],
    ['', 'Đã hoàn về shop'],
    ['Returned', ''],
    ['', 'không giao được hàng'],
    ['In transit', ''],
  ])('is not counted as paid where it says %o, %o, unless its net says so', async (state, note) => {
    const words = [state, note].find((text) => text !== '' && text !== 'Ký nhận') ?? '';
    const { lines, problems, unread } = await readRows([`P1;180000;24000;${state};${note}`, 'P2;90000;9000;Ký nhận;']);
    expect([lines.map(({ shippingCode }) => shippingCode), unread]).toEqual([['P2', 'P2'], 1]);
    expect(problems).toMatchObject([{ cell: 'B2', problem: expect.stringContaining(`stands beside "${words}"`) }]);
    const without = await readRows([`P1;180000;24000;-24000;${state};${note}`], withNet);
    expect([sumOf(without), without.problems, without.cautions.map(({ code }) => code)]).toEqual([
      -24_000,
      [],
      ['cash_unpaid'],
    ]);
    const paid = await readRows([`P1;180000;24000;156000;${state};${note}`], withNet);
    expect([sumOf(paid), paid.problems, paid.cautions.map(({ code }) => code)]).toEqual([
      156_000,
      [],
      ['cash_paid_all_the_same'],
    ]);
  });

  it.each([
    ['Ký nhận', ''],
    ['Đã giao hàng', 'khách không xem hàng'],
    ['Hoàn thành', 'không hoàn, không hủy'],
    ['Giao thành công', 'thu tiền mặt'],
    ['Đã đối soát', 'Hoàn tất'],
  ])('is counted where it says %o, %o', async (state, note) => {
    const read = await readRows([`P1;180000;24000;${state};${note}`]);
    expect([sumOf(read), read.problems, read.cautions]).toEqual([156_000, [], []]);
  });
});

describe('a layout of your own', () => {
  const own = layoutOf(
    {
      columns: {
        Parcel: 'shipping_code',
        Kind: { field: 'kind', words: { Cash: 'cod', Fee: 'delivery', Carried: 'debt' } },
        Amount: { field: 'amount', negative: true },
        Statement: 'session',
      },
    },
    'own',
  );
  const readOwn = (text: string) =>
    readPayments({
      name: 'own.csv',
      format: sheetFormatOf('own.csv'),
      open: () => ({
        name: 'own.csv',
        bytes: (async function* () {
          yield Buffer.from(text);
        })(),
      }),
      layouts: [...builtInLayouts, own],
    });

  it('reads a kind and a session in each row, and amounts of the session itself', async () => {
    const file = await readOwn(
      'Parcel;Kind;Amount;Statement\nP1;Cash;100000;s1\nP1;Fee;-22000;s1\n;Carried;-5000;s2\nP2;Gift;1;s1\n;Cash;9000;s1\n',
    );
    expect(file.lines.map(({ shippingCode, kind, amount, session }) => [shippingCode, kind, amount, session])).toEqual([
      ['P1', 'cod', 100_000, 's1'],
      ['P1', 'delivery', -22_000, 's1'],
      ['', 'debt', -5_000, 's2'],
    ]);
    expect(file.problems.map(({ cell }) => cell)).toEqual(['B5', 'A6']);
  });

  it('is refused with a field that does not exist, or without a parcel or an amount', () => {
    expect(() => layoutOf({ columns: { A1: 'price' } }, 'x')).toThrow(/column A1 is mapped to price/);
    expect(() => layoutOf({ columns: { Parcel: 'shipping_code' } }, 'x')).toThrow(/no column is an amount/);
    expect(() => layoutOf({ columns: { Cash: 'cod' } }, 'x')).toThrow(/no column is shipping_code/);
  });
});

describe('a column of money that a layout does not know', () => {
  const more: readonly (readonly [header: string, ...cells: string[]])[] = [
    ['Phí vận chuyển', '46.960', '39.520'],
    ['Thực nhận', '303040', '110480'],
    ['Phụ phí', '0', '-5000'],
    ['Ghi nợ', '', '12.345đ'],
    ['Dịch vụ', '46.960', '39.520'],
  ];
  for (const { name, header, rows } of samples) {
    it.each(more)(`of ${name} is asked about: %s`, async (title, ...cells) => {
      const table = [[...header, title], ...rows.map((row, index) => [...row, cells[index % cells.length] ?? ''])];
      await expect(read('a.csv', textOf(table, ','), name)).rejects.toMatchObject({
        questions: [{ id: 'ignore_columns', subjects: [{ name: title }] }],
      });
      const account = new Account({ ignore_columns: [title] });
      const layout = builtInLayouts.filter((one) => one.name === name);
      const file = await read('a.csv', textOf(table, ','), name, { account, layouts: layout });
      expect(file.lines.length).toBeGreaterThan(0);
    });
  }

  it('is none where it is empty, or of something else', async () => {
    const { header = [], rows = [] } = samples.find(({ name }) => name === 'ghn') ?? {};
    const others = ['Ghi chú', 'SĐT', 'Khối lượng (g)', 'Phí khác', 'Mã bưu cục', 'Ngày thanh toán'];
    const cells = ['cho xem', '0912345678', '1500', '0', 'HN01', '26/11/2026'];
    const table = [[...header, ...others], ...rows.map((row) => [...row, ...cells])];
    expect((await read('a.csv', textOf(table, ','), 'ghn')).rows).toBe(rows.length);
  });
});

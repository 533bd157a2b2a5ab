import type { Answers } from '../../src/sheets/account/questions.ts';
import { randomFrom } from '../support/random-from.ts';
import { bookOf, type LivedIn } from './books.ts';

type Cells = readonly (string | number)[];

/** An order as it was planted, known apart from any reader. */
export interface Planted {
  readonly id: string;
  readonly name: string;
  readonly phone: string;
  readonly address: string;
  readonly cash: number;
  readonly goods: readonly { readonly name: string; readonly quantity: number; readonly price: number }[];
}

/** A sheet with what was planted in it: the orders to be read, and how many of its lines are none, by the reason. */
export interface PlantedSheet {
  readonly tab: LivedIn;
  /** The cells of its lines. */
  readonly lineCells: readonly Cells[];
  readonly orders: readonly Planted[];
  readonly lines: number;
  readonly left: Readonly<Record<'sums' | 'notes' | 'headers' | 'hidden' | 'struck', number>>;
}

export const plantedColumns = [
  'external_id',
  'shipping_address.full_name',
  'shipping_address.phone',
  'shipping_address.address1',
  'lines.product_name',
  'lines.quantity',
  'lines.retail_price',
  'shipping.cod_amount',
  'order_note',
];

const names: readonly [string, ...string[]] = [
  'Tống Văn Hải',
  'Nguyễn Thị Lan',
  'Cống Minh',
  'Tổng Thị Hoa',
  'Trần Bình',
  'Công ty TNHH ABC',
  'Lê An',
];
const goods: readonly [string, ...string[]] = ['Áo thun', 'Cộng hưởng', 'Tổng hợp', 'Mũ len', 'Trà ô long', 'Sum cake'];
const words: readonly [string, ...string[]] = ['Tổng cộng', 'TỔNG', 'Tổng: 4 đơn', 'Cộng', 'Total', 'Tổng thu hộ:'];
const notes: readonly [string, ...string[]] = ['giao buổi sáng nhé', 'hàng dễ vỡ', 'gói kỹ giúp em'];

/** Ways in which a person writes an amount. */
type Written = (amount: number) => string | number;
const written: readonly [Written, ...Written[]] = [
  (amount) => amount,
  String,
  (amount) => amount.toLocaleString('vi-VN'),
  (amount) => amount.toLocaleString('en-US'),
  (amount) => `${amount / 1000}k`,
  (amount) => `${amount.toLocaleString('vi-VN')} ₫`,
];

/** Plants orders, lines, sums, notes, headers, hidden and struck rows, as the seed has them. */
export function plantSheet(seed: number): PlantedSheet {
  const random = randomFrom(seed);
  const int = (below: number) => Math.floor(random() * below);
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[int(items.length)] ?? items[0];
  const chance = (share: number) => random() < share;
  const lines: (string | number)[][] = [];
  const orders: Planted[] = [];
  const left = { sums: 0, notes: 0, headers: 0, hidden: 0, struck: 0 };
  const hiddenRows: number[] = [];
  const struck: string[] = [];
  const nothing = { quantity: 0, price: 0, cash: 0, rows: 0 };
  let since = nothing;
  let shownSince = nothing;
  const blank = () => plantedColumns.map((): string | number => '');
  const addSums = () => {
    if (since.rows < 2) return;
    const line = blank();
    line[5] = since.quantity;
    line[6] = since.price;
    line[7] = since.cash;
    if (chance(0.6)) line[int(5)] = pick(words);
    lines.push(line);
    left.sums += 1;
    since = nothing;
    shownSince = nothing;
  };
  /** A line of goods alone whose numbers happen to be the sums above it may be either, and a reader has to ask. */
  const isLikeSums = ({ quantity, price }: Pick<typeof since, 'quantity' | 'price'>) =>
    [since, shownSince].some((sums) => sums.quantity === quantity && sums.price === price);
  const addOrder = (number: number) => {
    const id = `${pick(['SO', 'SUM', 'TONG'])}-${seed}-${number}`;
    const count = 1 + int(3);
    const own = Array.from({ length: count }, (_, at) => ({
      name: `${pick(goods)} ${at}`,
      quantity: 1 + int(4),
      price: 1000 * (10 + int(900)),
    }));
    const cash = chance(0.3) ? 0 : 1000 * (10 + int(2000));
    const order = {
      id,
      name: pick(names),
      phone: `09${10_000_000 + int(89_999_999)}`,
      address: `${1 + int(99)} ngõ 5`,
      cash,
      goods: own,
    };
    const repeatsAll = chance(0.5);
    const mayBeStruck = repeatsAll || count === 1;
    const mark = chance(0.1) ? 'hidden' : chance(0.1) && mayBeStruck ? 'struck' : undefined;
    const style = pick(written);
    for (const [at, one] of own.entries()) {
      const head = at === 0 || repeatsAll;
      if (!head && isLikeSums(one)) one.price += 1000;
      const line = [
        ...(head ? [id, order.name, order.phone, order.address] : ['', '', '', '']),
        ...[one.name, one.quantity, style(one.price)],
        ...(head ? [style(cash)] : ['']),
        '',
      ];
      lines.push(line);
      if (mark === 'hidden') hiddenRows.push(lines.length + 1);
      if (mark === 'struck') struck.push(`A${lines.length + 1}`, `B${lines.length + 1}`);
      const more = (sums: typeof since) => ({
        quantity: sums.quantity + one.quantity,
        price: sums.price + one.price,
        cash: sums.cash + (head ? cash : 0),
        rows: sums.rows + 1,
      });
      since = more(since);
      if (mark !== 'hidden') shownSince = more(shownSince);
    }
    if (mark === undefined) orders.push(order);
    else left[mark] += count;
  };
  for (let number = 1; number <= 3 + int(12); number += 1) {
    addOrder(number);
    if (chance(0.1)) {
      lines.push(blank().with(8, pick(notes)));
      left.notes += 1;
    }
    if (chance(0.08)) {
      lines.push([...plantedColumns]);
      left.headers += 1;
    }
    if (chance(0.08)) addSums();
  }
  if (chance(0.6)) addSums();
  return {
    tab: { name: 'Đơn', columns: plantedColumns, lines, hiddenRows, struck },
    lineCells: lines,
    orders,
    lines: lines.length,
    left,
  };
}

/** A file as a shop has it, and what the service is to get of it. */
export interface PlantedFile {
  readonly name: string;
  readonly content: Uint8Array;
  readonly mapping: object;
  readonly answers: Answers;
  /** The orders, whose address is the street alone. */
  readonly orders: readonly (Planted & { readonly place: readonly string[] })[];
  readonly lines: number;
  readonly left: PlantedSheet['left'] & { readonly status: number };
  /** How many difficulties of each kind are planted in it. */
  readonly difficulties: Readonly<Record<Difficulty, number>>;
}

/** Every kind of difficulty that files have. */
export const difficultyKinds = [
  ...(['title', 'hidden sheet', 'street', 'place', 'unseen character', '="text"', 'lines of an order'] as const),
  ...(['sums', 'notes', 'headers', 'hidden', 'struck', 'status'] as const),
  ...(['workbook', 'comma', 'semicolon', 'tab', 'UTF-16'] as const),
] as const;
export type Difficulty = (typeof difficultyKinds)[number];

const textKinds = ['comma', 'semicolon', 'tab', 'UTF-16'] as const;

const header = ['Mã đơn', 'Khách', 'SĐT', 'Địa chỉ', 'Hàng', 'SL', 'Giá', 'Thu hộ', 'Ghi chú', 'Trạng thái'];

/** A mapping of everyday columns, with what no column has. */
const everyday = {
  command: 'ship',
  columns: Object.fromEntries(
    header.map((column, at) => [column, plantedColumns[at]?.replace('address1', 'full') ?? null]),
  ),
  constants: {
    'shipping.gross_weight': 500,
    'shipping.try_on': 'open',
    'shipping.pickup_address.full_name': 'Kho',
    'shipping.pickup_address.phone': '0905123456',
    'shipping.pickup_address.province': 'Đà Nẵng',
    'shipping.pickup_address.district': 'Liên Chiểu',
    'shipping.pickup_address.ward': 'Hòa Khánh Nam',
    'shipping.pickup_address.address1': 'Lô 7',
  },
};

const streets = [
  'khóm 4',
  'Lô C2, KCN Tân Bình',
  '17/5 đường 22/12, KP Hòa Lân 2',
  'Công ty TNHH ABC, tầng 5, 72 Lê Thánh Tôn',
  'Sạp 15 chợ Bến Thành',
  'Phòng 1204 toà S2.05',
  'đội 3 thôn Yên Phú',
  'K12/5 Ông Ích Khiêm',
];
/** Places as people write them, and the names that their parts have. */
const places = [
  ['P. Tây Thạnh, Q. Tân Phú, TP HCM', 'tây thạnh', 'tân phú', 'hồ chí minh'],
  ['Phường Dịch Vọng, Quận Cầu Giấy, Hà Nội', 'dịch vọng', 'cầu giấy', 'hà nội'],
  ['thị trấn Năm Căn, huyện Năm Căn, tỉnh Cà Mau', 'năm căn', 'năm căn', 'cà mau'],
  ['Thảo Điền, TP Thủ Đức, HCM', 'thảo điền', '2', 'hồ chí minh'],
  ['xã Thanh Nưa, huyện Điện Biên, Điện Biên', 'thanh nưa', 'điện biên', 'điện biên'],
  ['P. Thạch Thang, Hải Châu, Đà Nẵng', 'thạch thang', 'hải châu', 'đà nẵng'],
] as const;

/** The bytes of lines as programs and people write them: comma, semicolon or tab, with a mark of bytes, UTF-8 or UTF-16. */
function textFile(lines: readonly Cells[], style: number): Pick<PlantedFile, 'name' | 'content'> {
  const [separator, name] = style === 0 ? [',', 'o.csv'] : style === 1 ? [';', 'o.csv'] : ['\t', 'o.txt'];
  const quoted = (cell: string | number) =>
    style === 0 || /[;,"\t\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : String(cell);
  const text = lines.map((cells) => `${cells.map(quoted).join(separator)}\r\n`).join('');
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  return { name, content: style === 3 ? utf16 : Buffer.from(style === 0 ? text : `\ufeff${text}`) };
}

/** Plants a sheet, and around it what a shop's file has besides: titles, other tabs, statuses, whole addresses, odd cells. */
export function plantFile(seed: number): PlantedFile {
  const sheet = plantSheet(seed);
  const random = randomFrom(seed + 0x5eed);
  const int = (below: number) => Math.floor(random() * below);
  const isBook = sheet.left.hidden + sheet.left.struck > 0 || random() < 0.4;
  const titles = Array.from({ length: int(3) }, (_, at) => [`ĐƠN HÀNG, kho ${at}; ngày 28/11`]);
  let cancelled = 0;
  const difficulties: Record<Difficulty, number> = {
    ...(Object.fromEntries(difficultyKinds.map((kind) => [kind, 0])) as Record<Difficulty, number>),
    title: titles.length,
  };
  const known = new Map(sheet.orders.map((order) => [order.id, order]));
  const planted = new Map<string, { order: PlantedFile['orders'][number]; address: string; isOff: boolean }>();
  for (const order of sheet.orders) {
    const [street = '', [written, ...place]] = [streets[int(streets.length)], places[int(places.length)] ?? places[0]];
    const own = {
      order: { ...order, address: street, place },
      address: `${street}, ${written}`,
      isOff: random() < 0.1,
    };
    planted.set(order.id, own);
    difficulties.street += 1;
    difficulties.place += 1;
  }
  /** A name as other programs leave it: with a character that nobody sees, or kept from being a formula. */
  const odd = (name: string) => {
    const way = int(8);
    if (way === 0) difficulties['unseen character'] += 1;
    if (way === 1 && !isBook) difficulties['="text"'] += 1;
    return way === 0 ? name.replace(' ', ' \u200b') : way === 1 && !isBook ? `="${name}"` : name;
  };
  let current = '';
  const lines = sheet.lineCells.map((cells): Cells => {
    if (cells[0] === plantedColumns[0]) return header;
    // Rows of sums and notes have no goods, or a word of sums.
    if (cells[4] === '' || cells.some((cell) => words.some((word) => word === cell))) return [...cells, ''];
    const id = String(cells[0]);
    if (id !== '') current = id;
    const own = planted.get(current);
    if (own?.isOff === true) cancelled += 1;
    const state = own?.isOff === true ? 'Hủy' : 'Mới';
    if (id === '') difficulties['lines of an order'] += 1;
    if (id === '') return [...cells, ''];
    const [code = '', name = '', phone = '', address = '', ...rest] = cells;
    return [code, odd(String(name)), phone, own?.address ?? `${address}, ${places[1][0]}`, ...rest, state];
  });
  const orders = [...planted.values()].flatMap(({ order, isOff }) => (isOff || !known.has(order.id) ? [] : [order]));
  const moved = (cell: string) => cell.replace(/\d+/, (row) => String(Number(row) + titles.length));
  const { hiddenRows = [], struck = [] } = sheet.tab;
  const old: LivedIn = { name: 'cũ', state: 'hidden', columns: header, lines: lines.slice(0, 1) };
  const [first = header, ...others] = [...titles, header, ...lines];
  const tab: LivedIn = {
    name: 'Đơn',
    columns: first.map(String),
    lines: others,
    hiddenRows: hiddenRows.map((row) => row + titles.length),
    struck: struck.map(moved),
  };
  const hasOld = isBook && random() < 0.5;
  const style = seed % textKinds.length;
  difficulties[isBook ? 'workbook' : (textKinds[style] ?? 'comma')] += 1;
  if (hasOld) difficulties['hidden sheet'] += 1;
  const file = isBook
    ? { name: 'o.xlsx', content: bookOf(hasOld ? [old, tab] : [tab]) }
    : textFile([first, ...others], style);
  const left = { ...sheet.left, status: cancelled };
  return {
    ...file,
    mapping: everyday,
    answers: { hidden_rows: 'skip', struck_rows: 'skip', status: { Mới: 'ship', Hủy: 'skip' } },
    orders,
    lines: sheet.lines,
    left,
    difficulties: { ...difficulties, ...left },
  };
}

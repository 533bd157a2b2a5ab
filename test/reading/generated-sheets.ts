import { randomFrom } from '../support/random-from.ts';
import type { LivedIn } from './books.ts';

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
  let since = { quantity: 0, price: 0, cash: 0, rows: 0 };
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
    since = { quantity: 0, price: 0, cash: 0, rows: 0 };
  };
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
      const line = [
        ...(head ? [id, order.name, order.phone, order.address] : ['', '', '', '']),
        ...[one.name, one.quantity, style(one.price)],
        ...(head ? [style(cash)] : ['']),
        '',
      ];
      lines.push(line);
      if (mark === 'hidden') hiddenRows.push(lines.length + 1);
      if (mark === 'struck') struck.push(`A${lines.length + 1}`, `B${lines.length + 1}`);
      since.quantity += one.quantity;
      since.price += one.price;
      since.cash += head ? cash : 0;
      since.rows += 1;
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
    orders,
    lines: lines.length,
    left,
  };
}

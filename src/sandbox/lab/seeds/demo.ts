import { entryAt } from '../../../domain/json/keys-of.ts';
import { type Random, randomBelow, seededRandom } from '../../engine/store/ids.ts';
import { demoCustomers, demoGroups } from './demo-people.ts';
import { historyOf } from './history.ts';
import type { OrderSeed, SeedContent, ShopSeed } from './seed-content.ts';

type ProductSeed = NonNullable<ShopSeed['products']>[number];
type CollectionSeed = NonNullable<ShopSeed['collections']>[number];

/** A product in short form: name, price, unit, and how its variants differ. */
type Brief = readonly [name: string, price: number, unit: string, trait: string, values: readonly string[]];

const sizes = ['S', 'M', 'L'] as const;
const weights = ['100 g', '250 g'] as const;

const clothes: readonly Brief[] = [
  ['Áo thun cổ tròn', 150_000, 'cái', 'Cỡ', sizes],
  ['Áo sơ mi linen', 420_000, 'cái', 'Cỡ', sizes],
  ['Áo khoác gió', 450_000, 'cái', 'Màu', ['Xanh rêu', 'Đen']],
  ['Áo len mỏng', 380_000, 'cái', 'Cỡ', sizes],
  ['Quần tây ống đứng', 520_000, 'cái', 'Cỡ', ['29', '30', '31', '32']],
  ['Quần short kaki', 260_000, 'cái', 'Cỡ', ['29', '30', '31']],
  ['Váy hoa nhí', 350_000, 'cái', 'Cỡ', sizes],
  ['Chân váy xếp ly', 310_000, 'cái', 'Màu', ['Be', 'Nâu']],
  ['Khăn lụa Hà Đông', 290_000, 'cái', 'Màu', ['Đỏ', 'Vàng', 'Xanh']],
  ['Nón lá thêu', 120_000, 'cái', 'Kiểu', ['Sen', 'Tre']],
  ['Túi cói', 180_000, 'cái', 'Kiểu', ['Tròn', 'Vuông']],
  ['Dép da', 340_000, 'đôi', 'Cỡ', ['38', '39', '40']],
  ['Giày vải', 390_000, 'đôi', 'Cỡ', ['38', '39', '40']],
  ['Thắt lưng da bò', 250_000, 'cái', 'Màu', ['Đen', 'Nâu']],
  ['Vớ cotton', 35_000, 'đôi', 'Màu', ['Trắng', 'Đen']],
  ['Mũ vải', 90_000, 'cái', 'Màu', ['Be', 'Đen']],
  ['Ô gấp', 160_000, 'cái', 'Màu', ['Xanh', 'Đỏ']],
  ['Balo vải bố', 480_000, 'cái', 'Màu', ['Xanh rêu', 'Xám']],
];

const pantry: readonly Brief[] = [
  ['Trà ô long', 120_000, 'gói', 'Khối lượng', weights],
  ['Trà sen Tây Hồ', 390_000, 'gói', 'Khối lượng', weights],
  ['Trà Shan tuyết', 210_000, 'gói', 'Khối lượng', weights],
  ['Cà phê Arabica', 165_000, 'gói', 'Xay', ['Nguyên hạt', 'Xay vừa']],
  ['Cà phê Robusta', 110_000, 'gói', 'Xay', ['Nguyên hạt', 'Xay vừa']],
  ['Mật ong hoa nhãn', 240_000, 'chai', 'Dung tích', ['350 ml', '700 ml']],
  ['Hạt điều rang muối', 185_000, 'hộp', 'Khối lượng', ['250 g', '500 g']],
  ['Tiêu đen Phú Quốc', 75_000, 'hộp', 'Khối lượng', weights],
  ['Nước mắm cốt', 95_000, 'chai', 'Dung tích', ['500 ml', '1 l']],
  ['Mứt dừa non', 68_000, 'hộp', 'Vị', ['Lá dứa', 'Sữa']],
  ['Bánh đậu xanh', 55_000, 'hộp', 'Cỡ hộp', ['Nhỏ', 'Lớn']],
  ['Ấm trà Bát Tràng', 560_000, 'bộ', 'Men', ['Men lam', 'Men rạn']],
];

const thousand = (amount: number) => Math.round(amount / 1000) * 1000;

function products(briefs: readonly Brief[], letters: string): ProductSeed[] {
  return briefs.map(([name, price, unit, trait, values], index) => {
    const code = `${letters}${String(index + 1).padStart(2, '0')}`;
    const prices = { list_price: thousand(price * 1.1), retail_price: price, cost_price: thousand(price * 0.6) };
    return {
      code,
      name,
      unit,
      ...prices,
      short_desc: `${name}, tính theo ${unit}`,
      variants: values.map((value, at) => ({
        code: `${code}-${at + 1}`,
        name: `${name}, ${value}`,
        ...prices,
        attributes: [{ name: trait, value }],
        stock: (index * 7 + at * 13) % 60,
      })),
    };
  });
}

function codesOf(seeds: readonly ProductSeed[], from: number, to: number): string[] {
  return seeds.slice(from, to).map(({ code = '' }) => code);
}

/** What a demo shop sells: its products, with variants and stock, and its collections. */
export interface DemoGoods {
  readonly products: ProductSeed[];
  readonly collections: CollectionSeed[];
}

/** A shop of clothes. */
export function demoClothes(): DemoGoods {
  const seeds = products(clothes, 'AO');
  return {
    products: seeds,
    collections: [
      {
        name: 'Mùa mưa',
        short_desc: 'Cho những ngày ướt',
        products: [...codesOf(seeds, 2, 4), ...codesOf(seeds, 16, 17)],
      },
      { name: 'Phụ kiện', short_desc: 'Khăn, nón, túi', products: codesOf(seeds, 8, 18) },
    ],
  };
}

/** A shop of tea, coffee and sweets. */
export function demoPantry(): DemoGoods {
  const seeds = products(pantry, 'TRA');
  return {
    products: seeds,
    collections: [
      { name: 'Trà', short_desc: 'Trà lá', products: codesOf(seeds, 0, 3) },
      { name: 'Quà Tết', short_desc: 'Để biếu', products: [...codesOf(seeds, 1, 2), ...codesOf(seeds, 5, 12)] },
    ],
  };
}

type State = NonNullable<OrderSeed['state']>;

/**
 * The age of an order in each state, in hours, and whether a carrier has it: old enough for the slowest carrier to have
 * reached that state.
 */
const ages: Readonly<Record<State, readonly [least: number, most: number, ships: boolean]>> = {
  new: [1, 20, false],
  confirmed: [4, 40, false],
  cancelled: [100, 400, true],
  created: [1, 2, true],
  picking: [16, 28, true],
  holding: [32, 60, true],
  delivering: [160, 190, true],
  delivered: [200, 260, true],
  reconciled: [400, 760, true],
  returning: [300, 500, true],
  returned: [500, 700, true],
  undeliverable: [300, 500, true],
};

/** The states of the orders in turn, with their frequency; most end well. */
const mix: readonly State[] = [
  'reconciled',
  'delivered',
  'new',
  'confirmed',
  'created',
  'cancelled',
  'picking',
  'reconciled',
  'holding',
  'delivering',
  'returned',
  'reconciled',
  'returning',
  'undeliverable',
  'delivered',
  'new',
];

/** This many orders of the customers, in all states. */
export function demoOrders(
  count: number,
  { customers = [], products = [] }: Pick<ShopSeed, 'customers' | 'products'>,
  chance: Random,
): OrderSeed[] {
  const below = (limit: number) => randomBelow(chance, limit);
  const variants = products.flatMap(({ variants: of = [] }) => of);
  return Array.from({ length: count }, (_, index): OrderSeed => {
    const state = entryAt(mix, index % mix.length);
    const [least, most, ships] = ages[state];
    // Confirmation takes goods from the stock, so only variants with enough of it are sold.
    const sellable = variants.filter(({ stock = 0 }) => stock >= 20);
    const lines = Array.from({ length: 1 + below(3) }, (_, line) => {
      const { code = '', retail_price: price = 0 } = sellable[(below(sellable.length) + line) % sellable.length] ?? {};
      return {
        variant: code,
        quantity: 1 + below(3),
        payment_price: below(4) === 0 ? Math.round(price * 0.0009) * 1000 : price,
      };
    });
    const isCash = below(3) > 0;
    const fee = 15_000 + below(4) * 5000;
    const total = lines.reduce((sum, { quantity, payment_price }) => sum + quantity * payment_price, fee);
    const cancelled = ['Khách đổi ý', 'Hết hàng', 'Sai địa chỉ'][below(3)];
    return {
      customer: customers[below(customers.length)]?.phone ?? '',
      external_code: `WEB-${String(1001 + index)}`,
      lines,
      fee_lines: [{ type: 'shipping', name: 'Phí giao hàng', amount: fee }],
      payment_method: isCash ? 'cod' : 'bank',
      state,
      hours_ago: least + below(most - least),
      ...(state === 'cancelled' && cancelled ? { cancel_reason: cancelled } : {}),
      ...(index % 6 === 2 ? { order_note: 'Gói quà giúp em' } : {}),
      ...(ships
        ? {
            service: below(3) === 0 ? 'fastest' : 'cheapest',
            shipping: {
              gross_weight: 300 + below(20) * 100,
              cod_amount: isCash ? total : 0,
              try_on: below(2) === 0 ? 'open' : 'none',
              shipping_note: 'Giao giờ hành chính',
            },
          }
        : {}),
    };
  });
}

type DemoShop = Pick<ShopSeed, 'name' | 'email' | 'phone'>;

const warehouses: readonly NonNullable<ShopSeed['warehouse']>[] = [
  {
    full_name: 'Kho Liên Chiểu',
    phone: '0905123456',
    province: 'Thành phố Đà Nẵng',
    district: 'Quận Liên Chiểu',
    ward: 'Phường Hòa Khánh Nam',
    address1: 'Lô 7 KCN',
  },
  {
    full_name: 'Kho Gò Vấp',
    phone: '0908765432',
    province: 'Thành phố Hồ Chí Minh',
    district: 'Quận Gò Vấp',
    ward: 'Phường 10',
    address1: '21 đường Hoa Mười Giờ',
  },
];

/** How many customers and orders a shop has, and how many orders its history. */
type Sizes = readonly [customers: number, orders: number, past: number];

/** How long the shops have been selling. */
const DAYS = 59;

/** The example records: a clothes shop, and a smaller one with tea, coffee and sweets. Always the same. */
export function demoSeed(shops: readonly DemoShop[]): SeedContent {
  const chance = seededRandom('demo');
  const filled = (index: number, goods: DemoGoods, [customerCount, orderCount, past]: Sizes): ShopSeed => {
    const customers = demoCustomers(customerCount, 1 + index * 1000, chance);
    const warehouse = warehouses[index];
    return {
      name: '',
      ...shops[index],
      ...(warehouse ? { warehouse } : {}),
      customer_groups: demoGroups.map((name) => ({ name })),
      customers,
      ...goods,
      orders: demoOrders(orderCount, { customers, products: goods.products }, chance),
      history: historyOf({ ...goods, count: past, days: DAYS, firstBuyer: 5000 * (1 + index) }),
    };
  };
  return { shops: [filled(0, demoClothes(), [32, 26, 60]), filled(1, demoPantry(), [18, 14, 24])] };
}

/** How long the history of `history:N` is: two years. */
const HISTORY_DAYS = 730;

/** The clothes shop with this many orders over two years, and the other shop without records. Always the same. */
export function historySeed([first, ...others]: readonly DemoShop[], count: number): SeedContent {
  const { products, collections } = demoClothes();
  const hours_ago = (HISTORY_DAYS + 1) * 24;
  const [warehouse] = warehouses;
  const goods = products.map((product) => ({ ...product, hours_ago }));
  const history = historyOf({ products, count, days: HISTORY_DAYS, firstBuyer: 1 });
  return {
    shops: [
      { name: '', ...first, ...(warehouse ? { warehouse } : {}), products: goods, collections, history },
      ...others,
    ],
  };
}

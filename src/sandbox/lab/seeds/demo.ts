import { seededRandom } from '../../engine/store/ids.ts';
import { type DemoGoods, demoClothes, demoPantry } from './demo-goods.ts';
import { demoOrders } from './demo-orders.ts';
import { demoCustomers, demoGroups } from './demo-people.ts';
import { historyOf } from './history.ts';
import type { SeedContent, ShopSeed } from './seed-content.ts';

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

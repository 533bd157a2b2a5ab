import { seededRandom } from '../../../engine/random.ts';
import type { SeedContent, ShopSeed } from '../seed-content.ts';
import { type DemoGoods, demoClothes, demoPantry } from './goods.ts';
import { demoOrders } from './orders.ts';
import { demoCustomers, demoGroups } from './people.ts';

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

/** The example records: a clothes shop, and a smaller one with tea, coffee and sweets. Always the same. */
export function demoSeed(shops: readonly Pick<ShopSeed, 'name' | 'email' | 'phone'>[]): SeedContent {
  const chance = seededRandom('demo');
  const filled = (index: number, goods: DemoGoods, customerCount: number, orderCount: number): ShopSeed => {
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
    };
  };
  return { shops: [filled(0, demoClothes(), 32, 26), filled(1, demoPantry(), 18, 14)] };
}

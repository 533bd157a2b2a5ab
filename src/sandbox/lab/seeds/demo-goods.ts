import type { ShopSeed } from './seed-content.ts';

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

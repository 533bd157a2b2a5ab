import type { TestSandbox } from './sandbox.ts';

const buyer = {
  full_name: 'Nguyễn Thị Lan',
  phone: '0901234567',
  province: 'ha noi',
  district: 'cau giay',
  ward: 'p. dich vong',
  address1: '12 ngõ 5',
};

const warehouse = {
  full_name: 'Kho Liên Chiểu',
  phone: '0905123456',
  province: 'Đà Nẵng',
  district: 'Quận Liên Chiểu',
  ward: 'Phường Hòa Khánh Nam',
  address1: 'Lô 7 KCN',
};

/** The shipping part of `orderFields`, without the service. */
export const shippingFields = {
  pickup_address: warehouse,
  gross_weight: 1200,
  length: 30,
  width: 25,
  height: 20,
  cod_amount: 1280000,
  try_on: 'open',
};

/** An order with correct sums, without a service to ship it with. */
export const orderFields = {
  customer_address: buyer,
  shipping_address: buyer,
  lines: [
    { product_name: 'Áo khoác', quantity: 2, list_price: 500000, retail_price: 450000, payment_price: 400000 },
    { product_name: 'Áo khoác', quantity: 1, list_price: 500000, retail_price: 450000, payment_price: 450000 },
  ],
  fee_lines: [{ type: 'shipping', name: 'Giao hàng', amount: 30000 }],
  total_items: 3,
  basket_value: 1350000,
  order_discount: 0,
  total_discount: 100000,
  total_fee: 30000,
  total_amount: 1280000,
};

/** The quote request for `orderFields`. */
export const quoteFields = {
  pickup_address: { province: warehouse.province, district: warehouse.district },
  shipping_address: { province: buyer.province, district: buyer.district },
  gross_weight: 1200,
  length: 30,
  width: 25,
  height: 20,
  basket_value: 1350000,
  cod_amount: 1280000,
};

/** A test's changes to an order: top-level fields, and fields of its shipping part. */
export interface OrderChanges {
  readonly shipping?: object;
  readonly [field: string]: unknown;
}

/** An order with the first service quoted for it, by the partner's key for a shop. */
export async function quotedOrder(
  { post, shopKey }: TestSandbox,
  { shipping, ...fields }: OrderChanges = {},
  key = shopKey,
) {
  const { body } = await post('partner.Shipping/GetShippingServices', quoteFields, key);
  const [{ code, fee }] = body.services;
  const service = { shipping_service_code: code, shipping_service_fee: fee };
  return { ...orderFields, ...fields, shipping: { ...shippingFields, ...service, ...shipping } };
}

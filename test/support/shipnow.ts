import type { TestSandbox } from './sandbox.ts';

const person = { full_name: 'Trần Thị Mai', phone: '0912345678' };

/** Three places in Hà Nội; 2.3 km from the shop to the lake, 4.3 km from there to the tower. */
export const places = {
  shop: {
    ...person,
    province: 'hà nội',
    district: 'cầu giấy',
    ward: 'dịch vọng',
    address: '12 ngõ 5',
    coordinates: { latitude: 21.0363, longitude: 105.7906 },
  },
  lake: {
    ...person,
    full_name: 'Lê Văn Tùng',
    phone: '0987654321',
    province: 'Hà Nội',
    district: 'Quận Ba Đình',
    address: '1 Kim Mã',
    coordinates: { latitude: 21.0313, longitude: 105.8121 },
  },
  tower: {
    ...person,
    full_name: 'Phạm Thu Hà',
    phone: '0977777777',
    province: 'Hà Nội',
    district: 'Quận Hoàn Kiếm',
    address: '2 Tràng Tiền',
    coordinates: { latitude: 21.0245, longitude: 105.8532 },
  },
} as const;

/** Two stops, the second with its goods. */
export const twoStops = {
  pickup_address: places.shop,
  delivery_points: [
    { shipping_address: places.lake, gross_weight: 800, cod_amount: 150000, basket_value: 150000 },
    {
      shipping_address: places.tower,
      gross_weight: 1200,
      chargeable_weight: 1500,
      cod_amount: 0,
      shipping_note: 'Ring twice',
      lines: [{ product_name: 'Trà sen', quantity: 2, retail_price: 60000, payment_price: 50000 }],
    },
  ],
};

/** The price request for the delivery `twoStops`. */
export async function priceOf(test: TestSandbox, delivery: object = twoStops, key = test.shop.apiKey) {
  return test.post('shop.Shipnow/GetShipnowServices', delivery, key);
}

/** Creates a delivery with the first service offered for it, as the test's shop. */
export async function createShipnow(test: TestSandbox, changes: object = {}, key = test.shop.apiKey) {
  const delivery = { ...twoStops, ...changes };
  const { body } = await priceOf(test, delivery, key);
  const [first] = body.services ?? [];
  const service = { shipping_service_code: first?.code ?? 'NONE', shipping_service_fee: first?.fee ?? 0 };
  return test.post('shop.Shipnow/CreateShipnowFulfillment', { ...service, ...delivery }, key);
}

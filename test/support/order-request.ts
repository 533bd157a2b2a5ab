const address = {
  full_name: 'Nguyễn Thị Lan',
  phone: '0901234567',
  province: 'Hà Nội',
  district: 'Cầu Giấy',
  ward: 'Dịch Vọng',
  address1: '12 ngõ 5',
};

/** A small order that the contract accepts. */
export const shippedOrder = {
  external_id: 'WEB-7',
  customer_address: address,
  shipping_address: address,
  lines: [{ product_name: 'Áo', quantity: 2, retail_price: 450, payment_price: 400 }],
  total_items: 2,
  basket_value: 900,
  total_discount: 100,
  total_amount: 800,
  shipping: {
    pickup_address: address,
    shipping_service_code: 'S1',
    shipping_service_fee: 30,
    try_on: 'open' as const,
    gross_weight: 500,
  },
};

/** The service's record of it: with ids, and places in their official form. */
export const madeOrder = {
  ...shippedOrder,
  id: '1234567890123456789',
  status: 'S',
  shipping_address: { ...address, province: 'Thành phố Hà Nội', district: 'Quận Cầu Giấy', ward: 'Phường Dịch Vọng' },
};

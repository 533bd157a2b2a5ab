import type { Slip } from '../../src/slips/slip.ts';

/** An order as a packer meets it: a long Vietnamese name, cash to collect, and an id of 19 digits. */
export const slip: Slip = {
  code: 'DH000027',
  externalId: '9123456789012345678',
  externalCode: 'A-117',
  day: '26/11/2026',
  carrier: 'partner-express',
  service: 'Nhanh',
  shippingCode: 'GX12345678901VN',
  sender: {
    name: 'Kho Liên Chiểu',
    phone: '0905123456',
    address: 'Lô 7 KCN, Phường Hòa Khánh Nam, Quận Liên Chiểu, Thành phố Đà Nẵng',
  },
  recipient: {
    name: 'Nguyễn Thị Thanh Hương Công Tằng Tôn Nữ Ưỡng Nghiễm Đặng Quỳnh Ngoã',
    phone: '0901234567',
    address: '12 ngõ 5 đường Nguyễn Khánh Toàn, Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội',
  },
  lines: [{ name: 'Áo khoác gió', variant: 'Màu: xanh, Cỡ: M', quantity: 2 }],
  codAmount: 1_280_000,
  weightGrams: 3000,
  tryOn: 'open',
  note: 'Hàng dễ bẩn',
};

/** The same order with so many lines of goods. */
export const slipOf = (count: number): Slip => ({
  ...slip,
  shippingCode: '1234567890123456789',
  lines: Array.from({ length: count }, (_, index) => ({
    name: `Ấm đun siêu tốc số ${index + 1}, vỏ inox ba lớp chống nóng, tự ngắt khi sôi`,
    variant: index % 2 === 0 ? '' : 'Màu: đỏ',
    quantity: index + 1,
  })),
});

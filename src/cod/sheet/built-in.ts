import { layoutOf, type PaymentLayout } from './layout.ts';

const provisional = {
  'Tạm thu': { field: 'provisional', optional: true },
  'Hoàn tạm thu': { field: 'provisional_back', optional: true },
};

/** GHTK: the header may stand in any row; its code of a parcel is what follows the last dot. */
const ghtk = {
  title: 'Giao Hàng Tiết Kiệm',
  columns: {
    STT: null,
    'Mã đơn hàng': { field: 'shipping_code', after: '.' },
    'Mã đơn hàng shop': 'fulfillment_id',
    'Thông tin khách hàng': null,
    'Tổng tiền thu hộ': 'cod',
    'Shop trả trước': null,
    'Phí bảo hiểm': 'insurance',
    'Phí dịch vụ': 'delivery',
    'Phí đồng kiểm': { field: 'other', optional: true },
    'Phí chuyển hoàn': 'return',
    'Khuyến mãi': 'discount',
    'Phí thay đổi địa chỉ giao': 'address_change',
    ...provisional,
    'Thanh toán': 'net',
    'Ngày tạo': null,
    'Ngày hoàn thành': { field: 'delivered_on', dates: ['DD-MM-YYYY', 'MM-DD-YYYY'] },
  },
};

/** GHN: cash alone, and days that begin with the month. */
const ghn = {
  title: 'Giao Hàng Nhanh',
  columns: {
    'Mã đơn hàng': 'shipping_code',
    'Mã đơn hàng KH': 'fulfillment_id',
    'Ngày tạo': null,
    'Ngày giao hàng thành công': { field: 'delivered_on', dates: ['MM/DD/YY', 'DD/MM/YY'] },
    'Người nhận': null,
    'Địa chỉ': null,
    COD: 'cod',
    ...provisional,
  },
};

/** Viettel Post: its headers are not known, so it is read by position. */
const vtp = {
  title: 'Viettel Post',
  only_by_name: true,
  columns: {
    C: 'shipping_code',
    D: 'cod',
    E: 'delivery',
    F: 'net',
    G: { field: 'delivered_on', dates: ['MM-DD-YY', 'DD/MM/YYYY', 'DD-MM-YY', 'MM/DD/YYYY'] },
    ...provisional,
  },
};

/** The layouts that are built in. */
export const builtInLayouts: readonly PaymentLayout[] = Object.entries({ ghtk, ghn, vtp }).map(([name, layout]) =>
  layoutOf(layout, name),
);

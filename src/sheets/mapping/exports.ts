import { isOfResult } from '../fields.ts';
import { normalForm } from '../service/layout.ts';
import { say } from '../texts.ts';
import { knownColumns } from './export-columns.ts';
import { exportStatuses, paymentWords, type Statuses, spokenOf } from './export-statuses.ts';
import { type ColumnMapping, type Mapping, mappingOf } from './mapping.ts';

/** The export of a marketplace or a shop program: which field each of its columns is. */
interface Export {
  readonly name: string;
  /** For a person. */
  readonly title: string;
  /** Columns that are told from those of any other sheet; each of them must be there. */
  readonly marks: readonly string[];
  /** By its header; columns that are not named here are left out, and those that are may be absent. */
  readonly columns: Readonly<Record<string, string | object>>;
  readonly constants?: Mapping['constants'];
  /** Columns of money that nobody may miss: why they are left out. */
  readonly named?: Readonly<Record<string, () => string>>;
}

/** How an order is paid. */
const payment = {
  field: 'payment_method',
  words: {
    ...Object.fromEntries(paymentWords.cash.map((word) => [word, 'cod'])),
    ...Object.fromEntries(paymentWords.paid.map((word) => [word, 'other'])),
    '*': 'other',
  },
};
/** Cash is collected only on delivery. */
const cashOf = (column: string) => ({
  field: 'shipping.cod_amount',
  when: { [column]: paymentWords.cash },
  otherwise: '0',
});

/**
 * Shopee Vietnam, Seller Centre › My orders › Export (`Order.toship…xlsx`). The column list was compared with those that
 * programs reading such files publish.
 */
const shopee: Export = {
  name: 'shopee',
  title: 'Shopee',
  marks: ['Mã đơn hàng', 'Trạng Thái Đơn Hàng', 'Tên Người nhận', 'Địa chỉ nhận hàng', 'Tên sản phẩm', 'Số lượng'],
  columns: {
    'Mã đơn hàng': 'external_id',
    'Tên Người nhận': 'shipping_address.full_name',
    'Số điện thoại': 'shipping_address.phone',
    'Tỉnh/Thành phố': 'shipping_address.province',
    'TP / Quận / Huyện': 'shipping_address.district',
    Quận: 'shipping_address.ward',
    'Địa chỉ nhận hàng': 'shipping_address.address1',
    'Tên sản phẩm': 'lines.product_name',
    'Tên phân loại hàng': { field: 'lines.product_name', join: ' - ' },
    'Giá gốc': 'lines.retail_price',
    'Giá ưu đãi': 'lines.payment_price',
    'Số lượng': 'lines.quantity',
    'Tổng cân nặng': { field: 'shipping.gross_weight', unit: 'kg' },
    'Phương thức thanh toán': payment,
    'Tổng số tiền người mua thanh toán': cashOf('Phương thức thanh toán'),
    'Ghi chú': 'shipping.shipping_note',
  },
};

/** TikTok Shop, Seller Center › Orders › Export. */
const tiktok: Export = {
  name: 'tiktok',
  title: 'TikTok Shop',
  marks: ['Order ID', 'Order Status', 'SKU Unit Original Price', 'Recipient', 'Phone #', 'Detail Address'],
  columns: {
    'Order ID': 'external_id',
    Recipient: 'shipping_address.full_name',
    'Phone #': 'shipping_address.phone',
    Province: 'shipping_address.province',
    District: 'shipping_address.district',
    Commune: 'shipping_address.ward',
    'Detail Address': 'shipping_address.address1',
    'Additional address information': { field: 'shipping_address.address1', join: ', ' },
    'Product Name': 'lines.product_name',
    Variation: { field: 'lines.product_name', join: ' - ' },
    Quantity: 'lines.quantity',
    'SKU Unit Original Price': 'lines.retail_price',
    'Weight(kg)': { field: 'shipping.gross_weight', unit: 'kg' },
    'Payment Method': payment,
    'Order Amount': cashOf('Payment Method'),
    'Buyer Message': 'shipping.shipping_note',
  },
};

/** Lazada, Seller Center › Orders › Export: a line for each piece. */
const lazada: Export = {
  name: 'lazada',
  title: 'Lazada',
  marks: ['Order Item Id', 'Order Number', 'Shipping Name', 'Shipping Address3', 'Item Name'],
  columns: {
    'Order Number': 'external_id',
    'Shipping Name': 'shipping_address.full_name',
    'Shipping Phone Number': 'shipping_address.phone',
    'Shipping Phone': 'shipping_address.phone',
    'Shipping Address': 'shipping_address.address1',
    'Shipping Address2': { field: 'shipping_address.address1', join: ', ' },
    'Shipping Address3': 'shipping_address.province',
    'Shipping Address4': 'shipping_address.district',
    'Shipping Address5': 'shipping_address.ward',
    'Item Name': 'lines.product_name',
    Variation: { field: 'lines.product_name', join: ' - ' },
    'Unit Price': 'lines.retail_price',
    'Paid Price': 'lines.payment_price',
    'Payment Method': payment,
    'Pay Method': payment,
  },
  constants: { 'lines.quantity': 1 },
  named: { 'Shipping Fee': () => say().mapping.shippingFee },
};

/** KiotViet, Giao dịch › Hóa đơn › Xuất file › Chi tiết. */
const kiotviet: Export = {
  name: 'kiotviet',
  title: 'KiotViet',
  marks: ['Mã hóa đơn', 'Người nhận', 'Điện thoại (Người nhận)', 'Khu vực (Người nhận)', 'Tên hàng', 'Số lượng'],
  columns: {
    'Mã hóa đơn': 'external_id',
    'Người nhận': 'shipping_address.full_name',
    'Điện thoại (Người nhận)': 'shipping_address.phone',
    'Địa chỉ (Người nhận)': 'shipping_address.address1',
    'Khu vực (Người nhận)': {
      field: 'shipping_address.province',
      between: ' - ',
      rest: 'shipping_address.district',
    },
    'Phường/Xã (Người nhận)': 'shipping_address.ward',
    'Tên hàng': 'lines.product_name',
    'Số lượng': 'lines.quantity',
    'Đơn giá': 'lines.retail_price',
    'Giá bán': 'lines.payment_price',
    'Trọng lượng (gram)': 'shipping.gross_weight',
    Dài: 'shipping.length',
    Rộng: 'shipping.width',
    Cao: 'shipping.height',
    'Giảm giá hóa đơn': 'order_discount',
    'Còn cần thu (COD)': 'shipping.cod_amount',
    'Ghi chú giao hàng': 'shipping.shipping_note',
  },
};

/**
 * Sapo, Đơn hàng › Xuất file. Discounts of a line are left out: whether they are for a piece or for all is not published.
 * `Ghi chú` is what the shop tells itself, and stays there.
 */
const sapo: Export = {
  name: 'sapo',
  title: 'Sapo',
  marks: ['Mã ĐH', 'Trạng thái đơn hàng', 'Người nhận hàng', 'Địa chỉ giao hàng', 'Tên hàng', 'Tiền thu hộ'],
  columns: {
    'Mã ĐH': 'external_id',
    'Người nhận hàng': 'shipping_address.full_name',
    'Số điện thoại': 'shipping_address.phone',
    'Địa chỉ giao hàng': 'shipping_address.address1',
    'Phường xã': 'shipping_address.ward',
    'Quận huyện': 'shipping_address.district',
    'Tỉnh thành': 'shipping_address.province',
    'Tên hàng': 'lines.product_name',
    'Số lượng': 'lines.quantity',
    'Đơn giá': 'lines.retail_price',
    'CK đơn hàng(VNĐ)': 'order_discount',
    'Tiền thu hộ': 'shipping.cod_amount',
  },
};

const exports: readonly Export[] = [shopee, tiktok, lazada, kiotviet, sapo];

/** Letters and digits alone: the same export is written `Order Number` or `orderNumber`. */
const spelt = (header: string) => normalForm(header).replaceAll(' ', '');

/** The commands that make orders or parcels, in words: those that an export can be used for, and a status concerns. */
export const orderCommands: readonly string[] = ['ship', 'orders create', 'shipping create'];

/** A known export with its mapping to the columns of a header, and what it is called. */
export interface KnownExport {
  readonly title: string;
  readonly mapping: Mapping;
  /** Columns that such an export is not known to have; they are left out. */
  readonly unknown: readonly string[];
  /** Known columns of money that are left out, and why. */
  readonly named: Readonly<Record<string, string>>;
}

/** Whether a header speaks of status, return, cancellation, cash, notes or delivery: what no order may lose unseen. */
export const tellsOfOrders = (header: string): boolean => spokenOf(header) !== undefined;

/** The lists of an export by the columns as its header spells them. */
function statusesIn(
  { words, tracking = [], returned, paid }: Statuses = { words: [] },
  here: (column: string) => string,
): Statuses {
  return {
    words: words.map((one) => ({ ...one, column: here(one.column) })),
    tracking: tracking.map(here),
    ...(returned && { returned: [here(returned[0]), here(returned[1])] }),
    ...(paid && {
      paid: {
        cash: here(paid.cash),
        total: here(paid.total),
        paid: here(paid.paid),
        ...(paid.state && { state: here(paid.state) }),
      },
    }),
  };
}

/** The columns that an export is known to have, that nothing is read from, and that speak of its orders. */
function screenedIn(header: readonly string[], known: ReadonlySet<string>, statuses: Statuses): readonly string[] {
  const judged = new Set([...statuses.words.map(({ column }) => column), ...(statuses.tracking ?? [])]);
  return header.filter((column) => {
    const speaks = known.has(spelt(column)) && !judged.has(column) && !statuses.returned?.includes(column);
    return speaks && spokenOf(column) !== undefined;
  });
}

/** The export that a header is of, for a command; undefined if it is none. */
export function exportOf(header: readonly string[], command: string): KnownExport | undefined {
  if (!orderCommands.includes(command)) return undefined;
  const actual = new Map(header.map((column) => [spelt(column), column]));
  const found = exports.find(({ marks }) => marks.every((mark) => actual.has(spelt(mark))));
  if (found === undefined) return undefined;
  const { title, columns, constants = {}, name, named = {} } = found;
  const own = mappingOf({ command, columns, constants }, name).columns;
  const here = (column: string) => actual.get(spelt(column)) ?? column;
  const withHeaders = (to: ColumnMapping | null): ColumnMapping | null =>
    to?.when === undefined
      ? to
      : { ...to, when: Object.fromEntries(Object.entries(to.when).map(([column, words]) => [here(column), words])) };
  const byName = new Map(Object.entries(own).map(([column, to]) => [here(column), withHeaders(to)]));
  const known = new Set([...Object.keys(columns), ...(knownColumns[name] ?? [])].map(spelt));
  const statuses = statusesIn(exportStatuses[name], here);
  const unread = header.filter((column) => !byName.has(column));
  return {
    title: say().mapping.exportOf({ title }),
    unknown: header.filter((column) => column.trim() !== '' && !known.has(spelt(column)) && !isOfResult(column)),
    named: Object.fromEntries(
      Object.entries(named).flatMap(([column, why]) => (actual.has(spelt(column)) ? [[here(column), why()]] : [])),
    ),
    mapping: {
      command,
      columns: Object.fromEntries(header.map((column) => [column, byName.get(column) ?? null])),
      constants,
      statuses: { ...statuses, screened: screenedIn(unread, known, statuses) },
    },
  };
}

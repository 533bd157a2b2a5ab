import { smallCash } from '../../domain/amounts/cash-on-delivery.ts';
import { placeText, type SheetLine, type TableSheet } from '../formats/sheet.ts';
import { say } from '../texts.ts';
import {
  readCount,
  readFee,
  readKilograms,
  readMoney,
  readPercent,
  readPhone,
  readText,
  readTryOn,
  readYes,
  shareAtTheService,
  shareOf,
  textOf,
} from './cells.ts';
import type { ServiceRecord, ServiceSheet } from './fulfilment-sheet.ts';
import type { LayoutColumn, Places } from './layout.ts';
import { given, Reading } from './reading.ts';

/** The service's own sheet of orders: 31 columns; an order may span several rows, one for each of its goods. */
const columns = [
  { key: 'code', header: 'Mã đơn hàng', field: 'external_code' },
  { key: 'name', header: 'Tên khách hàng', field: 'shipping_address.full_name' },
  { key: 'phone', header: 'Số điện thoại', field: 'shipping_address.phone' },
  { key: 'variant_code', header: 'Mã phiên bản sản phẩm', field: 'lines.variant_id' },
  { key: 'product_name', header: 'Tên phiên bản sản phẩm', field: 'lines.product_name' },
  { key: 'quantity', header: 'Số lượng', field: 'lines.quantity' },
  { key: 'price', header: 'Đơn giá', field: 'lines.retail_price' },
  { key: 'amount', header: 'Thành tiền (trước giảm giá)', adds: true },
  { key: 'discount_percent', header: 'Giảm giá (%)', fits: 'giam gia', sign: '%', field: 'lines.payment_price' },
  { key: 'discount', header: 'Giảm giá (₫)', fits: 'giam gia', sign: '₫', field: 'lines.payment_price' },
  { key: 'discounted', header: 'Thành tiền (sau giảm giá)', adds: true },
  { key: 'total_items', header: 'Tổng số lượng sản phẩm', adds: true },
  { key: 'weight', header: 'Tổng khối lượng (kg)', field: 'shipping.gross_weight' },
  { key: 'address', header: 'Địa chỉ giao hàng', field: 'shipping_address.address1' },
  { key: 'province', header: 'Địa chỉ giao hàng (tỉnh)', field: 'shipping_address.province' },
  { key: 'district', header: 'Địa chỉ giao hàng (quận/huyện)', field: 'shipping_address.district' },
  { key: 'ward', header: 'Địa chỉ giao hàng (phường/xã)', field: 'shipping_address.ward' },
  { key: 'note', header: 'Ghi chú giao hàng', field: 'shipping.shipping_note' },
  { key: 'try_on', header: 'Ghi chú xem hàng', field: 'shipping.try_on' },
  { key: 'basket', header: 'Tổng tiền hàng (trước giảm giá)', adds: true },
  { key: 'basket_discounted', header: 'Tổng tiền hàng (sau giảm giá)', adds: true },
  { key: 'order_discount', header: 'Giảm giá đơn hàng (₫)', field: 'order_discount' },
  { key: 'fee_shipping', header: 'Phí giao hàng tính cho khách', optional: true, field: 'fee_lines.amount' },
  { key: 'fee_tax', header: 'Thuế', optional: true, field: 'fee_lines.amount' },
  { key: 'fee_other', header: 'Phí khác', optional: true, field: 'fee_lines.amount' },
  { key: 'total_fee', header: 'Tổng phí', optional: true, field: 'total_fee' },
  { key: 'total', header: 'Tổng tiền thanh toán', field: 'total_amount' },
  { key: 'cod', header: 'Tiền thu hộ (COD)', field: 'shipping.cod_amount' },
  { key: 'is_cod', header: 'Thu hộ', field: 'payment_method' },
  { key: 'untouched', header: 'Vui lòng không sửa cột này', fits: 'vui long khong sua' },
  { key: 'line_count', header: 'Số dòng sản phẩm' },
] as const satisfies readonly LayoutColumn<string>[];

type Key = (typeof columns)[number]['key'];

/** Columns with a value on an order's first row, which are blank or repeated on the next ones. */
const ofTheOrder = [
  'name',
  'phone',
  'total_items',
  'weight',
  'address',
  'province',
  'district',
  'ward',
  'note',
  'try_on',
  'basket',
  'basket_discounted',
  'order_discount',
  'fee_shipping',
  'fee_tax',
  'fee_other',
  'total_fee',
  'total',
  'cod',
  'is_cod',
  'line_count',
] as const satisfies readonly Key[];

/** Columns that the template computes, even in rows that are not filled in. */
const workedOut: ReadonlySet<Key> = new Set([
  'amount',
  'discounted',
  'total_items',
  'basket',
  'basket_discounted',
  'total_fee',
  'total',
  'is_cod',
  'untouched',
  'line_count',
]);

interface OrderLine {
  readonly product_name?: string;
  readonly quantity?: number;
  readonly retail_price?: number;
  readonly payment_price?: number;
}

interface ReadLine {
  readonly line: OrderLine;
  readonly variantCode: string | undefined;
  /** As in the sheet's column "sau giảm giá"; the order's sums are checked against it. */
  readonly discounted: number;
}

/** One row of goods, with its sums checked. */
function readLine(reading: Reading<Key>, index: number): ReadLine {
  const productName = reading.read('product_name', readText, index);
  const variantCode = reading.read('variant_code', readText, index);
  if (productName === undefined && variantCode === undefined) reading.fault('product_name', say().cell.blank, index);
  const quantity = reading.required('quantity', readCount, index);
  if (quantity === 0) reading.fault('quantity', say().service.leastOne, index);
  const price = reading.required('price', readMoney, index);
  if (price === 0) reading.fault('price', say().service.aboveZero, index);
  const percent = reading.read('discount_percent', readPercent, index);
  const discount = reading.read('discount', readMoney, index) ?? 0;
  const amountReported = reading.required('amount', readMoney, index);
  const reported = reading.required('discounted', readMoney, index);
  const line = given({ product_name: productName, quantity, retail_price: price });
  if (!quantity || price === undefined) return { line, variantCode, discounted: reported ?? 0 };
  if (discount > price) reading.fault('discount', say().service.aboveOne({ price }), index);
  const amount = quantity * price;
  if (amountReported !== undefined && amountReported !== amount) {
    reading.fault('amount', say().service.product({ quantity, price, amount }), index);
  }
  const shares = percent === undefined ? [0] : [shareOf(amount, percent), ...shareAtTheService(amount, percent)];
  const sums = shares.map((share) => amount - share - discount * quantity);
  const expected = sums[0] ?? amount;
  if (reported !== undefined && !sums.includes(reported))
    reading.fault('discounted', say().service.must({ expected }), index);
  const paid = reported !== undefined && sums.includes(reported) ? reported : Math.max(0, expected);
  const paymentPrice = Math.floor(paid / quantity);
  if (paymentPrice * quantity !== paid) {
    const message = say().service.each({ quantity, price: paymentPrice, all: paymentPrice * quantity });
    reading.note('discounted', message, index);
  }
  return { line: { ...line, payment_price: paymentPrice }, variantCode, discounted: paid };
}

function checkSame(reading: Reading<Key>): void {
  for (let index = 1; index < reading.lines.length; index += 1) {
    for (const key of ofTheOrder) {
      const [first, here] = [textOf(reading.cell(key)), textOf(reading.cell(key, index))];
      if (here === '' || here === first || (workedOut.has(key) && ['0', '-'].includes(here))) continue;
      reading.fault(key, say().service.differs({ first, cell: placeText(reading.name(key)) }), index);
    }
  }
}

const feeNames = { shipping: 'Phí giao hàng', tax: 'Thuế', other: 'Phí khác' } as const;

function readFees(reading: Reading<Key>) {
  const amounts = {
    shipping: reading.read('fee_shipping', readFee) ?? 0,
    tax: reading.read('fee_tax', readFee) ?? 0,
    other: reading.read('fee_other', readFee) ?? 0,
  };
  const total = amounts.shipping + amounts.tax + amounts.other;
  const reported = reading.read('total_fee', readMoney);
  if (reported !== undefined && reported !== total) reading.fault('total_fee', say().service.sumOfFees({ total }));
  const lines = (['shipping', 'tax', 'other'] as const)
    .filter((type) => amounts[type] > 0)
    .map((type) => ({ type, name: feeNames[type], amount: amounts[type] }));
  return { lines, total };
}

/** Checks the sheet's sums against each other, by the sheet's own formulas. */
function checkSums(reading: Reading<Key>, discounted: number, orderDiscount: number, totalFee: number): void {
  const basket = reading.required('basket_discounted', readMoney);
  if (basket !== undefined && basket !== discounted) {
    reading.fault('basket_discounted', say().service.sumOfRows({ sum: discounted }));
  }
  const total = reading.required('total', readMoney);
  const expected = discounted - orderDiscount + totalFee;
  if (total !== undefined && total !== expected) {
    reading.fault(
      'total',
      say().service.total({ goods: discounted, discount: orderDiscount, fee: totalFee, expected }),
    );
  }
}

function readCash(reading: Reading<Key>): number {
  const cod = reading.read('cod', readMoney) ?? 0;
  const small = smallCash('cod_amount', cod);
  if (small !== undefined) reading.fault('cod', small);
  const isCod = reading.required('is_cod', readYes);
  if (isCod !== undefined && isCod !== cod > 0) {
    reading.fault('is_cod', cod > 0 ? say().service.cash({ cash: cod }) : say().service.noCash);
  }
  return cod;
}

function readCountOfLines(reading: Reading<Key>): void {
  const reported = reading.required('line_count', readCount);
  if (reported === undefined || reported === reading.lines.length) return;
  reading.fault('line_count', say().service.lineCount({ given: reported, count: reading.lines.length }));
}

/** An order of the sheet in the contract's form: whole amounts, grams, both addresses. */
function readOrder(sheet: TableSheet, places: Places<Key>, lines: readonly SheetLine[]): ServiceRecord {
  const reading = new Reading(sheet, places, lines);
  checkSame(reading);
  const goods = lines.map((_, index) => readLine(reading, index));
  const fees = readFees(reading);
  const orderDiscount = reading.read('order_discount', readMoney) ?? 0;
  const discounted = goods.reduce((sum, line) => sum + line.discounted, 0);
  checkSums(reading, discounted, orderDiscount, fees.total);
  readCountOfLines(reading);
  const address = given({
    full_name: reading.required('name', readText),
    phone: reading.required('phone', readPhone),
    province: reading.read('province', readText),
    district: reading.read('district', readText),
    ward: reading.read('ward', readText),
    address1: reading.read('address', readText),
  });
  const cod = readCash(reading);
  const weight = reading.read('weight', readKilograms);
  return {
    value: given({
      external_code: reading.required('code', readText),
      customer_address: address,
      shipping_address: address,
      lines: goods.map(({ line }) => line),
      order_discount: orderDiscount === 0 ? undefined : orderDiscount,
      fee_lines: fees.lines.length === 0 ? undefined : fees.lines,
      payment_method: cod > 0 ? 'cod' : 'other',
      shipping: given({
        gross_weight: weight,
        chargeable_weight: weight,
        cod_amount: cod,
        shipping_note: reading.read('note', readText),
        try_on: reading.read('try_on', readTryOn),
      }),
    }),
    faults: reading.faults,
    notes: reading.notes,
    placesWhole: true,
    lookups: goods.flatMap(({ variantCode }, index) =>
      variantCode === undefined
        ? []
        : [
            {
              cell: reading.name('variant_code', index),
              path: ['lines', index, 'variant_id'],
              of: 'variant',
              code: variantCode,
            },
          ],
    ),
    cells: {
      external_code: reading.name('code'),
      full_name: reading.name('name'),
      phone: reading.name('phone'),
      province: reading.name('province'),
      district: reading.name('district'),
      ward: reading.name('ward'),
      address1: reading.name('address'),
      gross_weight: reading.name('weight'),
      chargeable_weight: reading.name('weight'),
      cod_amount: reading.name('cod'),
      shipping_note: reading.name('note'),
      try_on: reading.name('try_on'),
      order_discount: reading.name('order_discount'),
      total_amount: reading.name('total'),
      total_fee: reading.name('total_fee'),
      ...Object.fromEntries(
        lines.flatMap((_, index) => [
          [`lines[${index}].product_name`, reading.name('product_name', index)],
          [`lines[${index}].quantity`, reading.name('quantity', index)],
          [`lines[${index}].retail_price`, reading.name('price', index)],
          [`lines[${index}].payment_price`, reading.name('discounted', index)],
        ]),
      ),
    },
  };
}

/** A row without a code is empty, except for what the template computes. */
function isEmpty({ cells }: SheetLine, places: Places<Key>): boolean {
  return [...places].every(([key, column]) => workedOut.has(key) || textOf(cells[column]) === '');
}

/** The sheet of orders: `Tạo đơn hàng`. */
export const orderSheet: ServiceSheet<Key> = {
  name: 'order sheet',
  columns,
  commands: ['ship', 'orders create', 'shipping create'],
  nameKey: 'code',
  isEmpty,
  recordName: ({ cells }, places) => textOf(cells[places.get('code') ?? 0]) || undefined,
  read: readOrder,
};

import type { SheetLine, TableSheet } from '../formats/sheet.ts';
import type { CellFault, CodeLookup } from '../source-row.ts';
import { say, type sheetsTexts } from '../texts.ts';
import { type Read, readCount, readMoney, readPhone, readText, textOf } from './cells.ts';
import type { LayoutColumn, Places } from './layout.ts';
import { given, Reading } from './reading.ts';

/** One record of a sheet of the service, in the contract's fields and units. */
export interface ServiceRecord {
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly CellFault[];
  readonly notes: readonly CellFault[];
  readonly lookups: readonly CodeLookup[];
  /** The address field that also contains the places, if they have no columns of their own. */
  readonly placesFrom?: 'address1' | undefined;
  /** Whether province, district and ward must all be known where one of them is given. */
  readonly placesWhole?: true;
  /** The cell of a field, by its path or the last step of it. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A fact about a line that an earlier line must not have, or only with the same value. */
export interface Unique<Key extends string> {
  /** The column that is at fault. */
  readonly key: Key;
  /** Identifies the fact. */
  readonly of: string;
  /** Two lines with the same value agree. */
  readonly value?: string;
  /** What is wrong, with the name of the earlier cell. */
  readonly message: (cell: string) => string;
}

/** The sheets that the service's own web shop reads. */
export type ServiceSheetName = Extract<keyof typeof sheetsTexts.service, `${string} sheet${string}`>;

/** The declaration of a sheet that the service's own web shop reads. */
export interface ServiceSheet<Key extends string> {
  /** Its name; in the language of the run it is in the catalogue. */
  readonly name: ServiceSheetName;
  readonly columns: readonly LayoutColumn<Key>[];
  /** The commands that its records can be used for, in words; the first is the default. */
  readonly commands: readonly string[];
  /** The column that names a record; the first one if it is absent. */
  readonly nameKey: Key;
  /** Whether a line is empty. */
  isEmpty(line: SheetLine, places: Places<Key>): boolean;
  /**
   * Identifies the record that a line belongs to: consecutive lines with the same name are one record; undefined means
   * a record of its own.
   */
  recordName(line: SheetLine, places: Places<Key>, command: string): string | undefined;
  /** What must not come again further down in the file. */
  unique?(line: SheetLine, places: Places<Key>): readonly Unique<Key>[];
  /** Reads the lines of one record for `command`. */
  read(sheet: TableSheet, places: Places<Key>, lines: readonly SheetLine[], command: string): ServiceRecord;
}

/** The service's own sheet of parcels, one row per parcel. The short template lacks the three columns of places. */
const columns = [
  { key: 'code', header: 'Mã nội bộ', optional: true, field: 'external_code' },
  { key: 'name', header: 'Tên khách hàng*', field: 'shipping_address.full_name' },
  { key: 'phone', header: 'SĐT*', field: 'shipping_address.phone' },
  { key: 'address', header: 'Địa chỉ giao hàng*', field: 'shipping_address.address1' },
  { key: 'province', header: 'Tỉnh/ Thành phố', optional: true, field: 'shipping_address.province' },
  { key: 'district', header: 'Quận/ Huyện', optional: true, field: 'shipping_address.district' },
  { key: 'ward', header: 'Phường/ Xã', optional: true, field: 'shipping_address.ward' },
  { key: 'description', header: 'Mô tả sản phẩm*', field: 'lines.product_name' },
  { key: 'weight', header: 'Tổng khối lượng (g)*', field: 'shipping.gross_weight' },
  { key: 'value', header: 'Tổng giá trị hàng hoá*', field: 'basket_value' },
  { key: 'insurance', header: 'Bảo hiểm hàng hoá', optional: true, field: 'shipping.include_insurance' },
  { key: 'cod', header: 'COD*', field: 'shipping.cod_amount' },
  { key: 'note', header: 'Ghi chú', optional: true, field: 'shipping.shipping_note' },
] as const satisfies readonly LayoutColumn<string>[];

type Key = (typeof columns)[number]['key'];

const leastGrams = 50;
const leastCash = 5000;

/** Any mark means yes, a blank cell means no. */
function readMark(cell: Parameters<typeof textOf>[0]): Read<boolean> {
  const text = textOf(cell).toLowerCase();
  if (text === '') return { kind: 'value', value: false };
  return text === 'x' || cell === true
    ? { kind: 'value', value: true }
    : { kind: 'wrong', message: say().service.mark };
}

/** A parcel of the sheet as an order with one line, whose name is the description of the contents. */
function readParcel(sheet: TableSheet, places: Places<Key>, lines: readonly SheetLine[]): ServiceRecord {
  const reading = new Reading(sheet, places, lines);
  const weight = reading.required('weight', readCount);
  if (weight !== undefined && weight < leastGrams)
    reading.fault('weight', say().service.leastGrams({ least: leastGrams }));
  const cod = reading.required('cod', readMoney);
  if (cod !== undefined && cod > 0 && cod < leastCash)
    reading.fault('cod', say().service.leastCash({ least: leastCash }));
  const worth = reading.required('value', readMoney);
  const address = given({
    full_name: reading.required('name', readText),
    phone: reading.required('phone', readPhone),
    province: reading.read('province', readText),
    district: reading.read('district', readText),
    ward: reading.read('ward', readText),
    address1: reading.required('address', readText),
  });
  const price = { retail_price: worth, payment_price: worth };
  const line = given({ product_name: reading.required('description', readText), quantity: 1, ...price });
  return {
    value: given({
      external_code: reading.read('code', readText),
      customer_address: address,
      shipping_address: address,
      lines: [line],
      shipping: given({
        gross_weight: weight,
        chargeable_weight: weight,
        cod_amount: cod,
        include_insurance: reading.read('insurance', readMark),
        shipping_note: reading.read('note', readText),
      }),
    }),
    faults: reading.faults,
    notes: reading.notes,
    lookups: [],
    // If there are no columns for places, they are at the end of the address.
    placesFrom: places.has('province') ? undefined : 'address1',
    cells: {
      external_code: reading.name('code'),
      full_name: reading.name('name'),
      phone: reading.name('phone'),
      address1: reading.name('address'),
      province: reading.name(places.has('province') ? 'province' : 'address'),
      district: reading.name(places.has('district') ? 'district' : 'address'),
      ward: reading.name(places.has('ward') ? 'ward' : 'address'),
      product_name: reading.name('description'),
      retail_price: reading.name('value'),
      payment_price: reading.name('value'),
      gross_weight: reading.name('weight'),
      chargeable_weight: reading.name('weight'),
      cod_amount: reading.name('cod'),
      include_insurance: reading.name('insurance'),
      shipping_note: reading.name('note'),
    },
  };
}

/** The sheet of parcels: `Đơn giao hàng`. */
export const fulfilmentSheet: ServiceSheet<Key> = {
  name: 'fulfilment sheet',
  columns,
  commands: ['ship', 'shipping create'],
  nameKey: 'code',
  isEmpty: ({ cells }, places) => [...places.values()].every((column) => textOf(cells[column]) === ''),
  recordName: () => undefined,
  read: readParcel,
};

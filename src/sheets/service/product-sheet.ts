import type { SheetLine, TableSheet } from '../formats/sheet.ts';
import { say } from '../texts.ts';
import { type Read, readCount, readMoney, readText, textOf } from './cells.ts';
import type { ServiceRecord, ServiceSheet, ServiceSheetName, Unique } from './fulfilment-sheet.ts';
import type { LayoutColumn, Places } from './layout.ts';
import { normalForm } from './layout.ts';
import { given, Reading } from './reading.ts';

type Key =
  | 'kind'
  | 'category'
  | 'collections'
  | 'product_code'
  | 'variant_code'
  | 'product_name'
  | 'attributes'
  | 'price'
  | 'cost'
  | 'stock'
  | 'unit'
  | 'images'
  | 'weight'
  | 'description';

/** The older sheet of products, with 14 columns; weights are in grams. */
const olderColumns: readonly LayoutColumn<Key>[] = [
  { key: 'kind', header: 'Loại hàng' },
  { key: 'category', header: 'Nhóm hàng', fits: 'nhom hang 3 cap' },
  { key: 'collections', header: 'Bộ sưu tập', fits: 'bo suu tap ngang hang' },
  { key: 'product_code', header: 'Mã hàng', field: 'code' },
  { key: 'variant_code', header: 'Mã thuộc tính', field: 'code' },
  { key: 'product_name', header: 'Tên hàng hóa', field: 'name' },
  { key: 'attributes', header: 'Thuộc tính', field: 'attributes' },
  { key: 'price', header: 'Giá bán', field: 'list_price' },
  { key: 'cost', header: 'Giá vốn', field: 'cost_price' },
  { key: 'stock', header: 'Tồn kho' },
  { key: 'unit', header: 'Đơn vị tính', fits: 'dvt', field: 'unit' },
  { key: 'images', header: 'Hình ảnh', fits: 'hinh anh url1 url2', field: 'image_urls' },
  { key: 'weight', header: 'Trọng lượng' },
  { key: 'description', header: 'Mô tả', field: 'description' },
];

/** The newer sheet, with 13 columns; weights are in kilograms. */
const newerColumns: readonly LayoutColumn<Key>[] = [
  { key: 'category', header: 'Danh mục', fits: 'danh muc 3 cap' },
  { key: 'collections', header: 'Bộ sưu tập', fits: 'bo suu tap ngang hang' },
  { key: 'product_code', header: 'Mã sản phẩm', field: 'code' },
  { key: 'variant_code', header: 'Mã phiên bản sản phẩm', field: 'code' },
  { key: 'product_name', header: 'Tên sản phẩm', field: 'name' },
  { key: 'attributes', header: 'Thuộc tính', field: 'attributes' },
  { key: 'price', header: 'Giá bán', field: 'list_price' },
  { key: 'cost', header: 'Giá vốn', field: 'cost_price' },
  { key: 'stock', header: 'Tồn kho' },
  { key: 'unit', header: 'Đơn vị tính', field: 'unit' },
  { key: 'images', header: 'Hình ảnh', fits: 'hinh anh link1 link2', field: 'image_urls' },
  { key: 'weight', header: 'Khối lượng (kg)' },
  { key: 'description', header: 'Mô tả', field: 'description' },
];

const mostAttributes = 6;

function listed(text: string): string[] {
  return text
    .split(text.includes('|') ? '|' : ',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

interface Attribute {
  readonly name: string;
  readonly value: string;
}

function readAttributes(cell: Parameters<typeof textOf>[0]): Read<readonly Attribute[]> {
  const text = textOf(cell);
  if (text === '') return { kind: 'blank' };
  const attributes = listed(text).map((part) => part.split(':').map((piece) => piece.trim()));
  if (attributes.some((pieces) => pieces.length !== 2 || pieces.includes(''))) {
    return { kind: 'wrong', message: say().service.attributes };
  }
  if (attributes.length > mostAttributes) {
    return { kind: 'wrong', message: say().service.mostAttributes({ count: attributes.length, most: mostAttributes }) };
  }
  return {
    kind: 'value',
    value: attributes.map(([name = '', value = '']) => ({ name: name.toLowerCase(), value })),
  };
}

function readList(cell: Parameters<typeof textOf>[0]): Read<readonly string[]> {
  const text = textOf(cell);
  return text === '' ? { kind: 'blank' } : { kind: 'value', value: listed(text) };
}

/** What the contract has no field for; reported, so that it is not missed later. */
const leftOut = ['category', 'collections', 'stock', 'weight'] as const satisfies readonly Key[];

function noteLeftOut(reading: Reading<Key>): void {
  for (const key of leftOut) {
    if (!['', '0', '-'].includes(textOf(reading.cell(key)))) reading.note(key, say().service.unset);
  }
}

function readPrices(reading: Reading<Key>, line = 0) {
  const price = reading.required('price', readMoney, line);
  if (price === 0) reading.fault('price', say().service.aboveZero, line);
  return { price, cost: reading.read('cost', readMoney, line) };
}

function cellsOf(reading: Reading<Key>): Readonly<Record<string, string>> {
  return {
    name: reading.name('product_name'),
    list_price: reading.name('price'),
    retail_price: reading.name('price'),
    cost_price: reading.name('cost'),
    unit: reading.name('unit'),
    image_urls: reading.name('images'),
    attributes: reading.name('attributes'),
    description: reading.name('description'),
  };
}

/** A product, from its first row; the rows of its other variants add nothing to it. */
function readProduct(reading: Reading<Key>): ServiceRecord {
  const { price, cost } = readPrices(reading);
  return {
    value: given({
      code: reading.read('product_code', readText),
      name: reading.required('product_name', readText),
      unit: reading.read('unit', readText),
      list_price: price,
      cost_price: cost,
      image_urls: reading.read('images', readList),
    }),
    faults: reading.faults,
    notes: reading.notes,
    lookups: [],
    cells: { ...cellsOf(reading), code: reading.name('product_code') },
  };
}

/** A variant of the product whose code is in its row. */
function readVariant(reading: Reading<Key>): ServiceRecord {
  const { price, cost } = readPrices(reading);
  const attributes = reading.read('attributes', readAttributes);
  const productCode = reading.required('product_code', readText);
  const code = reading.read('variant_code', readText);
  const name = attributes?.map(({ value }) => value).join(' ') || reading.required('product_name', readText);
  return {
    value: given({
      code,
      name,
      attributes,
      list_price: price,
      retail_price: price,
      cost_price: cost,
      image_urls: reading.read('images', readList),
      description: reading.read('description', readText),
    }),
    faults: reading.faults,
    notes: reading.notes,
    lookups: [
      ...(productCode === undefined
        ? []
        : [{ cell: reading.name('product_code'), path: ['product_id'], of: 'product', code: productCode } as const]),
      ...(code === undefined
        ? []
        : [{ cell: reading.name('variant_code'), path: ['code'], of: 'variant', code, isNew: true } as const]),
    ],
    cells: { ...cellsOf(reading), code: reading.name('variant_code') },
  };
}

function readRow(sheet: TableSheet, places: Places<Key>, lines: readonly SheetLine[], command: string): ServiceRecord {
  const reading = new Reading(sheet, places, lines);
  reading.read('stock', readCount);
  noteLeftOut(reading);
  return command === 'variants create' ? readVariant(reading) : readProduct(reading);
}

/** What identifies a product: its code, else its name without accents. */
function productOf({ cells }: SheetLine, places: Places<Key>): string {
  const cell = (key: Key) => textOf(cells[places.get(key) ?? -1]);
  return cell('product_code') === '' ? `name ${normalForm(cell('product_name'))}` : `code ${cell('product_code')}`;
}

/** The importer refuses a variant that is there twice, and a product with and without a code. */
function uniqueIn(line: SheetLine, places: Places<Key>): readonly Unique<Key>[] {
  const cell = (key: Key) => textOf(line.cells[places.get(key) ?? -1]);
  const attributes = listed(cell('attributes')).map(normalForm).sort().join('; ');
  const [product, variant, name] = [cell('product_code'), cell('variant_code'), normalForm(cell('product_name'))];
  if (name === '' && product === '') return [];
  const codes = product === '' ? 'none' : 'some';
  const facts: (Unique<Key> | undefined)[] = [
    {
      key: 'attributes',
      of: `variant ${productOf(line, places)} ${attributes}`,
      message: (cell) => say().service.sameVariant({ cell }),
    },
    variant === ''
      ? undefined
      : { key: 'variant_code', of: `code ${variant}`, message: (cell) => say().service.codeAgain({ cell }) },
    {
      key: 'product_code',
      of: `name ${name}`,
      value: codes,
      message: (cell) => say().service.codeInAll({ cell }),
    },
  ];
  return facts.filter((fact) => fact !== undefined);
}

function productSheet(name: ServiceSheetName, columns: readonly LayoutColumn<Key>[]): ServiceSheet<Key> {
  return {
    name,
    columns,
    commands: ['products create', 'variants create'],
    nameKey: 'product_code',
    isEmpty: ({ cells }, places) => [...places.values()].every((column) => textOf(cells[column]) === ''),
    recordName: (line, places, command) => (command === 'variants create' ? undefined : productOf(line, places)),
    unique: uniqueIn,
    read: readRow,
  };
}

/** The sheets of products: `Sản phẩm`, in both layouts; the older one is tried first, as the service does. */
export const productSheets = [
  productSheet('product sheet of 14 columns', olderColumns),
  productSheet('product sheet of 13 columns', newerColumns),
];

import { fieldsIn } from '../../../src/domain/json/values.ts';
import { xlsxOf } from '../../../src/sheets/xlsx/write-xlsx.ts';

/** What one row of a file asks for. Equal wishes are equal rows. */
export interface Preference {
  /** Whom it is for; every record tells it. */
  readonly subject: number;
  /** Another one under the same name is another content. */
  readonly variant: number;
  /** The note; the service refuses what says REFUSE, and may cut a long one. */
  readonly note: string;
  /** The name that the caller gives it; empty: none. */
  readonly name: string;
}

/** What the service refuses for good. */
export const REFUSED = 'REFUSE';
/** A note that some services give back cut. */
export const LONG = 'call before you come, leave it at the front desk, and ring twice if nobody opens';

/** A kind of record that can be created, and how files and commands write it. */
export interface Kind {
  readonly title: string;
  /** The words of the command for one, and of `--do` for many. */
  readonly words: string;
  readonly resource: string;
  /** Whether a partner can create it too. */
  readonly byPartner: boolean;
  /** Whether the service keeps its names unique; nothing of another kind can be looked up for certain. */
  readonly isOrder: boolean;
  readonly takesNames: boolean;
  /** How an operation that creates it ends. */
  readonly creates: RegExp;
  /** The operation that reads one by `id`, and where its record is in the answer. */
  readonly reads: string;
  /** Only in files of nested records. */
  readonly nestedOnly?: boolean;
  /** The command that ends one, before its id. */
  readonly ends: readonly string[];
  /** The command that changes one, before its id, and a field of it that no wish has. */
  readonly changes?: { readonly words: readonly string[]; readonly field: string };
  /** The table of the mirror that has it. */
  readonly area?: string;
  /** What a single request needs besides, and a file is filled with. */
  readonly whole?: (record: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Another command for one, which is the same work, and its request for a record. */
  readonly other?: {
    readonly words: string;
    request(record: Readonly<Record<string, unknown>>, parents: Parents): Readonly<Record<string, unknown>>;
  };
  record(preference: Preference, parents: Parents): Readonly<Record<string, unknown>>;
}

/** Records that others belong to, made before everything else. */
export interface Parents {
  readonly customer: string;
  readonly product: string;
  readonly shipnow: { readonly code: string; readonly fee: number };
  /** The cheapest service for any of the orders: all are equally heavy and go the same way. */
  readonly shipping: { readonly code: string; readonly fee: number };
}

const phoneOf = ({ subject, variant }: Preference) => `09${10_000_000 + subject + variant * 1_000}`;
/** Where everything goes. */
export const place = { province: 'Hà Nội', district: 'Cầu Giấy', ward: 'Dịch Vọng' };
const placeOf = ({ subject, variant }: Preference) => ({
  ...place,
  address1: `${subject} ngõ ${variant}`,
});
const named = ({ name }: Preference) => (name === '' ? {} : { external_id: name });
const person = (preference: Preference) => ({ full_name: `Khách ${preference.subject}`, phone: phoneOf(preference) });

const goods = (preference: Preference) => ({
  ...named(preference),
  name: `Hàng ${preference.subject}`,
  short_desc: `v${preference.variant}`,
  ...(preference.note === '' ? {} : { note: preference.note }),
});

const order = (preference: Preference) => ({
  ...named(preference),
  shipping_address: { ...person(preference), ...placeOf(preference) },
  lines: [
    {
      product_name: `Áo ${preference.subject}`,
      quantity: '2',
      retail_price: '450000',
      payment_price: '450000',
      list_price: '450000',
    },
  ],
  ...(preference.note === '' ? {} : { order_note: preference.note }),
});

const pickup = {
  full_name: 'Kho',
  phone: '0905123456',
  province: 'Đà Nẵng',
  district: 'Liên Chiểu',
  ward: 'Hòa Khánh Nam',
  address1: 'Lô 7',
};

const sums = { total_items: 2, basket_value: 900_000, total_discount: 0, total_fee: 0, total_amount: 900_000 };

/** What every order to be shipped has in common. */
export const quoted = { pickup_address: pickup, gross_weight: 500, cod_amount: 900_000, basket_value: 900_000 };

const onTheMap = { coordinates: { latitude: 21.0363, longitude: 105.7906 } };
const stop = { ...place, ...onTheMap };

const parcel = { gross_weight: 800, cod_amount: 150_000, basket_value: 150_000 };

/** What every on-demand delivery has in common: it costs the same. */
export const delivery = {
  pickup_address: { full_name: 'Kho', phone: '0905123456', ...stop, address: '12 ngõ 5' },
  delivery_points: [
    { shipping_address: { full_name: 'An', phone: '0910000000', ...stop, address: '1 ngõ 5' }, ...parcel },
  ],
};

/** Every kind that can be created by itself. */
export const kinds: readonly Kind[] = [
  {
    title: 'ship',
    words: 'ship',
    resource: 'order',
    byPartner: true,
    isOrder: true,
    takesNames: true,
    creates: /\.Shipping\/CreateAndConfirmOrder$/,
    ends: ['orders', 'cancel'],
    area: 'orders',
    reads: 'shop.Order/GetOrder',
    record: (preference) => ({
      ...order(preference),
      shipping: { gross_weight: '500', cod_amount: '900000', try_on: 'open', pickup_address: pickup },
    }),
    other: {
      words: 'shipping create',
      request: ({ shipping, ...record }, { shipping: { code, fee } }) => ({
        ...record,
        ...sums,
        customer_address: record.shipping_address,
        shipping: { ...fieldsIn(shipping), shipping_service_code: code, shipping_service_fee: fee },
      }),
    },
  },
  {
    title: 'orders',
    words: 'orders create',
    resource: 'order',
    byPartner: false,
    isOrder: true,
    takesNames: true,
    creates: /\.Order\/CreateOrder$/,
    ends: ['orders', 'cancel'],
    area: 'orders',
    reads: 'shop.Order/GetOrder',
    whole: ({ shipping_address }) => ({ ...sums, customer_address: shipping_address }),
    record: order,
  },
  {
    title: 'customers',
    words: 'customers create',
    resource: 'customer',
    byPartner: false,
    isOrder: false,
    takesNames: true,
    creates: /\.Customer\/CreateCustomer$/,
    ends: ['customers', 'delete'],
    changes: { words: ['customers', 'update'], field: 'birthday' },
    area: 'customers',
    reads: 'shop.Customer/GetCustomer',
    record: (preference) => ({
      ...named(preference),
      ...person(preference),
      ...(preference.note === '' ? {} : { note: preference.note }),
    }),
  },
  {
    title: 'products',
    words: 'products create',
    resource: 'product',
    byPartner: false,
    isOrder: false,
    takesNames: true,
    creates: /\.Product\/CreateProduct$/,
    ends: ['products', 'delete'],
    changes: { words: ['products', 'update'], field: 'unit' },
    area: 'products',
    reads: 'shop.Product/GetProduct',
    record: goods,
  },
  {
    title: 'variants',
    words: 'variants create',
    resource: 'variant',
    byPartner: false,
    isOrder: false,
    takesNames: true,
    creates: /\.Variant\/CreateVariant$/,
    ends: ['variants', 'delete'],
    reads: 'shop.Variant/GetVariant',
    record: (preference, { product }) => ({ ...goods(preference), product_id: product }),
  },
  {
    title: 'collections',
    words: 'collections create',
    resource: 'collection',
    byPartner: false,
    isOrder: false,
    takesNames: false,
    creates: /\.ProductCollection\/CreateCollection$/,
    ends: ['collections', 'delete'],
    reads: 'shop.ProductCollection/GetCollection',
    record: ({ subject, variant, note }) => ({
      name: `Bộ ${subject}`,
      short_desc: `v${variant}`,
      ...(note === '' ? {} : { description: note }),
    }),
  },
  {
    title: 'groups',
    words: 'groups create',
    resource: 'group',
    byPartner: false,
    isOrder: false,
    takesNames: false,
    creates: /\.CustomerGroup\/CreateGroup$/,
    ends: ['groups', 'delete'],
    reads: 'shop.CustomerGroup/GetGroup',
    record: ({ subject, variant, note }) => ({ name: `Nhóm v${variant} ${note} ${subject}` }),
  },
  {
    title: 'addresses',
    words: 'addresses create',
    resource: 'address',
    byPartner: false,
    isOrder: false,
    takesNames: false,
    creates: /\.CustomerAddress\/CreateAddress$/,
    ends: ['addresses', 'delete'],
    changes: { words: ['addresses', 'update'], field: 'position' },
    reads: 'shop.CustomerAddress/GetAddress',
    record: (preference, { customer }) => ({
      customer_id: customer,
      ...person(preference),
      ...placeOf(preference),
      ...(preference.note === '' ? {} : { company: preference.note }),
    }),
  },
  {
    title: 'shipnow',
    words: 'shipnow create',
    resource: 'shipnow',
    byPartner: false,
    isOrder: false,
    takesNames: true,
    creates: /\.Shipnow\/CreateShipnowFulfillment$/,
    ends: ['shipnow', 'cancel'],
    reads: 'shop.Shipnow/GetShipnowFulfillment',
    nestedOnly: true,
    record: (preference, { shipnow }) => ({
      ...named(preference),
      pickup_address: delivery.pickup_address,
      delivery_points: [
        {
          shipping_address: {
            ...person(preference),
            ...stop,
            address: `${preference.subject} ngõ ${preference.variant}`,
          },
          ...parcel,
        },
      ],
      shipping_service_code: shipnow.code,
      shipping_service_fee: shipnow.fee,
      ...(preference.note === '' ? {} : { shipping_note: preference.note }),
    }),
  },
];

/** What a request or a row asks for, told by its text, whatever stands around it. */
export function wishIn(text: string): { readonly subject: number; readonly content: string } | undefined {
  const found = /name":"(?:Khách|Hàng|Bộ|Nhóm v(\d+) [^"]*?) ?(\d+)"/.exec(text);
  if (found === null) return undefined;
  const subject = Number(found[2]);
  const phone = /"09(1\d{7})"/.exec(text)?.[1];
  const variant =
    phone === undefined
      ? (found[1] ?? /short_desc":"v(\d+)"/.exec(text)?.[1] ?? '')
      : (Number(phone) - 10_000_000 - subject) / 1_000;
  const note = text.includes(REFUSED) ? 'refused' : text.includes(LONG.slice(0, 15)) ? 'long' : '';
  return { subject, content: `${subject}/${variant}/${note}${/mended \d+/.exec(text)?.[0] ?? ''}` };
}

type Flat = Record<string, string>;

function flattened(value: Readonly<Record<string, unknown>>, before = ''): Flat {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const one: unknown = Array.isArray(inner) ? inner[0] : inner;
      if (typeof one !== 'object' || one === null) return [[`${before}${key}`, String(one)]];
      return Object.entries(flattened({ ...one }, `${before}${key}.`));
    }),
  );
}

/** How a file of rows may be written: the same rows are the same work in each. */
export const formats = ['csv', 'xlsx', 'json', 'jsonl'] as const;
export type Format = (typeof formats)[number];

/** The content of a file with these records; its columns turned round where that is said. */
export async function fileOf(
  records: readonly Readonly<Record<string, unknown>>[],
  format: Format,
  turned: boolean,
): Promise<string | Uint8Array> {
  if (format === 'json') return JSON.stringify(records);
  if (format === 'jsonl') return records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const flat = records.map((record) => flattened(record));
  const columns = [...new Set(flat.flatMap((record) => Object.keys(record)))];
  if (turned) columns.reverse();
  const lines = flat.map((record) => columns.map((column) => record[column] ?? ''));
  if (format === 'csv')
    return [columns, ...lines].map((cells) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`).join('');
  return xlsxOf(columns, lines);
}

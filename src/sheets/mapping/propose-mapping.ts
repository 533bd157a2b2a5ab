import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { readAmountText } from '../../domain/amounts/money.ts';
import { fieldNamed, isOfResult } from '../fields.ts';
import { normalForm } from '../service/layout.ts';
import type { ColumnMapping, Mapping } from './mapping.ts';

/**
 * What people call the fields in their own sheets, Vietnamese and English, as `normalForm` returns it. If several
 * fields of a command match, the first wins, so more specific ones come first.
 */
const names: readonly (readonly [field: string, ...called: string[]])[] = [
  [
    'external_id',
    'ma don',
    'ma don hang',
    'so don',
    'ma dh',
    'order id',
    'order no',
    'order number',
    'order',
    'ma tham chieu',
    'ma',
    'ma so',
    'don hang',
    'id',
  ],
  [
    'shipping_address.full_name',
    'nguoi nhan',
    'ten nguoi nhan',
    'ho ten nguoi nhan',
    'ho va ten nguoi nhan',
    'ten khach hang',
    'ten kh',
    'kh',
    'nguoi mua',
    'ten nguoi mua',
    'ng mua',
    'ng nhan',
    'ten ng mua',
    'ten ng nhan',
    'nguoi mua hang',
    'khach mua',
    'ten khach',
    'khach',
    'khach hang',
    'ho ten',
    'ho va ten',
    'recipient',
    'receiver',
    'recipient name',
    'receiver name',
    'customer name',
    'customer',
    'name',
    'ten',
  ],
  [
    'shipping_address.phone',
    'so dien thoai',
    'dien thoai',
    'sdt',
    'dt',
    'sdt nguoi nhan',
    'sdt khach',
    'sdt kh',
    'so dt',
    'so dien thoai nguoi nhan',
    'dien thoai nguoi nhan',
    'dt nguoi nhan',
    'di dong',
    'sdt nhan',
    'phone',
    'phone number',
    'mobile',
    'tel',
    'recipient phone',
    'receiver phone',
  ],
  [
    'shipping_address.address1',
    'dia chi',
    'dia chi giao hang',
    'd c',
    'dc',
    'so nha duong',
    'so nha ten duong',
    'dia chi giao',
    'dia chi moi',
    'd c giao',
    'dc giao',
    'dia chi kh',
    'noi nhan',
    'dia chi nguoi nhan',
    'dia chi nhan hang',
    'dia chi nhan',
    'dia chi khach hang',
    'dia chi chi tiet',
    'so nha',
    'address',
    'street',
    'address line',
    'shipping address',
    'delivery address',
    'detail address',
    'detailed address',
    'dia chi cu the',
  ],
  [
    'shipping_address.full',
    'dia chi day du',
    'dia chi nhan hang day du',
    'thong tin nguoi nhan',
    'thong tin nhan hang',
    'thong tin khach hang',
    'thong tin giao hang',
    'tin nhan',
    'full address',
    'message',
  ],
  [
    'shipping_address.province',
    'tinh',
    'tinh thanh',
    'tinh thanh pho',
    'thanh pho',
    'tinh tp',
    'tp',
    'province',
    'city',
  ],
  ['shipping_address.district', 'quan', 'huyen', 'quan huyen', 'district'],
  ['shipping_address.ward', 'phuong', 'xa', 'phuong xa', 'ward'],
  ['shipping_address.email', 'email', 'e mail', 'thu dien tu'],
  [
    'lines.product_name',
    'san pham',
    'ten san pham',
    'sp',
    'ten sp',
    'hang',
    'ten hang',
    'hang hoa',
    'mat hang',
    'ten hang hoa',
    'noi dung hang hoa',
    'noi dung hang',
    'hang gui',
    'hang hoa gui',
    'ten hang gui',
    'hang gui di',
    'product',
    'product name',
    'item',
    'item name',
    'items',
    'products',
    'goods',
    'description of goods',
  ],
  [
    'lines.variant_code',
    'sku',
    'ma sku',
    'seller sku',
    'sku phan loai hang',
    'ma phien ban',
    'ma phien ban san pham',
    'ma hang',
    'ma hang hoa',
    'ma san pham',
    'ma sp',
    'product code',
  ],
  ['lines.quantity', 'so luong', 'sl', 'quantity', 'qty'],
  [
    'lines.retail_price',
    'don gia',
    'gia',
    'gia ban',
    'gia goc',
    'gia san pham',
    'gia sp',
    'gia hang',
    'gia hang hoa',
    'don gia ban',
    'don gia san pham',
    'gia niem yet',
    'price',
    'unit price',
    'original price',
    'gia tri',
    'gia tri hang hoa',
  ],
  [
    'lines.payment_price',
    'gia uu dai',
    'gia khuyen mai',
    'gia sau giam',
    'gia sau giam gia',
    'gia thanh toan',
    'deal price',
    'sale price',
    'discounted price',
  ],
  [
    'shipping.cod_amount',
    'cod',
    'thu ho',
    'tien thu ho',
    'thu ho cod',
    'tien thu ho cod',
    'so tien thu ho cod',
    'tong tien thu ho',
    'tien cod thu ho',
    'so tien cod',
    'tong tien cod',
    'thu cod',
    'thu khach',
    'tien thu khach',
    'thu cua khach',
    'tien thu',
    'can thu',
    'con phai thu',
    'so tien thu ho',
    'so tien thu',
    'thu',
    'thu tien',
    'con thu',
    'phai thu',
    'tong thu',
    'tong thu ho',
    'tong phai thu',
    'tong cod',
    'khach phai tra',
    'con lai',
    'con phai tra',
    'tien can thu',
    'tien cod',
    'cod amount',
    'cash on delivery',
  ],
  [
    'shipping.gross_weight',
    'khoi luong',
    'trong luong',
    'can nang',
    'kl',
    'kl kg',
    'nang',
    'so can',
    'tong khoi luong',
    'weight',
    'gross weight',
  ],
  [
    'buyer_shipping_fee',
    'phi ship khach tra',
    'ship khach tra',
    'tien ship khach tra',
    'ship thu khach',
    'phi giao hang khach tra',
    'phi van chuyen khach tra',
    'phi van chuyen nguoi mua tra',
    'phi ship thu khach',
    'phi ship cua khach',
    'phi giao hang tinh cho khach',
    'shipping fee paid by buyer',
  ],
  [
    'deposit',
    'coc',
    'tien coc',
    'dat coc',
    'tien dat coc',
    'da coc',
    'da dat coc',
    'khach coc',
    'khach dat coc',
    'khach tra truoc',
    'tra truoc',
    'da tra truoc',
    'da coc ck',
    'so tien dat coc',
    'deposit',
    'prepaid',
  ],
  ['shipping.length', 'dai', 'chieu dai', 'length'],
  ['shipping.width', 'rong', 'chieu rong', 'width'],
  ['shipping.height', 'cao', 'chieu cao', 'height'],
  [
    'shipping.shipping_note',
    'ghi chu',
    'ghi chu giao hang',
    'ghi chu cua khach',
    'ghi chu khach',
    'ghi chu khach hang',
    'ghi chu don',
    'ghi chu don hang',
    'luu y',
    'loi nhan',
    'ghi chu cua nguoi mua',
    'tin nhan nguoi mua',
    'buyer message',
    'buyer note',
    'note',
    'notes',
    'shipping note',
    'delivery note',
  ],
  ['shipping.try_on', 'xem hang', 'cho xem hang', 'ghi chu xem hang', 'try on'],
  ['full_name', 'ten', 'ho ten', 'ho va ten', 'ten khach hang', 'khach hang', 'name', 'customer', 'customer name'],
  ['name', 'ten', 'ten san pham', 'ten hang', 'san pham', 'name', 'product', 'product name', 'title'],
  ['phone', 'so dien thoai', 'dien thoai', 'sdt', 'dt', 'phone', 'phone number', 'mobile', 'tel'],
  ['email', 'email', 'e mail'],
  ['birthday', 'ngay sinh', 'sinh nhat', 'birthday', 'date of birth'],
  ['gender', 'gioi tinh', 'gender', 'sex'],
  ['address1', 'dia chi', 'address', 'street'],
  ['province', 'tinh', 'tinh thanh', 'thanh pho', 'province', 'city'],
  ['district', 'quan', 'huyen', 'quan huyen', 'district'],
  ['ward', 'phuong', 'xa', 'phuong xa', 'ward'],
  [
    'code',
    'ma',
    'ma khach hang',
    'ma kh',
    'ma khach',
    'customer code',
    'ma san pham',
    'ma hang',
    'ma sp',
    'sku',
    'code',
    'product code',
    'ma phien ban',
  ],
  ['retail_price', 'gia', 'gia ban', 'gia ban le', 'don gia', 'price', 'retail price', 'selling price'],
  ['list_price', 'gia niem yet', 'list price'],
  ['cost_price', 'gia von', 'gia nhap', 'cost', 'cost price'],
  ['unit', 'don vi', 'don vi tinh', 'dvt', 'unit'],
  ['description', 'mo ta', 'description'],
  ['note', 'ghi chu', 'note', 'notes'],
  ['cancel_reason', 'ly do', 'ly do huy', 'reason', 'cancel reason'],
  ['id', 'id'],
  [
    'shipping_code',
    'ma don hang',
    'ma van don',
    'so van don',
    'ma don',
    'ma van chuyen',
    'ma phieu gui',
    'so phieu gui',
    'ma buu gui',
    'order no',
    'order number',
    'tracking id',
    'tracking no',
    'tracking number',
    'awb',
    'waybill',
    'waybill no',
  ],
  [
    'fulfillment_id',
    'ma don hang shop',
    'ma don hang kh',
    'ma don khach hang',
    'ma tham chieu',
    'shipper order number',
    'reference number',
    'customer reference',
    'shipment id',
  ],
  ['cod', 'cod', 'tien cod', 'so tien cod', 'tien thu ho', 'tong tien thu ho', 'thu ho', 'cod amount', 'cod collected'],
  [
    'delivery',
    'phi dich vu',
    'phi giao hang',
    'phi van chuyen',
    'cuoc',
    'cuoc phi',
    'tong cuoc',
    'tong phi',
    'delivery fee',
    'shipping fee',
  ],
  ['return', 'phi chuyen hoan', 'phi hoan', 'phi tra hang', 'return fee', 'rts fee'],
  ['redelivery', 'phi giao lai', 'redelivery fee'],
  ['insurance', 'phi bao hiem', 'insurance fee', 'insurance'],
  ['address_change', 'phi thay doi dia chi giao', 'phi doi thong tin', 'address change fee'],
  ['discount', 'khuyen mai', 'giam gia', 'chiet khau', 'discount'],
  ['compensation', 'boi thuong', 'den bu', 'compensation'],
  ['provisional', 'tam thu', 'provisional'],
  ['provisional_back', 'hoan tam thu'],
  [
    'debt',
    'cong no',
    'no ky truoc',
    'cong no ky truoc',
    'can tru',
    'can tru cong no',
    'cong no can tru',
    'tien can tru',
    'debt',
  ],
  ['other', 'phu phi', 'phi phu', 'phi khac', 'cac phi khac', 'surcharge', 'other fees'],
  ['kind', 'loai giao dich', 'transaction type'],
  ['amount', 'so tien'],
  [
    'net',
    'thanh toan',
    'thuc nhan',
    'thuc tra',
    'tien thuc tra',
    'so tien thuc tra',
    'con lai',
    'tong thanh toan',
    'net',
    'net amount',
    'payable',
  ],
  [
    'session',
    'phien',
    'phien doi soat',
    'ky doi soat',
    'ky thanh toan',
    'phien thanh toan',
    'ma phien',
    'session',
    'statement',
  ],
  [
    'delivered_on',
    'ngay giao hang thanh cong',
    'ngay hoan thanh',
    'ngay giao hang',
    'ngay giao',
    'ngay phat',
    'completed date',
    'delivery date',
    'delivered date',
    'completed at',
  ],
];

/** Words by which people look for a field, and which are no header of it by themselves. */
const wordsFor: Readonly<Record<string, string>> = {
  buyer_shipping_fee: 'phi ship, tien ship, phi giao hang, phi van chuyen, cuoc',
  deposit: 'da ck, chuyen khoan, da thanh toan, tra truoc',
  total_amount: 'tong tien, tong cong, tong thanh toan',
  basket_value: 'tien hang, tong tien hang',
  'shipping.include_insurance': 'bao hiem, khai gia',
  'lines.attributes.value': 'mau sac, size, kich co, phan loai, thuoc tinh, colour',
  'lines.piece_discount': 'giam gia, chiet khau, khuyen mai',
  'lines.line_discount': 'giam gia, chiet khau, khuyen mai',
  order_discount: 'giam gia, chiet khau, khuyen mai, voucher',
  payment_method: 'httt, hinh thuc thanh toan, thanh toan, phuong thuc thanh toan',
};

/** What people call a field besides its name, without accents. */
export const otherNamesOf = (field: string): readonly string[] => [
  ...names.flatMap(([name, ...others]) => (name === field ? others : [])),
  ...(wordsFor[field]?.split(', ') ?? []),
];

const allNames = new Set(names.flatMap(([, ...others]) => others));

/** Whether people call a column so, in the form of `normalForm`. */
export const isColumnName = (form: string): boolean => allNames.has(form);

/** Orders fields: those that sheets have names for come first. */
export function byUse(one: string, other: string): number {
  const place = (field: string) => names.findIndex(([name]) => name === field) + 1 || names.length + 1;
  return place(one) - place(other);
}

/** How one column would be read; without a mapping it is unknown. */
export interface ProposedColumn {
  readonly column: string;
  readonly mapping?: ColumnMapping;
  /** What was said of the words of a column of statuses. */
  readonly status?: Readonly<Record<string, 'ship' | 'skip'>>;
  /** What was said of orders with a filled cell in a column of dispatch. */
  readonly tracked?: 'ship' | 'skip';
}

const discounts = ['lines.piece_discount', 'lines.line_discount', 'order_discount'];
/** Headers of amounts that may be several fields, or none: only a person knows. */
const amountsOf: readonly (readonly [header: RegExp, fields: readonly string[]])[] = [
  [/^(?:tien |so tien )?(?:giam gia|giam|chiet khau|khuyen mai|discount)(?: .*)?$/, discounts],
  [/^(?:tien |phi |cuoc )?(?:ship|giao hang|van chuyen|vc)(?: .*)?$/, ['buyer_shipping_fee']],
  [/^(?:khach )?da (?:ck|chuyen khoan|thanh toan|tra|nhan)(?: .*)?$/, ['deposit']],
  [/^ck$/, ['deposit', ...discounts]],
];

/** What an amount in a column of this name may be, by the field; none where the header tells, or for another command. */
export function meaningsOf(header: string, schema: JsonSchema): readonly string[] {
  const forms = bareForms(header);
  const [, fields = []] = amountsOf.find(([known]) => forms.some((form) => known.test(form))) ?? [];
  return fields.filter((field) => fieldNamed(schema, field) !== undefined);
}

const TRAIT =
  /^(?:ten )?(?:mau|mau sac|size|co|kich co|kich thuoc|phan loai|phan loai hang|bien the|thuoc tinh|colou?r|variation|variant)(?: (?:sac|size|co|hang|sp))*$/;

/** Whether a column has colours, sizes or other traits of goods. */
export const isTrait = (header: string): boolean => bareForms(header).some((form) => TRAIT.test(form));

/** A column of a trait: its text stands behind the name of the product. */
export const behindName: ColumnMapping = { field: 'lines.product_name', join: ' - ' };

/** The unit named in a header, if it differs from the field's own. */
function unitOf(header: string, field: string): ColumnMapping['unit'] {
  const reported = header.toLowerCase();
  if (/weight$/.test(field) && /\bkgs?\b|kilo/.test(reported)) return 'kg';
  if (/(?:length|width|height)$/.test(field) && /\(\s*m\s*\)/.test(reported)) return 'm';
  if (/(?:amount|price)$/.test(field) && /nghìn|ngàn|\(\s*k\s*\)|1[.,]?000\s*(?:đ|₫|vnd)/.test(reported))
    return 'thousand';
  return undefined;
}

/** A header without anything in brackets or after an asterisk: units, examples, required marks. */
function bareForms(header: string): readonly string[] {
  const without = header.replaceAll(/\([^)]*\)|\[[^\]]*\]|\*/g, ' ');
  return [normalForm(header), normalForm(without)];
}

/** A day of the week, or a letter: without accents it is what is collected. */
const isDayOrLetter = (header: string) => /^\s*th[ứư]\s*$/iu.test(header.normalize('NFC'));

const RUNNING = /^(?:stt|tt|so tt|so thu tu|no)$/;

/** Whether a column has running numbers: another order has the same one in each file, so it is no code. */
export const isRunningNumber = (header: string): boolean => RUNNING.test(normalForm(header)) || header.trim() === '#';

/** Words of what is paid, collected or costs. */
const OF_MONEY =
  /\b(?:thu|tien|gia|phi|cod|coc|tra|ck|no|thanh toan|thuc (?:nhan|linh|chi)|boi thuong|den bu|ho tro|phu thu|(?:khau|giam|can|doi) tru|chuyen khoan|tong|con lai|ship|cuoc|price|fee|amount|total|paid)\b/;
const LEAST_AMOUNT = 1_000;
const PART_OF_AMOUNTS = 500;

/** Words that say how, or whether, an order is paid. */
const OF_PAYMENT =
  /^(?:cod|thu ho|tien mat|(?:da |chua )?(?:ck|chuyen khoan|tt|thanh toan|tra tien)(?: .*)?|(?:un)?paid|banking|momo)$/;

/**
 * Whether a column that no field takes may be of money: by its header and any number, by its numbers alone, or by words of payment
 * in it.
 */
export function resemblesMoney(header: string, texts: readonly string[]): boolean {
  if (texts.some((text) => OF_PAYMENT.test(normalForm(text)))) return true;
  const amounts = texts.flatMap((text) => {
    const amount = /^0\d/.test(text) ? undefined : readAmountText(text);
    return amount?.ok === true && amount.amount > 0 ? [amount.amount] : [];
  });
  if (amounts.length * 2 <= texts.length || isDayOrLetter(header)) return false;
  if (OF_MONEY.test(normalForm(header))) return true;
  return amounts.every((amount) => amount >= LEAST_AMOUNT && amount % PART_OF_AMOUNTS === 0);
}

/** Whose a place, a phone or a name is, behind it, and that it is of money or a weight: what comes before says which. */
const BEHIND: readonly (readonly [end: RegExp, fields: RegExp])[] = [
  [/ (?:cua )?(?:nguoi nhan|nguoi mua|khach hang|khach|kh|nhan)(?: hang)?$/, /^shipping_address\.(?!full_name)/],
  [
    /(?<=^(?:ho|ten|ho ten|ho va ten)) (?:cua )?(?:nguoi nhan|nguoi mua|khach hang|khach|kh|nhan)(?: hang)?$/,
    /\.full_name$/,
  ],
  [/ (?:vnd|vn dong|dong|d)$/, /(?:amount|price|fee|deposit)$/],
  [/ (?:kgs?|g|gr|gram|grams)$/, /weight$/],
];

/** The parts of a place, which people write in any order, "Xã/Phường", by what they are called elsewhere. */
const PLACES: readonly (readonly [called: string, words: RegExp])[] = [
  ['phuong xa', /^(?=.*\b(?:phuong|xa)\b)(?:(?:phuong|xa|thi tran|tt)(?: |$))+$/],
  ['quan huyen', /^(?=.*\b(?:quan|huyen)\b)(?:(?:quan|huyen|thi xa|tx)(?: |$))+$/],
  ['tinh thanh', /^(?=.*\b(?:tinh|tp|thanh pho)\b)(?:(?:tinh|thanh pho|thanh|tp)(?: |$))+$/],
];

const placeForm = (form: string) => PLACES.find(([, words]) => words.test(form))?.[0] ?? form;

function called(header: string, schema: JsonSchema): string | undefined {
  if (isDayOrLetter(header)) return undefined;
  const forms = bareForms(header);
  const written = header.trim().toLowerCase().replaceAll(/[ -]/g, '_');
  if (fieldNamed(schema, written) !== undefined && written !== '') return written;
  const fieldOf = (all: readonly string[], of = /^/) =>
    names.find(
      ([field, ...others]) =>
        of.test(field) &&
        fieldNamed(schema, field) !== undefined &&
        all.some((form) => others.includes(placeForm(form))),
    )?.[0];
  const shorter = BEHIND.flatMap(([end, of]) => {
    const before = forms.flatMap((form) => (end.test(form) ? [form.replace(end, '')] : []));
    return fieldOf(before, of) ?? [];
  });
  return fieldOf(forms) ?? shorter[0];
}

/** Of several columns that may be of the recipient, those count that say so: "Khách" may be who pays for "Người nhận". */
function withRecipients(header: readonly string[], fields: readonly (string | undefined)[]): (string | undefined)[] {
  const saysSo = header.map((column) => / nhan /.test(` ${normalForm(column)} `));
  return fields.map((field, at) => {
    const isOther = saysSo[at] !== true && field?.startsWith('shipping_address.') === true;
    return isOther && fields.some((one, index) => one === field && saysSo[index] === true) ? undefined : field;
  });
}

/** A proposal for the columns of a third-party sheet, for a command that sends `schema`; each field is used once. */
export function proposeMapping(header: readonly string[], schema: JsonSchema): readonly ProposedColumn[] {
  const taken = new Set<string>();
  const fields = withRecipients(
    header,
    header.map((column) => called(column, schema)),
  );
  // An address without columns for its places has them in itself.
  if (!fields.includes('shipping_address.province') && !fields.includes('shipping_address.full')) {
    const at = fields.indexOf('shipping_address.address1');
    if (at >= 0 && fieldNamed(schema, 'shipping_address.full') !== undefined) fields[at] = 'shipping_address.full';
  }
  // Goods with a name need no code, which the shop's catalogue may not have.
  if (fields.includes('lines.product_name')) taken.add('lines.variant_code');
  return header.map((column, index) => {
    const field = fields[index];
    if (field === undefined && taken.has(behindName.field) && isTrait(column)) return { column, mapping: behindName };
    if (field === undefined || taken.has(field)) return { column };
    taken.add(field);
    const unit = unitOf(column, field);
    return { column, mapping: unit === undefined ? { field } : { field, unit } };
  });
}

/** The mapping that a proposal gives: unknown columns are ignored. */
export function mappingFrom(
  proposed: readonly ProposedColumn[],
  command: string,
  constants: Mapping['constants'] = {},
): Mapping {
  const read = new Set(proposed.flatMap(({ column, mapping }) => (mapping === undefined ? [] : [column])));
  const columns = proposed.flatMap(({ column, mapping }) =>
    // Of two columns with one header none is left out in silence.
    mapping === undefined && read.has(column) ? [] : [[column, mapping ?? null] as const],
  );
  const status = Object.assign({}, ...proposed.map((one) => one.status ?? {}));
  const tracked = proposed.find((one) => one.tracked !== undefined)?.tracked;
  const answers = { ...(Object.keys(status).length > 0 && { status }), ...(tracked !== undefined && { tracked }) };
  return {
    command,
    columns: Object.fromEntries(columns.filter(([column]) => column.trim() !== '')),
    constants,
    ...(Object.keys(answers).length === 0 ? {} : { answers }),
  };
}

/** Whether a mapping was made for a file with this header: it names exactly these columns; results are none of them. */
export function isFor({ columns }: Mapping, header: readonly string[]): boolean {
  const known = new Set(Object.keys(columns));
  const there = header.filter((column) => column.trim() !== '' && !isOfResult(column));
  return known.size > 0 && there.length === known.size && there.every((column) => known.has(column));
}

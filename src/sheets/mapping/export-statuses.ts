import { normalForm } from '../service/layout.ts';

/** What the words of one column of an export say about whether an order is to be shipped. */
export interface StatusWords {
  readonly column: string;
  /** Whole cells, without accents, case and punctuation; `…` stands for anything. */
  readonly not?: readonly string[];
  readonly ask?: readonly string[];
  readonly ship?: readonly string[];
  /** What a blank cell says, and what any other word; to be shipped and invalid when absent. */
  readonly blank?: 'ask';
  readonly others?: 'ask' | 'ship' | 'not';
  /** Whether an export without the column is refused. */
  readonly isRequired?: true;
}

/** The closed lists by which the lines of an export are sent, asked about or left out. */
export interface Statuses {
  readonly words: readonly StatusWords[];
  /** Columns that are filled once a parcel has a carrier, or was handed to it. */
  readonly tracking?: readonly string[];
  /** The columns of how many pieces came back, and of how many were sold. */
  readonly returned?: readonly [string, string];
  /** The columns of what is collected, of the total and of what was paid of it, and of the words that say how much was. */
  readonly paid?: { readonly cash: string; readonly total: string; readonly paid: string; readonly state?: string };
  /** Columns that no value is read from, and whose cells may speak against sending an order as it stands. */
  readonly screened?: readonly string[];
}

const RETURN_RATE = ['Số lượng sản phẩm được hoàn trả', 'Số lượng'] as const;

const shopee: Statuses = {
  words: [
    {
      column: 'Trạng Thái Đơn Hàng',
      isRequired: true,
      blank: 'ask',
      not: [
        ...['Đã hủy', 'Đơn hủy', 'Đang giao', 'Đã giao', 'Đã giao cho đơn vị vận chuyển', 'Hoàn thành'],
        ...['Đã nhận được hàng', 'Người mua xác nhận đã nhận được hàng…', 'Trả hàng/Hoàn tiền', 'Trả hàng'],
        ...['Giao hàng không thành công', 'Giao không thành công', 'Chưa thanh toán', 'Unpaid', 'Shipping', 'Shipped'],
        ...['To receive', 'TO_CONFIRM_RECEIVE', 'Delivered', 'Completed', 'Cancelled', 'Canceled', 'TO_RETURN'],
        'Return/Refund',
      ],
      ask: ['Chờ xác nhận', 'Đã xử lý', 'PROCESSED', 'Lấy hàng lại', 'RETRY_SHIP', 'Yêu cầu hủy', 'IN_CANCEL'],
      ship: ['Chờ giao hàng', 'Chờ lấy hàng', 'To ship', 'READY_TO_SHIP'],
    },
    { column: 'Lý do hủy', others: 'not' },
    { column: 'Trạng thái Trả hàng/Hoàn tiền', not: ['Đã Chấp Thuận Yêu Cầu'], others: 'ask' },
  ],
  tracking: ['Mã vận đơn', 'Ngày gửi hàng'],
  returned: RETURN_RATE,
};

const tiktokNot = [
  ...['Unpaid', 'Chưa thanh toán', 'Shipped', 'Đã vận chuyển', 'In transit', 'IN_TRANSIT', 'Đang vận chuyển'],
  ...['Đang trung chuyển', 'Đang giao', 'Delivered', 'Đã giao', 'Đã giao hàng', 'Đã nhận hàng', 'Completed'],
  ...['Đã hoàn tất', 'Đã hoàn thành', 'Hoàn thành', 'Canceled', 'Cancelled', 'Đã hủy', 'Đang hoàn', 'Đã hoàn'],
];
const tiktokAsk = [
  ...['Awaiting collection', 'AWAITING_COLLECTION', 'Đang chờ lấy hàng', 'Chờ lấy hàng', 'Chờ thu gom'],
  ...['PARTIALLY_SHIPPING', 'On hold', 'Đã xác nhận', 'Đang đóng hàng', 'Pre-order'],
];
const tiktokShip = ['To ship', 'Cần vận chuyển', 'AWAITING_SHIPMENT'];

const tiktok: Statuses = {
  words: [
    { column: 'Order Status', isRequired: true, blank: 'ask', not: tiktokNot, ask: tiktokAsk, ship: tiktokShip },
    {
      column: 'Order Substatus',
      not: tiktokNot,
      ask: tiktokAsk,
      ship: [...tiktokShip, 'Awaiting shipment', 'Đang chờ vận chuyển', 'Chờ vận chuyển'],
    },
    { column: 'Cancelation/Return Type', not: ['Cancel', 'Return/Refund'], others: 'ask' },
    // Its own warehouse sends these.
    { column: 'Fulfillment Type', not: ['…TikTok…'], others: 'ship' },
  ],
  tracking: ['Tracking ID'],
  returned: ['Sku Quantity of return', 'Quantity'],
};

const lazada: Statuses = {
  words: [
    {
      column: 'Status',
      isRequired: true,
      blank: 'ask',
      not: [
        ...['unpaid', 'Chưa thanh toán', 'shipped', 'in_transit', 'Đang giao', 'Đang giao hàng', 'Đang vận chuyển'],
        ...['delivered', 'confirmed', 'Đã giao hàng', 'Giao hàng', 'Giao hàng thành công', 'failed', 'failed_delivery'],
        ...['delivery_failed', 'Giao hàng thất bại', 'Không thể giao hàng', 'shipped_back', 'shipped_back_success'],
        ...['shipped_back_failed', 'returned', 'package_returned', 'Hàng trả về', 'Đã hoàn hàng', 'Đang trả hàng'],
        ...['Đã trả hàng', 'Trả hàng thành công', 'Trả hàng thất bại', 'Trả hàng hoặc hoàn tiền', 'refunded'],
        ...['canceled', 'cancelled', 'Hủy', 'Đã hủy', 'Đơn đã hủy', 'lost', 'lost_by_3pl', 'damaged_by_3pl'],
        ...['package_scrapped', 'Mất hàng', 'Hỏng hàng'],
      ],
      ask: [
        ...['packed', 'toship', 'to_ship', 'ready_to_ship', 'Sẵn sàng giao', 'Chờ bàn giao', 'Chờ giao hàng'],
        'Chờ xác nhận',
      ],
      ship: [
        ...['pending', 'topack', 'to_pack', 'repacked', 'Chờ xử lý', 'Đang chờ xử lý', 'Đang xử lý', 'Chờ đóng gói'],
        'Đóng gói lại',
      ],
    },
  ],
  tracking: ['Tracking Code', 'CD Tracking Code', 'Tracking Number'],
};

const kiotviet: Statuses = {
  words: [
    {
      column: 'Trạng thái',
      isRequired: true,
      blank: 'ask',
      not: ['Hoàn thành', 'Đã hủy', 'Hủy', 'Không giao được', 'Trả hàng'],
      ask: ['Phiếu tạm', 'Đã xác nhận'],
      ship: ['Đang xử lý'],
    },
    {
      column: 'Trạng thái giao hàng',
      isRequired: true,
      blank: 'ask',
      not: [
        ...['Đã lấy hàng', 'Đang giao hàng', 'Chờ giao lại', 'Giao thành công', 'Đã giao hàng', 'Đang chuyển hoàn'],
        ...['Đã chuyển hoàn', 'Chờ chuyển hoàn', 'Chờ chuyển hoàn lại', 'Chờ xác nhận hoàn', 'Đã hủy'],
      ],
      ask: ['Đang lấy hàng', 'Chờ lấy lại', 'Chờ chuyển hàng'],
      ship: ['Chờ xử lý'],
    },
  ],
  tracking: ['Mã vận đơn', 'Mã đối soát'],
  paid: { cash: 'Còn cần thu (COD)', total: 'Khách cần trả', paid: 'Khách đã trả' },
};

const sapo: Statuses = {
  words: [
    {
      column: 'Trạng thái đơn hàng',
      isRequired: true,
      blank: 'ask',
      not: ['Hoàn thành', 'Đã hoàn thành', 'Kết thúc', 'Hủy', 'Đã hủy'],
      ask: ['Đặt hàng'],
      ship: ['Đang giao dịch'],
    },
    {
      column: 'Trạng thái xuất kho',
      isRequired: true,
      blank: 'ask',
      not: ['Đã xuất kho', 'Xuất kho toàn bộ'],
      ask: ['Đóng gói một phần', 'Xuất kho một phần'],
      ship: ['Chưa xuất kho'],
    },
    { column: 'Trạng thái đóng gói', ask: ['Đóng gói một phần'], others: 'ship' },
    {
      column: 'Trạng thái trả hàng',
      not: ['Đã trả hàng', 'Trả toàn bộ', 'Trả hàng toàn bộ'],
      ask: ['Trả một phần'],
    },
    {
      column: 'Tình trạng gói hàng',
      isRequired: true,
      not: [
        ...['Đã lấy hàng', 'Chờ giao hàng', 'Đang giao', 'Đang giao hàng', 'Chờ giao lại', 'Đã giao', 'Đã giao hàng'],
        ...['Đã nhận hàng', 'Giao hàng thất bại', 'Đang hoàn hàng', 'Đã hoàn hàng', 'Đã hủy - đã nhận'],
        'Đã hủy - chờ nhận lại',
      ],
      ask: ['Chờ lấy hàng', 'Hủy giao hàng'],
      ship: ['Chờ đóng gói'],
    },
  ],
  tracking: ['Mã vận đơn', 'Mã gói hàng', 'Ngày xuất kho'],
  paid: {
    cash: 'Tiền thu hộ',
    total: 'Khách phải trả',
    paid: 'Khách đã trả',
    state: 'Trạng thái thanh toán',
  },
};

/** The lists of each export that is known, from public code that reads real ones and from help pages. */
export const exportStatuses: Readonly<Record<string, Statuses>> = { shopee, tiktok, lazada, kiotviet, sapo };

/** The service's own lists, for the status of an order in a file that we have written. */
export const ownStatuses: StatusWords = {
  column: 'status',
  not: ['P', 'N', 'NS', 'Thành công', 'Huỷ', 'Trả hàng'],
  ask: ['S', 'Đang xử lý'],
  ship: ['Z', 'Mới'],
  others: 'ask',
};

/** Words of payment on delivery; each of them counts with COD before or behind it as well. */
const onDelivery = [
  ...['COD', 'CCOD', 'C.O.D', 'CashOnDelivery', 'Cash on delivery', 'Cash', 'Pay on delivery', 'Payment on delivery'],
  ...['Collect on delivery', 'Thanh toán khi nhận hàng', 'Thanh toán khi nhận', 'Thanh toán khi giao hàng'],
  ...['Thanh toán lúc nhận hàng', 'Thanh toán sau khi nhận hàng', 'Trả tiền khi nhận hàng', 'Tiền mặt'],
  ...['Tiền mặt khi nhận hàng', 'Tiền mặt khi giao hàng', 'Trả tiền mặt khi nhận hàng', 'Trả tiền mặt khi giao hàng'],
  ...['Thanh toán tiền mặt khi nhận hàng', 'Thanh toán tiền mặt khi giao hàng', 'Thanh toán bằng tiền mặt'],
  ...['Thanh toán bằng tiền mặt khi nhận hàng', 'Giao hàng thu tiền', 'Thu hộ', 'Thu tiền hộ', 'Thanh toán', 'Ship'],
].flatMap((word) => [word, `COD ${word}`, `${word} COD`]);

/** What the words of a payment column say, in all exports alike: that cash is collected, or that nothing is. */
export const paymentWords: Readonly<Record<'cash' | 'paid', readonly string[]>> = {
  // "Thanh toán" and "Ship" say it only beside COD.
  cash: onDelivery.filter((word) => !['Thanh toán', 'Ship'].includes(word)),
  paid: [
    ...['Paid', 'Prepaid', 'Đã thanh toán', 'Đã trả', 'Thanh toán trước', 'Trả trước', 'Thanh toán online', 'Online'],
    ...['Thanh toán trực tuyến', 'Online payment', 'Chuyển khoản', 'CK', 'Đã chuyển khoản', 'Đã CK', 'Bank transfer'],
    ...['Chuyển khoản ngân hàng', 'Chuyển khoản qua ngân hàng', 'Chuyển khoản trước', 'Banking', 'Internet banking'],
    ...['Online banking', 'iBanking', 'QR', 'Mã QR', 'VietQR', 'QR Pay', 'QR Code', 'Quét mã QR', 'Thẻ', 'Card'],
    ...['Credit card', 'Debit card', 'Credit/Debit card', 'Mixed card', 'MIXEDCARD', 'Thẻ tín dụng', 'Thẻ ghi nợ'],
    ...['Thẻ tín dụng/Ghi nợ', 'Thẻ tín dụng/Thẻ ghi nợ', 'Thẻ ATM', 'Thẻ nội địa', 'Thẻ ATM nội địa', 'Thẻ quốc tế'],
    ...['Thẻ nội địa NAPAS', 'NAPAS', 'Visa', 'Mastercard', 'JCB', 'E-wallet', 'Wallet', 'Ví', 'Ví điện tử'],
    ...['ShopeePay', 'Ví ShopeePay', 'Số dư ShopeePay', 'Số dư TK Shopee', 'Số dư tài khoản Shopee', 'SPayLater'],
    ...['AirPay', 'Ví AirPay', 'Momo', 'Ví Momo', 'ZaloPay', 'Ví ZaloPay', 'VNPay', 'VNPAY-QR', 'Ví VNPAY', 'Payoo'],
    ...['Viettel Money', 'ViettelPay', 'Lazada Wallet', 'Ví Lazada', 'LazPayLater', 'TikTok Shop balance', 'OnePay'],
    ...[
      'Apple Pay',
      'Google Pay',
      'Samsung Pay',
      'PayPal',
      'PayLater',
      'Kredivo',
      'Fundiin',
      'Home PayLater',
      'Trả góp',
    ],
    ...['Installment', 'Thẻ tín dụng trả góp', 'Alepay'],
  ],
};

/** What a column of an export speaks of, by its header. */
export type Spoken = 'note' | 'state' | 'filled' | 'paid' | 'appointment' | 'kind' | 'method' | 'cash';

const OF_STATE = /\b(?:trang thai|tinh trang|status|state)\b/;

/** Whether a header says that the order of a filled cell was cancelled. */
export const isOfCancellation = (header: string): boolean =>
  /\b(?:huy|cancel|cancell?ed|cancell?ation)\b/.test(normalForm(header));

/** Whether a header speaks of a state. */
export const isOfState = (header: string): boolean => OF_STATE.test(normalForm(header));

/**
 * The words of headers, in their normal form, by what the cells below them say of an order; the first that fits counts: what a note
 * would, as a state or the way of delivery does; that it was cancelled, returned or completed, where they are filled; that it was
 * paid; on which day it is to be delivered; or that it is no usual sale.
 */
const spoken: readonly (readonly [Spoken, RegExp])[] = [
  ['note', /\b(?:ghi chu|luu y|notes?|remarks?|nhan xet|reviews?|loi nhan|tin nhan|message|comment|tags?)\b/],
  ['state', OF_STATE],
  [
    'filled',
    /\b(?:huy|tra hang|hoan(?! (?:chinh|hao))|cancel|cancell?ed|cancell?ation|returns?|returned|refund|refunded)\b/,
  ],
  ['paid', /\bwallet\b|^(?:paid (?:time|at|on)|(?:thoi gian|ngay|gio) thanh toan|thanh toan luc)$/],
  ['appointment', /\b(?:hen|appointment)\b|^(?:ngay|gio|thoi gian) giao(?: hang)?$/],
  ['kind', /\bpre ?orders?\b|\bdat truoc\b|\border (?:type|flag)\b|\bloai don\b/],
  [
    'method',
    /\b(?:(?:phuong|hinh) thuc|don vi|doi tac|cach) (?:giao|van chuyen|nhan)\b|\b(?:delivery|shipping) (?:option|method|type|provider)\b/,
  ],
  ['cash', /\b(?:thu ho|cod|tien mat|cash|can thu|phai thu)\b/],
];

/** What a header speaks of; undefined for one that says nothing of whether an order is sent or what it collects. */
export function spokenOf(header: string): Spoken | undefined {
  const form = normalForm(header);
  // Without its accent it is a word of people and of parcels: "Nhãn", "Nhân viên", "Nhận".
  if (/(?<!\p{L})nhãn(?!\p{L})/iu.test(header.normalize('NFC'))) return 'note';
  return spoken.find(([, words]) => words.test(form))?.[0];
}

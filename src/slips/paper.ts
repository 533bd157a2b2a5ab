import { formatMoney } from '../domain/amounts/money.ts';
import { onPaper, type PaperFacts, type PaperLanguage } from '../domain/paper.ts';

/** A number as it is written where the parcels go: 1.280. */
export const paperNumber = (number: number): string => formatMoney(number).replaceAll(',', '.');

const numberOf = (count: PaperFacts[string] | undefined) => paperNumber(Number(count));

const vi = {
  slip: 'Phiếu đóng gói',
  pickList: 'Phiếu soạn hàng',
  disclaimer: 'Phiếu đóng gói, không phải vận đơn của đơn vị vận chuyển',
  recipient: 'NGƯỜI NHẬN',
  sender: 'NGƯỜI GỬI',
  cash: 'Thu hộ (COD)',
  noCash: 'KHÔNG THU TIỀN',
  cashUnknown: 'CHƯA RÕ TIỀN THU',
  none: 'Không cho xem hàng',
  open: 'Cho xem hàng, không thử',
  try: 'Cho thử hàng',
  note: 'Ghi chú',
  items: ({ count }: PaperFacts) => `${numberOf(count)} sản phẩm`,
  orders: ({ count }: PaperFacts) => `${numberOf(count)} đơn`,
  picked: ({ items, orders, day }: PaperFacts) => `${numberOf(items)} sản phẩm, ${numberOf(orders)} đơn · ${day}`,
};

const counted = (count: PaperFacts[string] | undefined, one: string) =>
  `${numberOf(count)} ${one}${count === 1 ? '' : 's'}`;

const en: typeof vi = {
  slip: 'Packing slip',
  pickList: 'Pick list',
  disclaimer: "Packing slip, not the carrier's waybill",
  recipient: 'RECIPIENT',
  sender: 'SENDER',
  cash: 'Cash on delivery',
  noCash: 'NO CASH',
  cashUnknown: 'CASH NOT KNOWN',
  none: 'Do not open',
  open: 'May be opened, not tried on',
  try: 'May be tried on',
  note: 'Note',
  items: ({ count }) => counted(count, 'item'),
  orders: ({ count }) => counted(count, 'order'),
  picked: ({ items, orders, day }) => `${counted(items, 'item')}, ${counted(orders, 'order')} · ${day}`,
};

/** What slips and pick lists say, in the language of paper. */
export const paperTexts = (language: PaperLanguage) => onPaper(language, { vi, en });

/** Says a text of paper. */
export type SayOnPaper = ReturnType<typeof paperTexts>;

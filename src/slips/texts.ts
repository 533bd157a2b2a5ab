import { formatMoney } from '../domain/amounts/money.ts';
import { textsIn } from '../domain/language.ts';

/** What people read of slips on a terminal; on paper they are in Vietnamese. */
export const slipsTexts = {
  /** Why an order has no slip. */
  why: {
    unknown: 'no such order',
    cancelled: 'it is cancelled',
    noShipment: 'it has no live shipment',
    pickedUp: 'its parcel was picked up already',
    unreadable: ({ part }: { part: string }) => `its ${part} has no character that can be printed`,
  },
  /** What of a recipient nobody could read. */
  unreadable: { name: "recipient's name", phone: 'phone', address: 'address' },
  /** What a slip prints. */
  part: { recipient: 'recipient', goods: 'goods', note: 'note', sender: 'sender' },
  boxes: ({ characters, part }: { characters: string; part: string }) => `${characters} of its ${part}`,
  boxesOn: ({ order, boxes }: { order: string; boxes: string }) =>
    `order ${order}: ▢ is printed for ${boxes}: write it on the slip`,
  moreBoxes: ({ count }: { count: number }) => `… and ${formatMoney(count)} more slips`,
  away: ({ count }: { count: number }) =>
    `${count === 1 ? '1 order is left out: its parcel was' : `${count} orders are left out: their parcels were`} picked up already; an order that is named itself gets its slip again`,
  none: ({ order, why }: { order: string; why: string }) => `order ${order} gets no slip: ${why}`,
  moreNone: ({ count }: { count: number }) => `… and ${formatMoney(count)} more orders get none`,
  noBarcode: ({ order }: { order: string }) => `order ${order} has no shipment yet: its slip has no barcode`,
  nothing: 'nothing to print',
  latest: ({ batch, file }: { batch: string; file: string }) => `the latest batch is ${batch}, of ${file}`,
  notTaken: 'lp did not take it: these orders do not count as printed',
  noPrinter: ({ why }: { why: string }) => `${why}: nothing was printed, and no slip counts as printed`,
  noPlace: 'say where the slips go',
  notPdf: ({ path }: { path: string }) =>
    `slips and pick lists are written as PDF, to a file that ends in .pdf, not to ${path}`,
  whichOrders: 'say which orders',
  oneWay: 'orders can be named in one way only',
  noOrders: ({ batch, command }: { batch: string; command: string }) => `batch ${batch} makes no orders: ${command}`,
};

export const say = textsIn('slips', slipsTexts);

import type PDFDocument from 'pdfkit';
import { dayInZone } from '../domain/calendar.ts';
import { isDerivedName } from '../domain/named-by.ts';
import type { SayOnPaper } from './paper.ts';

/** A person or place on a slip: the recipient or the sender. */
export interface SlipAddress {
  readonly name: string;
  readonly phone: string;
  /** On one line, from the street to the province. */
  readonly address: string;
}

/** One line of goods. */
export interface SlipLine {
  readonly name: string;
  /** Describes the variant, for example `Colour: blue, Size: M`; empty if there is none. */
  readonly variant: string;
  readonly quantity: number;
}

/** The contents of a packing slip for one order; texts are as the service returned them, empty if missing. */
export interface Slip {
  /** The order's code at the service. */
  readonly code: string;
  readonly externalId: string;
  readonly externalCode: string;
  /** The day on which it was shipped, or ordered, like 26/11/2026; empty if unknown. */
  readonly day: string;
  readonly carrier: string;
  readonly service: string;
  /** The parcel's code at the carrier; printed as a barcode and as text. */
  readonly shippingCode: string;
  readonly sender: SlipAddress;
  readonly recipient: SlipAddress;
  readonly lines: readonly SlipLine[];
  /** Cash to collect, an integer amount of the service's currency; undefined for an order that has no shipment yet. */
  readonly codAmount: number | undefined;
  readonly weightGrams: number;
  /** What the buyer may do before paying (contract, TryOn); empty if not specified. */
  readonly tryOn: string;
  readonly note: string;
}

/** The paper sizes: one slip per page, four per page with cutting lines, or a roll as long as the slip. */
export const slipSizes = ['a6', 'a4', '80mm'] as const;

/** A paper size. */
export type SlipSize = (typeof slipSizes)[number];

/** One entry of a pick list: the same goods over all orders. */
export interface Pick {
  readonly name: string;
  readonly variant: string;
  readonly quantity: number;
  /** The number of orders that contain it. */
  readonly orders: number;
}

const byName = new Intl.Collator('vi', { numeric: true });

/** What to fetch from the shelves for all slips: equal goods combined, the variants of a product one below the other. */
export function picksOf(slips: readonly Slip[]): Pick[] {
  const picks = new Map<string, Pick>();
  for (const { lines } of slips) {
    const seen = new Set<string>();
    for (const { name, variant, quantity } of lines) {
      const key = JSON.stringify([name.normalize('NFC').trim(), variant.normalize('NFC').trim()]);
      const earlier = picks.get(key);
      const orders = (earlier?.orders ?? 0) + (seen.has(key) ? 0 : 1);
      picks.set(key, { ...(earlier ?? { name, variant }), quantity: (earlier?.quantity ?? 0) + quantity, orders });
      seen.add(key);
    }
  }
  return [...picks.values()].sort(
    (one, other) => byName.compare(one.name, other.name) || byName.compare(one.variant, other.variant),
  );
}

type Text = string | null | undefined;

/** An address as the service answers it; any field may be absent or null. */
interface GivenAddress {
  readonly full_name?: Text;
  readonly phone?: Text;
  readonly address1?: Text;
  readonly address2?: Text;
  readonly ward?: Text;
  readonly district?: Text;
  readonly province?: Text;
}

interface GivenLine {
  readonly product_name?: Text;
  readonly quantity?: number | null | undefined;
  readonly attributes?: readonly { readonly name?: Text; readonly value?: Text }[] | null | undefined;
}

interface GivenShipment {
  readonly status?: Text;
  readonly created_at?: Text;
  readonly carrier?: Text;
  readonly shipping_code?: Text;
  readonly shipping_service_name?: Text;
  readonly cod_amount?: number | null | undefined;
  readonly chargeable_weight?: number | null | undefined;
  readonly try_on?: Text;
  readonly shipping_note?: Text;
  readonly pickup_address?: GivenAddress | null | undefined;
  readonly shipping_address?: GivenAddress | null | undefined;
}

/** The fields of an order with its shipments that a slip shows (contract, "Order", "Fulfillment"). */
export interface GivenOrderWithShipments {
  readonly order?:
    | {
        readonly code?: Text;
        readonly external_id?: Text;
        readonly external_code?: Text;
        readonly created_at?: Text;
        readonly order_note?: Text;
        readonly shipping_address?: GivenAddress | null | undefined;
        readonly customer_address?: GivenAddress | null | undefined;
        readonly lines?: readonly GivenLine[] | null | undefined;
        readonly shipping?: Omit<GivenShipment, 'status' | 'created_at'> | null | undefined;
      }
    | null
    | undefined;
  readonly fulfillments?: readonly GivenShipment[] | null | undefined;
}

function slipAddress(...given: readonly (GivenAddress | null | undefined)[]): SlipAddress {
  const address = given.find((one) => Boolean(one?.full_name || one?.address1)) ?? {};
  const { full_name, phone, address1, address2, ward, district, province } = address;
  const parts = [address1, address2, ward, district, province];
  return { name: full_name ?? '', phone: phone ?? '', address: parts.filter(Boolean).join(', ') };
}

/** The current shipment: the last one that is not cancelled; an order that was shipped again has several. */
function liveShipment(shipments: readonly GivenShipment[]): GivenShipment | undefined {
  return shipments.findLast(({ status }) => status !== 'N');
}

/** A day as it is written where the parcels go: 26/11/2026. */
export const paperDay = (moment: number, timeZone: string): string =>
  dayInZone(moment, timeZone).split('-').reverse().join('/');

/** A name as somebody gave it: one that shopctl has made says nothing to people. */
const ownName = (external_id: string) => (isDerivedName(external_id) ? '' : external_id);

/** The packing slip of an order; undefined if it has no goods, or if all its shipments are cancelled. */
export function slipOf({ order, fulfillments }: GivenOrderWithShipments, timeZone: string): Slip | undefined {
  const shipments = fulfillments ?? [];
  const shipment = liveShipment(shipments);
  if (!order || (shipments.length > 0 && shipment === undefined)) return undefined;
  const planned = order.shipping ?? {};
  const lines = (order.lines ?? []).map(({ product_name, quantity, attributes }) => ({
    name: product_name ?? '',
    variant: (attributes ?? [])
      .filter(({ value }) => !value || !(product_name ?? '').includes(value))
      .map(({ name, value }) => [name, value].filter(Boolean).join(': '))
      .join(', '),
    quantity: quantity ?? 0,
  }));
  const moment = Date.parse(shipment?.created_at ?? order.created_at ?? '');
  const notes = [shipment?.shipping_note ?? planned.shipping_note, order.order_note].filter(Boolean);
  return {
    code: order.code ?? '',
    externalId: ownName(order.external_id ?? ''),
    externalCode: order.external_code ?? '',
    day: Number.isNaN(moment) ? '' : paperDay(moment, timeZone),
    carrier: shipment?.carrier ?? planned.carrier ?? '',
    service: shipment?.shipping_service_name ?? planned.shipping_service_name ?? '',
    shippingCode: shipment?.shipping_code ?? '',
    sender: slipAddress(shipment?.pickup_address, planned.pickup_address),
    recipient: slipAddress(shipment?.shipping_address, order.shipping_address, order.customer_address),
    lines,
    codAmount: shipment?.cod_amount ?? planned.cod_amount ?? (shipment === undefined ? undefined : 0),
    weightGrams: shipment?.chargeable_weight ?? planned.chargeable_weight ?? 0,
    tryOn: shipment?.try_on ?? planned.try_on ?? '',
    note: [...new Set(notes)].join(' · '),
  };
}

/** Millimetres in points, the unit of all drawing. */
export const mm = (millimetres: number): number => (millimetres * 72) / 25.4;

/** How a text is set. */
export interface TextStyle {
  /** In points. */
  readonly size: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
  /** The most lines it may take; longer text ends with …. */
  readonly lines?: number;
}

/** The names under which the fonts are registered in a document. */
export const fonts = { regular: 'regular', bold: 'bold' } as const;

/** What the typeface has no letter for: it would leave a blank, and nobody would see that something is missing. */
const UNKNOWN =
  /[^ -~\u00a0-\u0107\u010a-\u0113\u0116-\u011b\u011e-\u0121\u0126-\u012b\u012e-\u0131\u0139\u013a\u013d\u013e\u0141-\u0144\u0147\u0148\u014c\u014d\u0150-\u0155\u0158-\u015b\u015e-\u016b\u016e-\u017e\u01a0\u01a1\u01af\u01b0\p{M}\u1e80-\u1e85\u1e9e\u1ea0-\u1ef9–—‘-‚“-„†-•…‰‹›⁄€₫™−≈≠≤≥]/gu;

/** A text in composed letters (NFC), on one line, without control characters and what cannot be seen. */
function visible(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{VS}]/gu, '')
    .trim();
}

/** Untrusted text made printable: a box stands for each character that the typeface lacks. */
export const printable = (text: string): string => visible(text).replace(UNKNOWN, '▢');

/** The characters of a text that the typeface lacks, each once. */
export const lackingIn = (text: string): readonly string[] => [...new Set(visible(text).match(UNKNOWN))];

/** Whether nothing that can be read is left of a text on paper. */
export const isUnreadable = (text: string): boolean => /\S/.test(text) && !/[\p{L}\p{N}]/u.test(printable(text));

/** Draws slips: text (measured exactly as it is drawn), lines and areas; all in points from the top left. */
export class Pen {
  readonly #document: PDFKit.PDFDocument;
  /** Says a text in the language of the paper. */
  readonly say: SayOnPaper;

  constructor(document: InstanceType<typeof PDFDocument>, say: SayOnPaper) {
    this.#document = document;
    this.say = say;
  }

  heightOf(text: string, width: number, style: TextStyle): number {
    this.#use(style);
    const height = this.#document.heightOfString(printable(text), { width });
    return style.lines === undefined ? height : Math.min(height, this.#lineHeight() * style.lines);
  }

  text(text: string, x: number, y: number, width: number, style: TextStyle): void {
    this.#use(style);
    // Slightly more than the exact height: a last line that just fits must not be cut.
    const bound = style.lines === undefined ? {} : { height: this.#lineHeight() * style.lines + 0.01, ellipsis: '…' };
    this.#document.text(printable(text), x, y, { width, align: style.align ?? 'left', ...bound });
  }

  rule(x: number, y: number, width: number): void {
    this.#document
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(0.6)
      .stroke();
  }

  /** A cutting line. */
  cut(x0: number, y0: number, x1: number, y1: number): void {
    this.#document.moveTo(x0, y0).lineTo(x1, y1).lineWidth(0.3).dash(2, { space: 3 }).stroke().undash();
  }

  box(x: number, y: number, width: number, height: number): void {
    this.#document.rect(x, y, width, height).lineWidth(1).stroke();
  }

  fill(x: number, y: number, width: number, height: number): void {
    this.#document.rect(x, y, width, height).fill('black');
  }

  #use({ size, bold }: TextStyle): void {
    this.#document.font(bold === true ? fonts.bold : fonts.regular).fontSize(size);
  }

  #lineHeight(): number {
    return this.#document.currentLineHeight(true);
  }
}

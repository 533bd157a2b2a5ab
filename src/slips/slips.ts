import { dayInZone } from '../domain/calendar.ts';
import type { Slip, SlipAddress } from './slip.ts';

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
    externalId: order.external_id ?? '',
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

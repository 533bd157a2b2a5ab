import type { Operation } from '../../../contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../../contract/schema/json-schema.ts';
import { fieldsIn, recordsIn } from '../../../domain/json/json-extent.ts';
import { answered, isSuccess, type Probe, whyUnreached } from '../probe.ts';
import { areaOf } from './clean.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether an operation costs money: it hands a parcel to a carrier, or calls a driver. */
export const isShipment = ({ effect, request }: Operation) =>
  effect === 'create' &&
  (Object.hasOwn(request.shape, 'shipping_service_fee') || (jsonSchema(request).required ?? []).includes('shipping'));

/** The most that everything a run ships may cost together, in currency units; a refused shipment costs nothing. */
export class FeeBudget {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** Sets a fee aside before it is spent; false, and nothing set aside, if it is more than what is left. */
  take(fee: number): boolean {
    if (fee > this.#left) return false;
    this.#left -= fee;
    return true;
  }

  /** Gives back the fee of a shipment that was refused. */
  giveBack(fee: number): void {
    this.#left += fee;
  }
}

/** A request to ship, with the offer that it takes. */
export interface Offered {
  readonly request: Fields;
  readonly fee: number;
}

/** The part of a value that a schema declares. */
function declared(schema: JsonSchema | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => declared(schema?.items, item));
  if (schema?.properties === undefined) return value;
  const { properties } = schema;
  return Object.fromEntries(
    Object.entries(fieldsIn(value)).flatMap(([name, inner]) =>
      Object.hasOwn(properties, name) ? [[name, declared(properties[name], inner)]] : [],
    ),
  );
}

/** Asks what a shipment costs and takes the cheapest offer; a text says why there is none. */
export async function offered(
  probe: Probe,
  operations: readonly Operation[],
  create: Operation,
  request: Fields,
): Promise<Offered | string> {
  const quote = operations.find((one) => areaOf(one) === areaOf(create) && one.page?.items === 'services');
  if (quote === undefined) return 'no operation of the contract quotes it';
  const asked = declared(jsonSchema(quote.request), { ...fieldsIn(request.shipping), ...request });
  const told = await probe.ask(quote, fieldsIn(asked));
  if (!isSuccess(told)) return whyUnreached(told) ?? 'it could not be quoted';
  const offers = recordsIn(answered(told).services).flatMap(({ code, fee, carrier }) =>
    typeof code === 'string' && typeof fee === 'number' && fee >= 0 ? [{ code, fee, carrier }] : [],
  );
  const [cheapest] = offers.sort((one, other) => one.fee - other.fee);
  if (cheapest === undefined) return 'no carrier offers it';
  const { code, fee, carrier } = cheapest;
  const service = { shipping_service_code: code, shipping_service_fee: fee };
  if (request.shipping === undefined) return { fee, request: { ...request, ...service } };
  const shipping = { ...fieldsIn(request.shipping), ...service, ...(typeof carrier === 'string' ? { carrier } : {}) };
  return { fee, request: { ...request, shipping } };
}

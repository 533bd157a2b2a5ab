import type { Operation } from '../contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../contract/schema/json-schema.ts';
import { type Fields, fieldsIn, isRecord, recordsIn } from '../domain/json/values.ts';
import { areaOf } from './clean-writes.ts';
import { answered, isSuccess, type Probe, whyUnreached } from './probe.ts';

/** Whether an operation costs money: it hands a parcel to a carrier, or calls a driver. */
export const isShipment = ({ costs }: Operation) => costs === true;

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
  const reported = await probe.ask(quote, fieldsIn(asked));
  if (!isSuccess(reported)) return whyUnreached(reported) ?? 'it could not be quoted';
  const offers = recordsIn(answered(reported).services).flatMap(({ code, fee, carrier }) =>
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

/** What a sample is made with. */
export interface Material {
  /** The text that marks every record of a run, in each text field. */
  readonly mark: string;
  /** Ids of the records that the run has made, by command group. */
  readonly made: ReadonlyMap<string, string>;
  /** Where a webhook of the run would lead: nowhere. */
  readonly webhookUrl: string;
}

/** Fields that are given although they are optional: by them a record is found again. */
const named = new Set(['external_id', 'name', 'note', 'full_name']);

const places: Readonly<Record<string, string>> = {
  phone: '0900000001',
  email: 'conformance@example.invalid',
  birthday: '2000-01-31',
  province: 'Hà Nội',
  district: 'Quận Cầu Giấy',
  ward: 'Phường Dịch Vọng',
};

/** The id for a field like `customer_id`; undefined if the run has made no such record. */
function idFor(name: string, { made }: Material): string | undefined {
  return name.endsWith('_id') ? made.get(`${name.slice(0, -3)}s`) : undefined;
}

function valueFor(name: string, schema: JsonSchema, material: Material): unknown {
  if (schema.likeness !== undefined) return places[schema.likeness];
  if (schema.format === 'int64') return idFor(name, material);
  if (schema.enum !== undefined) return schema.enum.find((value) => value !== '' && value !== 'unknown');
  if (name === 'url') return material.webhookUrl;
  switch (schema.type) {
    case 'array':
      return schema.items === undefined ? [] : [valueFor(name, schema.items, material)];
    case 'object':
      return recordFor(schema, material);
    case 'boolean':
      return true;
    case 'string':
      return material.mark;
    default:
      return 1000;
  }
}

function recordFor({ properties = {}, required = [] }: JsonSchema, material: Material): Record<string, unknown> {
  const isWanted = (name: string) => required.includes(name) || named.has(name) || idFor(name, material) !== undefined;
  const wanted = Object.entries(properties).filter(([name]) => isWanted(name));
  return Object.fromEntries(wanted.map(([name, schema]) => [name, valueFor(name, schema, material)]));
}

/** A derived record with what a sample says instead, record by record. */
function withSample(derived: Fields, sample: object): Record<string, unknown> {
  const said = Object.entries(sample).map(([name, value]) => {
    const own = derived[name];
    return [name, isRecord(own) && isRecord(value) ? withSample(own, value) : value];
  });
  return { ...derived, ...Object.fromEntries(said) };
}

/**
 * A request that creates a record marked with the run: required fields and those by which it is found again, from the
 * declaration, with what the declaration gives as its sample. Undefined if it needs a record that the run has not made.
 */
export function sampleOf(operation: Operation, material: Material): Fields | undefined {
  const request = withSample(recordFor(jsonSchema(operation.request), material), operation.sample ?? {});
  return Object.values(request).includes(undefined) ? undefined : request;
}

/** A request that changes what a person would change: the first text of a record, to another marked text. */
export function changeOf(
  operation: Operation,
  id: string,
  mark: string,
): { id: string; field: string; value: string } | undefined {
  const { properties = {} } = jsonSchema(operation.request);
  const field = ['note', 'name', 'company', 'short_desc'].find((name) => properties[name]?.type === 'string');
  return field === undefined ? undefined : { id, field, value: `${mark} changed` };
}

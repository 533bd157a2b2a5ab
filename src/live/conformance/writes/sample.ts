import type { Operation } from '../../../contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../../contract/schema/json-schema.ts';
import { isRecord } from '../../../domain/json/json-extent.ts';

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
  if (schema.looks !== undefined) return places[schema.looks];
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
function withSample(derived: Readonly<Record<string, unknown>>, sample: object): Record<string, unknown> {
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
export function sampleOf(operation: Operation, material: Material): Readonly<Record<string, unknown>> | undefined {
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

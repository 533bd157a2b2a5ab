import { recordIn } from '../../src/client/settle/found-record.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';

/** Generates distinct values, so that a printed one can only be that of its field. */
interface Counter {
  next(): number;
}

const textOf = ({ format, enum: values }: JsonSchema, path: string, counter: Counter): string => {
  if (values !== undefined) return values.find((value) => value !== '') ?? '';
  if (format === 'int64') return String(1_234_567_890_000_000_000n + BigInt(counter.next()));
  if (format === 'date-time') return new Date(Date.UTC(2026, 0, 1) + counter.next() * 60_000).toISOString();
  return `<${path}>`;
};

function sampleOf(schema: JsonSchema, path: string, counter: Counter): unknown {
  if (schema.properties !== undefined) return recordOf(schema, path, counter);
  switch (schema.type) {
    case 'object':
      return { key: sampleOf(schema.additionalProperties ?? { type: 'string' }, `${path}.key`, counter) };
    case 'array':
      return [sampleOf(schema.items ?? { type: 'string' }, path, counter)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1000 + counter.next();
    default:
      return textOf(schema, path, counter);
  }
}

function recordOf({ properties = {} }: JsonSchema, path: string, counter: Counter): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      sampleOf(field, path === '' ? name : `${path}.${name}`, counter),
    ]),
  );
}

/** The first id of each filter by ids. */
function filtered(request: Readonly<Record<string, unknown>>): Record<string, string> {
  const filters = Object.entries(request.filter ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value.split(',')[0] ?? '']] : [],
  );
  return Object.fromEntries(filters);
}

/** An answer whose record is the one that was asked for: it has the names of the request, and what proves a create. */
function asAsked(
  answer: Record<string, unknown>,
  { proves = [] }: Operation,
  request: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = ['id', 'code', 'shipping_code', 'external_id', ...(request.external_id === undefined ? proves : [])];
  const given = Object.fromEntries(Object.entries(request).filter(([name]) => names.includes(name)));
  const record = recordIn(answer);
  if (record === undefined) return answer;
  return record === answer ? { ...answer, ...given } : { ...answer, order: { ...record, ...given } };
}

/**
 * A possible response to a request of an operation: every field has a value, no two are equal but those that were asked
 * for, and a list has one entry, which matches the request's filter. Nothing failed, and there is no further page.
 */
export function sampleAnswer(
  operation: Operation,
  request: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { response, page } = operation;
  let count = 0;
  const counter = { next: () => ++count };
  const answer = recordOf(jsonSchema(response), '', counter);
  const [row] = page === undefined ? [] : [answer[page.items]].flat();
  const named = Object.entries(filtered(request)).filter(([name]) => Object.hasOwn(Object(row), name));
  return {
    ...(page === undefined ? asAsked(answer, operation, request) : answer),
    ...(page === undefined ? {} : { [page.items]: [{ ...Object(row), ...Object.fromEntries(named) }] }),
    ...('fulfillment_errors' in answer ? { fulfillment_errors: [] } : {}),
    ...('paging' in answer ? { paging: {} } : {}),
  };
}

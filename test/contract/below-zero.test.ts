import { describe, expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { checkRequest } from '../../src/contract/schema/parse.ts';
import { everyField } from './every-field.ts';

/** A request with every field, its lists of one item and its numbers 0, but for a quantity and the one at `path`. */
function sampleWith(schema: JsonSchema, path: string, value: number, at = ''): unknown {
  const inner = (field: JsonSchema, place: string) => sampleWith(field, path, value, place);
  if (at === path) return value;
  switch (schema.type) {
    case 'integer':
      // A line of no items is no line.
      return at === 'lines[].quantity' || at === 'total_items' ? 1 : 0;
    case 'number':
      return 0;
    case 'boolean':
      return true;
    case 'array':
      return [inner(schema.items ?? { type: 'string' }, `${at}[]`)];
    case 'string':
      return schema.enum?.[0] ?? (schema.format?.startsWith('int64') ? '1' : 'x');
    default: {
      const fields = Object.entries(schema.properties ?? {});
      return Object.fromEntries(
        fields.map(([name, field]) => [name, inner(field, at === '' ? name : `${at}.${name}`)]),
      );
    }
  }
}

/** How many records a page has is not a field of a record; a list looks at it itself. */
const isCounted = ({ path, schema }: { path: string; schema: JsonSchema }) =>
  schema.type === 'integer' && path !== 'paging.limit';

const numbered = (await allOperations()).flatMap((operation) => {
  const request = jsonSchema(operation.request);
  const fields = everyField(request).filter(isCounted);
  return fields.length === 0 ? [] : [{ id: operation.id, operation, request, paths: fields.map(({ path }) => path) }];
});

describe.each(numbered)('$id', ({ operation, request, paths }) => {
  it('takes numbers of 0', () => {
    expect(checkRequest(operation, sampleWith(request, 'nowhere', 0))).toMatchObject({ ok: true });
  });

  it.each(paths)('sends no %s below zero', (path) => {
    expect(checkRequest(operation, sampleWith(request, path, -1))).toMatchObject({ ok: false });
  });
});

it('checks the amounts of orders, quotes, deliveries and prices', () => {
  expect(numbered.length).toBeGreaterThan(8);
});

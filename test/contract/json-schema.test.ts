import { expect, it } from 'vitest';
import { encodeRequest } from '../../src/client/call.ts';
import { allOperations } from '../../src/contract/areas.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { saidBy } from '../../src/contract/schema/rules.ts';
import {
  flag,
  grams,
  id,
  idsFilter,
  list,
  nested,
  oneOf,
  record,
  requiring,
  text,
  textMap,
  time,
} from '../../src/contract/schema/scalars.ts';

it('is plain data: nullable fields are of their plain type, and no noise is left', () => {
  const schema = requiring(
    { id: id('An id') },
    {
      weight: grams('A weight'),
      kind: oneOf(['a', 'b'], 'A kind'),
      notes: textMap('Some notes'),
      ids: list(id('One id'), 'Some ids').min(1),
      none: list(text('A text'), 'Nothing').max(0).default([]),
      inner: nested(record({ open: flag('Whether it is open'), at: time('When') }), 'An inner record'),
      filter: idsFilter('Which ids'),
    },
  );
  expect(jsonSchema(schema)).toEqual({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', format: 'int64', description: 'An id' },
      weight: { type: 'integer', description: 'A weight', unit: 'g' },
      kind: { type: 'string', enum: ['a', 'b'], description: 'A kind' },
      notes: { type: 'object', description: 'Some notes', additionalProperties: { type: 'string' } },
      ids: {
        type: 'array',
        description: 'Some ids',
        minItems: 1,
        items: { type: 'string', format: 'int64', description: 'One id' },
      },
      none: {
        type: 'array',
        description: 'Nothing',
        default: [],
        maxItems: 0,
        items: { type: 'string', description: 'A text' },
      },
      inner: {
        type: 'object',
        description: 'An inner record',
        properties: {
          open: { type: 'boolean', description: 'Whether it is open' },
          at: { type: 'string', format: 'date-time', description: 'When' },
        },
      },
      filter: { type: 'string', format: 'int64-list', description: 'Which ids' },
    },
  });
});

it('keeps the order of the fields', () => {
  expect(Object.keys(jsonSchema(record({ b: text('B'), a: text('A') })).properties ?? {})).toEqual(['b', 'a']);
});

it('is made once for a schema', () => {
  const schema = record({ a: text('A') });
  expect(jsonSchema(schema)).toBe(jsonSchema(schema));
});

it('knows the type of every field of every operation', async () => {
  for (const { id: operation, request, response } of await allOperations()) {
    for (const schema of [request, response]) {
      const data = JSON.stringify(jsonSchema(schema));
      expect(data, operation).not.toMatch(/anyOf|\$ref|\$schema|propertyNames|"additionalProperties":false/);
    }
  }
});

type Part = Readonly<Record<string, unknown>>;

const partOf = (value: unknown): Part => (typeof value === 'object' && value !== null ? (value as Part) : {});

/** Two schemas in one: what either asks for is asked for. */
function both(one: Part, other: Part): Part {
  const merged: Record<string, unknown> = { ...one, ...other };
  if (one.required !== undefined && other.required !== undefined)
    merged.required = [...(one.required as string[]), ...(other.required as string[])];
  for (const name of ['properties', 'items'])
    if (one[name] !== undefined && other[name] !== undefined) merged[name] = inBoth(name, one[name], other[name]);
  return merged;
}

const inBoth = (name: string, one: unknown, other: unknown): Part => {
  const [mine, theirs] = [partOf(one), partOf(other)];
  if (name === 'items') return both(mine, theirs);
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return Object.fromEntries([...names].map((each) => [each, both(partOf(mine[each]), partOf(theirs[each]))]));
};

/** The least that a schema allows, with the first of its alternatives. */
function least(schema: Part): unknown {
  const { allOf = [], anyOf, oneOf, ...rest } = schema;
  const choices = [anyOf, oneOf].flatMap((all) => (Array.isArray(all) && rest.type === 'object' ? [all[0]] : []));
  const whole = [...(allOf as Part[]), ...choices].reduce(both, rest);
  if (whole.anyOf !== undefined || whole.oneOf !== undefined) return least(whole);
  const { type, format, pattern, minimum, minItems, minLength } = whole;
  if (Array.isArray(whole.enum)) return whole.enum[0];
  if (type === 'object') {
    const fields = partOf(whole.properties);
    return Object.fromEntries(((whole.required ?? []) as string[]).map((name) => [name, least(partOf(fields[name]))]));
  }
  if (type === 'array') return Array.from({ length: Number(minItems ?? 0) }, () => least(partOf(whole.items)));
  if (type === 'integer' || type === 'number') return minimum ?? 0;
  if (type === 'boolean') return false;
  if (format === 'int64' || format === 'int64-list') return '1';
  if (format === 'date-time') return '2026-01-31T08:00:00Z';
  if (pattern !== undefined) return String(pattern).includes('://') ? 'https://shop.example' : 'x';
  return 'x'.repeat(Number(minLength ?? 0));
}

const declared = await allOperations();

it.each(declared.map((one) => [one.id, one] as const))(
  'what the schema allows at least, the checks accept: %s',
  (_, one) => {
    const schema = { ...jsonSchema(one.request), allOf: saidBy(one.rules) };
    expect(() => encodeRequest(one, least(schema) as never)).not.toThrow();
  },
);

it.each(declared.flatMap((one) => (one.rules === undefined ? [] : [[one.id, one] as const])))(
  'what its rules check, the schema says: %s',
  (_, { rules }) => {
    expect(saidBy(rules)).not.toEqual([]);
  },
);

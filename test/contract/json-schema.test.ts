import { expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
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

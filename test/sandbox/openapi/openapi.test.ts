import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { allOperations } from '../../../src/contract/areas.ts';
import { openApiDocument } from '../../../src/contract/openapi.ts';
import { callback } from '../../../src/contract/records/change.ts';
import { errorStatus } from '../../../src/contract/records/error.ts';
import { type JsonSchema, jsonSchema } from '../../../src/contract/schema/json-schema.ts';
import { saidBy } from '../../../src/contract/schema/rules.ts';

// Documents are read as any program reads them: without their types.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Json = any;

const document: Json = await openApiDocument('http://127.0.0.1:4999');

/** What a reference refers to. */
function resolved(node: Json): Json {
  if (typeof node?.$ref !== 'string') return node;
  const target = node.$ref
    .slice(2)
    .split('/')
    .reduce((here: Json, step: string) => here?.[step], document);
  expect(target, node.$ref).toBeDefined();
  const { $ref: _, ...beside } = node;
  return { ...target, ...beside };
}

/** A schema of the document as plain data again, with references followed and nulls taken away. */
function plain(node: Json): JsonSchema {
  const choice = node.anyOf?.find(({ $ref }: Json) => $ref !== undefined);
  const { 'x-unit': unit, ...schema } = resolved(choice ? { ...choice, description: node.description } : node);
  const type = Array.isArray(schema.type) ? schema.type.find((name: string) => name !== 'null') : schema.type;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, plain(field)]);
  return {
    ...schema,
    type,
    ...(unit === undefined ? {} : { unit }),
    ...(schema.enum ? { enum: schema.enum.filter((value: unknown) => value !== null) } : {}),
    ...(schema.properties ? { properties: Object.fromEntries(fields) } : {}),
    ...(schema.items ? { items: plain(schema.items) } : {}),
    ...(schema.additionalProperties ? { additionalProperties: plain(schema.additionalProperties) } : {}),
  };
}

/** What is declared, without what shopctl alone makes of it: how a text is looked at before it is sent. */
function declared(schema: Parameters<typeof jsonSchema>[0]): JsonSchema {
  return JSON.parse(
    JSON.stringify(jsonSchema(schema), (name, value) =>
      name === 'likeness' && typeof value === 'string' ? undefined : value,
    ),
  );
}

/** Every object in the document. */
function* objects(node: Json): Generator<Json> {
  if (typeof node !== 'object' || node === null) return;
  yield node;
  for (const inner of Object.values(node)) yield* objects(inner);
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('is refused by that validator when something is wrong with it', async () => {
    const broken = JSON.parse(JSON.stringify(document));
    delete broken.info.title;
    expect(await new Validator().validate(broken)).toMatchObject({ valid: false });
    const strange = JSON.parse(JSON.stringify(document));
    strange.paths['/v1/shop.Order/GetOrder'].post.responses = 'none';
    expect(await new Validator().validate(strange)).toMatchObject({ valid: false });
  });

  it('has every operation at its path, with its credential and its command, and nothing else', async () => {
    const operations = await allOperations();
    expect(Object.keys(document.paths)).toEqual(operations.map(({ id }) => `/v1/${id}`));
    for (const { id, credential, summary, command } of operations) {
      expect(document.paths[`/v1/${id}`]).toEqual({
        post: expect.objectContaining({ summary, security: [{ [credential]: [] }], 'x-command': `shopctl ${command}` }),
      });
      expect(document.components.securitySchemes).toHaveProperty(credential);
    }
    const ids = operations.map(({ id }) => document.paths[`/v1/${id}`].post.operationId);
    expect(new Set(ids).size).toBe(operations.length);
  });

  it('says of every request and response what the contract declares', async () => {
    for (const { id, request, response, rules } of await allOperations()) {
      const { requestBody, responses } = document.paths[`/v1/${id}`].post;
      const { allOf = [], ...fields }: Json = requestBody.content['application/json'].schema;
      expect(plain(fields), id).toEqual(declared(request));
      // With what the checks ask for besides, as `schema` says it.
      expect(allOf, id).toEqual(saidBy(rules));
      expect(plain(responses[200].content['application/json'].schema), id).toEqual(declared(response));
    }
  });

  it('lets every field be null that is not required, and no other', () => {
    const { Order, ShopProduct } = document.components.schemas;
    expect(Order.properties).toMatchObject({
      code: { type: ['string', 'null'] },
      status: { type: ['string', 'null'], enum: ['Z', 'P', 'S', 'N', 'NS', null] },
      shipping_address: { anyOf: [{ $ref: '#/components/schemas/OrderAddress' }, { type: 'null' }] },
      total_amount: { type: ['integer', 'null'], 'x-unit': 'currency units' },
    });
    expect(ShopProduct).toMatchObject({ required: ['id'], properties: { id: { type: 'string', format: 'int64' } } });
  });

  it('says each record once, and refers to it', () => {
    const references = [...objects(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    for (const name of Object.keys(document.components.schemas)) {
      expect(references).toContain(`#/components/schemas/${name}`);
    }
    for (const $ref of new Set(references)) resolved({ $ref });
    for (const { schema } of objects(document.paths)) expect(schema?.properties?.fulfillment_errors).toBeUndefined();
  });

  it('shows every code with its status', () => {
    for (const [code, status] of Object.entries(errorStatus)) {
      expect(document.components.responses[`error-${status}`].description).toMatch(new RegExp(`\\b${code}\\b`));
    }
    const { responses } = document.paths['/v1/shop.Order/CreateOrder'].post;
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '404', '409', '412', 'default']);
  });

  it('describes what a webhook receives and must answer', () => {
    const { requestBody, responses } = document.webhooks.changes.post;
    expect(plain(requestBody.content['application/json'].schema)).toEqual(declared(callback));
    expect(responses[200].content['text/plain'].schema.enum).toEqual(['ok', 'ok\n']);
  });

  it('names the server it was asked for', () => {
    expect(document.servers).toEqual([{ url: 'http://127.0.0.1:4999' }]);
  });
});

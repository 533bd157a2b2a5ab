import { describe, expect, expectTypeOf, it } from 'vitest';
import { allOperations, type OperationOf } from '../../src/contract/areas.ts';
import type { ResponseOf } from '../../src/contract/operation.ts';
import { GetOrder } from '../../src/contract/partner/shipping.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { type Lenient, parseResponse, readLeniently } from '../../src/contract/schema/parse.ts';
import { id, int, list, oneOf, record, requiring, text, textMap } from '../../src/contract/schema/scalars.ts';
import { filledAnswer } from '../support/filled-answer.ts';

const pathsOf = (body: unknown) => {
  const parsed = parseResponse(GetOrder, body);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => `${path} ${message}`);
};

describe('a lenient reader', () => {
  it('reads what every operation may answer, and unknown enum values', async () => {
    for (const operation of await allOperations()) {
      const body = filledAnswer(jsonSchema(operation.response));
      expect(parseResponse(operation, body), operation.id).toMatchObject({ ok: true, value: body });
    }
  });

  it('takes absent and null fields, required ones too, and lets unknown ones pass in their place', () => {
    const schema = requiring({ id: id('Id') }, { inner: record({ a: text('A') }), items: list(text('T'), 'L') });
    expect(readLeniently(schema, {})).toEqual({ ok: true, value: {}, deviates: true });
    const strange = { id: null, inner: { a: null, b: 1 }, items: null, more: { deep: [1] } };
    expect(readLeniently(schema, strange)).toEqual({ ok: true, value: strange, deviates: true });
  });

  it('lets a field pass that is named like what every object has', () => {
    const body = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "id": 5}');
    const read = readLeniently(record({ id: id('Id') }), body);
    expect(read.ok && JSON.stringify(read.value)).toBe('{"__proto__":{"a":1},"constructor":2,"id":"5"}');
  });

  it('writes out ids that arrive as numbers', () => {
    const schema = record({ id: id('Id'), ids: list(id('Id'), 'Ids') });
    expect(readLeniently(schema, { id: 5, ids: [6, 1234567890123456789n, '7'] })).toEqual({
      ok: true,
      value: { id: '5', ids: ['6', '1234567890123456789', '7'] },
      deviates: true,
    });
  });

  it('keeps the order in which the fields came', () => {
    const body = { more: 1, order: { z: { b: 1, a: 2 }, lines: [{ quantity: 1, product_name: 'Tea' }], id: 5 } };
    const parsed = parseResponse(GetOrder, body);
    expect(JSON.stringify(parsed.ok && parsed.value)).toBe(JSON.stringify(body).replace('"id":5', '"id":"5"'));
  });

  it('says where a type is wrong', () => {
    expect(pathsOf({ fulfillments: [{ shipping_service_fee: '1' }] })).toEqual([
      'fulfillments[0].shipping_service_fee must be an integer',
    ]);
    expect(pathsOf({ order: { lines: [{}, { variant_id: 'x' }], shop_id: 1.5 }, fulfillments: {} })).toEqual([
      'order.shop_id is not a 64-bit integer id',
      'order.lines[1].variant_id is not a 64-bit integer id',
      'fulfillments must be a list',
    ]);
    expect(pathsOf({ fulfillment_errors: [{ meta: { 'a key': 1 } }] })).toEqual([
      'fulfillment_errors[0].meta["a key"] must be text',
    ]);
    expect(pathsOf([])).toEqual([' must be an object']);
    expect(pathsOf('ok')).toEqual([' must be an object']);
  });

  it('takes null as an entry of a list or map, but not where an object is due', () => {
    const schema = record({
      ids: list(id('Id'), 'Ids'),
      kinds: list(oneOf(['a'], 'Kind'), 'Kinds'),
      meta: textMap('Meta'),
      notes: list(record({ a: text('A') }), 'Notes'),
    });
    const answered = { ids: ['1', null], kinds: [null], meta: { a: null } };
    expect(readLeniently(schema, answered)).toEqual({ ok: true, value: answered, deviates: true });
    expect(readLeniently(schema, { ...answered, notes: [null] })).toEqual({
      ok: false,
      errors: [{ path: 'notes[0]', message: 'is required' }],
    });
  });

  it('leaves the declared schema as strict as it was, and what was answered as it is', () => {
    const declared = record({ kind: oneOf(['a'], 'Kind'), count: int('Count', 'items'), id: id('Id') });
    const answered = { kind: 'b', id: 5 };
    expect(readLeniently(declared, answered)).toEqual({ ok: true, value: { kind: 'b', id: '5' }, deviates: true });
    expect(answered).toEqual({ kind: 'b', id: 5 });
    expect(declared.safeParse({ kind: 'b' }).success).toBe(false);
  });

  it('has types that say so', () => {
    type Read = Lenient<ResponseOf<OperationOf<'shop.Customer/GetCustomer'>>>;
    expectTypeOf<Read['status']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Lenient<{ list: ('a' | 'b')[]; map: Record<string, string>; count: number }>>().toEqualTypeOf<{
      list?: (string | null)[] | null | undefined;
      map?: Record<string, string | null> | null | undefined;
      count?: number | null | undefined;
    }>();
  });
});

import { expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { checkRequest, isSurelyTaken, requestErrors } from '../../src/contract/schema/parse.ts';
import { record, text } from '../../src/contract/schema/scalars.ts';

/** A request with every field filled. */
function request(schema: JsonSchema): unknown {
  if (schema.items !== undefined) return [request(schema.items)];
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, request(field)]));
  }
  if (schema.enum !== undefined) return schema.enum.at(-1);
  if (schema.format === 'int64') return '1234567890123456789';
  const values = { string: 'text', integer: 7, number: 1.5, boolean: true, array: [], object: { key: 'value' } };
  return values[schema.type];
}

const others = [null, undefined, 'x', '', '0', '007', '9223372036854775808', 5, 1.5, 2 ** 53, true, {}, [], [null]];
let turn = 0;

/** The value with each part of it, one at a time, as a few other things, which take turns, and left out. */
function* variants(value: unknown): Generator<unknown> {
  for (let count = 0; count < 5; count += 1) yield others[turn++ % others.length];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const other of variants(inner)) {
      yield Array.isArray(value) ? value.map((item) => (item === inner ? other : item)) : { ...value, [name]: other };
    }
    if (!Array.isArray(value)) yield Object.fromEntries(Object.entries(value).filter(([field]) => field !== name));
    else yield [...value, ...value, ...value];
  }
}

it('is surely taken only what the declaration takes as it is, and most of that', async () => {
  const said = { yes: 0, doubted: 0, no: 0 };
  for (const operation of await allOperations()) {
    const whole = request(jsonSchema(operation.request));
    for (const given of [whole, ...variants(whole)]) {
      const read = operation.request.safeParse(given);
      const isSure = isSurelyTaken(operation.request, given);
      if (isSure) expect([operation.id, given, read.success && read.data]).toEqual([operation.id, given, given]);
      if (isSure) said.yes += 1;
      else said[read.success ? 'doubted' : 'no'] += 1;
    }
  }
  expect(said.yes).toBeGreaterThan(said.doubted / 2);
  expect(Math.min(said.yes, said.no)).toBeGreaterThan(500);
});

it('leaves to the schema what has a rule of its own', () => {
  const declared = record({ name: text('A name') });
  expect(isSurelyTaken(declared, { name: 'x' })).toBe(true);
  expect(
    isSurelyTaken(
      declared.refine(({ name }) => name !== 'x'),
      { name: 'x' },
    ),
  ).toBe(false);
});

it('has the same faults as the check that the schema makes, unknown fields and rules between fields among them', async () => {
  let faults = 0;
  for (const operation of await allOperations()) {
    const whole = request(jsonSchema(operation.request)) as object;
    for (const given of [whole, { ...whole, cod_amuont: 1 }, ...variants(whole)]) {
      const checked = checkRequest(operation, given);
      expect([operation.id, given, requestErrors(operation, given)]).toEqual([
        operation.id,
        given,
        checked.ok ? [] : checked.errors,
      ]);
      if (!checked.ok && isSurelyTaken(operation.request, given)) faults += 1;
    }
  }
  expect(faults).toBeGreaterThan(20);
});

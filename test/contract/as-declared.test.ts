import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { allOperations } from '../../src/contract/areas.ts';

import { asDeclared } from '../../src/contract/schema/as-declared.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { readLeniently } from '../../src/contract/schema/parse.ts';
import { id, record } from '../../src/contract/schema/scalars.ts';
import { sampleAnswer } from '../support/sample-answer.ts';

const others = [null, 'x', '', '0', '007', '9223372036854775808', 5, 1.5, true, {}, [], [null], { inner: 1 }];

let turn = 0;

/** The value with each part of it, one at a time, as a few other things, which take turns. */
function* variants(value: unknown): Generator<unknown> {
  for (let count = 0; count < 4; count += 1) yield others[turn++ % others.length];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const other of variants(inner)) {
      yield Array.isArray(value) ? value.map((item) => (item === inner ? other : item)) : { ...value, [name]: other };
    }
  }
}

it('the check of an answer says yes where reading it finds no deviation and changes nothing, and nowhere else', async () => {
  const said = { yes: 0, no: 0 };
  // Many operations answer the same record.
  const responses = new Map((await allOperations()).map((one) => [JSON.stringify(jsonSchema(one.response)), one]));
  for (const one of responses.values()) {
    const { id: operation, response } = one;
    expect(asDeclared(z.object(response.shape)), 'a first answer is walked').toBeUndefined();
    const check = asDeclared(response) ?? asDeclared(response);
    const whole = sampleAnswer(one, {});
    for (const given of [whole, { ...whole, unknown: { deep: [1] } }, ...variants(whole)]) {
      // A schema of its own is read for the first time, by walking.
      const read = readLeniently(z.object(response.shape), given);
      const asItCame = read.ok && read.deviates !== true && isDeepStrictEqual(read.value, given);
      if (check?.(given) !== asItCame) expect([operation, given, check?.(given)]).toEqual([operation, given, asItCame]);
      said[asItCame ? 'yes' : 'no'] += 1;
    }
  }
  expect(Math.min(said.yes, said.no)).toBeGreaterThan(1000);
});

it('an answer that is read again is read as the first one was', () => {
  const schema = record({ id: id('Id'), constructor: id('A field that every object inherits') });
  for (let time = 0; time < 3; time += 1) {
    const [whole, numbered, wrong] = [{ id: '5' }, { id: 5 }, { id: [] }];
    expect(readLeniently(schema, whole)).toEqual({ ok: true, value: whole });
    expect(readLeniently(schema, numbered)).toEqual({ ok: true, value: { id: '5' }, deviates: true });
    expect(readLeniently(schema, wrong)).toMatchObject({ ok: false, errors: [{ path: 'id' }] });
    expect(readLeniently(schema, Object.assign(Object.create(null), { id: '5', constructor: 5 }))).toEqual({
      ok: true,
      value: { id: '5', constructor: '5' },
      deviates: true,
    });
  }
  expect(asDeclared(schema)?.({ id: '5' }), 'what is inherited is not a field').toBe(true);
});

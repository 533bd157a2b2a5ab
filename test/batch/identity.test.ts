import { expect, it } from 'vitest';
import { canonicalText } from '../../src/domain/canonical-text.ts';
import { fc } from '../support/fast-check.ts';

/** What names at the service were derived from: the JSON of a copy with sorted fields and without nulls. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

const name = fc.oneof(
  fc.constantFrom('lines', 'phone', '10', '9', '01', '-1', '__proto__', 'constructor', 'Z', 'a', 'đ', '"', '\\'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('Áo', '\u2028', '\ud800', '\udc00x', '\n', '"', '\\', ''),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries) as Record<string, unknown>),
  ),
}));

it('writes the text that names were always derived from', () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(canonicalText(given)).toBe(JSON.stringify(sorted(given)) ?? 'null');
    }),
    { numRuns: 2000 },
  );
});

it('writes the same text whatever the order of the fields', () => {
  const one = {
    shipping_address: { phone: '09', full_name: 'Bà "Tư"' },
    lines: [{ quantity: 2, name: 'Áo' }],
    a: null,
  };
  const other = { lines: [{ name: 'Áo', quantity: 2 }], shipping_address: { full_name: 'Bà "Tư"', phone: '09' } };
  expect(canonicalText(one)).toBe(canonicalText(other));
  expect(canonicalText(one)).toBe(
    '{"lines":[{"name":"Áo","quantity":2}],"shipping_address":{"full_name":"Bà \\"Tư\\"","phone":"09"}}',
  );
});

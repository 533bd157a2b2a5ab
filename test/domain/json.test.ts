import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, parseJson } from '../../src/domain/json/json.ts';
import { parseUnrepeated, repeatedKey } from '../../src/domain/json/repeated-key.ts';
import { isTooDeep } from '../../src/domain/json/values.ts';
import { fc } from '../support/fast-check.ts';

function faultOf(text: string): JsonSyntaxError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const trickyString = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.stringMatching(/^[\\"0-9:,\-[\] ]{0,24}$/),
  fc.constantFrom('__proto__', '1234567890123456789', 'id:1234567890123456789', '\\"1234567890123456789'),
);
const exactNumber = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !/^-?\d{16,}$/.test(String(value))),
);
const { value: jsonValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(trickyString, exactNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(trickyString, tie('value')), { maxLength: 4 }).map(Object.fromEntries),
  ),
}));
const jsonText = fc
  .tuple(jsonValue, fc.constantFrom('', ' ', '\t', '\n'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

describe('parseJson', () => {
  it('is JSON.parse where every integer is safe', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
        // The same beside an unsafe integer, which takes the other road.
        const both = parseJson(`[${text},1234567890123456789]`) as unknown[];
        expect(JSON.stringify(both[0])).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the digits of any integer beyond the safe range, wherever it stands', () => {
    const unsafe = fc.bigInt({ min: 2n ** 53n, max: 10n ** 40n }).chain((big) => fc.constantFrom(big, -big));
    fc.assert(
      fc.property(unsafe, fc.constantFrom('', ' ', '\n', '\t', '\r\n'), (big, gap) => {
        const digits = big.toString();
        expect(parseJson(`${gap}${digits}${gap}`)).toBe(digits);
        expect(parseJson(`{"id":${gap}${digits}${gap},"ids":[${gap}${digits},${digits}]}`)).toEqual({
          id: digits,
          ids: [digits, digits],
        });
      }),
    );
  });

  it('finds an unsafe integer at every place of a text, behind whatever stands before it', () => {
    const before = fc.array(fc.oneof(trickyString, fc.bigInt({ min: 0n, max: 10n ** 15n }).map(Number)), {
      maxLength: 6,
    });
    const length = fc.integer({ min: 16, max: 40 });
    fc.assert(
      fc.property(before, fc.nat(40), length, (list, padding, digits) => {
        const unsafe = '9'.repeat(digits);
        const beginning = JSON.stringify([...list, ' '.repeat(padding)]).slice(0, -1);
        expect(parseJson(`${beginning},${unsafe}]`)).toEqual([...list, ' '.repeat(padding), unsafe]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves safe integers, fractions and exponents numbers', () => {
    const text = '[9007199254740991,-9007199254740991,0.12345678901234567,12345678901234567e1,1e30]';
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJson('[9007199254740992,-9007199254740993]')).toEqual(['9007199254740992', '-9007199254740993']);
  });

  it('leaves digits inside strings alone', () => {
    const value = { 'a 1234567890123456789': ', 1234567890123456789', b: '\\', c: '"1234567890123456789' };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  it('makes a __proto__ key an own property, on both roads', () => {
    for (const id of ['1', '1234567890123456789']) {
      const value = parseJson(`{"__proto__":{"admin":true},"id":${id}}`) as Record<string, unknown>;
      expect(Object.hasOwn(value, '__proto__')).toBe(true);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(value.admin).toBeUndefined();
    }
  });

  it('tolerates one byte order mark', () => {
    expect(parseJson('\uFEFF{"id":1234567890123456789}')).toEqual({ id: '1234567890123456789' });
    expect(faultOf('\uFEFF\uFEFF1').column).toBe(1);
  });

  it.each([
    ['', 'unexpected end of the text', 1, 1],
    ['{"a":1,}', 'expected a property name in double quotes', 1, 8],
    ['{"a"\n 1}', 'expected ":"', 2, 2],
    ['[1,\r\n 2,]', 'expected a value', 2, 4],
    ['[1 2]', 'expected "," or "]"', 1, 4],
    ['{"a":[1}', 'expected "," or "]"', 1, 8],
    ['{"a":"x', 'unexpected end of the text', 1, 8],
    ['{"a":"\n"}', 'control character in a string', 1, 7],
    ['["\\q"]', 'bad escape in a string', 1, 3],
    ['["\\u12"]', 'bad escape in a string', 1, 3],
    ['01', 'unexpected text after the JSON value', 1, 2],
    ['-', 'expected a value', 1, 1],
    ['nul', 'expected a value', 1, 1],
    ['{} x', 'unexpected text after the JSON value', 1, 4],
    ['{1234567890123456789:1}', 'expected a property name in double quotes', 1, 2],
    ['[01234567890123456789]', 'expected "," or "]"', 1, 3],
    ['[--1234567890123456789]', 'expected a value', 1, 2],
    ['[1234567890123456789.]', 'expected "," or "]"', 1, 21],
    ['[1234567890123456789,x]', 'expected a value', 1, 22],
  ])('refuses %j: %s', (text, fault, line, column) => {
    const error = faultOf(text);
    expect(error).toMatchObject({ line, column });
    expect(error.message).toBe(`${fault} at line ${line}, column ${column}`);
  });

  it('never quotes the text, which may hold secrets', () => {
    expect(faultOf('{"api_key":"hunter2" hunter2}').message).not.toContain('hunter2');
  });

  it('refuses exactly what JSON.parse refuses, however the text is damaged', () => {
    const damaged = fc
      .tuple(
        jsonText,
        fc.nat(),
        fc.nat({ max: 2 }),
        fc.constantFrom('"', '\\', ',', ':', '0', '-', '{', ']', ' ', '1234567890123456789'),
      )
      .map(([text, where, gone, added]) => {
        const at = where % (text.length + 1);
        return text.slice(0, at) + added + text.slice(at + gone);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) parseJson(text);
        else expect(faultOf(text).message).toMatch(/^(expected|unexpected|bad|control)/);
      }),
      { numRuns: 1000 },
    );
  });

  it('points at the first fault of a very deep or very long text without exhausting the stack', () => {
    expect(faultOf('['.repeat(300_000)).column).toBe(300_001);
    expect(faultOf(`"${'x'.repeat(3_000_000)}\u0001"`).column).toBe(3_000_002);
  });
});

describe('a key that appears twice', () => {
  it.each([
    ['{"a":1,"a":2}', 'the key "a" appears twice', 1, 8],
    ['{"a":{"b":1},\n "c":[{"b":1,"b":2}]}', 'the key "b" appears twice', 2, 14],
    ['{"a":1,"\\u0061":2}', 'the key "a" appears twice', 1, 8],
    ['{"a" :1,\r\n"a"\t: 2}', 'the key "a" appears twice', 2, 1],
    ['{"a":{"x":1,"y":{}},"a":0}', 'the key "a" appears twice', 1, 21],
    ['{"__proto__":1,"__proto__":2}', 'the key "__proto__" appears twice', 1, 16],
    ['{"":1,"":2}', 'the key "" appears twice', 1, 7],
  ])('is refused in %s', (text, message, line, column) => {
    expect(() => parseUnrepeated(text)).toThrow(new JsonSyntaxError(message, line, column));
  });

  it('is no other text: a value, one inside a string, one of another object', () => {
    const values: readonly unknown[] = [
      { a: 'a', b: ['a', 'a'], c: { a: { a: 1 } }, d: '{"a":1,"a":2}', e: '\\", "a": "' },
      [{ a: 1 }, { a: 1 }],
      'a',
      null,
    ];
    for (const value of values) {
      const texts = [JSON.stringify(value), JSON.stringify(value, null, 2)];
      for (const text of texts) expect(parseUnrepeated(text)).toEqual(value);
    }
  });

  it('is never found in what JSON.stringify writes, and always where it is written twice', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (value, key, other) => {
        const text = JSON.stringify({ [`${key}.`]: value, last: other });
        expect(repeatedKey(text)).toBeUndefined();
        const [written, rest] = [JSON.stringify(`${key}.`), text.slice(1)];
        expect(repeatedKey(`{${written}:${JSON.stringify(other)},${rest}`)?.key).toBe(`${key}.`);
      }),
    );
  });
});

it('counts the levels of lists and objects alone, not the brackets in texts, whatever is escaped there', () => {
  const brackets = '['.repeat(201);
  expect([isTooDeep(brackets), isTooDeep('['.repeat(200))]).toEqual([true, false]);
  expect([isTooDeep('[]'.repeat(300)), isTooDeep(`{"a":${brackets}`)]).toEqual([false, true]);
  expect(isTooDeep(JSON.stringify(`"${brackets}`))).toBe(false);
  expect(isTooDeep(`["\\\\",${brackets}`)).toBe(true);
});

import { expect, it } from 'vitest';
import { guard, unguard } from '../../src/domain/csv-guard.ts';
import { jsonSafe, makeSafe } from '../../src/platform/terminal/text-safety.ts';

/** Characters that nobody sees, by Unicode's own property; the selectors of emoji and keycaps are text. */
const unseen = /(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Cc}|\p{Cs}|[\ufff9-\ufffb]/u;

function everyCharacter(): string[] {
  return Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
}

it('shows every character that nobody would see, and no other below U+E0000', () => {
  const hidden = everyCharacter().filter((character) => unseen.test(character));
  expect(hidden.length).toBeGreaterThan(4000);
  expect(hidden.filter((character) => makeSafe(character) === character)).toEqual([]);
  const escaped = everyCharacter().filter((character) => makeSafe(character) !== character);
  const others = escaped.filter((character) => !unseen.test(character) && (character.codePointAt(0) ?? 0) < 0xe0000);
  expect(others).toEqual(['\u2028', '\u2029']);
});

it.each([
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u180e',
  '\u2061',
  '\u2064',
  '\u206a',
  '\u206f',
  '\u3164',
  '\u{e0000}',
  '\u{e0041}',
  '\u{e01ef}',
  '\u{f0000}',
  '\u{10fffd}',
])('writes %j as an escape, in text and in JSON, where it reads back the same', (character) => {
  expect(makeSafe(`a${character}b`)).toMatch(/^a\\[ux][{}\da-f]+b$/);
  expect(makeSafe(`a${character}b`)).not.toContain(character);
  const json = jsonSafe(JSON.stringify(`a${character}b`));
  expect(json).toMatch(/^"a(?:\\u[\da-f]{4})+b"$/);
  expect(JSON.parse(json)).toBe(`a${character}b`);
});

it.each([
  ' =1+1',
  '\u00a0=1+1',
  '\u3000@SUM(A1)',
  '  \t+1',
  '\ufe62 1',
  '\ufe66 1',
  '\ufe63 1',
  '\ufe6b A1',
  ' \uff1d1',
])('guards %j, which a spreadsheet would run, and takes its guard back', (cell) => {
  expect(guard(cell)).toBe(`'${cell}`);
  expect(unguard(guard(cell))).toBe(cell);
});

it.each(['-5', '12.5', ' tea', 'a=b', ''])('leaves %j as it is', (cell) => {
  expect(guard(cell)).toBe(cell);
  expect(unguard(cell)).toBe(cell);
});

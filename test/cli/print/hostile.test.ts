import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { formats } from '../../../src/cli/print/formats.ts';
import { anything, printedList, printedRecord } from './orders.ts';

const attacks = [
  '\x1b[2J\x1b[31mred',
  '\x1b]0;title\x07',
  '\x9b31m',
  'a\u202eb\u2066c',
  'zero\u200bwidth\ufeff',
  'next\u0085line\u2028',
  'bell\x07del\x7f',
  'over\rwrite\bback',
];
const steering = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

for (const { name: format, ownCharacters = '' } of formats) {
  test(`${format}: no text steers the terminal, in values, nested values and names`, async () => {
    for (const attack of attacks) {
      const row = { id: attack, nested: { [attack]: attack }, [attack]: 1 };
      for (const text of [
        await printedList([row], { format }, anything),
        await printedRecord(row, { format }, anything),
        await printedList([row], { format, query: '[].id' }, anything),
        await printedRecord(row, { format, query: 'id' }, anything),
      ]) {
        const own = [...ownCharacters].reduce((left, character) => left.replaceAll(character, ' '), text);
        expect(own.replaceAll('\r\n', '\n')).not.toMatch(steering);
      }
    }
  });
}

test('json and yaml read back the very text', async () => {
  const row = { id: attacks.join(''), [attacks.join('')]: attacks };
  expect(JSON.parse(await printedRecord(row, { format: 'json' }, anything))).toEqual(row);
  expect(parse(await printedRecord(row, { format: 'yaml' }, anything))).toEqual(row);
});

test('a line break does not forge a row', async () => {
  const row = { id: '1\n2\r\n3', note: 'a\tb\nid  4' };
  expect(await printedList([row], {}, anything)).toBe('ID         NOTE\n1\\n2\\r\\n3  a\\tb\\nid  4\n');
  expect(await printedRecord(row, {}, anything)).toBe('id    1\\n2\\r\\n3\nnote  a\\tb\\nid  4\n');
  expect(await printedList([row], { format: 'name' }, anything)).toBe('1\\n2\\r\\n3\n');
});

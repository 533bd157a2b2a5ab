import { expect, test } from 'vitest';
import { columnsThatFit, fitWidths } from '../../../src/cli/print/columns.ts';
import { displayWidth, truncate, truncateStart } from '../../../src/platform/terminal/text-width.ts';

test.each([
  ['', 0],
  ['Nguyen', 6],
  ['Nguyễn Thị Hồng'.normalize('NFC'), 15],
  ['Nguyễn Thị Hồng'.normalize('NFD'), 15],
  ['đĐơƯ', 4],
  ['王小明', 6],
  ['ｆｕｌｌ', 8],
  ['カタカナ', 8],
  ['ｶﾀｶﾅ', 4],
  ['한글', 4],
  ['한글'.normalize('NFD'), 4],
  ['สมชาย', 5],
  ['ดี', 1],
  ['👍', 2],
  ['👍🏽', 2],
  ['🇻🇳', 2],
  ['🪿', 2],
  ['❤', 1],
  ['❤️', 2],
  ['\u{20000}', 2],
  ['…', 1],
])('%j takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('a text is cut between what reads as characters, never wider than asked', () => {
  expect(truncate('Nguyễn', 6)).toBe('Nguyễn');
  expect(truncate('Nguyễn Thị', 6)).toBe('Nguyễ…');
  expect(truncate('Nguyễn Thị'.normalize('NFD'), 6)).toBe('Nguyễ…'.normalize('NFD'));
  expect(truncate('王小明', 4)).toBe('王…');
  expect(truncate('👍🏽👍🏽', 3)).toBe('👍🏽…');
});

test('an address is cut at its beginning, where it is like the others', () => {
  expect(truncateStart('http://127.0.0.1:4999/ok', 24)).toBe('http://127.0.0.1:4999/ok');
  expect(truncateStart('http://127.0.0.1:4999/wrong', 12)).toBe('…:4999/wrong');
  expect(truncateStart('a/王小明', 5)).toBe('…小明');
  expect(truncateStart(`${'x'.repeat(5000)}Thị`.normalize('NFD'), 4)).toBe('…Thị'.normalize('NFD'));
});

test('the widest column that may be cut gives way first, and what is left over is used', () => {
  expect(fitWidths([19, 30, 10], [false, true, true], 80)).toEqual([19, 30, 10]);
  expect(fitWidths([19, 60, 10], [false, true, true], 60)).toEqual([19, 27, 10]);
  expect(fitWidths([19, 60, 61], [false, true, true], 60)).toEqual([19, 19, 18]);
});

test('an optional column that fits behind all comes back when a wider one has made room', () => {
  const none = [false, false, false, false];
  expect(columnsThatFit([10, 40, 6, 8], none, [false, true, true, true], 80)).toEqual([0, 1, 2, 3]);
  expect(columnsThatFit([10, 40, 6, 8], none, [false, true, true, true], 40)).toEqual([0, 2, 3]);
  expect(columnsThatFit([10, 40, 6, 25], none, [false, true, true, true], 40)).toEqual([0, 2]);
  expect(columnsThatFit([10, 40, 6, 25], none, [false, true, true, true], 12)).toEqual([0]);
});

test('what says nothing goes before any other column, and comes back last', () => {
  const none = [false, false, false, false];
  expect(columnsThatFit([10, 11, 8, 15], none, [false, true, 'first', true], 45)).toEqual([0, 1, 3]);
  expect(columnsThatFit([10, 11, 8, 15], none, [false, true, 'first', true], 30)).toEqual([0, 1]);
  expect(columnsThatFit([10, 11, 8, 15], none, [false, true, 'first', true], 80)).toEqual([0, 1, 2, 3]);
});

test('where the rest alone is too wide, columns are cut to a readable width', () => {
  expect(fitWidths([70, 60, 3], [false, true, true], 60)).toEqual([70, 20, 3]);
});

import { expect, test } from 'vitest';
import { colourOn, styled } from '../../../src/cli/print/style.ts';

test.each([
  { isTerminal: true, env: {}, noColour: false, on: true },
  { isTerminal: false, env: {}, noColour: false, on: false },
  { isTerminal: true, env: { TERM: 'dumb' }, noColour: false, on: false },
  { isTerminal: true, env: { NO_COLOR: '1' }, noColour: false, on: false },
  { isTerminal: true, env: { NO_COLOR: '' }, noColour: false, on: true },
  { isTerminal: true, env: {}, noColour: true, on: false },
  { isTerminal: false, env: { FORCE_COLOR: '1' }, noColour: false, on: true },
  { isTerminal: false, env: { FORCE_COLOR: '' }, noColour: false, on: false },
  { isTerminal: true, env: { FORCE_COLOR: '0' }, noColour: false, on: false },
  { isTerminal: true, env: { FORCE_COLOR: 'False' }, noColour: false, on: false },
  { isTerminal: false, env: { FORCE_COLOR: 'no' }, noColour: false, on: false },
  { isTerminal: true, env: { FORCE_COLOR: '1', TERM: 'dumb' }, noColour: false, on: true },
  { isTerminal: true, env: { FORCE_COLOR: '1', NO_COLOR: '1' }, noColour: false, on: false },
  { isTerminal: true, env: { FORCE_COLOR: '1' }, noColour: true, on: false },
])('colour is decided by %o', ({ on, ...facts }) => {
  expect(colourOn(facts)).toBe(on);
});

test('a style is codes around the text with colour, and nothing without', () => {
  expect(styled('x', 'bold', true)).toBe('\x1b[1mx\x1b[22m');
  expect(styled('x', 'red', false)).toBe('x');
  expect(styled('', 'red', true)).toBe('');
});

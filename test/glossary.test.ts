import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The Vietnamese catalogues: whatever stands between quotes in them, with the file. */
const texts = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => basename(path).endsWith('.vi.ts'))
  .flatMap((path) => {
    const source = readFileSync(join(root, 'src', path), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    const quoted = source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g);
    return [...quoted].map(([, one = '', two = '', three = '']) => ({ path, text: one || two || three }));
  });

/** The words that the glossary refuses, beside the term that is meant. */
const refused = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| English'))
  .flatMap((line) => {
    const [, term = '', , never = ''] = line.split('|').map((cell) => cell.trim());
    return never === '' ? [] : never.split(', ').map((word) => ({ term, word }));
  });

const has = (text: string, word: string) => new RegExp(`(?<![\\p{L}\\p{M}])${word}(?![\\p{L}\\p{M}])`, 'iu').test(text);

it('says each term with its one word', () => {
  const wrong = texts.flatMap(({ path, text }) =>
    refused.filter(({ word }) => has(text, word)).map(({ term, word }) => `${path}: ${word} (${term}): ${text}`),
  );
  expect(wrong).toEqual([]);
  expect(refused.length).toBeGreaterThan(20);
  expect(texts.length).toBeGreaterThan(500);
});

it('is said without flourishes, in one spelling, in composed letters', () => {
  const wrong = texts.filter(
    ({ text }) =>
      ['vui lòng', 'quý khách', 'ạ', 'hãy', 'huỷ', 'hoá', 'tuỳ', 'thoả'].some((word) => has(text, word)) ||
      /[\p{L}…]!(?!=)/u.test(text) ||
      text !== text.normalize('NFC'),
  );
  expect(wrong).toEqual([]);
});

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

/** What is written in Vietnamese for people: paragraphs, without what is typed. */
const pages = ['README.vi.md', 'docs/mot-buoi-sang.md'].flatMap((path) =>
  readFileSync(join(root, path), 'utf8')
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split(/\n{2,}/)
    .map((paragraph) => ({ path, text: paragraph.replaceAll(/\s+/g, ' ') })),
);

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
  const wrong = [...texts, ...pages].flatMap(({ path, text }) =>
    refused.filter(({ word }) => has(text, word)).map(({ term, word }) => `${path}: ${word} (${term}): ${text}`),
  );
  expect(wrong).toEqual([]);
  expect(refused.length).toBeGreaterThan(20);
  expect(texts.length).toBeGreaterThan(500);
  expect(pages.length).toBeGreaterThan(30);
});

it('calls the service a system: what is offered for a parcel is the carrier’s, and a key is no lock', () => {
  const ofCarrier = /^(?:ship|console|contract\/labels|workspace)/;
  const said = [...texts.filter(({ path }) => !ofCarrier.test(path)), ...pages];
  const wrong = said.filter(({ text }) => has(text.replaceAll(/dịch vụ giao hàng/gi, ''), 'dịch vụ'));
  expect(wrong).toEqual([]);
  const locks = /(?:đang|mở|vẫn|file|dùng) khóa|khóa (?:file|\$)/i;
  expect([...texts, ...pages].filter(({ text }) => has(text, 'khóa') && !locks.test(text))).toEqual([]);
});

it('is said without flourishes, in one spelling, in composed letters', () => {
  const wrong = [...texts, ...pages].filter(
    ({ text }) =>
      ['vui lòng', 'quý khách', 'ạ', 'hãy', 'huỷ', 'hoá', 'tuỳ', 'thoả'].some((word) => has(text, word)) ||
      /[\p{L}…]!(?!=)/u.test(text) ||
      text !== text.normalize('NFC'),
  );
  expect(wrong).toEqual([]);
});

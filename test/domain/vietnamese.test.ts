import { afterEach, expect, it } from 'vitest';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { formatMoney, readAmountText } from '../../src/domain/amounts/money.ts';
import { AmountError, readAmount } from '../../src/domain/amounts/weight.ts';
import { axisLabels, shortNumber } from '../../src/domain/chart.ts';
import { damageOf, isOfWholeColumn } from '../../src/domain/damaged-text.ts';
import { parseJson } from '../../src/domain/json/json.ts';
import { parseUnrepeated } from '../../src/domain/json/repeated-key.ts';
import { englishOf, speak } from '../../src/domain/language.ts';
import { type Look, lookAtBirthday, lookAtEmail, lookAtPhone } from '../../src/domain/likeness.ts';
import { locationTree } from '../../src/domain/places/place-data.ts';
import { lookAtPlace } from '../../src/domain/places/place-look.ts';
import { say } from '../../src/domain/texts.ts';
import { leftOver, pseudoLanguage } from '../support/pseudo.ts';

afterEach(() => speak(undefined, 0));

const noteOf = (look: Look): string => {
  if (look.kind === 'fine') return '';
  return look.kind === 'unusual' ? look.note : look.message;
};

const failed = (work: () => unknown): string => {
  try {
    work();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

const amount = (text: string) => {
  const read = readAmountText(text);
  return read.ok ? (read.note ?? '') : read.message;
};

const placeOf = (province: string, district?: string, ward?: string) =>
  noteOf(lookAtPlace(locationTree, { province, district, ward }).look);

/** Whatever the domain says: what makes it say that, and what stands in it besides words of its own. */
const given: readonly (readonly [what: string, say: () => string, data?: string])[] = [
  ...['', '5e6', '12%', '1 triệu k', 'gì', '1.35', '9'.repeat(20), '450k'].map(
    (text) => [`the amount ${text}`, () => amount(text)] as const,
  ),
  ...['gọi sau', '0901234567/0912', '912345678.0', '123', '0'.repeat(16), '+1 555 1234', '+84 1234567', '19001234'].map(
    (text) => [`the phone ${text}`, () => noteOf(lookAtPhone(text))] as const,
  ),
  ...['912345678', '0912 345 67'].map((text) => [`the phone ${text}`, () => noteOf(lookAtPhone(text))] as const),
  ...['hôm qua', '05/17/1990', '31/2/1990', '2030-01-01', '1800-01-01'].map(
    (text) => [`the birthday ${text}`, () => noteOf(lookAtBirthday(text, '2026-11-30'))] as const,
  ),
  ['an address', () => noteOf(lookAtEmail('lan'))],
  ['a host', () => noteOf(lookAtEmail('lan@gmial.com')), 'gmial com'],
  ['an unknown place', () => placeOf('Hà Nôii'), 'Hà Nôii Thành phố Hà Nội'],
  ['an ambiguous place', () => placeOf('Hà Nội', 'Cầu Giấy', 'phường 99'), 'phường'],
  ['a ward of another district', () => placeOf('HCM', 'Quận 3', 'Bến Nghé'), 'Phường Bến Nghé Quận 1 Quận 3 Quận 1'],
  ['a number of another district', () => placeOf('HCM', 'Quận 1', '21'), 'Quận Phường Bình Thạnh'],
  ['a newer place', () => placeOf('Đà Nẵng', 'Hội An', 'Tân An'), 'Phường Tân An Thành phố Hội An Tỉnh Quảng Nam'],
  ['lost letters', () => damageOf('Nguy\ufffdn') ?? ''],
  ['another encoding', () => damageOf('Nguyá»…n') ?? ''],
  ['a former font', () => damageOf('NguyÔn ThÞ Lan') ?? '', 'TCVN3'],
  ...['{"a" 1}', '{a:1}', '{"a":}', '[1 2]', '["\\x"]', '["a', '["\n"]', '1 2'].map(
    (text) => [`the JSON ${text}`, () => failed(() => parseJson(text))] as const,
  ),
  ['a key twice', () => failed(() => parseUnrepeated('{"a":1,"a":2}')), 'a'],
  ['a fraction', () => failed(() => readAmount(1.5, 'x')), 'x'],
];

const sayings = given.map(([what, told, data = '']) => [what, told, data] as const);

it.each(sayings)('%s is told in the language of the run', (_, told, data) => {
  speak(pseudoLanguage, 0);
  const said = told();
  expect(said).toContain('⟦');
  const words = leftOver(said.replaceAll('⟦', ' ⟦')).match(/\p{L}{2,}/gu) ?? [];
  expect(words.filter((word) => !data.includes(word))).toEqual([]);
});

it.each(sayings)('%s is stored in English, whatever was said', (_, told) => {
  const english = told();
  speak(vietnamese, 0);
  const said = told();
  expect(said).not.toBe(english);
  // An error has the name of its field before what was said.
  if (!said.startsWith('x ')) expect(englishOf(said)).toBe(english);
});

it('says in Vietnamese what the glossary says', () => {
  speak(vietnamese, Date.parse('2026-11-30'));
  expect(noteOf(lookAtPhone('0912 345 67'))).toBe('chỉ có 9 số, cần 10');
  expect(noteOf(lookAtPhone('123'))).toBe('không phải số điện thoại: chỉ có 3 số, cần ít nhất 7');
  expect(amount('1tr2')).toBe('đọc là 1.200.000\u00A0₫');
  expect(amount('1.35')).toBe('có thể đọc theo nhiều cách: ghi như 1350000, 1.350.000 hoặc 1,350,000');
  expect(placeOf('Hà Nôii')).toBe('"Hà Nôii" không có trong danh sách địa danh; có phải Thành phố Hà Nội không?');
  expect(failed(() => parseJson('{"a" 1}'))).toBe('dòng 1, cột 6: cần ":"');
  expect(formatMoney(1_350_000)).toBe('1.350.000');
  expect([shortNumber(1_500), shortNumber(20_000_000), shortNumber(950.5)]).toEqual([
    '1,5\u00A0nghìn',
    '20\u00A0tr',
    '950,5',
  ]);
  const labelled = (...labels: string[]) => axisLabels(labels);
  expect(labelled('2026-11-22', '2026-11-23')).toEqual(['22/11', '23/11']);
  expect([labelled('26/10–01/11'), labelled('2026-11'), labelled('Mới')]).toEqual([['26/10'], ['11/2026'], ['Mới']]);
  // Where two years appear each day has its own.
  expect(labelled('2025-12-31', '2026-01-01')).toEqual(['31/12/2025', '01/01/2026']);
  expect(labelled('22/12–28/12/2025', '29/12/2025–04/01/2026', '05/01–11/01')).toEqual([
    '22/12/2025',
    '29/12/2025',
    '05/01',
  ]);
});

it('knows in any language what is wrong with a whole column, and names the sum that fails', () => {
  for (const language of [undefined, vietnamese, pseudoLanguage]) {
    speak(language, 0);
    const ofFile = ['Nguy\ufffdn', 'Nguyá»…n', 'NguyÔn ThÞ Lan'].map((text) => damageOf(text) ?? '');
    expect([...ofFile, say().damage.masked].map(isOfWholeColumn)).toEqual([true, true, true, true]);
    expect(isOfWholeColumn(say().smallCash)).toBe(false);
    const error = new AmountError('lines[0].quantity', 'negative');
    expect(error.message).toBe(`lines[0].quantity ${error.fault}`);
  }
});

import { describe, expect, it } from 'vitest';
import { jsonSafe, makeSafe } from '../../src/platform/terminal/text-safety.ts';
import { fc } from '../support/fast-check.ts';

/** The characters that may never reach a screen, written down a second time and by their properties' names. */
const forbidden =
  /\p{Cc}|\p{Cs}|\p{Bidi_Control}|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|[\u2028\u2029\ufff9-\ufffb\u{e0000}-\u{10ffff}]/u;

/** Any UTF-16 units, with the steering ones far more often than chance would have them. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        '\u001b[31m',
        '\u0007',
        '\u009b',
        '\u202e',
        '\u2066',
        '\u200b',
        '\ufeff',
        '\ud83d',
        '\udc4d',
        '\\',
        '"',
        '\n',
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe('makeSafe', () => {
  it('shows what would steer a terminal', () => {
    expect(makeSafe('\u001b]0;title\u0007')).toBe('\\x1b]0;title\\x07');
    expect(makeSafe('\u009b31m\u007f')).toBe('\\x9b31m\\x7f');
    expect(makeSafe('invoice\u202egnp.exe')).toBe('invoice\\u202egnp.exe');
    expect(makeSafe('a\u200bb\u2028c\ufeff')).toBe('a\\u200bb\\u2028c\\ufeff');
    expect(makeSafe('a\r\nb\tc')).toBe('a\\r\\nb\\tc');
  });

  it('shows a surrogate without its partner and leaves a pair alone', () => {
    expect(makeSafe('\ud83d \udc4d 👍')).toBe('\\ud83d \\udc4d 👍');
  });

  it('leaves names, combining marks and emoji as they are', () => {
    for (const text of ['Nguyễn Thị Hương', 'Nguyễn Thị Hương'.normalize('NFD'), 'Đường 3/2', '茶', 'a\\b', '🇻🇳']) {
      expect(makeSafe(text)).toBe(text);
    }
  });

  it('keeps line feeds and tabs when the layout is to be kept, and nothing else', () => {
    expect(makeSafe('a\tb\nc\rd\u001b', 'keep')).toBe('a\tb\nc\\rd\\x1b');
  });

  it('never lets a forbidden character through, whatever the text', () => {
    fc.assert(fc.property(anyText, (text) => !forbidden.test(makeSafe(text))));
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('show' as const, 'keep' as const), (text, layout) => {
        const safe = makeSafe(text, layout);
        expect(makeSafe(safe, layout)).toBe(safe);
      }),
    );
  });

  it('leaves a text alone that holds nothing forbidden', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (!forbidden.test(text)) expect(makeSafe(text)).toBe(text);
      }),
    );
  });
});

describe('jsonSafe', () => {
  const anyValue = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, anyText, fc.integer(), fc.constant(null), fc.array(tie('value')), tie('record')),
    record: fc.dictionary(anyText, tie('value')),
  })).value;

  it('keeps the value of any JSON text, however it is laid out', () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(JSON.parse(jsonSafe(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('leaves nothing forbidden in it but the white space between tokens', () => {
    fc.assert(fc.property(anyValue, (value) => !forbidden.test(jsonSafe(JSON.stringify(value)))));
    fc.assert(
      fc.property(
        anyValue,
        (value) => !forbidden.test(jsonSafe(JSON.stringify(value, undefined, '\t')).replace(/[\n\t]/g, '')),
      ),
    );
  });

  it('escapes inside strings only what steers', () => {
    expect(jsonSafe('{\n\t"tên": "\u202e\u009b\u007f\u2028trà"\n}')).toBe(
      '{\n\t"tên": "\\u202e\\u009b\\u007f\\u2028trà"\n}',
    );
  });
});

/*
 * Characters that control a terminal or hide text: C0, DEL and C1 controls, bidi controls, zero-width and other
 * invisible characters (soft hyphens, joiners, fillers, annotations, invisible operators), line and paragraph
 * separators, the byte-order mark, lone surrogates (which the `u` flag distinguishes from pairs), and everything from
 * U+E0000 on (tags and private-use characters). The variation selectors of emoji, U+FE00 to U+FE0F, are text.
 */
const invisibleUnits =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff' +
  '\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff';
const invisible = `${invisibleUnits}${String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{10ffff}`}`;
const steering = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f${invisible}]`, 'u');
const everySteering = new RegExp(steering, 'gu');
/**
 * Matching code units alone finds every such character, and surrogate pairs as false positives; it takes a fifth of the
 * time.
 */
const maySteer = new RegExp(`[\\u0000-\\u001f\\u007f-\\u009f${invisibleUnits}]`);

/** The same without C0: JSON already escapes those in strings, and those between its tokens must stay. */
const steeringInJson = new RegExp(`[\\u007f-\\u009f${invisible}]`, 'u');
const everySteeringInJson = new RegExp(steeringInJson, 'gu');
const maySteerInJson = new RegExp(`[\\u007f-\\u009f${invisibleUnits}]`);

const shortForms: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * The text for human eyes: a character that would control the terminal or hide something is shown as `\n`, `\x1b`,
 * `\u202e` or `\u{e0041}`, everything else is unchanged. `layout: 'keep'` lets line feeds and tabs through. Safe text
 * comes back unchanged, so it is idempotent; backslashes in the text are not doubled, since nobody parses the result.
 */
export function makeSafe(text: string, layout: 'show' | 'keep' = 'show'): string {
  if (!maySteer.test(text) || !steering.test(text)) return text;
  return text.replace(everySteering, (character) => {
    if (layout === 'keep' && (character === '\n' || character === '\t')) return character;
    return shortForms[character] ?? shown(character.codePointAt(0) ?? 0);
  });
}

function shown(code: number): string {
  if (code < 0x100) return `\\x${hexadecimal(code, 2)}`;
  return code > 0xffff ? `\\u{${hexadecimal(code, 5)}}` : `\\u${hexadecimal(code, 4)}`;
}

/** What `shown` writes, with the code as one of the groups. */
const oneEscape = String.raw`\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]{5,6})\})`;
const everyEscape = new RegExp(oneEscape, 'g');
const beforeEscape = new RegExp(`\\\\(?=${oneEscape.slice(2)})`, 'g');
const BACKSLASH = '\\';

/**
 * The text with hidden characters as `\x1b` or `\u202e`, for a cell of a file; line ends and tabs stay. `unescapeHidden`
 * returns the text: what looks like an escape already is escaped as well.
 */
export function escapeHidden(text: string): string {
  const marked = text.includes(BACKSLASH) ? text.replace(beforeEscape, shown(BACKSLASH.charCodeAt(0))) : text;
  if (!maySteer.test(marked) || !steering.test(marked)) return marked;
  return marked.replace(everySteering, (character) =>
    /[\t\n\r]/.test(character) ? character : shown(character.codePointAt(0) ?? 0),
  );
}

/** The text that was passed to `escapeHidden`; other escapes than those of hidden characters are text. */
export function unescapeHidden(text: string): string {
  if (!text.includes(BACKSLASH)) return text;
  return text.replace(everyEscape, (whole, ...codes: readonly (string | undefined)[]) => {
    const code = Number.parseInt(codes.slice(0, 3).find((one) => one !== undefined) ?? '', 16);
    if (code > 0x10ffff) return whole;
    const character = String.fromCodePoint(code);
    return character === BACKSLASH || (steering.test(character) && !/[\t\n\r]/.test(character)) ? character : whole;
  });
}

/** A JSON text with those characters as `\uXXXX` in its strings: it parses to the same value. */
export function jsonSafe(jsonText: string): string {
  if (!maySteerInJson.test(jsonText) || !steeringInJson.test(jsonText)) return jsonText;
  return jsonText.replace(everySteeringInJson, (character) =>
    character
      .split('')
      .map((unit) => `\\u${hexadecimal(unit.charCodeAt(0), 4)}`)
      .join(''),
  );
}

function hexadecimal(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/*
 * Characters that steer a terminal or hide text: C0, DEL and C1 controls, bidi controls, zero-width characters, line
 * and paragraph separators, the byte-order mark, and surrogates without a partner (which the `u` flag tells from pairs).
 */
const steering = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]/u;
const everySteering = new RegExp(steering, 'gu');

/** The same without C0: JSON holds those escaped already, and what stands between its tokens must stay. */
const steeringInJson = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]/u;
const everySteeringInJson = new RegExp(steeringInJson, 'gu');

const shortForms: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * The text for human eyes: a character that would steer the terminal or hide something is shown as `\n`, `\x1b` or
 * `\u202e`, everything else is untouched. `layout: 'keep'` lets line feeds and tabs through. Safe text comes back as
 * it is, so doing it twice does no harm; a backslash of the text's own is not doubled, since nobody parses the result.
 */
export function makeSafe(text: string, layout: 'show' | 'keep' = 'show'): string {
  if (!steering.test(text)) return text;
  return text.replace(everySteering, (character) => {
    if (layout === 'keep' && (character === '\n' || character === '\t')) return character;
    const code = character.charCodeAt(0);
    return shortForms[character] ?? (code < 0x100 ? `\\x${hexadecimal(code, 2)}` : `\\u${hexadecimal(code, 4)}`);
  });
}

/** A JSON text with the same characters as `\uXXXX` inside its strings: it parses to the same value. */
export function jsonSafe(jsonText: string): string {
  if (!steeringInJson.test(jsonText)) return jsonText;
  return jsonText.replace(everySteeringInJson, (character) => `\\u${hexadecimal(character.charCodeAt(0), 4)}`);
}

function hexadecimal(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

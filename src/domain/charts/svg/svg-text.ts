const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text in an element or a quoted attribute of SVG; control characters, which XML cannot hold, are left out. */
export function escaped(text: string): string {
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');
}

/** Size of every text in a chart, in units of the drawing. */
export const FONT_SIZE = 12;

const isWide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{3fffd}]/u;

/** About how wide a text is drawn; rather too wide than too narrow, since the reader's font is not known. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.normalize('NFC'))
    width += FONT_SIZE * (isWide.test(character) ? 1 : /[MWmw@%]/.test(character) ? 0.95 : 0.62);
  return width;
}

/** A text that is not wider than that, with an ellipsis where it was cut. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const segments = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.slice(0, 200))];
  while (segments.length > 1 && widthOf(`${segments.map(({ segment }) => segment).join('')}…`) > width) segments.pop();
  return `${segments.map(({ segment }) => segment).join('')}…`;
}

/** A coordinate with few digits. */
export const at = (value: number): string => String(Math.round(value * 10) / 10);

/** A whole number with thousands separators; a broken one with one digit. */
export const numberText = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** A line of text; `anchor` says which end of it stands at x. */
export function textAt(
  [x, y]: readonly [number, number],
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string {
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}">${escaped(text)}</text>`;
}

/** A line. */
export function lineFrom(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  name: string,
): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" class="${name}"/>`;
}

/**
 * Combining marks (Vietnamese in NFD has many), joined Korean vowels and finals, format characters, and emoji skin
 * tones: a terminal gives them no column.
 */
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}\p{Emoji_Modifier}\u1160-\u11ff\ud7b0-\ud7ff]/gu;

/** East Asian Wide and Fullwidth (Unicode TR 11), and emoji: two columns. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|(?![\u{1f1e6}-\u{1f1ff}\p{Emoji_Modifier}])\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/gu;

const printableAscii = /^[ -~]*$/;

/** Whether every character takes exactly one column on any terminal. */
export function isPrintableAscii(text: string): boolean {
  return printableAscii.test(text);
}

/** Columns that the text takes on a terminal. Control characters must have been removed. */
export function displayWidth(text: string): number {
  if (isPrintableAscii(text)) return text.length;
  let width = text.match(wide)?.length ?? 0;
  for (const _ of text.replace(zeroWidth, '')) width += 1;
  return width;
}

let segmenter: Intl.Segmenter | undefined;

/** More code units than a grapheme normally has; letters of names have three or four at most. */
const unitsOfColumn = 16;

/** The text cut to at most `width` columns with an ellipsis at the end, never inside a grapheme. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // A step of the segmenter takes longer for longer texts.
  const beginning = text.slice(0, (width + 1) * unitsOfColumn);
  let kept = '';
  let used = 1;
  for (const { segment, index } of segmenter.segment(beginning)) {
    used += displayWidth(segment);
    if (used > width || (index + segment.length === beginning.length && beginning.length < text.length)) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The end of the text in at most `width` columns, after an ellipsis, never starting inside a grapheme. */
export function truncateStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const ending = text.slice(-(width + 1) * unitsOfColumn);
  // The slice may begin in the middle of a grapheme.
  const segments = [...segmenter.segment(ending)].slice(ending.length < text.length ? 1 : 0);
  let kept = '';
  let used = 1;
  for (const { segment } of segments.toReversed()) {
    used += displayWidth(segment);
    if (used > width) break;
    kept = segment + kept;
  }
  return `…${kept}`;
}

/**
 * Marks that join the character before them (Vietnamese in NFD has many), joined Korean vowels and finals, format
 * characters, and the skin tones of emoji: a terminal gives them no column of their own.
 */
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}\p{Emoji_Modifier}\u1160-\u11ff\ud7b0-\ud7ff]/gu;

/** East Asian Wide and Fullwidth (Unicode TR 11), and emoji: two columns. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|(?![\u{1f1e6}-\u{1f1ff}\p{Emoji_Modifier}])\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f/gu;

const printableAscii = /^[ -~]*$/;

/** Whether every character takes exactly one column anywhere. */
export function isPrintableAscii(text: string): boolean {
  return printableAscii.test(text);
}

/** How many columns of a terminal the text takes. Control characters must be gone. */
export function displayWidth(text: string): number {
  if (isPrintableAscii(text)) return text.length;
  let width = text.match(wide)?.length ?? 0;
  for (const _ of text.replace(zeroWidth, '')) width += 1;
  return width;
}

let segmenter: Intl.Segmenter | undefined;

/** More code units than any character that is read as one, on the whole: a name's letters have three or four. */
const unitsOfColumn = 16;

/** The text cut to at most `width` columns with an ellipsis at its end, never inside of what reads as one character. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // A step of the segmenter takes longer the longer its text is.
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

/** The end of the text in at most `width` columns, behind an ellipsis, never from inside of what reads as one character. */
export function truncateStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const ending = text.slice(-(width + 1) * unitsOfColumn);
  // What the slice began with may be half of a character.
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

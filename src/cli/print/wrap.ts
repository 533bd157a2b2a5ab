import { displayWidth } from './width.ts';

/**
 * The text in lines of at most `width` columns, broken between words alone; a word that is longer has a line to itself.
 * Lines behind the first begin with `hang` blanks, which count.
 */
export function wrapWords(text: string, width: number, hang = 0): string[] {
  const lines: string[] = [];
  let line = '';
  // Each word with the blanks before it, which a line that begins with it does without.
  for (const word of text.split(/(?<=\S)(?= )/)) {
    if (line !== '' && displayWidth(line) + displayWidth(word) > width) {
      lines.push(line);
      line = `${' '.repeat(hang)}${word.trimStart()}`;
    } else {
      line += word;
    }
  }
  return [...lines, line];
}

import { displayWidth } from './text-width.ts';

/**
 * The text in lines of at most `width` columns, broken between words alone; a word that is longer has a line to itself.
 * Lines behind the first begin with `hang` blanks, which count.
 */
export function wrapWords(text: string, width: number, hang = 0): string[] {
  return wrapPieces(text.split(/(?<=\S)(?= )/), width, hang);
}

/** Pieces of a text, each with the blanks before it, which a line that begins with it does without. */
function wrapPieces(pieces: readonly string[], width: number, hang: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of pieces) {
    if (line !== '' && displayWidth(line) + displayWidth(word) > width) {
      lines.push(line);
      line = `${' '.repeat(hang)}${word.trimStart()}`;
    } else {
      line += word;
    }
  }
  return [...lines, line];
}

/** A command to be copied: in backquotes, else from its first word on, up to where the sentence goes on behind it. */
const commandToCopy = /( *)(`shopctl [^`]*`[,;.:?)]*|(?<=^ *|[:;] +|^\w+: )shopctl (?:(?!; ).)*)/g;

/** The pieces between which a sentence may be broken: its words, and the commands to be copied in it whole. */
function piecesOf(line: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 0: command } of line.matchAll(commandToCopy)) {
    pieces.push(...line.slice(from, index).split(/(?<=\S)(?= )/), command);
    from = index + command.length;
  }
  return [...pieces, ...line.slice(from).split(/(?<=\S)(?= )/)].filter((piece) => piece !== '');
}

/**
 * Lines for a person as they fit a terminal of so many columns: broken between words, and a command to be copied never,
 * which has a line of its own where it does not fit behind what stands before it. Undefined columns leave them as they are.
 */
export function fitLines(text: string, columns: number | undefined): string {
  if (!columns) return text;
  const fit = (line: string) =>
    displayWidth(line) <= columns ? [line] : wrapPieces(piecesOf(line), columns, continuationOf(line));
  return text.split('\n').flatMap(fit).join('\n');
}

/** How far the lines behind the first stand in: two more than the first. */
function continuationOf(line: string): number {
  return line.length - line.trimStart().length + 2;
}

import { displayWidth } from './text-width.ts';

/**
 * Wraps the text to lines of at most `width` columns, only between words; a longer word gets its own line. Lines after
 * the first are indented by `hang` spaces, which count.
 */
export function wrapWords(text: string, width: number, hang = 0): string[] {
  return wrapPieces(text.split(/(?<=\S)(?= )/), width, hang);
}

/** Pieces of a text, each with the spaces before it, which are dropped at the start of a line. */
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

/** A command to copy: in backquotes, otherwise from its first word up to where the sentence continues. */
const commandToCopy = /( *)(`shopctl [^`]*`[,;.:?)]*|(?<=^ *|[:;] +|^\w+: )shopctl (?:(?!; ).)*)/g;

/** The pieces between which a sentence may be broken: its words, and whole commands to copy. */
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
 * Wraps lines for a terminal of that many columns: at spaces, but never inside a command to copy, which gets its own
 * line if it does not fit. Undefined columns leave them unchanged.
 */
export function fitLines(text: string, columns: number | undefined): string {
  if (!columns) return text;
  const fit = (line: string) =>
    displayWidth(line) <= columns ? [line] : wrapPieces(piecesOf(line), columns, continuationOf(line));
  return text.split('\n').flatMap(fit).join('\n');
}

/** Indentation of continuation lines: two more than the first line's. */
function continuationOf(line: string): number {
  return line.length - line.trimStart().length + 2;
}

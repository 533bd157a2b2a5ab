/** What a terminal shows in the end of what was written to it: a carriage return goes back, and what is erased is gone. */
export function screenOf(text: string): string {
  const lines = [''];
  let column = 0;
  for (const [piece] of text.matchAll(/\r|\n|\u001b\[K|\u001b\[\d*m|[^\r\n\u001b]+/g)) {
    const line = lines.at(-1) ?? '';
    if (piece === '\r') column = 0;
    else if (piece === '\n') [column] = [0, lines.push('')];
    else if (piece === '\u001b[K') lines[lines.length - 1] = line.slice(0, column);
    else if (!piece.startsWith('\u001b')) {
      lines[lines.length - 1] = line.slice(0, column) + piece + line.slice(column + piece.length);
      column += piece.length;
    }
  }
  return lines.join('\n');
}

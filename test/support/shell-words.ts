/** The words of a shell command line without quotes, up to a pipe or a redirection. */
export function shellWords(line: string): string[] {
  const pieces = [...line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)].map(([piece]) => piece);
  const end = pieces.findIndex((piece) => /^[|><;&]/.test(piece));
  return (end < 0 ? pieces : pieces.slice(0, end)).map((piece) =>
    piece.replace(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
      (_, single, double, escaped) => single ?? escaped ?? double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}

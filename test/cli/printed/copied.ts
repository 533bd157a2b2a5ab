/** Each command that a person would copy from a text: in backquotes, or alone on its line. */
export function copiedFrom(text: string): string[] {
  const quoted = [...text.matchAll(/`(shopctl (?:'[^']*'|"[^"]*"|[^`'"])*)`/g)];
  const alone = text.includes('`') ? [] : [...text.matchAll(/^ *(shopctl (?!cannot ).*)$/gm)];
  return [...quoted, ...alone].map(([, command = '']) => command);
}

/** Whether no shell reads anything into it: PowerShell makes a list of commas, zsh a path of a leading =. */
const plain = /^[\w./:%+-][\w./:@%+=-]*$/;

/**
 * The text as one word of a command line, quoted if needed: of bash and zsh, and of PowerShell too unless it has quotes
 * of both kinds, or an apostrophe beside what is special between double quotes.
 */
export function shellWord(text: string): string {
  if (plain.test(text)) return text;
  if (!text.includes("'")) return `'${text}'`;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}

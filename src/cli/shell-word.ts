/** The text as one word of a shell's command line, in quotes where it needs them. */
export const shellWord = (text: string) =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Commands and flags, which are typed as they are: between backquotes, alone on a line or in a fact, or with dashes. */
const typed = /`[^`]*`|(?<=^ *|⟧)shopctl (?!:)[^⟦⟧\n]*(?=$|⟦)|(?<![\w-])--?[a-z][a-z-]*(?:=[^\s⟦⟧]+| [A-Z]+)?/gm;

/** What is made of letters and digits: cursors, codes, names that shopctl gives, sides, times. */
const codes =
  /[\w+/=-]{40,}|\bshopctl-s\d-[0-9a-f]+|\b[A-Z]{2}\d{6}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{10}\b|\b\d+x\d+x\d+ cm|\b[\d.,]+ g\b/g;

const wordsOf = (text: string): string[] => text.match(/[\p{L}_]{2,}/gu) ?? [];

/**
 * The words of a text in the tests' own language that come from no catalogue, but for those of `data`: what was given or came
 * from the service, and words that are typed as they are. A pattern stands for all that it matches.
 */
export function leftWords(text: string, data: readonly (string | RegExp)[] = []): string[] {
  const known = new Set(data.flatMap((each) => (typeof each === 'string' ? wordsOf(each) : [])));
  const patterns = [codes, ...data.filter((each) => typeof each !== 'string')];
  const rest = patterns.reduce(
    (left, pattern) => left.replaceAll(pattern, ' '),
    text.replaceAll(typed, '').replaceAll(/⟦[^⟦⟧]*⟧/g, ' '),
  );
  return [...new Set(wordsOf(rest))].filter((word) => !known.has(word));
}

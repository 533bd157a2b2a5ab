/** So many characters of a name stand for it at least; the whole name counts at any length. */
export const LEAST_PREFIX = 4;

/** Whether a text is a name, or so much of its beginning that it was meant. */
export function isNamedBy(text: string, name: string): boolean {
  return text === name || (text.length >= LEAST_PREFIX && name.startsWith(text));
}

/** What a text names among things: those with that very name, else those that it begins. */
export function allNamedBy<T>(text: string, things: readonly T[], nameOf: (thing: T) => string): T[] {
  const exact = things.filter((thing) => nameOf(thing) === text);
  return exact.length > 0 ? exact : things.filter((thing) => isNamedBy(text, nameOf(thing)));
}

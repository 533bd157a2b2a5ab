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

/** A text, and after it in capitals if it looks like a code that somebody typed without: dh000441, to000057. */
export const inCapitalsToo = (text: string): readonly string[] =>
  /^(?=.*[a-z])(?=.*\d)[\w-]+$/.test(text) ? [text, text.toUpperCase()] : [text];

/** The names that the caller gave an order. */
export interface NamedOrder {
  readonly external_id?: unknown;
  readonly external_code?: unknown;
}

const given = (name: unknown) => (typeof name === 'string' && name !== '' ? name : undefined);

/**
 * What the people who created an order call it: its external code, preferred to its external id (contract, "Order");
 * undefined when it has neither.
 */
export function orderName({ external_code: code, external_id: id }: NamedOrder): string | undefined {
  return given(code) ?? given(id);
}

/** Whether an external_id was derived by shopctl. */
export function isDerivedName(external_id: string): boolean {
  return /^shopctl-(?:(?:r\d+|[sc]1)-[0-9a-f]{20}(?:-\d+)?|\d{8}-[0-9a-f]{20})$/.test(external_id);
}

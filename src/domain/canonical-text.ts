import { isRecord, setOwn } from './json/values.ts';

/** Sorts a few names in place, in less time than Array's own sort needs to begin. */
function inOrder(names: string[]): string[] {
  for (let next = 1; next < names.length; next += 1) {
    const name = names[next] ?? '';
    let at = next;
    for (; at > 0 && (names[at - 1] ?? '') > name; at -= 1) names[at] = names[at - 1] ?? '';
    names[at] = name;
  }
  return names;
}

/** More names than that are sorted by Array, whose time grows less. */
const A_FEW = 32;

/** A copy of a value with sorted fields and without nulls. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  const names = Object.keys(value);
  for (const name of names.length > A_FEW ? names.sort() : inOrder(names)) {
    const inner = value[name];
    if (inner === null || inner === undefined) continue;
    setOwn(copy, name, canonical(inner));
  }
  return copy;
}

/** The JSON text of a value with sorted fields and without nulls: equal records give equal text. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(canonical(value)) ?? 'null';
}

const MOST_KNOWN = 4_096;
const LONGEST_KNOWN = 64;

/** A function of a text alone that remembers what it has found: words, places and names stand in many rows of a sheet. */
export function rememberingTexts<Found>(find: (text: string) => Found): (text: string) => Found {
  const known = new Map<string, { readonly found: Found }>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before.found;
    const found = find(text);
    if (text.length > LONGEST_KNOWN) return found;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, { found });
    return found;
  };
}

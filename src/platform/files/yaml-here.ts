import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml';

/** A document of a YAML text. */
export interface YamlDocument {
  /** Integers as bigint. */
  readonly value: unknown;
  /** The numbers that are written otherwise than a program writes them (150.000, 0912), by their path as JSON. */
  readonly written: ReadonlyMap<string, string>;
}

/** Why a text cannot be read: in the library's words, or a fact that has a text; and where. A thread knows no language. */
export interface YamlFault {
  readonly words?: string;
  readonly fact?: 'twice' | 'notText' | 'tooDeep' | 'aliases' | 'time' | 'memory';
  readonly at?: { readonly line: number; readonly column: number };
}

/** The documents of a YAML text; or why it cannot be read. */
export type YamlRead =
  | { readonly ok: true; readonly documents: readonly YamlDocument[] }
  | { readonly ok: false; readonly fault: YamlFault };

const MOST_ALIASES = 100;

type Parsed = Exclude<Parameters<typeof visit>[0], null> & ReturnType<typeof parseAllDocuments>[number];

/** What is wrong with a key of a map, and where. */
interface WrongKey {
  readonly fact: 'twice' | 'notText';
  readonly offset: number;
}

/**
 * A key that comes twice in a map, or is no text. The library compares every two keys, which takes minutes for a large
 * map, and takes 1 and "1" for two, which are one in an object.
 */
function wrongKey(document: Parsed): WrongKey | undefined {
  let found: WrongKey | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (isAlias(key)) continue;
        const isText = isScalar(key);
        const name = isText ? String(key.value) : '';
        if (isText && !seen.has(name)) {
          seen.add(name);
          continue;
        }
        const offset = isText || isMap(key) || isSeq(key) ? (key.range?.[0] ?? 0) : 0;
        found = { fact: isText ? 'twice' : 'notText', offset };
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return found;
}

function aliasesIn(document: Parsed): number {
  let count = 0;
  visit(document, {
    Alias() {
      count += 1;
    },
  });
  return count;
}

/** How numbers are written; aliases are followed, so that it is called once a document's size is known to be sane. */
function writtenIn(document: Parsed): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const look = (node: unknown, path: readonly (string | number)[]): void => {
    if (isAlias(node)) look(node.resolve(document), path);
    else if (isSeq(node)) for (const [index, item] of node.items.entries()) look(item, [...path, index]);
    else if (isMap(node)) for (const { key, value } of node.items) look(value, [...path, String(key)]);
    else if (isScalar(node) && typeof node.value !== 'string' && node.source !== String(node.value)) {
      if (typeof node.value === 'number' || typeof node.value === 'bigint') {
        found.set(JSON.stringify(path), node.source ?? '');
      }
    }
  };
  look(document.contents, []);
  return found;
}

/** Why the library failed: its own words are for programmers. */
function reasonOf(error: unknown): YamlFault {
  if (error instanceof RangeError) return { fact: 'tooDeep' };
  if (error instanceof ReferenceError) return { fact: 'aliases' };
  return { words: error instanceof Error ? error.message : String(error) };
}

/** Parses YAML in this thread, which may take minutes for a text of an attacker. */
export function parseYamlHere(text: string): YamlRead {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  try {
    const options = { intAsBigInt: true, lineCounter: lines, prettyErrors: false, uniqueKeys: false };
    const parsed = parseAllDocuments(text, options);
    const documents = Array.isArray(parsed) ? parsed : [];
    for (const document of documents) {
      const [problem] = document.errors;
      if (problem !== undefined) {
        // The library reports that it ran out of stack like a mistake in the text.
        const isDeep = /call stack/.test(problem.message);
        const fault: YamlFault = isDeep ? { fact: 'tooDeep' } : { words: problem.message };
        return { ok: false, fault: { ...fault, at: at(problem.pos[0]) } };
      }
      const wrong = wrongKey(document);
      if (wrong !== undefined) return { ok: false, fault: { fact: wrong.fact, at: at(wrong.offset) } };
    }
    if (documents.some((document) => aliasesIn(document) > MOST_ALIASES * 10)) throw new ReferenceError('aliases');
    const read = documents.map((document): YamlDocument => {
      const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
      return { value, written: writtenIn(document) };
    });
    return { ok: true, documents: read };
  } catch (error) {
    return { ok: false, fault: reasonOf(error) };
  }
}

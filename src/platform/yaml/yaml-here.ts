import { isScalar, LineCounter, parseAllDocuments, visit } from 'yaml';

/** The values of a YAML text's documents, integers as bigint; or why it cannot be read, and where. */
export type YamlResult =
  | { readonly ok: true; readonly values: readonly unknown[] }
  | { readonly ok: false; readonly message: string };

const MOST_ALIASES = 100;

type YamlDocument = Parameters<typeof visit>[0];

/** Where a key comes twice in a map. The library compares every two keys, which takes minutes for a large map. */
function repeatedKey(document: YamlDocument): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = `${typeof key.value} ${String(key.value)}`;
        if (seen.has(name)) {
          found = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return found;
}

function aliasesIn(document: YamlDocument): number {
  let count = 0;
  visit(document, {
    Alias() {
      count += 1;
    },
  });
  return count;
}

/** Why the library failed: its own words are for programmers. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply';
  if (error instanceof ReferenceError) return 'repeats too much by its aliases';
  return error instanceof Error ? error.message : String(error);
}

/** Parses YAML in this thread, which may take minutes for a text of an attacker. */
export function parseYamlHere(text: string): YamlResult {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `at line ${line}, column ${col}`;
  };
  try {
    const options = { intAsBigInt: true, lineCounter: lines, prettyErrors: false, uniqueKeys: false };
    const parsed = parseAllDocuments(text, options);
    const documents = Array.isArray(parsed) ? parsed : [];
    for (const document of documents) {
      const [problem] = document.errors;
      if (problem !== undefined) return { ok: false, message: `${problem.message} ${at(problem.pos[0])}` };
      const repeated = repeatedKey(document);
      if (repeated !== undefined) return { ok: false, message: `Map keys must be unique ${at(repeated)}` };
    }
    if (documents.some((document) => aliasesIn(document) > MOST_ALIASES * 10)) throw new ReferenceError('aliases');
    return { ok: true, values: documents.map((document) => document.toJS({ maxAliasCount: MOST_ALIASES })) };
  } catch (error) {
    return { ok: false, message: reasonOf(error) };
  }
}

import { JsonSyntaxError, parseJson } from '../domain/json.ts';
import { UsageError } from './usage-error.ts';

/** Integers that a JavaScript number cannot hold stay as their digits. */
function withoutBigInts(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  }
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBigInts(inner)]));
  }
  return value;
}

async function parseYaml(name: string, text: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, {
    intAsBigInt: true,
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
  });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new UsageError(`${name}: ${problem.message} at line ${line}, column ${col}`);
  }
  return withoutBigInts(document.toJS({ maxAliasCount: 100 }));
}

/** Reads JSON or YAML (a BOM and CRLF are tolerated); what is wrong is named by line and column. */
export async function parseDocumentText(name: string, text: string): Promise<unknown> {
  const body = text.replace(/^\uFEFF/, '');
  const isJson = /\.jsonl?$/i.test(name) || /^\s*[[{]/.test(body);
  if (!isJson) return parseYaml(name, body);
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}

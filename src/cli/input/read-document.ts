import { exactIntegers } from '../../domain/json/exact-integers.ts';
import { JsonSyntaxError, parseJson } from '../../domain/json/json.ts';
import { UsageError } from '../errors/usage-error.ts';

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
  return exactIntegers(document.toJS({ maxAliasCount: 100 }));
}

/** Parses JSON or YAML (a BOM and CRLF are tolerated); errors have line and column. */
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

import type { Document } from 'yaml';
import { exactIntegers } from '../../domain/json/exact-integers.ts';
import { JsonSyntaxError, parseJson } from '../../domain/json/json.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { WrittenAt } from './written-values.ts';

/** A document: its value, and how its numbers were written. */
export interface ReadDocument {
  readonly value: unknown;
  readonly written: WrittenAt;
}

function sourcesIn(document: Document): WrittenAt {
  return (path) => {
    const node: unknown = document.getIn(path, true);
    return typeof node === 'object' && node !== null && 'source' in node ? String(node.source) : undefined;
  };
}

async function parseYaml(name: string, text: string): Promise<ReadDocument> {
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
  return { value: exactIntegers(document.toJS({ maxAliasCount: 100 })), written: sourcesIn(document) };
}

/** A whole number that JSON writes with a fraction or an exponent, so that its text matters. */
const WHOLE_WITH_FRACTION = /\d\.0+(?!\.?\d)|\d[eE][-+]?\d/;

/** How numbers were written in a JSON text, which is YAML too. */
async function writtenInJson(text: string): Promise<WrittenAt> {
  if (!WHOLE_WITH_FRACTION.test(text)) return () => undefined;
  const { parseDocument } = await import('yaml');
  return sourcesIn(parseDocument(text, { prettyErrors: false, uniqueKeys: false }));
}

/** Parses JSON or YAML (a BOM and CRLF are tolerated); errors have line and column. */
export async function readDocumentText(name: string, text: string): Promise<ReadDocument> {
  const body = text.replace(/^\uFEFF/, '');
  const isJson = /\.jsonl?$/i.test(name) || /^\s*[[{]/.test(body);
  if (!isJson) return parseYaml(name, body);
  try {
    return { value: parseJson(body), written: await writtenInJson(body) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}

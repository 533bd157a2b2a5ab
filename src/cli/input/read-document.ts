import { exactIntegers, isTooDeep } from '../../domain/json/depth.ts';
import { JsonSyntaxError } from '../../domain/json/json.ts';
import { parseUnrepeated } from '../../domain/json/repeated-key.ts';
import { type WrittenAt, writtenInJson } from '../../domain/json/written-numbers.ts';
import { UsageError } from '../errors/usage-error.ts';

/** A document: its value, and how its numbers were written. */
export interface ReadDocument {
  readonly value: unknown;
  readonly written: WrittenAt;
}

async function readYaml(name: string, text: string, signal: AbortSignal): Promise<ReadDocument> {
  const { parseYaml } = await import('../../platform/yaml/parse-yaml.ts');
  const parsed = await parseYaml(text, { signal });
  if (!parsed.ok) throw new UsageError(`${name}: ${parsed.message}`);
  const [document, second] = parsed.documents;
  if (second !== undefined) throw new UsageError(`${name} must hold one document, and has ${parsed.documents.length}`);
  return {
    value: exactIntegers(document?.value ?? null),
    written: (path) => document?.written.get(JSON.stringify(path)),
  };
}

/** Parses JSON or YAML (a BOM and CRLF are tolerated); errors have line and column. Rejects with the signal's reason. */
export async function readDocumentText(name: string, text: string, signal: AbortSignal): Promise<ReadDocument> {
  const body = text.replace(/^\uFEFF/, '');
  const isJson = /\.jsonl?$/i.test(name) || /^\s*[[{]/.test(body);
  if (!isJson) return readYaml(name, body, signal);
  if (isTooDeep(body)) throw new UsageError(`${name}: is nested too deeply`);
  try {
    return { value: parseUnrepeated(body), written: writtenInJson(body) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}

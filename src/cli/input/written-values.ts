import type { FieldError } from '../../contract/operation.ts';
import { fieldPath } from '../../contract/schema/hint.ts';
import type { JsonSchema, JsonType } from '../../contract/schema/json-schema.ts';
import { AMOUNT_UNIT } from '../../contract/schema/scalars.ts';
import { doubtOf } from '../../contract/schema/written-values.ts';
import { smallCash } from '../../domain/amounts/cash-on-delivery.ts';
import { readAmountText } from '../../domain/amounts/money.ts';
import { JsonSyntaxError } from '../../domain/json/json.ts';
import { parseUnrepeated } from '../../domain/json/repeated-key.ts';
import { exactIntegers, isRecord, isTooDeep } from '../../domain/json/values.ts';
import { type WrittenAt, writtenInJson } from '../../domain/json/written-numbers.ts';
import { makeSafe } from '../../platform/terminal/text-safety.ts';
import type { Context } from '../context.ts';
import { say } from '../errors/texts.ts';
import { UsageError } from '../errors/usage-error.ts';

/** A document: its value, and how its numbers were written. */
export interface ReadDocument {
  readonly value: unknown;
  readonly written: WrittenAt;
}

async function readYaml(name: string, text: string, signal: AbortSignal): Promise<ReadDocument> {
  const { parseYaml } = await import('../../platform/files/parse-yaml.ts');
  const parsed = await parseYaml(text, { signal });
  if (!parsed.ok) throw new UsageError(say().line.yaml({ name, why: parsed.message }));
  const [document, second] = parsed.documents;
  if (second !== undefined) throw new UsageError(say().line.oneDocument({ name, count: parsed.documents.length }));
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
  if (isTooDeep(body)) throw new UsageError(say().line.tooDeep({ name }));
  try {
    return { value: parseUnrepeated(body), written: writtenInJson(body) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}

/** Texts that a command line refers to instead of containing them. */
export interface TextSource {
  /** The text of a file. */
  file(path: string): Promise<string>;
  /** The text of stdin, which only one value of a command line may use. */
  stdin(): Promise<string>;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
}

/** The files and stdin of a run. It is a usage error if stdin is a terminal, or is requested twice. */
export function textSource(context: Context): TextSource {
  let taken = false;
  return {
    signal: context.signal,
    file: (path) => context.files.read(path),
    async stdin() {
      if (taken) throw new UsageError(say().line.stdinOnce);
      taken = true;
      return context.stdin.readAll();
    },
  };
}

type Path = readonly (string | number)[];

/** A text as its type takes it, from a flag or in quotes; one that does not fit is kept, for the contract's check to report. */
export function plainScalar(type: JsonType, text: string): unknown {
  const number = Number(text);
  if (type === 'integer') return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text;
  if (type === 'number') return text.trim() !== '' && Number.isFinite(number) ? number : text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** An amount as a text or a number; cash that nobody collects is wrong, as in a batch. */
function amountIn(value: unknown, path: Path, errors: FieldError[]): unknown {
  const reading = typeof value === 'string' ? readAmountText(value) : undefined;
  const amount = reading?.ok === true ? reading.amount : value;
  const small = typeof amount === 'number' ? smallCash(String(path.at(-1)), amount) : undefined;
  if (reading?.ok === false)
    errors.push({ path: fieldPath(path), message: `${JSON.stringify(value)} ${reading.message}` });
  else if (small !== undefined) errors.push({ path: fieldPath(path), message: small });
  return amount;
}

/** A name by which a record is found again: with a character that nobody sees it is another one, and looks the same. */
const isOwnName = (field: Path[number] | undefined) => field === 'external_id' || field === 'external_code';
const UNSEEN = 'has a character that cannot be seen: type it again';

function readIn(schema: JsonSchema, value: unknown, path: Path, written: WrittenAt, errors: FieldError[]): unknown {
  const { type, unit, items, properties } = schema;
  const doubt = doubtOf(schema, value, written(path));
  if (doubt !== undefined) errors.push({ path: fieldPath(path), message: doubt });
  if (typeof value === 'string' && isOwnName(path.at(-1)) && makeSafe(value) !== value)
    errors.push({ path: fieldPath(path), message: UNSEEN });
  if (type === 'integer' && unit === AMOUNT_UNIT) return amountIn(value, path, errors);
  if (typeof value === 'string') return plainScalar(type, value);
  if (items !== undefined && Array.isArray(value)) {
    return value.map((item, index) => readIn(items, item, [...path, index], written, errors));
  }
  if (properties === undefined || !isRecord(value)) return value;
  const read = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, field === undefined ? inner : readIn(field, inner, [...path, name], written, errors)];
  });
  return Object.fromEntries(read);
}

/**
 * Reads the amounts in a value as people write them (1.350.000), and numbers in quotes, by its declaration. Throws a UsageError that names phone numbers without quotes and every
 * amount that can be read in two ways, a number with a fraction among them.
 */
export function readWritten(schema: JsonSchema, value: unknown, written: WrittenAt): unknown {
  const errors: FieldError[] = [];
  const read = readIn(schema, value, [], written, errors);
  if (errors.length > 0) {
    const reported = errors.map(({ path, message }) => `${path} ${message}`);
    throw new UsageError(reported.join('; '), { fieldErrors: errors });
  }
  return read;
}

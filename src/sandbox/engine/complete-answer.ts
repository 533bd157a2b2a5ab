import * as z from 'zod';
import { AuthorizeShop } from '../../contract/partner/shop.ts';
import { change } from '../../contract/records/change.ts';
import { errorStatus, serviceError } from '../../contract/records/error.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import type { WireResponse } from '../../platform/http/transport.ts';
import type { Refusal } from './refusal.ts';
import { StoredAnswer, StoredJson, StoredPage } from './store/record-kinds.ts';

type Schema = z.core.$ZodType;
type Shape = Readonly<Record<string, Schema>>;

/** A schema unwrapped from optional and nullable. */
function bare(schema: Schema): Schema {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? bare(schema.unwrap()) : schema;
}

/** The fields of a record's schema; undefined for any other schema. */
export function shapeOf(schema: Schema): Shape | undefined {
  const inner = bare(schema);
  return inner instanceof z.ZodObject ? inner.shape : undefined;
}

/**
 * The fields that are omitted if empty: the one-of keys of a Change, the meta of an error (decisions, section 2), and
 * the sign-in page if the deployment was not asked for one (decisions, section 3).
 */
const leftOutWhenEmpty: ReadonlySet<Schema> = new Set<Schema>([
  ...Object.values(shapeOf(change.shape.latest) ?? {}),
  ...Object.values(shapeOf(change.shape.changed) ?? {}),
  serviceError.shape.meta,
  AuthorizeShop.response.shape.auth_url,
]);

/** The schema of each kind of record, as a Change carries it. */
const kindSchemas = new Map(
  Object.entries(shapeOf(change.shape.latest) ?? {}).map(([kind, schema]) => [kind, shapeOf(schema)]),
);

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Completes a value of one schema. */
type Completer = (value: unknown, supplied?: object) => unknown;

const made = new WeakMap<Schema, Completer>();

/** The completer of a schema, built once: inspecting a schema costs more than completing a value. */
function completerOf(schema: Schema): Completer {
  const known = made.get(schema);
  if (known !== undefined) return known;
  const completer = derive(bare(schema));
  made.set(schema, completer);
  return completer;
}

function derive(schema: Schema): Completer {
  if (schema instanceof z.ZodArray) {
    const completeItem = completerOf(schema.element);
    return (value) => (Array.isArray(value) ? value.map((item) => completeItem(item)) : (value ?? []));
  }
  if (schema instanceof z.ZodObject) return completerOfRecord(schema.shape);
  const unset = z.globalRegistry.get(schema)?.format === 'int64' ? '0' : null;
  return (value) => value ?? unset;
}

function completerOfRecord(shape: Shape): Completer {
  const fields = Object.entries(shape).map(([name, field]) => ({
    name,
    completeField: completerOf(field),
    leftOut: leftOutWhenEmpty.has(field),
  }));
  return (value, supplied) => {
    if (value === undefined || value === null) return null;
    const given = fieldsIn(value);
    const other = fieldsIn(supplied);
    const whole: Record<string, unknown> = {};
    for (const { name, completeField, leftOut } of fields) {
      const field = given[name] === undefined ? other[name] : given[name];
      if (leftOut && isEmpty(field)) continue;
      whole[name] = completeField(field);
    }
    return whole;
  };
}

/**
 * An answer in its wire form: every field that the schema declares, in that order, with null, `[]` or `"0"` for unset
 * fields; unknown fields are dropped (decisions, section 2). An undefined field of a record is taken from `supplied`.
 */
export function complete(schema: Schema, value: unknown, supplied?: object): unknown {
  return completerOf(schema)(value, supplied);
}

/** Writes a value of one schema as JSON. */
type Writer = (value: unknown) => string;

const writers = new WeakMap<Schema, Writer>();

function writerOf(schema: Schema): Writer {
  const known = writers.get(schema);
  if (known !== undefined) return known;
  const writer = deriveWriter(bare(schema));
  writers.set(schema, writer);
  return writer;
}

function deriveWriter(schema: Schema): Writer {
  if (schema instanceof z.ZodArray) {
    const writeItem = writerOf(schema.element);
    return (value) => (Array.isArray(value) ? `[${value.map(writeItem).join()}]` : JSON.stringify(value ?? []));
  }
  if (schema instanceof z.ZodObject) return writerOfRecord(schema);
  const unset = z.globalRegistry.get(schema)?.format === 'int64' ? '"0"' : 'null';
  return (value) => {
    if (value === undefined || value === null) return unset;
    return typeof value === 'string' && plain.test(value) ? `"${value}"` : JSON.stringify(value);
  };
}

/** Text that stands in JSON as it is: nothing to escape, and no half of a surrogate pair. */
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function writerOfRecord(schema: z.ZodObject): Writer {
  const fields = Object.entries<Schema>(schema.shape).map(([name, field]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    writeField: writerOf(field),
    leftOut: leftOutWhenEmpty.has(field),
  }));
  return (value) => {
    if (value === undefined || value === null) return 'null';
    if (value instanceof StoredJson) return writeStored(schema, value);
    const given = fieldsIn(value);
    let text = '';
    for (const { name, label, writeField, leftOut } of fields) {
      const field = given[name];
      if (leftOut && isEmpty(field)) continue;
      text += `${text === '' ? '{' : ','}${label}${writeField(field)}`;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

/**
 * A stored record is complete by the schema of its kind; if an answer has a different schema, it is completed by that.
 */
function writeStored(schema: z.ZodObject, { kind, json }: StoredJson): string {
  if (schema.shape === kindSchemas.get(kind)) return json;
  return JSON.stringify(completerOf(schema)(JSON.parse(json)));
}

/** `complete` as JSON text; records in the value may be in their stored form. */
export function completeJson(schema: Schema, value: unknown): string {
  return writerOf(schema)(value);
}

/** The names of all fields of a schema, at any depth and in order, with their default values. */
export function fieldsOf(schema: Schema): unknown {
  const inner = bare(schema);
  if (inner instanceof z.ZodArray) return [fieldsOf(inner.element)];
  if (!(inner instanceof z.ZodObject)) return completerOf(inner)(undefined);
  return Object.entries<Schema>(inner.shape).map(([name, field]) => [name, fieldsOf(field)]);
}

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const;

/** A JSON answer. */
export function jsonAnswer(status: number, body: unknown): WireResponse {
  return { status, headers, body: JSON.stringify(body) };
}

/** An answer whose body is stored in UTF-8. */
function storedAnswer(status: number, headers: WireResponse['headers'], bytes: Uint8Array): WireResponse {
  return {
    status,
    headers,
    bytes,
    get body() {
      return decoder.decode(bytes);
    },
  };
}

const decoder = new TextDecoder();

/** The same answer with a further header. */
export function withHeader(answer: WireResponse, name: string, value: string): WireResponse {
  const headers = { ...answer.headers, [name]: value };
  if (answer.bytes !== undefined) return storedAnswer(answer.status, headers, answer.bytes);
  return { status: answer.status, headers, body: answer.body };
}

/** A page in UTF-8: its records stand where the schema's empty list does. */
function pageBytes(schema: z.ZodType, { field, records, paging }: StoredPage): Uint8Array {
  const name = `${JSON.stringify(field)}:[`;
  const text = completeJson(schema, { paging });
  const at = text.indexOf(`${name}]`) + name.length;
  return Buffer.concat([Buffer.from(text.slice(0, at)), records, Buffer.from(text.slice(at))]);
}

/** A success answer, completed by its schema unless it is stored as a whole. */
export function successAnswer(schema: z.ZodType, value: unknown): WireResponse {
  if (value instanceof StoredAnswer) return storedAnswer(200, headers, value.bytes);
  if (value instanceof StoredPage) return storedAnswer(200, headers, pageBytes(schema, value));
  return { status: 200, headers, body: completeJson(schema, value) };
}

/** An error in the contract's format, with the status of its code (decisions, section 2). */
export function refusalAnswer({ code, message, meta }: Pick<Refusal, 'code' | 'message' | 'meta'>): WireResponse {
  return { status: errorStatus[code], headers, body: completeJson(serviceError, { code, msg: message, meta }) };
}

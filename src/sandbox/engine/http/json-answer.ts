import type * as z from 'zod';
import { errorStatus, serviceError } from '../../../contract/records/error.ts';
import type { WireResponse } from '../../../platform/http/transport.ts';
import type { Refusal } from '../refusal.ts';
import { StoredAnswer, StoredPage } from '../store/records/stored-json.ts';
import { completeJson } from './complete.ts';

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

import type * as z from 'zod';
import { errorStatus, serviceError } from '../contract/records/error.ts';
import type { WireResponse } from '../platform/transport.ts';
import { complete } from './complete.ts';
import type { Refusal } from './refusal.ts';

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const;

/** A JSON answer. */
export function jsonAnswer(status: number, body: unknown): WireResponse {
  return { status, headers, body: JSON.stringify(body) };
}

/** A successful answer, completed by its schema. */
export function successAnswer(schema: z.ZodType, value: unknown): WireResponse {
  return jsonAnswer(200, complete(schema, value));
}

/** An error as the contract shows it, with the status of its code (decisions, section 2). */
export function refusalAnswer({ code, message, meta }: Pick<Refusal, 'code' | 'message' | 'meta'>): WireResponse {
  return jsonAnswer(errorStatus[code], complete(serviceError, { code, msg: message, meta }));
}

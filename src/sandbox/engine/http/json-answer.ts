import type * as z from 'zod';
import { errorStatus, serviceError } from '../../../contract/records/error.ts';
import type { WireResponse } from '../../../platform/http/transport.ts';
import type { Refusal } from '../refusal.ts';
import { completeJson } from './complete.ts';

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const;

/** A JSON answer. */
export function jsonAnswer(status: number, body: unknown): WireResponse {
  return { status, headers, body: JSON.stringify(body) };
}

/** A success answer, completed by its schema. */
export function successAnswer(schema: z.ZodType, value: unknown): WireResponse {
  return { status: 200, headers, body: completeJson(schema, value) };
}

/** An error in the contract's format, with the status of its code (decisions, section 2). */
export function refusalAnswer({ code, message, meta }: Pick<Refusal, 'code' | 'message' | 'meta'>): WireResponse {
  return { status: errorStatus[code], headers, body: completeJson(serviceError, { code, msg: message, meta }) };
}

import type * as z from 'zod';
import type { ControlOperation } from '../../../contract/control/operation.ts';
import * as operations from '../../../contract/control/operations.ts';
import { fieldErrors, words } from '../../../contract/schema/field-errors.ts';
import type { WireRequest, WireResponse } from '../../../platform/http/transport.ts';
import { sameSecret } from '../../../platform/settings/secret.ts';
import { jsonAnswer, refusalAnswer } from '../../engine/http/json-answer.ts';
import { parseBody } from '../../engine/http/request-body.ts';
import { invalid, Refusal } from '../../engine/refusal.ts';
import { type ControlContext, controlHandlers } from './handlers.ts';

/** The path prefix of the control plane. */
export const CONTROL_PATH = '/_sandbox/';

interface Route {
  readonly operation: ControlOperation;
  handle(input: unknown, context: ControlContext): unknown;
}

/** Parses an input by its schema; 400 if it is refused, with the first faulty field in `meta.field`. */
function checked<Input extends z.ZodObject>(schema: Input, body: unknown): z.output<Input> {
  const read = schema.safeParse(body, { error: words });
  if (read.success) return read.data;
  const [{ path, message } = { path: '', message: 'is wrong' }] = fieldErrors(read.error);
  throw invalid(path, message);
}

function routeOf<Input extends z.ZodObject>(
  operation: ControlOperation<Input>,
  handler: (input: z.output<Input>, context: ControlContext) => unknown,
): Route {
  return { operation, handle: (body, context) => handler(checked(operation.input, body), context) };
}

const handlers: Readonly<Record<string, (input: never, context: ControlContext) => unknown>> = controlHandlers;

const routes: readonly Route[] = Object.entries(operations).map(([name, operation]) =>
  routeOf<z.ZodObject>(operation, handlers[name] as never),
);

/** Answers a request to the control plane; without this run's token it reveals nothing, not even which routes exist. */
export async function answerControl(
  request: WireRequest,
  token: string,
  context: ControlContext,
): Promise<WireResponse> {
  try {
    const [, given = ''] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
    if (!sameSecret(given, token)) throw new Refusal('unauthenticated', 'the control token is missing or wrong');
    const path = new URL(request.url).pathname.slice(CONTROL_PATH.length);
    const { method } = request;
    const route = routes.find(({ operation }) => operation.path === path && operation.method === method);
    if (route === undefined) throw new Refusal('bad_route', `the control plane has no ${method} ${path}`);
    const input = method === 'GET' ? {} : parseBody(request.body);
    return jsonAnswer(200, await route.handle(input, context));
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    return refusalAnswer(new Refusal('internal', 'the sandbox failed'));
  }
}

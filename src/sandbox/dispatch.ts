import { findOperation, isAreaKey } from '../contract/areas.ts';
import type { Operation } from '../contract/operation.ts';
import type { WireRequest, WireResponse } from '../platform/http/transport.ts';
import type { AnyHandlers, Work } from './engine/call.ts';
import { authenticate } from './engine/call.ts';
import { successAnswer } from './engine/complete-answer.ts';
import type { Core } from './engine/core.ts';
import type { ParsedUrl } from './engine/parsed-url.ts';
import { Refusal } from './engine/refusal.ts';
import { checkRequest, parseBody } from './engine/request-body.ts';
import { handlerAreas } from './service/handlers.ts';

/**
 * Answers a call of an operation. The checks run in the order of decisions, section 2: method and Content-Type, path,
 * JSON, credential, and then the request itself. Throws a Refusal for an error answer.
 */
export async function dispatch(
  core: Core,
  request: WireRequest,
  { pathname, origin }: ParsedUrl,
): Promise<WireResponse> {
  checkForm(request);
  const route = routes.get(pathname) ?? (await findRoute(pathname));
  const { operation } = route;
  const body = parseBody(request.body);
  const account = authenticate(core.accountOf, request.headers.authorization, operation.credential);
  route.handler ??= await findHandler(operation);
  const { handler } = route;
  const input = checkRequest(operation, body);
  const run = (work: Work) => handler(input as never, Object.assign(work, { account, origin }));
  const result = operation.effect === 'read' ? core.read(run) : await runWrite(core, run);
  return successAnswer(operation.response, result);
}

/** The handler of a path. */
interface Route {
  readonly operation: Operation;
  /** Loaded for the first caller that is authorised to call it. */
  handler?: AnyHandlers[string];
}

/** The paths with an operation that were requested so far; their number is limited. */
const routes = new Map<string, Route>();

function checkForm({ method, headers }: WireRequest): void {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (method !== 'POST') throw new Refusal('bad_route', `every operation is a POST, this was a ${method}`);
  if (mediaType !== 'application/json') throw new Refusal('bad_route', 'the Content-Type must be application/json');
}

/** Loads the operation of a path, once; a path without an operation is 404 bad_route. */
async function findRoute(pathname: string): Promise<Route> {
  const operation = pathname.startsWith('/v1/') ? await findOperation(pathname.slice('/v1/'.length)) : undefined;
  if (operation === undefined) throw new Refusal('bad_route', `no operation is at ${pathname}`);
  const route = { operation };
  routes.set(pathname, route);
  return route;
}

async function findHandler(operation: Operation): Promise<AnyHandlers[string]> {
  const [area = '', name = ''] = operation.id.split('/');
  const load = isAreaKey(area) ? handlerAreas[area] : undefined;
  const handlers: AnyHandlers = load ? (await load()).handlers : {};
  const handler = handlers[name];
  if (handler === undefined) throw new Refusal('unimplemented', `${operation.id} is not implemented`);
  return handler;
}

/**
 * Runs a handler in one transaction. A refusal that keeps its writes is returned out of it instead of thrown, so that
 * they are committed.
 */
async function runWrite(core: Core, run: (work: Work) => unknown): Promise<unknown> {
  const outcome = await core.write((work) => {
    try {
      return { answer: run(work) };
    } catch (error) {
      if (error instanceof Refusal && error.keepsWrites) return { refusal: error };
      throw error;
    }
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.answer;
}

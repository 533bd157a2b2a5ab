import type * as z from 'zod';
import type { ControlOperation } from '../../contract/control/operation.ts';
import * as operations from '../../contract/control/operations.ts';
import { fieldErrors, words } from '../../contract/schema/hint.ts';
import { inEnglish } from '../../domain/language.ts';
import type { WireRequest, WireResponse } from '../../platform/http/transport.ts';
import { sameSecret } from '../../platform/settings/secret.ts';
import { jsonAnswer, refusalAnswer } from '../engine/complete-answer.ts';
import { invalid, Refusal } from '../engine/refusal.ts';
import { parseBody } from '../engine/request-body.ts';
import type { Control } from './parts.ts';

/** What control handlers have access to. */
interface ControlContext {
  readonly control: Control;
  /** Facts about the running server. */
  readonly server: { readonly baseUrl: string; readonly startedAt: string };
  /** Asks the process that runs the server to stop it, after the answer was sent. */
  requestStop(): void;
}

type Handler<Declared> =
  Declared extends ControlOperation<infer Input, infer Output>
    ? (input: z.output<Input>, context: ControlContext) => Frozen<z.input<Output>> | Promise<Frozen<z.input<Output>>>
    : never;

/** The same value as a readonly type. */
type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;

type Handlers<Module> = { readonly [Name in keyof Module]: Handler<Module[Name]> };

/**
 * The implementation of each control operation: the compiler reports a missing one. Each throws a Refusal to answer
 * with an error.
 */
const controlHandlers = {
  serverStatus: (_, { server }) => ({ base_url: server.baseUrl, started_at: server.startedAt }),
  stop(_, context) {
    context.requestStop();
    return { stopping: true };
  },

  credentials: async (_, { control, server }) => ({ base_url: server.baseUrl, ...(await control.credentials()) }),
  signIn: ({ token, shop_id }, { control }) => control.signIn(token, shop_id),
  unlink: ({ shop_id }, { control }) => control.unlink(shop_id),

  clockStatus: (_, { control }) => control.clock.status(),
  freezeClock: (_, { control }) => control.clock.freeze(),
  setClock: ({ time }, { control }) => control.clock.set(time),
  advanceClock: ({ by, until_idle: untilIdle = false }, { control }) => control.clock.advance(by, { untilIdle }),
  runClock: (_, { control }) => control.clock.real(),

  addFault: (flags, { control }) => control.faults.add(flags),
  listFaults: (_, { control }) => control.faults.list(),
  clearFaults: ({ id }, { control }) => control.faults.clear(id),

  deliveries: ({ webhook_id: webhookId, ...which }, { control }) => control.deliveries({ webhookId, ...which }),
  redeliver: ({ callback_id }, { control }) => control.redeliver(callback_id),
  log: ({ wait_ms: waitMs, ...request }, { control }) => control.log({ ...request, waitMs }),

  advance: ({ id, ...target }, { control }) => control.advance(id, target),

  saveSnapshot: ({ name, replace = false }, { control }) => control.snapshots.save(name, { replace }),
  restoreSnapshot: ({ name }, { control }) => control.snapshots.restore(name),
  listSnapshots: (_, { control }) => control.snapshots.list(),
  removeSnapshot: ({ name }, { control }) => control.snapshots.remove(name),
  reset: (_, { control }) => control.reset(),
} satisfies Handlers<typeof import('../../contract/control/operations.ts')>;

/** The path prefix of the control plane. */
export const CONTROL_PATH = '/_sandbox/';

interface Route {
  readonly operation: ControlOperation;
  handle(input: unknown, context: ControlContext): unknown;
}

/** Parses an input by its schema; 400 if it is refused, with the first faulty field in `meta.field`. */
function checked<Input extends z.ZodObject>(schema: Input, body: unknown): z.output<Input> {
  return inEnglish(() => {
    const read = schema.safeParse(body, { error: words });
    if (read.success) return read.data;
    const [{ path, message } = { path: '', message: 'is wrong' }] = fieldErrors(read.error);
    throw invalid(path, message);
  });
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

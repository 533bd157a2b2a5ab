import type * as z from 'zod';
import type { ControlOperation } from '../../../contract/control/operation.ts';
import type { Control } from '../parts.ts';

/** What control handlers have access to. */
export interface ControlContext {
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
export const controlHandlers = {
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
} satisfies Handlers<typeof import('../../../contract/control/operations.ts')>;

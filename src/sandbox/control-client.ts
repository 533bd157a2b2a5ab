import { request } from 'node:http';
import { parseJson } from '../domain/json.ts';
import type { Credentials, SignedIn } from './control/account-control.ts';
import type { BusinessClockControl, ClockStatus } from './control/clock-control.ts';
import type { SandboxStatus } from './control/server-routes.ts';
import type { FaultFlags } from './faults/fault.ts';
import type { FaultStatus } from './faults/fault-part.ts';
import type { LogControl, LogPage } from './log/log-part.ts';
import type { Snapshot } from './snapshots/snapshot-files.ts';
import type { SnapshotControl } from './snapshots/snapshot-part.ts';
import type { SandboxState } from './state.ts';
import type { DeliveryAttempt } from './webhooks/delivery-log.ts';
import type { DeliveryControl } from './webhooks/webhook-part.ts';

/** Thrown when the control plane refuses; `code` is the service's, or `unreachable` when nobody answered. */
export class ControlError extends Error {
  readonly kind: 'service' | 'network';
  readonly outcome = 'not_applied';
  readonly code: string;
  readonly meta: Readonly<Record<string, string>>;

  constructor(code: string, message: string, meta: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ControlError';
    this.kind = code === 'unreachable' ? 'network' : 'service';
    this.code = code;
    this.meta = meta;
  }
}

/** Talks to the control plane of a running sandbox. Every function throws a ControlError when it is refused. */
export interface ControlClient {
  /** Any route; the named functions are calls of these two. */
  get(path: string): Promise<unknown>;
  post(path: string, input?: object): Promise<unknown>;
  status(): Promise<SandboxStatus>;
  credentials(): Promise<Credentials & { readonly base_url: string }>;
  signIn(token: string, shopId: string): Promise<SignedIn>;
  unlink(shopId: string): Promise<{ readonly removed: number }>;
  readonly clock: BusinessClockControl;
  deliveries: DeliveryControl['deliveries'];
  readonly faults: {
    add(flags: FaultFlags): Promise<FaultStatus>;
    list(): Promise<{ readonly faults: readonly FaultStatus[] }>;
    clear(id?: number): Promise<{ readonly cleared: number }>;
  };
  log: LogControl['log'];
  readonly snapshots: SnapshotControl['snapshots'];
  reset: SnapshotControl['reset'];
  stop(): Promise<void>;
}

/** Where the control plane is and how it is entered, as the state file says. */
export type ControlAddress = Pick<SandboxState, 'control_url' | 'control_token'>;

/** A client for the sandbox at that address; the signal breaks off what is asked. It comes from the same program, so its answers are taken at their word. */
export function controlClient(address: ControlAddress, signal?: AbortSignal): ControlClient {
  const get = (path: string) => send(address, 'GET', path, '', signal);
  const post = (path: string, input: object = {}) => send(address, 'POST', path, JSON.stringify(input), signal);
  return {
    get,
    post,
    status: async () => (await get('status')) as SandboxStatus,
    credentials: async () => (await get('credentials')) as Credentials & { base_url: string },
    signIn: async (token, shopId) => (await post('sign-in', { token, shop_id: shopId })) as SignedIn,
    unlink: async (shopId) => (await post('unlink', { shop_id: shopId })) as { removed: number },
    clock: {
      status: async () => (await get('clock')) as ClockStatus,
      freeze: async () => (await post('clock/freeze')) as ClockStatus,
      set: async (time) => (await post('clock/set', { time })) as ClockStatus,
      advance: async (by, { untilIdle } = {}) =>
        (await post('clock/advance', { by, until_idle: untilIdle })) as ClockStatus,
      real: async () => (await post('clock/real')) as ClockStatus,
    },
    deliveries: async ({ webhookId, limit } = {}) =>
      (await post('deliveries', { webhook_id: webhookId, limit })) as { deliveries: DeliveryAttempt[] },
    faults: {
      add: async (flags) => (await post('faults/add', flags)) as FaultStatus,
      list: async () => (await get('faults')) as { faults: FaultStatus[] },
      clear: async (id) => (await post('faults/clear', { id })) as { cleared: number },
    },
    log: async ({ waitMs, ...request } = {}) => (await post('log', { ...request, wait_ms: waitMs })) as LogPage,
    snapshots: {
      save: async (name, { replace } = {}) => (await post('snapshots/save', { name, replace })) as Snapshot,
      restore: async (name) => (await post('snapshots/restore', { name })) as Snapshot,
      list: async () => (await get('snapshots')) as { snapshots: Snapshot[] },
      remove: async (name) => (await post('snapshots/remove', { name })) as { removed: string },
    },
    reset: async () => (await post('reset')) as { seed: string },
    stop: async () => void (await post('stop')),
  };
}

/** Moving a clock past fourteen receivers that hang takes as many minutes; a process that is gone breaks the connection at once. */
const TIMEOUT_MS = 20 * 60_000;

function send(
  { control_url, control_token }: ControlAddress,
  method: string,
  path: string,
  body: string,
  signal: AbortSignal | undefined,
) {
  return new Promise<unknown>((resolve, reject) => {
    const unreachable = (cause: unknown) =>
      reject(new ControlError('unreachable', `no sandbox answers at ${control_url}`, {}, { cause }));
    const headers = {
      authorization: `Bearer ${control_token}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    const outgoing = request(
      `${control_url}/${path}`,
      { method, headers, timeout: TIMEOUT_MS, agent: false, ...(signal ? { signal } : {}) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', unreachable);
        incoming.once('end', () => {
          try {
            resolve(judge(incoming.statusCode ?? 0, parseJson(Buffer.concat(chunks).toString('utf8'))));
          } catch (error) {
            if (error instanceof ControlError) reject(error);
            else unreachable(error);
          }
        });
      },
    );
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.once('error', unreachable);
    outgoing.end(body);
  });
}

function judge(status: number, answer: unknown): unknown {
  if (status === 200) return answer;
  const { code, msg, meta } = answer as { code: string; msg: string; meta?: Record<string, string> };
  throw new ControlError(code, msg, meta);
}

import { request as requestHttp } from 'node:http';
import type * as z from 'zod';
import type { ControlOperation } from '../../contract/control/operation.ts';
import { parseJson } from '../../domain/json/json.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import type { SandboxState } from './running-sandboxes.ts';

/** Thrown if the control plane refuses; `code` is the service's, or `unreachable` if there was no answer. */
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

/** Talks to the control plane of a running sandbox. Both functions throw a ControlError if it refuses. */
export interface ControlClient {
  /** Calls a control operation; the answer is parsed by its declaration. */
  call<Input extends z.ZodObject, Output extends z.ZodObject>(
    operation: ControlOperation<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>>;
  /** Sends any request. */
  send(method: 'GET' | 'POST', path: string, input?: object): Promise<unknown>;
}

/** The address and the token of the control plane, from the state file. */
export type ControlAddress = Pick<SandboxState, 'control_url' | 'control_token'>;

/** A client for the sandbox at that address; the signal aborts its requests. */
export function controlClient(address: ControlAddress, signal?: AbortSignal): ControlClient {
  const client: ControlClient = {
    send: (method, path, input = {}) =>
      request({ address, method, path, body: method === 'GET' ? '' : JSON.stringify(input), signal }),
    async call({ method, path, output }, input) {
      const answer = output.safeParse(await client.send(method, path, input));
      if (answer.success) return answer.data;
      throw new ControlError('contract_broken', 'another version of the sandbox answers', {}, { cause: answer.error });
    },
  };
  return client;
}

/**
 * Moving a clock past fourteen hanging receivers takes as many minutes; if the process dies, the connection breaks at
 * once.
 */
const TIMEOUT_MS = 20 * 60_000;

interface ControlRequest {
  readonly address: ControlAddress;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly signal: AbortSignal | undefined;
}

function request({ address, method, path, body, signal }: ControlRequest) {
  const { control_url, control_token } = address;
  return new Promise<unknown>((resolve, reject) => {
    const unreachable = (cause: unknown) =>
      reject(new ControlError('unreachable', `no sandbox answers at ${control_url}`, {}, { cause }));
    const headers = {
      authorization: `Bearer ${control_token}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    const outgoing = requestHttp(
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
  const { code, msg, meta } = fieldsIn(answer);
  const facts = Object.entries(fieldsIn(meta)).map(([name, fact]) => [name, String(fact)]);
  throw new ControlError(String(code), String(msg), Object.fromEntries(facts));
}

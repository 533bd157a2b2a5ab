import { callHeaders, concealingKey, keyFor } from '../client/authorization.ts';
import { checkedBaseUrl, endpoint } from '../client/base-url.ts';
import { call, callRaw } from '../client/call.ts';
import { type Connection, send, through } from '../client/connection.ts';
import { CallError, NetworkError } from '../client/errors.ts';
import type { Credential, Operation } from '../contract/operation.ts';
import { parseJson } from '../domain/json/json.ts';
import { type Fields, fieldsIn } from '../domain/json/values.ts';
import { englishOf } from '../domain/language.ts';
import type { WireRequest, WireResponse } from '../platform/http/transport.ts';
import { elapsedOn } from '../platform/process/clock.ts';

/** One answer as it came, however wrong it is. */
export interface Reported {
  readonly operation: Operation;
  readonly request: object;
  /** The response; absent if none arrived. */
  readonly response?: WireResponse;
  /** Its JSON with ids as text and without the key; undefined if it is none. */
  readonly value: unknown;
  /** The same as JSON.parse reads it, so that numbers are numbers. */
  readonly plain: unknown;
  readonly milliseconds: number;
  readonly error?: CallError;
  /** The request as a curl command, without the key. */
  readonly curl: string;
}

/** A request as it was sent, without its key, to be shown. */
export interface SentRequest {
  readonly credential: Credential;
  readonly url: string;
  readonly body: string;
  readonly method: string;
  readonly contentType?: string;
}

/** Whether a response is a success of HTTP. */
export const isSuccess = ({ response }: Reported) =>
  response !== undefined && response.status >= 200 && response.status < 300;

/** The fields of an answer. */
export const answered = ({ value }: Reported) => fieldsIn(value);

/** Statuses that say that something before the service could not reach it, or that it refuses to be asked so often. */
const UNREACHED = new Set([429, 502, 503, 504]);

/** Why an answer decides nothing about the contract; undefined if it does. */
export function whyUnreached({ response, error }: Reported): string | undefined {
  if (response === undefined) return error === undefined ? 'no answer arrived' : englishOf(error.message);
  if (UNREACHED.has(response.status)) return `the service answered ${response.status}`;
  const isRefused = response.status === 401 || response.status === 403;
  return isRefused ? `the key is not accepted for it (${response.status})` : undefined;
}

function parsed(body: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(body.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Asks a service, and returns what came instead of throwing it. Every request that a run makes goes through here. */
export class Probe {
  readonly connection: Connection;
  readonly #see: (reported: Reported) => void;
  readonly #shown: (request: SentRequest) => string;

  /** `see` is called with each answer to an ordinary request; `shown` words a request for a person. */
  constructor(connection: Connection, see: (reported: Reported) => void, shown: (request: SentRequest) => string) {
    this.connection = connection;
    this.#shown = shown;
    this.#see = see;
  }

  /** The same over another connection. */
  on(connection: Connection): Probe {
    return new Probe(connection, this.#see, this.#shown);
  }

  /** Calls an operation as every command does. Throws what ends a run: an abort, a missing key, a preview. */
  async ask(operation: Operation, request: Fields): Promise<Reported> {
    return this.#through(operation, request, (connection) => call(operation, request, connection));
  }

  /** Calls an operation with a request that is not checked, for what a service has to refuse. */
  async askUnchecked(operation: Operation, request: object): Promise<Reported> {
    const { id, credential } = operation;
    return this.#through(operation, request, (connection) =>
      callRaw({ id, credential, operation }, JSON.stringify(request), connection),
    );
  }

  async #through(
    operation: Operation,
    request: object,
    work: (connection: Connection) => Promise<unknown>,
  ): Promise<Reported> {
    const { clock } = this.connection;
    let response: WireResponse | undefined;
    let milliseconds = 0;
    // What a run writes is in its own journal, and is removed again: it is no outcome of the command.
    const { ledger: _, ...connection } = this.connection;
    const watched = through({ ...connection, drift: () => {} }, async (sent, next) => {
      const began = elapsedOn(clock);
      response = undefined;
      response = await next(sent);
      milliseconds = elapsedOn(clock) - began;
      return response;
    });
    let error: CallError | undefined;
    try {
      await work(watched);
    } catch (thrown) {
      if (!(thrown instanceof CallError) || this.connection.signal?.aborted === true) throw thrown;
      if (thrown.kind === 'credential' || thrown.kind === 'configuration' || thrown.kind === 'request') throw thrown;
      error = thrown;
    }
    const reported = this.#reported(operation, request, { response, milliseconds, error });
    this.#see(reported);
    return reported;
  }

  /** Sends a request as `change` makes it out of an ordinary one; nothing of it is checked or reported to `see`. */
  async raw(operation: Operation, request: object, change: (request: WireRequest) => WireRequest): Promise<Reported> {
    const { baseUrl, clock, gate, timeoutMs, userAgent, signal } = this.connection;
    const { id, credential, effect } = operation;
    const base = checkedBaseUrl(baseUrl);
    const body = JSON.stringify(request);
    gate?.({ id, effect, credential, body });
    const headers = callHeaders(keyFor(credential, id, base.origin, this.connection), userAgent);
    const made = change({
      method: 'POST',
      url: endpoint(base, id),
      headers,
      body,
      timeoutMs,
      ...(signal ? { signal } : {}),
    });
    const began = elapsedOn(clock);
    try {
      const response = await send(this.connection, made);
      return this.#reported(operation, request, { response, milliseconds: elapsedOn(clock) - began }, made);
    } catch (thrown) {
      if (signal?.aborted === true) throw thrown;
      const message = thrown instanceof Error ? thrown.message : 'no answer arrived';
      const error = new NetworkError(id, 'closed', message);
      return this.#reported(operation, request, { response: undefined, milliseconds: 0, error }, made);
    }
  }

  #reported(
    operation: Operation,
    request: object,
    {
      response,
      milliseconds,
      error,
    }: { response: WireResponse | undefined; milliseconds: number; error?: CallError | undefined },
    made?: WireRequest,
  ): Reported {
    const { id, credential } = operation;
    const base = checkedBaseUrl(this.connection.baseUrl);
    const conceal = concealingKey(keyFor(credential, id, base.origin, this.connection));
    const body = response?.body ?? '';
    const line = { credential, url: made?.url ?? endpoint(base, id), body: made?.body ?? JSON.stringify(request) };
    const contentType = made?.headers['content-type'];
    return {
      operation,
      request,
      ...(response === undefined ? {} : { response }),
      value: conceal(parsed(body, parseJson)),
      plain: conceal(parsed(body, JSON.parse)),
      milliseconds,
      ...(error === undefined ? {} : { error }),
      curl: this.#shown({
        ...line,
        method: made?.method ?? 'POST',
        ...(contentType === undefined ? {} : { contentType }),
      }),
    };
  }
}

import { TransportError, type WireRequest, type WireResponse } from '../platform/http/transport.ts';
import type { Clock } from '../platform/process/clock.ts';
import { dispatch } from './dispatch.ts';
import { allowedHosts } from './engine/allowed-hosts.ts';
import { refusalAnswer, withHeader } from './engine/complete-answer.ts';
import { type Core, openCore } from './engine/core.ts';
import { parseUrl } from './engine/parsed-url.ts';
import type { Layer } from './engine/part.ts';
import { Refusal } from './engine/refusal.ts';
import { type Random, systemRandom } from './engine/store/ids.ts';
import { type Control, openParts } from './lab/parts.ts';
import { type Seed, seedOnce } from './lab/snapshot-part.ts';
import { SIGN_IN_PATH } from './service/sign-in-offer.ts';
import { answerSignIn } from './service/sign-in-pages.ts';
import type { Deliver } from './service/webhooks/deliver.ts';

/** Options for opening a sandbox. */
export interface SandboxOptions {
  /** The data directory, created if missing; without one the data is kept in memory and ends with the sandbox. */
  readonly data?: string | undefined;
  /** The initial content of a new sandbox, besides its accounts: `demo` for example records, `none` for nothing. */
  readonly seed: Seed;
  readonly clock: Clock;
  /** The machine's randomness by default; tests supply their own. */
  readonly random?: Random | undefined;
  /** Hosts outside this machine that webhook urls may have. Throws a RangeError if one is not a host name. */
  readonly allowHosts?: readonly string[] | undefined;
  /** How webhook deliveries are sent: over HTTP by default; tests supply their own way. */
  readonly deliver?: Deliver | undefined;
  /** Called with every exception that was answered as 500 internal, and with errors of background work. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}

/** The whole service, durable and local, as a function. */
export interface Sandbox {
  /**
   * Answers any request as the service would. Rejects only with a TransportError, if a fault script prevents a complete
   * answer. Usable as a `Transport`, with the sandbox as the fake server.
   */
  readonly handle: (request: WireRequest) => Promise<WireResponse>;
  /** Its random id, which is stored with the data; `VersionInfo` answers it. */
  readonly instance: string;
  /** What the service's operator, a shop's owner or a carrier would do. */
  readonly control: Control;
  /**
   * Ends all mere waiting, such as a delayed answer or a follower of the log, so that requests in flight can finish.
   */
  readonly interrupt: () => void;
  /** Waits for requests in flight, then closes the data. Later requests are answered 503. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a sandbox. Throws StoreInUseError if another one has the data open, OtherSchemaError if another version wrote
 * it.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { data, clock, random = systemRandom, allowHosts } = options;
  return serveCore(await openCore({ data, clock, random, allowedHosts: allowedHosts(allowHosts) }), options);
}

/** A sandbox on an open core, which it then closes. */
export async function serveCore(
  core: Core,
  { seed, deliver, onInternalError }: Pick<SandboxOptions, 'seed' | 'deliver' | 'onInternalError'>,
): Promise<Sandbox> {
  try {
    await seedOnce(core, seed);
    const parts = await openParts(core, { deliver, onInternalError });
    const service = withLayers(parts.layers, (request) => answer(core, request, onInternalError));
    const inFlight = new Set<Promise<unknown>>();
    let closing: Promise<void> | undefined;
    return {
      instance: core.instance,
      control: parts.control,
      async handle(request) {
        if (closing) return refusalAnswer(closed);
        const answering = service(request);
        inFlight.add(answering);
        try {
          return await answering;
        } finally {
          inFlight.delete(answering);
        }
      },
      interrupt: parts.interrupt,
      close() {
        parts.interrupt();
        closing ??= Promise.allSettled(inFlight)
          .then(() => parts.close())
          .then(() => core.close());
        return closing;
      },
    };
  } catch (error) {
    await core.close();
    throw error;
  }
}

const closed = new Refusal('unavailable', 'the sandbox is closed');

function withLayers(layers: readonly Layer[], service: Sandbox['handle']): Sandbox['handle'] {
  return layers.reduceRight<Sandbox['handle']>((next, layer) => (request) => layer(request, next), service);
}

/** Answers without ever rejecting; the message of an unexpected exception is not revealed. */
async function answer(
  core: Core,
  request: WireRequest,
  onInternalError: SandboxOptions['onInternalError'],
): Promise<WireResponse> {
  try {
    const url = parseUrl(request.url);
    if (url === undefined) throw new Refusal('bad_route', 'the url cannot be read');
    const answering = url.pathname.startsWith(SIGN_IN_PATH)
      ? answerSignIn(request, core)
      : dispatch(core, request, url);
    return dated(core, await answering);
  } catch (error) {
    if (error instanceof Refusal) return dated(core, refusalAnswer(error));
    if (error instanceof TransportError) throw error;
    onInternalError?.(error);
    return dated(core, refusalAnswer(new Refusal('internal', 'the sandbox failed')));
  }
}

let dateOf: { second: number; text: string } = { second: 0, text: new Date(0).toUTCString() };

/** The answer with a Date header by the business clock, by which its records are dated too. */
function dated({ clock }: Core, answer: WireResponse): WireResponse {
  const second = Math.floor(clock.now() / 1000);
  if (dateOf.second !== second) dateOf = { second, text: new Date(second * 1000).toUTCString() };
  return withHeader(answer, 'date', dateOf.text);
}

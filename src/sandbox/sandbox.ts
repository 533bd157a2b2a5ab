import type { Clock } from '../platform/clock.ts';
import { TransportError, type WireRequest, type WireResponse } from '../platform/transport.ts';
import { type Core, openCore } from './core.ts';
import { dispatch } from './dispatch.ts';
import { refusalAnswer } from './http/json-answer.ts';
import { parseUrl } from './http/parsed-url.ts';
import type { Layer } from './part.ts';
import { type Control, openParts } from './parts.ts';
import { type Random, systemRandom } from './random.ts';
import { Refusal } from './refusal.ts';
import { type Seed, seedOnce } from './seeds/seed.ts';
import { SIGN_IN_PATH } from './sign-in/address.ts';
import { answerSignIn } from './sign-in/pages.ts';
import type { Deliver } from './webhooks/deliver.ts';
import { allowedHosts } from './webhooks/target.ts';

/** What a sandbox is opened with. */
export interface SandboxOptions {
  /** The directory of the data, made when it is missing; without one the data lives in memory and ends with the sandbox. */
  readonly data?: string | undefined;
  /** What a new sandbox begins with, beside its accounts: `demo` the example records, `none` nothing. */
  readonly seed: Seed;
  readonly clock: Clock;
  /** The machine's randomness unless a test brings its own. */
  readonly random?: Random | undefined;
  /** Hosts outside this machine that webhooks may lead to. Throws a RangeError where one is not a host name. */
  readonly allowHosts?: readonly string[] | undefined;
  /** How deliveries leave the sandbox: over HTTP unless a test brings another way. */
  readonly deliver?: Deliver | undefined;
  /** Told of every exception that the service answered as 500 internal, and of what went wrong in the background. */
  readonly onInternalError?: ((error: unknown) => void) | undefined;
}

/** The whole service, durable and local, as a function. */
export interface Sandbox {
  /**
   * Answers any request as the service would. Rejects only with a TransportError, where a fault script wants no whole
   * answer to arrive. Usable as a `Transport`, with the sandbox as the fake server.
   */
  readonly handle: (request: WireRequest) => Promise<WireResponse>;
  /** What the service's operator, a shop's owner or a carrier would do. */
  readonly control: Control;
  /** Ends whatever merely waits, such as a delayed answer or a follower of the log, so that what is in flight can finish. */
  readonly interrupt: () => void;
  /** Waits for what is under way, then closes the data. Later requests are answered 503. */
  readonly close: () => Promise<void>;
}

/** Opens a sandbox. Throws StoreInUseError when another one has the data, NewerSchemaError when a newer version wrote it. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { data, clock, random = systemRandom, allowHosts } = options;
  return serveCore(await openCore({ data, clock, random, allowedHosts: allowedHosts(allowHosts) }), options);
}

/** A sandbox on an open core, which is then its own to close. */
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

/** Answers without ever rejecting; the words of an unexpected exception stay inside. */
async function answer(
  core: Core,
  request: WireRequest,
  onInternalError: SandboxOptions['onInternalError'],
): Promise<WireResponse> {
  try {
    const url = parseUrl(request.url);
    if (url === undefined) throw new Refusal('bad_route', 'the url cannot be read');
    return await (url.pathname.startsWith(SIGN_IN_PATH) ? answerSignIn(request, core) : dispatch(core, request, url));
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    if (error instanceof TransportError) throw error;
    onInternalError?.(error);
    return refusalAnswer(new Refusal('internal', 'the sandbox failed'));
  }
}

import { englishOf, inEnglish } from '../../../domain/language.ts';
import { type Transport, TransportError } from '../../../platform/http/transport.ts';
import type { RunShell, ShellInput } from '../../../platform/process/shell-command.ts';
import type { Target } from '../../store/targets.ts';
import { type Hand, MOST_AT_ONCE } from './queues.ts';
import { faultOfTarget } from './target-address.ts';

/** How long a command may take for one change. */
const MOST_COMMAND_MS = 10 * 60_000;

/**
 * Runs a command line for each change and passes the change on stdin only: untrusted text never becomes a shell word.
 * Exit 0 means accepted.
 */
export function handToCommand(
  command: string,
  runShell: RunShell,
  surroundings: Pick<ShellInput, 'env' | 'passesKeys' | 'workingDirectory' | 'says'>,
): Hand {
  return async ({ id, text }, signal) => {
    const env = { ...surroundings.env, SHOPCTL_CHANGE_ID: id };
    const end = await runShell(command, {
      ...surroundings,
      env,
      input: `${text}\n`,
      timeoutMs: MOST_COMMAND_MS,
      signal,
    });
    signal.throwIfAborted();
    if (end.kind === 'exit' && end.code === 0) return { accepted: true, answer: 'exit 0' };
    if (end.kind === 'timeout') {
      return { accepted: false, answered: false, error: `did not end within ${MOST_COMMAND_MS / 60_000} minutes` };
    }
    const error = end.kind === 'exit' ? `ended with exit ${end.code}` : `was ended by ${end.signal}`;
    return { accepted: false, answered: true, error };
  };
}

/** The service's own timeout (decisions, section 8). */
const TIMEOUT_MS = 60_000;
const MOST_ANSWER_BYTES = 64 * 1024;
const QUOTED = 60;

/**
 * Posts a change as the service would: a Callback with this change alone, whose id is the change's own and the same for
 * each attempt. Accepted under the service's rule, 200 and `ok` (contract, "Events"), or with `2xx` by any such status.
 * Follows no redirect, and sends no key.
 */
export function handToUrl(url: string, accept: 'ok' | '2xx', transport: Transport, userAgent: string): Hand {
  const fault = inEnglish(() => faultOfTarget(url));
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent };
  return async ({ id, text }, signal) => {
    if (fault !== undefined) return { accepted: false, answered: true, error: `the url ${fault}` };
    try {
      const { status, body } = await transport({
        method: 'POST',
        url,
        headers: { ...headers, 'x-shopctl-change': id },
        body: `{"id":"${id}","changes":[${text}]}`,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MOST_ANSWER_BYTES,
        signal,
      });
      if (accept === '2xx' ? status >= 200 && status < 300 : status === 200 && (body === 'ok' || body === 'ok\n')) {
        return { accepted: true, answer: `status ${status}` };
      }
      const error =
        status === 200 ? `answered ${JSON.stringify(body.slice(0, QUOTED))}, not ok` : `answered status ${status}`;
      return { accepted: false, answered: true, error };
    } catch (error) {
      if (signal.aborted || !(error instanceof TransportError)) throw error;
      // A target that answers too much is reachable, but its answer is not ok.
      return { accepted: false, answered: error.failure === 'oversized', error: englishOf(error.message) };
    }
  };
}

/** What delivering takes from the machine, and how it introduces itself. */
export interface HandMeans {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether commands get the keys of the environment too. */
  readonly passesKeys?: boolean | undefined;
  readonly workingDirectory: string;
  readonly userAgent: string;
  /** Takes what commands print, where they may not write on stderr themselves. */
  readonly says?: ((line: string) => void) | undefined;
}

/** Delivers to targets, and can be closed. */
export interface Hands {
  handFor(target: Target): Hand;
  close(): Promise<void>;
}

/**
 * Delivery to targets of either kind. Urls are reached over connections without a proxy, so that the resolved address
 * can be checked when connecting; dependencies are loaded with the first change. Each target has its own connections,
 * as many as changes in flight: one that is slow takes none from another at the same host.
 */
export function openHands({ env, passesKeys, workingDirectory, userAgent, says }: HandMeans): Hands {
  /** By address: a target that is served again uses the connections it had. */
  const opened = new Map<string, ReturnType<typeof open>>();
  const open = async () => {
    const [{ createTransport }, { guardedLookup }, { isForbiddenAddress }] = await Promise.all([
      import('../../../platform/http/undici-transport.ts'),
      import('../../../platform/http/guarded-lookup.ts'),
      import('./target-address.ts'),
    ]);
    const refusalOf = (address: string) =>
      isForbiddenAddress(address) ? 'a link-local or metadata address' : undefined;
    return createTransport({ lookup: guardedLookup(refusalOf), connections: MOST_AT_ONCE.url });
  };
  const openFor = ({ account, name, address }: Target) => {
    const key = JSON.stringify([account, name, address]);
    const found = opened.get(key) ?? open();
    opened.set(key, found);
    return found;
  };
  const toUrl = async (target: Target): Promise<Hand> => {
    const { transport } = await openFor(target);
    return handToUrl(target.address, target.accept, transport, userAgent);
  };
  const toCommand = async ({ address }: Target): Promise<Hand> => {
    const { runShell } = await import('../../../platform/process/shell-command.ts');
    return handToCommand(address, runShell, { env, passesKeys, workingDirectory, says });
  };
  return {
    handFor(target) {
      let hand: Hand = async (change, signal) => {
        hand = await (target.kind === 'url' ? toUrl(target) : toCommand(target));
        return hand(change, signal);
      };
      return (change, signal) => hand(change, signal);
    },
    async close() {
      for (const one of opened.values()) await (await one).close();
    },
  };
}

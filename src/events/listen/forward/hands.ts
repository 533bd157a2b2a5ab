import type { Target } from '../../store/targets.ts';
import { type Hand, MOST_AT_ONCE } from './queues.ts';

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
    const [{ transport }, { handToUrl }] = await Promise.all([openFor(target), import('./hand-to-url.ts')]);
    return handToUrl(target.address, target.accept, transport, userAgent);
  };
  const toCommand = async ({ address }: Target): Promise<Hand> => {
    const [{ handToCommand }, { runShell }] = await Promise.all([
      import('./hand-to-command.ts'),
      import('../../../platform/process/shell-command.ts'),
    ]);
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

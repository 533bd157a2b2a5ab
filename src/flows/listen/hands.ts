import type { Target } from '../../workspace/events/targets.ts';
import type { Hand } from './hand.ts';

/** Delivers to targets, and can be closed. */
export interface Hands {
  handFor(target: Target): Hand;
  close(): Promise<void>;
}

/**
 * Delivery to targets of either kind. Urls are reached over separate connections without a proxy, so that the resolved
 * address can be checked when connecting; dependencies are loaded with the first change.
 */
export function openHands({
  env,
  workingDirectory,
  userAgent,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly userAgent: string;
}): Hands {
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => {
    const [{ createTransport }, { guardedLookup }, { isForbiddenAddress }] = await Promise.all([
      import('../../platform/undici-transport.ts'),
      import('../../platform/guarded-lookup.ts'),
      import('./target-address.ts'),
    ]);
    const refusalOf = (address: string) =>
      isForbiddenAddress(address) ? 'a link-local or metadata address' : undefined;
    return createTransport({ lookup: guardedLookup(refusalOf) });
  };
  const toUrl = async ({ address, accept }: Target): Promise<Hand> => {
    opened ??= open();
    const [{ transport }, { handToUrl }] = await Promise.all([opened, import('./hand-to-url.ts')]);
    return handToUrl(address, accept, transport, userAgent);
  };
  const toCommand = async ({ address }: Target): Promise<Hand> => {
    const [{ handToCommand }, { runShell }] = await Promise.all([
      import('./hand-to-command.ts'),
      import('../../platform/shell-command.ts'),
    ]);
    return handToCommand(address, runShell, { env, workingDirectory });
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
      await (await opened)?.close();
    },
  };
}

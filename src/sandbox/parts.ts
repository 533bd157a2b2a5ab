import { type AccountControl, accountPart } from './control/account-control.ts';
import type { Core } from './core.ts';
import type { Layer, Part } from './part.ts';

/** What the service's operator, a shop's owner or a carrier would do; each part has a file of its own. */
export interface Control extends AccountControl {}

/** The parts of one open sandbox. */
export interface Parts {
  readonly control: Control;
  /** The outermost first. */
  readonly layers: readonly Layer[];
  close(): Promise<void>;
}

/** Opens every part. A new one is added to `Control` and to this function; the order of the layers is decided here. */
export async function openParts(core: Core): Promise<Parts> {
  const accounts = accountPart(core);

  const parts: readonly Part<object>[] = [accounts];
  return {
    control: { ...accounts.control },
    layers: parts.flatMap(({ layer }) => layer ?? []),
    async close() {
      for (const part of parts.toReversed()) await part.close?.();
    },
  };
}

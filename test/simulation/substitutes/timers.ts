// Stands in for node:timers/promises.
import { systemClock } from './clock.ts';

export const setTimeout = (
  milliseconds: number,
  _: unknown,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<void> => systemClock.wait(milliseconds, signal);

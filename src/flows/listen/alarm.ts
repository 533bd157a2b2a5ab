import type { Clock } from '../../platform/clock.ts';

/** Rings at a moment; one that rings too soon does no harm. */
export interface Alarm {
  /** Rings at this moment at the latest, milliseconds since 1970; infinity is never. */
  setFor(at: number): void;
  cancel(): void;
}

/** An alarm that keeps one timer: thousands of changes a second are no reason for as many. */
export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let set: { readonly at: number; readonly cancel: () => void } | undefined;
  return {
    setFor(at) {
      if (at >= (set?.at ?? Number.POSITIVE_INFINITY)) return;
      set?.cancel();
      const waiting = new AbortController();
      const own = { at, cancel: () => waiting.abort() };
      set = own;
      const over = () => {
        if (set !== own) return;
        set = undefined;
        ring();
      };
      clock.wait(Math.max(0, at - clock.now()), waiting.signal).then(over, () => {});
    },
    cancel() {
      set?.cancel();
      set = undefined;
    },
  };
}

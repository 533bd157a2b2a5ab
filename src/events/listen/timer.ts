import { type Clock, elapsedOn } from '../../platform/process/clock.ts';

/** Rings at a moment; ringing too early is harmless. */
export interface Alarm {
  /** Rings at this moment at the latest, in milliseconds of `elapsedOn`; Infinity means never. */
  setFor(at: number): void;
  cancel(): void;
}

/** An alarm with a single timer, however many changes per second set it. */
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
      clock.wait(Math.max(0, at - elapsedOn(clock)), waiting.signal).then(over, () => {});
    },
    cancel() {
      set?.cancel();
      set = undefined;
    },
  };
}

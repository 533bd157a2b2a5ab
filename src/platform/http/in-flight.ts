/** A request that ends by itself, when its time is over, or when its signal is aborted. */
export interface Limited {
  /** Its time limit, in milliseconds of `performance.now()`; Infinity for none. */
  readonly until: number;
  readonly signal: AbortSignal | undefined;
  /** Its index in the list, which alone sets it. */
  place: number;
  timeIsOver(): void;
  isAborted(): void;
}

/** The requests in progress. */
export interface InFlight {
  add(one: Limited): void;
  /** It has ended. */
  remove(one: Limited): void;
}

/** A longer time does not fit into a timer. */
const MOST_MS = 2 ** 31 - 1;

/**
 * Requests in progress, with one timer for all of them and one listener for each signal. A timer and a listener each
 * cost much for a short request; and the listeners that a signal no longer has still point to later ones, so that the
 * garbage collector keeps copying what has ended long ago.
 */
export function createInFlight(): InFlight {
  const list: Limited[] = [];
  const signals = new Map<AbortSignal, { users: number; readonly stop: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  const setFor = (at: number) => {
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(check, Math.min(MOST_MS, Math.max(1, Math.ceil(at - performance.now()))));
  };
  const clear = () => {
    clearTimeout(timer);
    timer = undefined;
    dueAt = Number.POSITIVE_INFINITY;
  };
  const check = () => {
    clear();
    const now = performance.now();
    for (const one of list.filter(({ until }) => until <= now)) one.timeIsOver();
    setFor(Math.min(...list.map(({ until }) => until)));
  };
  const listenTo = (signal: AbortSignal) => {
    const known = signals.get(signal);
    if (known !== undefined) {
      known.users += 1;
      return;
    }
    const onAbort = () => {
      for (const one of list.filter((each) => each.signal === signal)) one.isAborted();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    signals.set(signal, { users: 1, stop: () => signal.removeEventListener('abort', onAbort) });
  };
  const ignore = (signal: AbortSignal) => {
    const known = signals.get(signal);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    known.stop();
    signals.delete(signal);
  };

  return {
    add(one) {
      one.place = list.push(one) - 1;
      setFor(one.until);
      if (one.signal !== undefined) listenTo(one.signal);
    },
    remove(one) {
      const last = list.pop();
      if (last !== undefined && last !== one) {
        list[one.place] = last;
        last.place = one.place;
      }
      if (list.length === 0) clear();
      if (one.signal !== undefined) ignore(one.signal);
    },
  };
}

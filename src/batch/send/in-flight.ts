import type { BatchContext } from '../batch-context.ts';
import { Pace } from './pace.ts';

/**
 * Processes the items that `take` returns, as many at once as the pace allows, until it returns nothing or the pace is
 * stopped; then waits for those in flight. The first error of an item stops the pace and is thrown at the end.
 */
export async function workOff<Item>(
  pace: Pace,
  take: (room: number) => Promise<readonly Item[]>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let underWay = 0;
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  const ended = () => {
    underWay -= 1;
    wake?.();
  };
  const oneEnds = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const fail = (error: unknown) => {
    failure ??= { error };
    pace.stop();
  };
  for (;;) {
    const room = pace.limit - underWay;
    if (pace.stopped) break;
    if (room <= 0) {
      await oneEnds();
      continue;
    }
    let items: readonly Item[] = [];
    try {
      items = await take(room);
    } catch (error) {
      fail(error);
      break;
    }
    if (items.length === 0) {
      if (underWay === 0) break;
      await oneEnds();
      continue;
    }
    for (const item of items) {
      underWay += 1;
      work(item).catch(fail).finally(ended);
    }
  }
  while (underWay > 0) await oneEnds();
  if (failure !== undefined) throw failure.error;
}

/** Uses a pace for reads until `work` has ended, or Ctrl-C ends it; throws what has stopped it. */
export async function paced<Result>(context: BatchContext, work: (pace: Pace) => Promise<Result>): Promise<Result> {
  const { connection, signal } = context;
  signal.throwIfAborted();
  const pace = new Pace({ ...context, clock: connection.clock, random: connection.random });
  const stop = () => pace.leave();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const result = await work(pace);
    signal.throwIfAborted();
    if (pace.failure !== undefined) throw pace.failure;
    return result;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

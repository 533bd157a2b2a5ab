/**
 * What a target did with a change. `answered` tells a refusal from a target that is unreachable; `answer` is how it
 * accepted, in words.
 */
export type HandVerdict =
  | { readonly accepted: true; readonly answer: string }
  | { readonly accepted: false; readonly answered: boolean; readonly error: string };

/** Hands one change to a target: its id, and its JSON text. Rejects only when the signal is aborted. */
export type Hand = (
  change: { readonly id: string; readonly text: string },
  signal: AbortSignal,
) => Promise<HandVerdict>;

/** How many changes are in flight to one target at once, each of a different record. */
export const MOST_AT_ONCE = { url: 16, command: 4 } as const;

/** Items that are due later, earliest first. */
interface WaitingRoom<Item> {
  add(item: Item, at: number): void;
  /** Removes and returns every item that is due. */
  takeDue(now: number): Item[];
  /** When the next one is due; undefined if none waits. */
  next(): number | undefined;
}

/** A binary heap, since many records can wait for their next attempt at once. */
function waitingRoom<Item>(): WaitingRoom<Item> {
  const heap: { readonly item: Item; readonly at: number }[] = [];
  const at = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const swap = (one: number, other: number) => {
    const [first, second] = [heap[one], heap[other]];
    if (first !== undefined && second !== undefined) [heap[one], heap[other]] = [second, first];
  };
  const takeFirst = () => {
    swap(0, heap.length - 1);
    const first = heap.pop();
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const least = at(right) < at(left) ? right : left;
      if (at(least) >= at(index)) return first?.item;
      swap(least, index);
      index = least;
    }
  };
  return {
    add(item, when) {
      heap.push({ item, at: when });
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (at(parent) <= at(index)) break;
        swap(parent, index);
        index = parent;
      }
    },
    takeDue(now) {
      const due: Item[] = [];
      while (at(0) <= now) {
        const item = takeFirst();
        if (item !== undefined) due.push(item);
      }
      return due;
    },
    next: () => heap[0]?.at,
  };
}

/** A change that a target has not accepted yet. */
export interface Item {
  readonly seq: number;
  readonly record: string;
  attempts: number;
  /** Milliseconds of `elapsedOn`; null before the first failure. */
  firstFailedAt: number | null;
  /** Whether the workspace has a row for it, because the cursor has passed it. */
  recorded: boolean;
  /** Its JSON text, if it is due soon. */
  text: string | undefined;
}

/** The changes of one record, in order; only the first is tried. */
export interface Queue {
  readonly items: Item[];
  /** Whether its first change is in flight, or its outcome is not on disk yet. */
  busy: boolean;
  /** Whether its first change waits for its next attempt. */
  blocked: boolean;
}

/**
 * The changes to deliver to a target, grouped by record: changes of one record wait for each other, those of different
 * records do not.
 */
export interface Queues {
  /** How many records can be tried. */
  ready(): number;
  /** How many changes there are. */
  held(): number;
  isBlocked(record: string): boolean;
  /**
   * Appends a change to its record's queue; if it is the first, it is not tried before `notBefore` (milliseconds
   * of `elapsedOn`).
   */
  admit(item: Item, notBefore: number): void;
  /**
   * The first change of a record that can be tried: no other change of its record is taken until it is let go or put
   * back.
   */
  take(): { readonly queue: Queue; readonly item: Item } | undefined;
  /** The first change of a queue is finished: the next can be tried. */
  letGo(queue: Queue): void;
  /** The first change of a queue is tried again at that time. */
  putBack(queue: Queue, at: number): void;
  /** Makes queues ready whose time has come. */
  unblock(now: number): void;
  /** When the next queue is due; undefined if none waits. */
  nextDue(): number | undefined;
}

/** Queues without changes. */
export function createQueues(now: () => number): Queues {
  const queues = new Map<string, Queue>();
  const blocked = waitingRoom<Queue>();
  const ready: Queue[] = [];
  let held = 0;
  const block = (queue: Queue, at: number) => {
    queue.blocked = true;
    blocked.add(queue, at);
  };
  return {
    ready: () => ready.length,
    held: () => held,
    isBlocked: (record) => queues.get(record)?.blocked === true,
    admit(item, notBefore) {
      held += 1;
      const queue = queues.get(item.record);
      if (queue !== undefined) {
        // A change behind a failed one waits without its text.
        if (queue.blocked) item.text = undefined;
        queue.items.push(item);
        return;
      }
      const made: Queue = { items: [item], busy: false, blocked: false };
      queues.set(item.record, made);
      if (notBefore > now()) block(made, notBefore);
      else ready.push(made);
    },
    take() {
      const queue = ready.shift();
      const item = queue?.items[0];
      if (queue === undefined || item === undefined) return undefined;
      queue.busy = true;
      return { queue, item };
    },
    letGo(queue) {
      const over = queue.items.shift();
      held -= 1;
      queue.busy = false;
      if (queue.items.length > 0) ready.push(queue);
      else if (over !== undefined) queues.delete(over.record);
    },
    putBack(queue, at) {
      queue.busy = false;
      block(queue, at);
      for (const waiting of queue.items) waiting.text = undefined;
    },
    unblock(moment) {
      for (const queue of blocked.takeDue(moment)) {
        queue.blocked = false;
        ready.push(queue);
      }
    },
    nextDue: () => blocked.next(),
  };
}

import { waitingRoom } from './waiting-room.ts';

/** A change that a target has not accepted yet. */
export interface Item {
  readonly seq: number;
  readonly record: string;
  attempts: number;
  /** Milliseconds since 1970; null before the first failure. */
  firstFailedAt: number | null;
  /** Whether the workspace has a row for it, because the cursor has passed it. */
  recorded: boolean;
  /** Its JSON text, if it is due soon. */
  text: string | undefined;
}

/** The changes of one record, in order; only the first is tried. */
export interface Lane {
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
export interface Lanes {
  /** How many records can be tried. */
  ready(): number;
  /** How many changes there are. */
  held(): number;
  isBlocked(record: string): boolean;
  /**
   * Appends a change to its record's lane; if it is the first, it is not tried before `notBefore` (milliseconds since
   * 1970).
   */
  admit(item: Item, notBefore: number): void;
  /**
   * The first change of a record that can be tried: no other change of its record is taken until it is let go or put
   * back.
   */
  take(): { readonly lane: Lane; readonly item: Item } | undefined;
  /** The first change of a lane is finished: the next can be tried. */
  letGo(lane: Lane): void;
  /** The first change of a lane is tried again at that time. */
  putBack(lane: Lane, at: number): void;
  /** Makes lanes ready whose time has come. */
  unblock(now: number): void;
  /** When the next lane is due; undefined if none waits. */
  nextDue(): number | undefined;
}

/** Lanes without changes. */
export function createLanes(now: () => number): Lanes {
  const lanes = new Map<string, Lane>();
  const blocked = waitingRoom<Lane>();
  const ready: Lane[] = [];
  let held = 0;
  const block = (lane: Lane, at: number) => {
    lane.blocked = true;
    blocked.add(lane, at);
  };
  return {
    ready: () => ready.length,
    held: () => held,
    isBlocked: (record) => lanes.get(record)?.blocked === true,
    admit(item, notBefore) {
      held += 1;
      const lane = lanes.get(item.record);
      if (lane !== undefined) {
        // A change behind a failed one waits without its text.
        if (lane.blocked) item.text = undefined;
        lane.items.push(item);
        return;
      }
      const made: Lane = { items: [item], busy: false, blocked: false };
      lanes.set(item.record, made);
      if (notBefore > now()) block(made, notBefore);
      else ready.push(made);
    },
    take() {
      const lane = ready.shift();
      const item = lane?.items[0];
      if (lane === undefined || item === undefined) return undefined;
      lane.busy = true;
      return { lane, item };
    },
    letGo(lane) {
      const over = lane.items.shift();
      held -= 1;
      lane.busy = false;
      if (lane.items.length > 0) ready.push(lane);
      else if (over !== undefined) lanes.delete(over.record);
    },
    putBack(lane, at) {
      lane.busy = false;
      block(lane, at);
      for (const waiting of lane.items) waiting.text = undefined;
    },
    unblock(moment) {
      for (const lane of blocked.takeDue(moment)) {
        lane.blocked = false;
        ready.push(lane);
      }
    },
    nextDue: () => blocked.next(),
  };
}

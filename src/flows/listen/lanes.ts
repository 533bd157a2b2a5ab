import { waitingRoom } from './waiting-room.ts';

/** A change that a target has not accepted. */
export interface Item {
  readonly seq: number;
  readonly record: string;
  attempts: number;
  /** Milliseconds since 1970; null before the first failure. */
  firstFailedAt: number | null;
  /** Whether it stands in the workspace as one that the cursor has passed. */
  recorded: boolean;
  /** Its JSON text, where it is to be tried soon. */
  text: string | undefined;
}

/** The changes of one record, in their order; the first is the one that is tried. */
export interface Lane {
  readonly items: Item[];
  /** Whether its first is on its way, or what became of it is not on disk yet. */
  busy: boolean;
  /** Whether its first waits for its next try. */
  blocked: boolean;
}

/** The changes that a target is to get, by their records: those of one wait for each other, those of different ones do not. */
export interface Lanes {
  /** How many records can be tried. */
  ready(): number;
  /** How many changes there are. */
  held(): number;
  isBlocked(record: string): boolean;
  /** Puts a change behind those of its record; where it is the first, it waits until then (milliseconds since 1970). */
  admit(item: Item, notBefore: number): void;
  /** The first change of a record that can be tried: nothing else of its record is, until it is let go or put back. */
  take(): { readonly lane: Lane; readonly item: Item } | undefined;
  /** The first of a lane is over: the next can be tried. */
  letGo(lane: Lane): void;
  /** The first of a lane is tried again then. */
  putBack(lane: Lane, at: number): void;
  /** Makes those ready whose time has come. */
  unblock(now: number): void;
  /** When the next one's time comes; undefined where none waits. */
  nextDue(): number | undefined;
}

/** Lanes without a change. */
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
        // What stands behind a failure waits without its text.
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

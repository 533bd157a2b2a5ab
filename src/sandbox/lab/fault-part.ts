import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Clock } from '../../platform/process/clock.ts';
import type { Layer, Part } from '../engine/part.ts';
import { invalid } from '../engine/refusal.ts';
import {
  type FaultAction,
  matchesOperation,
  type OperationPattern,
  operationOf,
  parseAction,
  parsePattern,
  writeAction,
} from './fault-action.ts';
import { act } from './fault-acts.ts';

/** Which of the calls it sees a fault is applied to; calls are counted from 1, from when the fault was added. */
type FaultTurn =
  | { readonly kind: 'nth'; readonly nth: number }
  | { readonly kind: 'every'; readonly every: number }
  | { readonly kind: 'once' }
  | { readonly kind: 'share'; readonly share: number; readonly seed: string };

/** A turn as flags; exactly one of nth, every, once and share, and a seed with a share. */
interface TurnFlags {
  readonly nth?: number | undefined;
  readonly every?: number | undefined;
  readonly once?: boolean | undefined;
  readonly share?: number | undefined;
  readonly seed?: string | undefined;
}

/** Parses the flags of a turn; refuses missing, superfluous or out-of-range ones with 400. */
function parseTurn({ nth, every, once, share, seed }: TurnFlags): FaultTurn {
  const named = Object.entries({ nth, every, once: once || undefined, share }).filter(
    ([, value]) => value !== undefined,
  );
  const [[kind] = [undefined], another] = named;
  if (kind === undefined) throw invalid('once', 'is missing: give exactly one of nth, every, once, share');
  if (another !== undefined) throw invalid(another[0], `cannot go together with ${kind}`);
  if (kind !== 'share' && seed !== undefined) throw invalid('seed', 'goes with share alone');
  if (kind === 'nth') return { kind, nth: count('nth', nth) };
  if (kind === 'every') return { kind, every: count('every', every) };
  if (kind === 'once') return { kind };
  if (share === undefined || !(share > 0 && share <= 1))
    throw invalid('share', 'must be over 0 and at most 1, like 0.2');
  if (seed === undefined || seed === '')
    throw invalid('seed', 'is missing: a share needs one, so that it can be repeated');
  return { kind: 'share', share, seed };
}

/** Whether the fault is applied to call number `seen`, having been applied `fired` times before. */
export function isTurn(turn: FaultTurn, seen: number, fired: number): boolean {
  switch (turn.kind) {
    case 'nth':
      return seen === turn.nth;
    case 'every':
      return seen % turn.every === 0;
    case 'once':
      return fired === 0;
    case 'share':
      return drawn(turn.seed, seen) < turn.share;
  }
}

/** A turn as flags. */
export function writeTurn(turn: FaultTurn): string {
  switch (turn.kind) {
    case 'nth':
      return `nth ${turn.nth}`;
    case 'every':
      return `every ${turn.every}`;
    case 'once':
      return 'once';
    case 'share':
      return `share ${turn.share} seed ${turn.seed}`;
  }
}

function count(name: string, value: number | undefined): number {
  if (value !== undefined && Number.isSafeInteger(value) && value >= 1) return value;
  throw invalid(name, 'must be a whole number from 1 on');
}

/** A value in [0, 1), deterministic for a seed and a number. */
function drawn(seed: string, number: number): number {
  return createHash('sha256').update(`${seed} ${number}`).digest().readUInt32BE(0) / 2 ** 32;
}

/** A scripted fault: which calls of which operations it applies to, and what it does to them. */
interface Fault {
  readonly operation: OperationPattern;
  readonly turn: FaultTurn;
  readonly action: FaultAction;
}

/** A fault as written on the command line. */
export interface FaultFlags extends TurnFlags {
  /** An operation's id, `<family>.<Area>/*` or `*`. */
  readonly operation: string;
  /** The action, for example `status=503,retry-after=2`. */
  readonly do: string;
}

/** Parses a fault; throws a Refusal (400) with the invalid flag in `meta.field`. */
export async function parseFault(flags: FaultFlags): Promise<Fault> {
  return { operation: await parsePattern(flags.operation), turn: parseTurn(flags), action: parseAction(flags.do) };
}

/** A fault and its counts. */
export interface FaultStatus {
  /** Numbered from 1 in each run. */
  readonly id: number;
  readonly operation: string;
  /** Which calls it is applied to, for example `every 3`. */
  readonly when: string;
  /** Its action, as written on the command line. */
  readonly do: string;
  /** How many calls of its operations there were since it was added. */
  readonly seen: number;
  /** How many of them it was applied to. */
  readonly fired: number;
}

/** The scripted faults. */
export interface FaultControl {
  readonly faults: {
    /** Adds a fault; throws a Refusal (400) for invalid flags. */
    add(flags: FaultFlags): Promise<FaultStatus>;
    /** All faults, oldest first. */
    list(): { readonly faults: readonly FaultStatus[] };
    /** Removes one fault, or all of them; returns how many were removed. */
    clear(id?: number): { readonly cleared: number };
  };
}

interface Scripted extends Fault {
  readonly id: number;
  seen: number;
  fired: number;
}

/**
 * The part that breaks calls. Each fault counts the calls of its operations; if several are due at one call, the oldest
 * is applied, and the others skip that call (a `once` waits for the next). Faults and their counts are kept in memory
 * only: they belong to a test run, and a restarted sandbox must work.
 */
export function faultPart(clock: Clock): Part<FaultControl> {
  const scripted = new Map<number, Scripted>();
  const interruption = new AbortController();
  // Every call that is held back listens for the end, however many there are.
  setMaxListeners(0, interruption.signal);
  let lastId = 0;

  const layer: Layer = async (request, next) => {
    if (scripted.size === 0) return next(request);
    const id = (await operationOf(request.url))?.id;
    const fault = id === undefined ? undefined : countCall(id);
    if (fault === undefined) return next(request);
    return act(fault.action, request, next, { faultId: fault.id, clock, interrupted: interruption.signal });
  };

  /** Counts a call of an operation for every fault that matches it; returns the one to apply. */
  function countCall(operation: string): Scripted | undefined {
    const watching = [...scripted.values()].filter((fault) => matchesOperation(fault.operation, operation));
    for (const fault of watching) fault.seen += 1;
    const due = watching.find(({ turn, seen, fired }) => isTurn(turn, seen, fired));
    if (due !== undefined) due.fired += 1;
    return due;
  }

  return {
    layer,
    control: {
      faults: {
        async add(flags) {
          const fault = await parseFault(flags);
          lastId += 1;
          const added: Scripted = { ...fault, id: lastId, seen: 0, fired: 0 };
          scripted.set(added.id, added);
          return statusOf(added);
        },
        list: () => ({ faults: [...scripted.values()].map(statusOf) }),
        clear(id) {
          const before = scripted.size;
          if (id === undefined) scripted.clear();
          else scripted.delete(id);
          return { cleared: before - scripted.size };
        },
      },
    },
    interrupt: () => interruption.abort(),
  };
}

function statusOf({ id, operation, turn, action, seen, fired }: Scripted): FaultStatus {
  return { id, operation, when: writeTurn(turn), do: writeAction(action), seen, fired };
}

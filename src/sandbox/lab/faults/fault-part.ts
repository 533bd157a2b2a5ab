import { setMaxListeners } from 'node:events';
import type { Clock } from '../../../platform/process/clock.ts';
import type { Layer, Part } from '../../engine/part.ts';
import { act } from './act.ts';
import { writeAction } from './action.ts';
import { type Fault, type FaultFlags, parseFault } from './fault.ts';
import { matchesOperation, operationOf } from './operation-pattern.ts';
import { isTurn, writeTurn } from './turn.ts';

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

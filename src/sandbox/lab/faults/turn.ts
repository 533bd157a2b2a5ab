import { createHash } from 'node:crypto';
import { invalid } from '../../engine/refusal.ts';

/** Which of the calls it sees a fault is applied to; calls are counted from 1, from when the fault was added. */
export type FaultTurn =
  | { readonly kind: 'nth'; readonly nth: number }
  | { readonly kind: 'every'; readonly every: number }
  | { readonly kind: 'once' }
  | { readonly kind: 'share'; readonly share: number; readonly seed: string };

/** A turn as flags; exactly one of nth, every, once and share, and a seed with a share. */
export interface TurnFlags {
  readonly nth?: number | undefined;
  readonly every?: number | undefined;
  readonly once?: boolean | undefined;
  readonly share?: number | undefined;
  readonly seed?: string | undefined;
}

/** Parses the flags of a turn; refuses missing, superfluous or out-of-range ones with 400. */
export function parseTurn({ nth, every, once, share, seed }: TurnFlags): FaultTurn {
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

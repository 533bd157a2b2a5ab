import type { Clock } from '../platform/clock.ts';

/**
 * The time by which the sandbox does business: what records are stamped with and what expiry and delivery go by. Apart
 * from the machine's clock, so that a test can stop it and move it.
 */
export interface BusinessClock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

/** A business clock that goes with the machine's. */
export function followClock(clock: Clock): BusinessClock {
  return { now: () => clock.now() };
}

/** A moment as the wire shows it: UTC, whole seconds, a trailing Z (decisions, section 2). */
export function wireTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;
}

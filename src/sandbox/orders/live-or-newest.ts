import type { Status5 } from '../shipments/shipping-states.ts';

/**
 * Of several records that share a name, oldest first, the one that is meant: the newest that is not cancelled, else the
 * newest (decisions, section 5).
 */
export function liveOrNewest<Found extends { readonly record: { readonly status?: Status5 | null | undefined } }>(
  found: readonly Found[],
): Found | undefined {
  // A record is parsed when it is looked at: of one alone nothing needs to be known.
  if (found.length === 1) return found[0];
  return found.findLast(({ record }) => record.status !== 'N') ?? found.at(-1);
}

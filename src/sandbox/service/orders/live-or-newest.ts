import type { Status5 } from '../shipments/shipping-states.ts';

/**
 * Of several records that share a name, oldest first, the current one: the newest that is not cancelled, else the
 * newest (decisions, section 5).
 */
export function liveOrNewest<Found extends { readonly record: { readonly status?: Status5 | null | undefined } }>(
  found: readonly Found[],
): Found | undefined {
  // Accessing a record parses it, which is unnecessary for a single one.
  if (found.length === 1) return found[0];
  return found.findLast(({ record }) => record.status !== 'N') ?? found.at(-1);
}

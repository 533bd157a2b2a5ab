import { Refusal } from '../../engine/refusal.ts';
import type { Work } from '../../engine/work.ts';

/** The kinds whose codes are generated if absent, and are unique in the shop (decisions, section 6). */
export type Coded = 'customer' | 'product' | 'variant';

/** Refuses with 412 a code that another live record of the kind has; `ownId` is the record that may have it. */
export function requireFreeCode(work: Work, shopId: string, kind: Coded, code: string, ownId?: string): void {
  const holders = holdersOf(work, shopId, kind, code);
  if (holders.every(({ id }) => id === ownId)) return;
  throw new Refusal('failed_precondition', `another ${kind} has the code ${code}`, { duplicated: 'code' });
}

/** The given code, 412 if it is taken; otherwise the next one from `make` that was not assigned by hand. */
export function takeCode(
  work: Work,
  shopId: string,
  kind: Coded,
  given: string | undefined,
  make: () => string,
): string {
  if (given) {
    requireFreeCode(work, shopId, kind, given);
    return given;
  }
  for (;;) {
    const made = make();
    if (holdersOf(work, shopId, kind, made).length === 0) return made;
  }
}

function holdersOf(work: Work, shopId: string, kind: Coded, code: string) {
  return work.records(kind, shopId).find({ code });
}

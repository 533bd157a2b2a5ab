import { invalid } from '../../../engine/refusal.ts';
import type { Work } from '../../../engine/work.ts';

/** Refuses with 400 a line with a variant that the shop does not have, or has deleted (our choice). */
export function requireVariants(
  work: Work,
  shopId: string,
  lines: readonly { readonly variant_id?: string | null | undefined }[],
  prefix = '',
): void {
  const named = lines.map(({ variant_id: id }) => (id === '0' || !id ? undefined : id));
  const ids = [...new Set(named.filter((id) => id !== undefined))];
  if (ids.length === 0) return;
  const known = new Set(
    work
      .records('variant', shopId)
      .find({ id: ids })
      .map((variant) => variant.id),
  );
  const index = named.findIndex((id) => id !== undefined && !known.has(id));
  if (index >= 0) throw invalid(`${prefix}lines[${index}].variant_id`, 'names no variant of the shop');
}

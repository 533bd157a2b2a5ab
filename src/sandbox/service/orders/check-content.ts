import { negativeAmounts, type SignedAmounts } from '../../../domain/amounts/negative-amounts.ts';
import { judgeTotals, type LineAmounts, type Totals, totalNames } from '../../../domain/amounts/totals.ts';
import { AmountError, checkChargeable, type Parcel } from '../../../domain/amounts/weight.ts';
import { inEnglish } from '../../../domain/language.ts';
import type { Work } from '../../engine/call.ts';
import { invalid } from '../../engine/refusal.ts';

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

/** The fields of an order line that are checked, besides its amounts. */
type CheckedLine = LineAmounts & {
  readonly product_name?: string | null | undefined;
  readonly list_price?: number | null | undefined;
};

/** The fields of an order that the sums are computed from. */
type SummedOrder = Omit<SignedAmounts, 'lines'> & { readonly lines: readonly CheckedLine[] };

const MOST_LINES = 40;
const SHORTEST_NAME = 2;
const MOST_ITEMS = 999_999;

/** Refuses lines beyond the sandbox's limits (decisions, section 2), and negative amounts. */
export function checkLines(order: SummedOrder): void {
  const { lines } = order;
  if (lines.length > MOST_LINES) throw invalid('lines', `has ${lines.length} lines, ${MOST_LINES} are allowed`);
  for (const [index, line] of lines.entries()) {
    const at = `lines[${index}]`;
    if ([...(line.product_name ?? '').trim()].length < SHORTEST_NAME) {
      throw invalid(`${at}.product_name`, `must have at least ${SHORTEST_NAME} characters`);
    }
    const quantity = line.quantity ?? 0;
    if (quantity < 1 || quantity > MOST_ITEMS) throw invalid(`${at}.quantity`, `must be from 1 to ${MOST_ITEMS}`);
  }
  refuseNegative(order, (path) => !isTotal(path));
}

const isTotal = (path: string) => totalNames.some((name) => name === path);

function refuseNegative(order: SummedOrder, among: (path: string) => boolean): void {
  const path = negativeAmounts(order).find(among);
  if (path !== undefined) throw invalid(path, 'must not be negative');
}

/**
 * Refuses an order whose sums differ from the formulas, in the order of decisions, section 7, with the correct number
 * in `meta.expected`; then a line with a payment price above its retail price, then a negative sum. Returns the sums,
 * including total_fee.
 */
export function checkSums(order: SummedOrder): Totals {
  return refusingAmounts('', () => {
    const judged = judgeTotals(order);
    const { totals } = judged;
    // Fee lines without a total_fee are accepted, and 0 counts as none.
    const isNoFee = !order.total_fee && (order.fee_lines ?? []).length > 0;
    const wrong = judged.wrong.find(({ field }) => !(isNoFee && field === 'total_fee'));
    if (wrong !== undefined) {
      const [expected, given] = [String(wrong.expected), String(wrong.given ?? 0)];
      const should = wrong.kind === 'total' ? 'should be' : 'may be at most';
      throw invalid(wrong.field, `is ${given}, ${should} ${expected} (${wrong.formula})`, { expected, given });
    }
    // A correct sum can still be negative: a discount may exceed the amount it applies to.
    refuseNegative(order, isTotal);
    return totals;
  });
}

/** Runs a computation of sums; amounts that cannot be summed exactly are refused with 400. */
export function refusingAmounts<Result>(prefix: string, sum: () => Result): Result {
  try {
    return inEnglish(sum);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw invalid(prefix + error.field, error.fault);
  }
}

/**
 * The chargeable weight of a parcel in grams. Refuses one below the computed weight, with both in meta (decisions,
 * section 7). `prefix` is the parcel's path in the request, for example `shipping.`.
 */
export function weigh(parcel: Parcel, prefix = ''): number {
  const check = refusingAmounts(prefix, () => checkChargeable(parcel));
  if (check.ok) return check.chargeable_weight;
  const [expected, given] = [String(check.minimum), String(check.given)];
  const problem = `is ${given}, should be at least ${expected} (${check.formula})`;
  throw invalid(`${prefix}chargeable_weight`, problem, { expected, given });
}

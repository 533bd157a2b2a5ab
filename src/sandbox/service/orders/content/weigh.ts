import { checkChargeable, type Parcel } from '../../../../domain/amounts/weight.ts';
import { invalid } from '../../../engine/refusal.ts';
import { refusingAmounts } from './check-lines.ts';

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

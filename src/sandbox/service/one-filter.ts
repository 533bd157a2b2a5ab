import { keysOf, tableFrom } from '../../domain/json/keys-of.ts';
import { Refusal } from '../engine/refusal.ts';
import { idsOf } from '../engine/store/record-lists.ts';

/** The ids of the only given filter, by its name; 412 for none and for more than one (decisions, section 4). */
export function exactlyOneFilter<Name extends string>(
  filters: {
    readonly [N in Name]: string | undefined;
  },
): { readonly [N in Name]?: readonly string[] | undefined } {
  const names = keysOf(filters);
  const given = names.filter((name) => idsOf(filters[name]) !== undefined);
  if (given.length !== 1) {
    const wanted = names.map((name) => `filter.${name}`).join(', ');
    throw new Refusal('failed_precondition', `give exactly one of ${wanted}`);
  }
  return tableFrom(names.map((name) => [name, idsOf(filters[name])]));
}

import type { Operation } from '../../contract/operation.ts';
import type { Offer } from '../../contract/schema/hint.ts';
import { structureOf } from '../../contract/schema/structure.ts';

/** The command group whose lists show the ids that a contract field takes, by field name. */
const groupsOf: Readonly<Record<string, string>> = {
  collection_id: 'collections',
  customer_id: 'customers',
  fulfillment_id: 'fulfillments',
  group_id: 'groups',
  order_id: 'orders',
  product_id: 'products',
  variant_id: 'variants',
};

/** The ids that the fields of an operation's request take, by path: top-level fields, and those of a filter. */
export function offersOf({ command, idsOf, request }: Operation): Readonly<Record<string, Offer>> {
  const own = idsOf ?? command.split(' ')[0];
  const offerOf = (name: string): Offer | undefined => {
    const group = name === 'id' ? own : Object.hasOwn(groupsOf, name) ? groupsOf[name] : undefined;
    return group === undefined ? undefined : `ids ${group}`;
  };
  const { filter } = request.shape;
  const inner = filter === undefined ? [] : fieldsOf(filter).map((name) => [`filter.${name}`, offerOf(name)] as const);
  const top = Object.keys(request.shape).map((name) => [name, offerOf(name)] as const);
  return Object.fromEntries([...top, ...inner].filter((entry): entry is [string, Offer] => entry[1] !== undefined));
}

/** The field names of a record, which may be optional. */
function fieldsOf(schema: Parameters<typeof structureOf>[0]): string[] {
  const structure = structureOf(schema);
  if (structure.kind === 'around') return fieldsOf(structure.inner);
  return structure.kind === 'record' ? Object.keys(structure.fields) : [];
}

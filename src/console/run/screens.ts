import type { ActionData, ScreenData } from '../wire.ts';

/** The screens of the navigation in their order, by the group of commands that each shows. */
const main: readonly (readonly [group: string, title: string])[] = [
  ['day', 'Today'],
  ['orders', 'Orders'],
  ['fulfillments', 'Parcels'],
  ['customers', 'Customers'],
  ['products', 'Products'],
  ['variants', 'Variants'],
  ['inventory', 'Inventory'],
  ['batch', 'Batches'],
  ['events', 'Events'],
  ['report', 'Reports'],
  ['cod', 'Cash on delivery'],
  ['sandbox', 'Sandbox'],
];

const titled = (group: string) => group.charAt(0).toUpperCase() + group.slice(1).replaceAll('-', ' ');

/** A screen for each group that has an action: those of the navigation first, then the others by name. */
export function screensOf(actions: readonly ActionData[]): readonly ScreenData[] {
  const groups = new Set(actions.map(({ group }) => group));
  const named = main.filter(([group]) => groups.has(group)).map(([group, title]) => ({ group, title, isMain: true }));
  const known = new Set(main.map(([group]) => group));
  const others = [...groups].filter((group) => !known.has(group)).sort();
  return [...named, ...others.map((group) => ({ group, title: titled(group), isMain: false }))];
}

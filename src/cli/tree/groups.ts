import type { Action } from '../../action/action.ts';
import type { Group } from '../flags/command.ts';
import { type GroupSummary, groupIndex } from '../help/group-index.ts';

/** A group that can be loaded. */
export interface GroupEntry extends GroupSummary {
  readonly load: () => Promise<Group>;
}

const ofActions = async (actions: readonly Action[]): Promise<Group> => ({
  commands: (await import('./of-actions.ts')).commandsOf(actions),
});

/** Commands derived from those operations of some areas that belong to the group. */
const ofAreas = async (group: string, areas: readonly string[]): Promise<Group> =>
  ofActions(await (await import('../../operations/actions/derive.ts')).actionsOfAreas(group, areas));

/** Our own commands in a group of the service's operations. */
const besideAreas = async (group: string, areas: readonly string[], actions: readonly Action[]): Promise<Group> => {
  const [derived, own] = await Promise.all([ofAreas(group, areas), ofActions(actions)]);
  return { commands: [...derived.commands, ...own.commands] };
};

/** How each group is loaded when it is used; the compiler reports one that is in the index but missing here. */
const loaders: Readonly<Record<(typeof groupIndex)[number]['name'], GroupEntry['load']>> = {
  ship: async () => ofActions((await import('../../ship/actions.ts')).actions),
  quote: async () => ofActions((await import('../../ship/actions/quote.ts')).actions),
  shipping: () => ofAreas('shipping', ['partner.Shipping', 'shop.Shipping']),
  batch: async () => ofActions((await import('../../batch/actions/batch.ts')).actions),
  slips: async () => ofActions((await import('../../slips/actions/slips.ts')).actions),
  totals: async () => ofActions((await import('../../ship/actions/totals.ts')).actions),
  orders: async () => besideAreas('orders', ['shop.Order'], [(await import('../../reports/actions/story.ts')).story]),
  fulfillments: () => ofAreas('fulfillments', ['shop.Fulfillment']),
  shipnow: () => ofAreas('shipnow', ['shop.Shipnow']),
  customers: () => ofAreas('customers', ['shop.Customer']),
  addresses: () => ofAreas('addresses', ['shop.CustomerAddress']),
  groups: () => ofAreas('groups', ['shop.CustomerGroup', 'shop.CustomerGroupRelationship']),
  products: () => ofAreas('products', ['shop.Product']),
  variants: () => ofAreas('variants', ['shop.Variant']),
  collections: () => ofAreas('collections', ['shop.ProductCollection', 'shop.ProductCollectionRelationship']),
  inventory: () => ofAreas('inventory', ['shop.Inventory']),
  webhooks: async () =>
    besideAreas(
      'webhooks',
      ['partner.Webhook', 'shop.Webhook'],
      (await import('../../events/actions/webhooks.ts')).actions,
    ),
  events: async () => ofActions((await import('../../events/actions/events.ts')).actions),
  wait: async () => ofActions((await import('../../events/actions/wait.ts')).actions),
  mirror: async () => ofActions((await import('../../mirror/actions/actions.ts')).actions),
  cod: async () => ofActions((await import('../../cod/actions/actions.ts')).actions),
  day: async () => ofActions([(await import('../../reports/actions/day.ts')).day]),
  report: async () => ofActions([(await import('../../reports/actions/report.ts')).report]),
  auth: async () => ofActions((await import('../../account/actions/auth.ts')).actions),
  profiles: async () => ofActions((await import('../../account/actions/profiles.ts')).actions),
  config: async () => ofActions((await import('../../account/actions/config.ts')).actions),
  ledger: async () => ofActions((await import('../../ledger/actions/ledger.ts')).actions),
  workspace: async () => ofActions((await import('../../workspace/actions/workspace.ts')).actions),
  console: async () => ofActions((await import('../../console/action.ts')).actions),
  mcp: async () => ofActions((await import('../../agents/actions.ts')).actions.mcp),
  approve: async () => ofActions((await import('../../agents/actions.ts')).actions.approve),
  agents: async () => ofActions((await import('../../agents/actions.ts')).actions.agents),
  sandbox: async () => ofActions((await import('../../sandbox/commands/actions.ts')).actions),
  api: async () => ofActions((await import('../../operations/actions/api.ts')).actions),
  account: () => ofAreas('account', ['shop.Misc']),
  locations: () => ofAreas('locations', ['shop.Misc']),
  service: () => ofAreas('service', ['shop.Misc']),
  history: () => ofAreas('history', ['shop.History']),
  commands: async () => ofActions((await import('../../operations/actions/commands.ts')).actions),
  schema: async () => ofActions((await import('../../operations/actions/schema.ts')).actions),
  conformance: async () => ofActions((await import('../../live/actions/conformance.ts')).actions),
  drift: async () => ofActions((await import('../../live/actions/drift.ts')).actions),
  doctor: async () => ofActions((await import('../../doctor/actions/doctor.ts')).actions),
  completion: async () => ofActions((await import('../../operations/actions/commands.ts')).completionActions),
};

/** Every command group; a group's module is loaded when it is used, and its commands are derived once. */
export const groups: readonly GroupEntry[] = groupIndex.map((summary) => {
  let loaded: Promise<Group> | undefined;
  return {
    ...summary,
    load: () => {
      loaded ??= loaders[summary.name]();
      return loaded;
    },
  };
});

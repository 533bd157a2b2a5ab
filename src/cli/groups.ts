import type { Group } from './command.ts';

/** A group in the index: enough for the top-level help without loading it. */
export interface GroupEntry {
  readonly name: string;
  readonly summary: string;
  readonly section: 'Ship' | 'Shop' | 'Account and tools';
  readonly load: () => Promise<Group>;
}

const ofAreas = async (group: string, areas: readonly string[]): Promise<Group> =>
  (await import('./operation-command.ts')).groupOfAreas(group, areas);

/** Every group of commands; a group's module is loaded when it is named. */
export const groups: readonly GroupEntry[] = [
  {
    name: 'quote',
    summary: 'Compare what the carriers offer for a parcel',
    section: 'Ship',
    load: async () => (await import('./commands/quote.ts')).group,
  },
  {
    name: 'shipping',
    summary: 'Ship orders: services, create, get, cancel',
    section: 'Ship',
    load: () => ofAreas('shipping', ['partner.Shipping', 'shop.Shipping']),
  },
  {
    name: 'totals',
    summary: 'Check or complete the sums of orders, offline',
    section: 'Ship',
    load: async () => (await import('./commands/totals.ts')).group,
  },
  {
    name: 'orders',
    summary: 'Manage orders',
    section: 'Shop',
    load: () => ofAreas('orders', ['shop.Order']),
  },
  {
    name: 'fulfillments',
    summary: 'Read shipments',
    section: 'Shop',
    load: () => ofAreas('fulfillments', ['shop.Fulfillment']),
  },
  {
    name: 'shipnow',
    summary: 'On-demand deliveries',
    section: 'Shop',
    load: () => ofAreas('shipnow', ['shop.Shipnow']),
  },
  {
    name: 'customers',
    summary: 'Manage customers',
    section: 'Shop',
    load: () => ofAreas('customers', ['shop.Customer']),
  },
  {
    name: 'addresses',
    summary: 'Manage addresses of customers',
    section: 'Shop',
    load: () => ofAreas('addresses', ['shop.CustomerAddress']),
  },
  {
    name: 'groups',
    summary: 'Manage groups of customers and who is in them',
    section: 'Shop',
    load: () => ofAreas('groups', ['shop.CustomerGroup', 'shop.CustomerGroupRelationship']),
  },
  {
    name: 'products',
    summary: 'Manage products',
    section: 'Shop',
    load: () => ofAreas('products', ['shop.Product']),
  },
  {
    name: 'variants',
    summary: 'Manage variants of products',
    section: 'Shop',
    load: () => ofAreas('variants', ['shop.Variant']),
  },
  {
    name: 'collections',
    summary: 'Manage collections of products and what is in them',
    section: 'Shop',
    load: () => ofAreas('collections', ['shop.ProductCollection', 'shop.ProductCollectionRelationship']),
  },
  {
    name: 'inventory',
    summary: 'Read inventory levels',
    section: 'Shop',
    load: () => ofAreas('inventory', ['shop.Inventory']),
  },
  {
    name: 'webhooks',
    summary: 'Manage webhooks',
    section: 'Shop',
    load: () => ofAreas('webhooks', ['partner.Webhook', 'shop.Webhook']),
  },
  {
    name: 'auth',
    summary: 'Connect shops: sign in, see and change which keys there are',
    section: 'Account and tools',
    load: async () => (await import('./commands/auth.ts')).group,
  },
  {
    name: 'profiles',
    summary: 'Manage profiles: accounts at services',
    section: 'Account and tools',
    load: async () => (await import('./commands/profiles.ts')).group,
  },
  {
    name: 'config',
    summary: 'See and change settings',
    section: 'Account and tools',
    load: async () => (await import('./commands/config.ts')).group,
  },
  {
    name: 'sandbox',
    summary: 'Run the whole service on this machine',
    section: 'Account and tools',
    load: async () => (await import('./commands/sandbox.ts')).group,
  },
  {
    name: 'api',
    summary: 'Call any operation with a request of your own',
    section: 'Account and tools',
    load: async () => (await import('./commands/api.ts')).group,
  },
  {
    name: 'account',
    summary: 'Show the account that a key belongs to',
    section: 'Account and tools',
    load: () => ofAreas('account', ['shop.Misc']),
  },
  {
    name: 'locations',
    summary: 'List provinces, districts and wards',
    section: 'Account and tools',
    load: () => ofAreas('locations', ['shop.Misc']),
  },
  {
    name: 'service',
    summary: 'Show the version of the service',
    section: 'Account and tools',
    load: () => ofAreas('service', ['shop.Misc']),
  },
  {
    name: 'history',
    summary: 'Show what a webhook delivery looks like',
    section: 'Account and tools',
    load: () => ofAreas('history', ['shop.History']),
  },
  {
    name: 'commands',
    summary: 'List every command and the operations it calls',
    section: 'Account and tools',
    load: async () => (await import('./commands/commands.ts')).group,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of what a command sends and gets',
    section: 'Account and tools',
    load: async () => (await import('./commands/schema.ts')).group,
  },
  {
    name: 'completion',
    summary: 'Print the completion script of a shell',
    section: 'Account and tools',
    load: async () => (await import('./commands/completion.ts')).group,
  },
];

/** A command group in the index: enough for the top-level help without loading it. */
export interface GroupSummary {
  readonly name: string;
  readonly summary: string;
  readonly section: 'Ship' | 'Shop' | 'Account and tools';
}

/** Every command group in the order of the help. `groups.ts` says how each one is loaded. */
export const groupIndex = [
  { name: 'ship', section: 'Ship', summary: 'Quote and ship an order, step by step or all at once' },
  { name: 'quote', section: 'Ship', summary: 'Compare carrier offers for a parcel' },
  { name: 'shipping', section: 'Ship', summary: 'Ship orders without questions: offers, create, cancel' },
  { name: 'batch', section: 'Ship', summary: 'Process a whole spreadsheet, each row exactly once' },
  { name: 'slips', section: 'Ship', summary: 'Print packing slips for orders, or a pick list' },
  { name: 'totals', section: 'Ship', summary: 'Check or complete the sums of orders, offline' },
  { name: 'orders', section: 'Shop', summary: 'Manage orders; to change one, cancel it and ship it again' },
  { name: 'fulfillments', section: 'Shop', summary: 'List and show shipments' },
  { name: 'shipnow', section: 'Shop', summary: 'Manage on-demand deliveries' },
  { name: 'customers', section: 'Shop', summary: 'Manage customers' },
  { name: 'addresses', section: 'Shop', summary: 'Manage addresses of customers' },
  { name: 'groups', section: 'Shop', summary: 'Manage customer groups and their members' },
  { name: 'products', section: 'Shop', summary: 'Manage products' },
  { name: 'variants', section: 'Shop', summary: 'Manage variants of products' },
  { name: 'collections', section: 'Shop', summary: 'Manage product collections and their products' },
  { name: 'inventory', section: 'Shop', summary: 'List inventory levels' },
  { name: 'webhooks', section: 'Shop', summary: 'Manage webhooks and receive their changes' },
  { name: 'events', section: 'Shop', summary: 'List, replay and delete received changes' },
  { name: 'wait', section: 'Shop', summary: 'Wait until an order, a batch or a webhook is in a state' },
  { name: 'mirror', section: 'Shop', summary: 'Copy the shop into a database and query it in SQL' },
  { name: 'cod', section: 'Shop', summary: 'Reconcile cash on delivery with the payment files of carriers' },
  { name: 'day', section: 'Shop', summary: 'Show the day on one screen' },
  {
    name: 'report',
    section: 'Shop',
    summary: 'Report on sales, customers, parcels, carriers, cash and stock',
  },
  {
    name: 'auth',
    section: 'Account and tools',
    summary: 'Sign in shops and manage their keys',
  },
  { name: 'profiles', section: 'Account and tools', summary: 'Manage profiles: accounts at services' },
  { name: 'config', section: 'Account and tools', summary: 'Show and change settings' },
  { name: 'ledger', section: 'Account and tools', summary: 'List and settle writes whose outcome is unknown' },
  {
    name: 'workspace',
    section: 'Account and tools',
    summary: 'Show, check, back up and move the stored data of shopctl',
  },
  { name: 'console', section: 'Account and tools', summary: 'Show the shop and the sandbox in a browser' },
  { name: 'mcp', section: 'Account and tools', summary: 'Serve the shop to an agent, within what you allow' },
  { name: 'approve', section: 'Account and tools', summary: 'Approve what an agent has planned' },
  { name: 'agents', section: 'Account and tools', summary: 'Set, watch and stop what agents may do' },
  { name: 'sandbox', section: 'Account and tools', summary: 'Run the whole service on this machine' },
  { name: 'api', section: 'Account and tools', summary: 'Call any operation with a request of your own' },
  { name: 'account', section: 'Account and tools', summary: 'Show the account that a key belongs to' },
  { name: 'locations', section: 'Account and tools', summary: 'List provinces, districts and wards' },
  { name: 'service', section: 'Account and tools', summary: 'Show the version of the service' },
  { name: 'history', section: 'Account and tools', summary: 'Show what a webhook delivery looks like' },
  {
    name: 'commands',
    section: 'Account and tools',
    summary: 'List every command, what it does, and the operations it calls',
  },
  {
    name: 'schema',
    section: 'Account and tools',
    summary: 'Print the JSON Schema of a command, and what it does',
  },
  {
    name: 'conformance',
    section: 'Account and tools',
    summary: 'Check whether a live service does what the contract says',
  },
  { name: 'drift', section: 'Account and tools', summary: 'Show how the service differs from the contract' },
  { name: 'doctor', section: 'Account and tools', summary: 'Check settings, keys and the connection to the service' },
  { name: 'completion', section: 'Account and tools', summary: 'Print the completion script of a shell' },
] as const satisfies readonly GroupSummary[];

/** What the groups within groups are for, by their words. */
export const nestedSummaries: Readonly<Record<string, string>> = {
  'ship drafts': 'Continue or remove what the wizard has stored',
  'agents policy': 'Show, edit and accept what agents may do',
  'groups members': 'Manage the members of a customer group',
  'collections members': 'Manage the products of a collection',
  'sandbox clock': 'Stop, set and advance the time of the sandbox',
  'sandbox faults': 'Script calls that fail, and how',
  'sandbox snapshot': 'Save and restore the data of the sandbox',
};

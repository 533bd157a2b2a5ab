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
  { name: 'shipping', section: 'Ship', summary: 'Ship orders: services, create, get, cancel' },
  { name: 'batch', section: 'Ship', summary: 'Work through a whole spreadsheet, each row exactly once' },
  { name: 'slips', section: 'Ship', summary: 'Make packing slips for orders, or a list of what to fetch' },
  { name: 'totals', section: 'Ship', summary: 'Check or complete the sums of orders, offline' },
  { name: 'orders', section: 'Shop', summary: 'Manage orders' },
  { name: 'fulfillments', section: 'Shop', summary: 'Read shipments' },
  { name: 'shipnow', section: 'Shop', summary: 'On-demand deliveries' },
  { name: 'customers', section: 'Shop', summary: 'Manage customers' },
  { name: 'addresses', section: 'Shop', summary: 'Manage addresses of customers' },
  { name: 'groups', section: 'Shop', summary: 'Manage groups of customers and who is in them' },
  { name: 'products', section: 'Shop', summary: 'Manage products' },
  { name: 'variants', section: 'Shop', summary: 'Manage variants of products' },
  { name: 'collections', section: 'Shop', summary: 'Manage collections of products and what is in them' },
  { name: 'inventory', section: 'Shop', summary: 'Read inventory levels' },
  { name: 'webhooks', section: 'Shop', summary: 'Manage webhooks, and receive what they bring' },
  { name: 'events', section: 'Shop', summary: 'See, replay and forget the changes that were received' },
  { name: 'wait', section: 'Shop', summary: 'Wait until an order, a batch or a webhook is in a state' },
  { name: 'mirror', section: 'Shop', summary: 'Copy the shop into a database, and ask it in SQL' },
  { name: 'cod', section: 'Shop', summary: 'Reconcile cash on delivery with the payment files of carriers' },
  { name: 'day', section: 'Shop', summary: 'Show the day on one screen' },
  { name: 'report', section: 'Shop', summary: 'Report on sales, parcels, carriers, cash and stock' },
  {
    name: 'auth',
    section: 'Account and tools',
    summary: 'Connect shops: sign in, see and change keys',
  },
  { name: 'profiles', section: 'Account and tools', summary: 'Manage profiles: accounts at services' },
  { name: 'config', section: 'Account and tools', summary: 'See and change settings' },
  { name: 'ledger', section: 'Account and tools', summary: 'See and settle writes whose outcome is not known' },
  { name: 'workspace', section: 'Account and tools', summary: 'See, check and back up what batches and events keep' },
  { name: 'console', section: 'Account and tools', summary: 'Show the shop and the sandbox in a browser' },
  { name: 'sandbox', section: 'Account and tools', summary: 'Run the whole service on this machine' },
  { name: 'api', section: 'Account and tools', summary: 'Call any operation with a request of your own' },
  { name: 'account', section: 'Account and tools', summary: 'Show the account that a key belongs to' },
  { name: 'locations', section: 'Account and tools', summary: 'List provinces, districts and wards' },
  { name: 'service', section: 'Account and tools', summary: 'Show the version of the service' },
  { name: 'history', section: 'Account and tools', summary: 'Show what a webhook delivery looks like' },
  { name: 'commands', section: 'Account and tools', summary: 'List every command and the operations it calls' },
  { name: 'schema', section: 'Account and tools', summary: 'Print the JSON Schema of what a command takes and gives' },
  {
    name: 'conformance',
    section: 'Account and tools',
    summary: 'Check whether a live service does what the contract says',
  },
  { name: 'drift', section: 'Account and tools', summary: 'See how answers of the service differ from the contract' },
  { name: 'doctor', section: 'Account and tools', summary: 'Check settings, keys and the connection to the service' },
  { name: 'completion', section: 'Account and tools', summary: 'Print the completion script of a shell' },
] as const satisfies readonly GroupSummary[];

/** What the groups within groups are for, by their words. */
export const nestedSummaries: Readonly<Record<string, string>> = {
  'ship drafts': 'Continue or remove what the wizard has stored',
  'groups members': 'Manage who is in a group of customers',
  'collections members': 'Manage what is in a collection of products',
  'sandbox clock': 'Stop, set and advance the time of the sandbox',
  'sandbox faults': 'Script calls that fail, and how',
  'sandbox snapshot': 'Save the data of the sandbox, and go back to it',
};

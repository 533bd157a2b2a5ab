import { textsIn } from '../domain/language.ts';

/** What the commands do that ask before they remove something; of each, the same as the command's summary. */
const removals: Readonly<Record<string, string>> = {
  'shipping cancel': 'Cancel an order and its shipments',
  'orders cancel': 'Cancel an order and its shipments',
  'shipnow cancel': 'Cancel an on-demand delivery',
  'customers delete': 'Delete a customer',
  'addresses delete': 'Delete an address',
  'groups delete': 'Delete a group',
  'groups members remove': 'Remove a customer from a group',
  'products delete': 'Delete a product',
  'variants delete': 'Delete a variant',
  'collections delete': 'Delete a collection',
  'collections members remove': 'Remove a product from a collection',
  'webhooks delete': 'Stop sending changes to a webhook',
  'batch forget': "Remove a batch's stored data, personal data included",
  'events targets remove': 'Remove a target, and the changes that it has not accepted',
  'events prune': 'Remove changes that were received before a time',
  'mirror forget': 'Delete the mirror',
  'cod forget': 'Delete an imported payment file and its lines',
  'drift forget': 'Forget findings, or all of them',
  'sandbox snapshot restore': 'Restore the data and the business clock from a snapshot',
  'sandbox snapshot remove': 'Remove a snapshot',
  'sandbox reset': 'Reset the data to what the sandbox started with; accounts and keys stay',
};

/** What people read of this subject. */
export const actionTexts = {
  removals,
  /** The question before something is removed: what it is, what was given, and what will happen. */
  removal: (removal: {
    does: string;
    called: string | undefined;
    given: readonly string[];
    effect: string | undefined;
  }) => {
    const { does, called, given, effect } = removal;
    const what = `${does}${called === undefined ? '' : `: ${called}`}${given.length === 0 ? '' : ` (${given.join(', ')})`}`;
    return `${what}${effect === undefined ? '' : `; ${effect}`} — are you sure?`;
  },
  /** A part of the same, in a dry run. */
  looked: ({ called, effect }: { called: string; effect: string }) => `${called}; ${effect}`,
  duration: {
    none: ({ path }: { path: string }) => `${path} is not a duration`,
    must: 'must be a duration, for example 30s, 15m or 24h',
  },
  /** A number of a port. */
  port: ({ most }: { most: number }) => `must be 0 to ${most}; 0 takes a free one`,
  /** Units of the user's service manager. */
  unit: {
    noHome: 'no home directory was found for the unit file',
    keyLeftOut: 'the key from the environment is not written to the unit: save it in the profile',
    passwordLeftOut: 'the password of the database is not written to the unit: put it in ~/.pgpass',
    none: ({ unit }: { unit: string }) => `there is no unit ${unit}: nothing was removed`,
    others: ({ units }: { units: readonly string[] }) => `left, of other names: ${units.join(', ')}`,
  },
};

export const say = textsIn('action', actionTexts);

import * as z from 'zod';
import { id, int, list, nested, text } from '../schema/scalars.ts';
import { columns, controlOperation, filled, nothing } from './operation.ts';
import { say } from './texts.ts';

const account = z.object({ id: id('Id of the account'), api_key: text('Its API key') });
const named = z.object({ id: account.shape.id, name: text('Its name'), api_key: account.shape.api_key });

export const credentials = controlOperation({
  method: 'GET',
  path: 'credentials',
  command: 'sandbox credentials',
  isSecret: true,
  summary: "Print the keys of the sandbox's accounts",
  description: 'They are valid only for this sandbox.',
  examples: ['shopctl sandbox credentials --json'],
  input: nothing,
  output: z.object({
    base_url: text('Where the service is'),
    partner: nested(account, 'The demo partner'),
    partners: z.optional(list(named, 'All of them, where a seed file made several')),
    shops: list(named, 'The shops, with their own keys'),
  }),
  view: {
    columns: [
      ...columns('base_url', 'partner.id', 'partner.api_key'),
      // A key begins with the id of its account.
      { path: 'shops', each: columns('api_key', 'name') },
    ],
    name: 'partner.id',
  },
});

const shop = { shop_id: filled('the shop, by its id or name; when absent, the current shop') };
const shopHints = { shop_id: { setting: 'shop', placeholder: 'ID', offers: 'shops' } } as const;

export const signIn = controlOperation({
  page: true,
  method: 'POST',
  path: 'sign-in',
  command: 'sandbox sign-in',
  undo: 'sandbox unlink',
  summary: 'Sign a shop in with a request token, as its owner would',
  examples: ['shopctl sandbox sign-in TOKEN --shop-id ID'],
  input: z.object({ token: filled('the request token of AuthorizeShop, or the address of its sign-in page'), ...shop }),
  output: z.object({
    shop_id: id('Id of the shop'),
    redirect_url: z.optional(text('Where the page goes on to, where AuthorizeShop was given a redirect_url')),
  }),
  tells: ({ shop_id, redirect_url }) =>
    redirect_url === undefined ? say().signedIn({ shop: shop_id }) : say().signedInElsewhere({ shop: shop_id }),
  view: { columns: columns('shop_id', 'redirect_url'), name: 'shop_id' },
  positional: ['token'],
  hints: shopHints,
});

export const unlink = controlOperation({
  page: true,
  method: 'POST',
  path: 'unlink',
  command: 'sandbox unlink',
  undo: 'sandbox sign-in',
  summary: 'Unlink a shop from its partners, which revokes their keys',
  examples: ['shopctl sandbox unlink --shop-id ID'],
  input: z.object(shop),
  output: z.object({ removed: int('How many links there were', 'links') }),
  tells: ({ removed }) => say().unlinked({ count: removed }),
  view: { columns: [{ path: 'removed', kind: 'number' }], name: 'removed' },
  hints: shopHints,
});

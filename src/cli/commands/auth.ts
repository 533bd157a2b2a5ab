import { login, loginFlags } from '../auth/login.ts';
import { setup } from '../auth/setup.ts';
import { logout, shops, use } from '../auth/shops.ts';
import { status } from '../auth/status.ts';
import { token } from '../auth/token.ts';
import type { Group } from '../command.ts';

const shop = { name: 'shop', description: 'id of the shop' } as const;

/** `shopctl auth`: the sign-in of shops and the keys that came of it. */
export const group: Group = {
  commands: [
    {
      words: ['login'],
      summary: 'Sign a shop in and save its key',
      description: [
        'On a terminal it opens the sign-in page and waits for the shop, 15 minutes at most; the id of the shop can be',
        'typed instead. Elsewhere it prints the request token and exits with 8; once the shop has signed in, --shop-id',
        'completes it. A shop that signed in before gets its key at once.',
      ].join('\n'),
      flags: () => loginFlags,
      operations: ['partner.Shop/AuthorizeShop'],
      examples: [
        'shopctl auth login',
        'shopctl auth login --email owner@shop.example --name "Tea House"',
        'shopctl auth login --no-input --json',
        'shopctl auth login --shop-id ID',
      ],
      run: login,
    },
    {
      words: ['status'],
      summary: 'Show every key there is, and whether the service accepts it',
      description: 'Exits with 4 when a key is refused or there is none, with 7 when the service cannot be reached.',
      flags: () => [{ name: 'offline', type: 'boolean', description: 'ask nobody whether the keys work' }],
      examples: ['shopctl auth status', 'shopctl auth status --offline --json'],
      run: status,
    },
    { words: ['shops'], summary: 'List the shops that are signed in', examples: ['shopctl auth shops'], run: shops },
    {
      words: ['use'],
      summary: 'Act for this shop from now on',
      arguments: [{ ...shop, required: true }],
      examples: ['shopctl auth use ID'],
      run: use,
    },
    {
      words: ['logout'],
      summary: 'Forget the key of a shop',
      description: 'The key is forgotten here and stays valid at the service: only the shop can remove its link.',
      arguments: [{ ...shop, required: false }],
      flags: () => [{ name: 'all', type: 'boolean', description: 'the keys of all shops' }],
      examples: ['shopctl auth logout', 'shopctl auth logout --all'],
      run: logout,
    },
    {
      words: ['token'],
      summary: 'Print a key in clear',
      description: 'Only to a terminal, after asking; anywhere else with --yes.',
      arguments: [{ ...shop, required: false }],
      flags: () => [{ name: 'api-key', type: 'boolean', description: 'the API key of the profile, not a shop key' }],
      examples: ['shopctl auth token', 'shopctl auth token --api-key --yes'],
      run: token,
    },
    {
      words: ['setup'],
      summary: 'Set a first profile up by questions',
      description: 'Where nobody can be asked: shopctl profiles add NAME --base-url URL --api-key-stdin.',
      examples: ['shopctl auth setup'],
      run: setup,
    },
  ],
};

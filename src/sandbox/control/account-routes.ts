import { type ControlRoute, textOf } from './route.ts';

/** The accounts' keys, and signing a shop in and off. */
export const accountRoutes: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: 'credentials',
    handle: async ({ control, server }) => ({ base_url: server.baseUrl, ...(await control.credentials()) }),
  },
  {
    method: 'POST',
    path: 'sign-in',
    handle: ({ control }, input) => control.signIn(textOf(input, 'token'), textOf(input, 'shop_id')),
  },
  {
    method: 'POST',
    path: 'unlink',
    handle: ({ control }, input) => control.unlink(textOf(input, 'shop_id')),
  },
];

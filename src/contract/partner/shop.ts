import { operation } from '../operation.ts';
import { idText, int, record, text } from '../schema/scalars.ts';

export const AuthorizeShop = operation({
  id: 'partner.Shop/AuthorizeShop',
  command: 'auth login',
  summary: 'Connect a shop: ask for its sign-in, or for the key of a shop that signed in before',
  description:
    'Answers type shop_request with a request token (the shop must sign in, within 15 minutes) or type shop_key with the key that acts as the shop.',
  effect: 'authorize',
  credential: 'partner-api-key',
  request: record({
    shop_id: idText('Id of a shop that signed in before'),
    email: text('Email address that pre-fills a first sign-in'),
    phone: text('Phone number that pre-fills a first sign-in'),
    name: text('Shop name that pre-fills a first sign-in'),
    redirect_url: text('Where the sign-in page of the service returns to, where a deployment offers one'),
  }),
  response: record({
    code: text('ok'),
    msg: text('What happened, in words'),
    type: text('shop_request or shop_key'),
    auth_token: text('The request token, or the shop key'),
    expires_in: int('How long the token is valid; -1 while the shop keeps the link', 's'),
    auth_url: text('Sign-in page of the service, where a deployment offers one'),
  }),
});

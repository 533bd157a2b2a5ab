import type { KnownOperationId } from '../../src/contract/areas.ts';
import { loadOperation } from '../../src/contract/areas.ts';
import type { Credential } from '../../src/contract/operation.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Answer, openTestSandbox, type TestSandbox } from './sandbox.ts';

/** Sends a request to the service: the operation, its body as text, and the key if there is one. */
export type Send = (operation: string, body: string, key?: string) => Promise<Answer>;

/** A shop, a partner it signed in through, and all the keys of the two. */
export interface Caller {
  readonly shopId: string;
  readonly sandbox: Sandbox;
  readonly keys: Readonly<Record<Credential, string>>;
  /** Calls an operation with the key that it needs. */
  call(operation: KnownOperationId, body: object): Promise<Answer>;
  /** Like `call`, for a call that must succeed; answers its body. */
  // biome-ignore lint/suspicious/noExplicitAny: as in Answer
  made(operation: KnownOperationId, body: object): Promise<any>;
}

/** Two callers that share nothing but the service. */
export interface Callers {
  readonly sandbox: Sandbox;
  readonly first: Caller;
  readonly second: Caller;
}

const seed = {
  partners: [{ name: 'First Partner' }, { name: 'Second Partner' }],
  shops: [
    { name: 'Tea House', signed_in_with: ['First Partner'] },
    { name: 'Book Shop', signed_in_with: ['Second Partner'] },
  ],
};

/** Opens a sandbox with two partners and one shop each. */
export async function openCallers(): Promise<Callers & Pick<TestSandbox, 'changes'> & { readonly send: Send }> {
  const { sandbox, post, changes } = await openTestSandbox({ seed });
  return { sandbox, ...(await callersOf(sandbox, post)), changes, send: post };
}

/** The callers of a sandbox with that seed; requests are sent by `send`. */
export async function callersOf(sandbox: Sandbox, send: Send): Promise<Omit<Callers, 'sandbox'>> {
  const { partners = [], shops } = await sandbox.control.credentials();
  const [first, second] = await Promise.all(
    shops.map(async (shop, index): Promise<Caller> => {
      const partnerKey = partners[index]?.api_key ?? '';
      const link = await send('partner.Shop/AuthorizeShop', JSON.stringify({ shop_id: shop.id }), partnerKey);
      const keys = { 'shop-api-key': shop.api_key, 'partner-api-key': partnerKey, 'shop-key': link.body.auth_token };
      const call: Caller['call'] = async (operation, body) =>
        send(operation, JSON.stringify(body), keys[(await loadOperation(operation)).credential]);
      return {
        shopId: shop.id,
        sandbox,
        keys,
        call,
        async made(operation, body) {
          const { status, body: answer } = await call(operation, body);
          if (status !== 200) throw new Error(`${operation} answered ${status} ${JSON.stringify(answer)}`);
          return answer;
        },
      };
    }),
  );
  if (!first || !second) throw new Error('the seed has two shops');
  return { first, second };
}

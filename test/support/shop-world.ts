import type { Transport } from '../../src/platform/http/transport.ts';
import type { TestMachine } from './context.ts';
import { testMachine } from './context.ts';
import { openTestSandbox, type TestSandbox } from './sandbox.ts';
import { baseUrl } from './signed-in-world.ts';

/** A machine with two profiles: `test`, a partner with its shop signed in, and `shop`, the shop's own key. */
export interface ShopWorld extends TestMachine {
  readonly service: TestSandbox;
}

/** A wrapper between the command line and the sandbox, for example to break a response. */
export type Between = (transport: Transport) => Transport;

/** A sandbox without a socket, and a machine that is signed in to it in both ways. */
export async function shopWorld(between: Between = (transport) => transport): Promise<ShopWorld> {
  const service = await openTestSandbox();
  const machine = testMachine(between(service.sandbox.handle));
  const { partner, shop, shopKey } = service;
  await machine.save({
    version: 1,
    current_profile: 'test',
    profiles: {
      test: {
        kind: 'partner',
        base_url: baseUrl,
        api_key: partner.apiKey,
        shops: { [shop.id]: { name: shop.name, shop_key: shopKey } },
        current_shop: shop.id,
      },
      shop: { kind: 'shop', base_url: baseUrl, api_key: shop.apiKey },
    },
  });
  return { ...machine, service };
}

import { expect, it } from 'vitest';
import { testMachine } from '../support/context.ts';
import { fetchTransport } from '../support/fetch-transport.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import type { Deviation } from './service/deviations.ts';
import { SecondService } from './service/service.ts';

/** A machine whose shop is at a second service; the sandbox that is started beside it is a real one. */
async function diffWith(deviation: Deviation, ...words: readonly string[]) {
  return diffAs({ SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: SecondService.key }, deviation, ...words);
}

const asPartner = {
  SHOPCTL_AS: 'partner',
  SHOPCTL_API_KEY: SecondService.partnerKey,
  SHOPCTL_SHOP_KEY: SecondService.shopKey,
};

async function diffAs(keys: Readonly<Record<string, string>>, deviation: Deviation, ...words: readonly string[]) {
  const service = new SecondService(deviation);
  const machine = testMachine((request) =>
    request.url.startsWith('http://127.0.0.1:1/') ? service.handle(request) : fetchTransport(request),
  );
  const env = { ...keys, SHOPCTL_BASE_URL: 'http://127.0.0.1:1' };
  const ended = await machine.run(['conformance', 'diff', '--json', ...words], { env, clock: steppedClock() });
  return { ...ended, found: JSON.parse(ended.stdout) };
}

it('a service that does as the sandbox does differs in nothing', async () => {
  const { exit, found, stderr } = await diffWith({}, '--area', 'Customer', '--area', 'CustomerGroup');
  expect([exit, found], stderr).toEqual([0, []]);
});

it('a check that ends differently, and a field of another type, are differences', async () => {
  const bent: Deviation = {
    list: (operation) => (operation === 'shop.Customer/ListCustomers' ? { ignoresSort: true } : undefined),
    answer: ({ operation, status, body }) =>
      operation === 'shop.Customer/GetCustomer' && status === 200
        ? { status, body: { ...Object(body), since: 5 } }
        : undefined,
  };
  const { exit, found } = await diffWith(bent, '--area', 'Customer');
  expect(exit).toBe(11);
  expect(found).toEqual([
    { operation: 'shop.Customer/ListCustomers', check: 'sort', path: '', service: 'deviates', sandbox: 'holds' },
    { operation: 'shop.Customer/GetCustomer', check: 'answer', path: '', service: 'deviates', sandbox: 'holds' },
    { operation: 'shop.Customer/GetCustomer', check: 'form', path: 'since', service: 'number', sandbox: 'absent' },
  ]);
});

it("a partner's key is compared with a partner's key of the sandbox", async () => {
  const bent: Deviation = {
    answer: ({ operation, status, body }) =>
      operation === 'partner.Webhook/GetWebhooks' && status === 401 ? { status: 403, body } : undefined,
  };
  const { exit, found, stderr } = await diffAs(asPartner, bent, '--area', 'partner.Webhook', '--area', 'Misc');
  expect([exit, found], stderr).toEqual([
    11,
    [
      {
        operation: 'partner.Webhook/GetWebhooks',
        check: 'wrong key',
        path: '',
        service: 'deviates',
        sandbox: 'holds',
      },
    ],
  ]);
});

it('with --write-shop the writes are compared too, and both are left as they were found', async () => {
  const words = ['--write-shop', SecondService.shop, '--area', 'CustomerGroup'];
  const same = await diffWith({}, ...words);
  expect([same.exit, same.found], same.stderr).toEqual([0, []]);
  const { exit, found } = await diffWith({ update: ({ id }) => ({ id }) }, ...words);
  expect(exit).toBe(11);
  expect(found).toContainEqual({
    operation: 'shop.CustomerGroup/UpdateGroup',
    check: 'update',
    path: '',
    service: 'deviates',
    sandbox: 'holds',
  });
});

import { expect, it } from 'vitest';
import { testMachine } from '../support/context.ts';
import { fetchTransport } from '../support/fetch-transport.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import type { Deviation } from './service/deviations.ts';
import { SecondService } from './service/service.ts';

/** A machine whose shop is at a second service; the sandbox that is started beside it is a real one. */
async function diffWith(deviation: Deviation, ...words: readonly string[]) {
  const service = new SecondService(deviation);
  const machine = testMachine((request) =>
    request.url.startsWith('http://127.0.0.1:1/') ? service.handle(request) : fetchTransport(request),
  );
  const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: SecondService.key, SHOPCTL_BASE_URL: 'http://127.0.0.1:1' };
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

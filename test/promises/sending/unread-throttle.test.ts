/* A 429 of which nothing can be read proves nothing: what it answered is not sent again after a look that found nothing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorAnswer } from '../../support/scripted-transport.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const unread = {
  'a page': { status: 429, headers: { 'content-type': 'text/html' }, body: '<h1>Too many</h1>' },
  'broken JSON': { status: 429, headers: {}, body: '{"code":"resource_' },
  nothing: { status: 429, headers: {}, body: '' },
};

/** Creates a customer that is there once the answer comes, and is not found by the first look; how many there are then. */
async function created(opener: 'command' | 'row', throttle: { status: number; headers: object; body: string }) {
  let [isFirst, lookups] = [true, 0];
  const world = await shopWorld((transport) => async (request) => {
    if (request.url.endsWith('/CreateCustomer') && isFirst) {
      isFirst = false;
      await transport(request);
      return { ...throttle, headers: { ...throttle.headers } };
    }
    lookups += request.url.endsWith('/GetCustomer') ? 1 : 0;
    return lookups === 1 && request.url.endsWith('/GetCustomer') ? errorAnswer(404, 'not_found') : transport(request);
  });
  const path = join(world.directory, 'customers.json');
  const customer = { full_name: 'Lan', phone: '0901234567' };
  writeFileSync(path, JSON.stringify(opener === 'row' ? [customer] : customer));
  const words =
    opener === 'row' ? ['batch', 'run', path, '--do', 'customers create'] : ['customers', 'create', '--input', path];
  const clock = steppedClock(world.service.clock.now());
  const { exit } = await world.run([...words, '--profile', 'shop', '--yes', '-o', 'json'], { clock });
  const { body } = await world.service.post('shop.Customer/ListCustomers', {}, world.service.shop.apiKey);
  const there = body.customers.filter(({ phone }: { phone: string }) => phone === customer.phone);
  return { exit, there: there.length };
}

describe.each(['command', 'row'] as const)('a customer by %s', (opener) => {
  it.each(Object.entries(unread))('is there once, throttled with %s', async (_, throttle) => {
    expect((await created(opener, throttle)).there).toBe(1);
  });
});

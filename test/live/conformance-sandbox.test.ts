import { expect, it } from 'vitest';
import { testMachine } from '../support/context.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { quotedOrder } from '../support/sandbox-order.ts';
import { steppedClock } from '../support/stepped-clock.ts';

/** A machine with a key of the first demo shop, and one of its partner, at a sandbox with the demo's records. */
async function demo() {
  const service = await openTestSandbox({ seed: 'demo' });
  const machine = testMachine(service.sandbox.handle);
  const base_url = 'http://127.0.0.1:4010';
  const shops = { [service.shop.id]: { name: 'Demo', shop_key: service.shopKey } };
  await machine.save({
    version: 1,
    current_profile: 'own',
    profiles: {
      own: { kind: 'shop', base_url, api_key: service.shop.apiKey },
      partner: { kind: 'partner', base_url, api_key: service.partner.apiKey, shops, current_shop: service.shop.id },
    },
  });
  const run = async (...words: string[]) => {
    const { exit, stdout, stderr } = await machine.run(['conformance', 'run', '--json', ...words], {
      clock: steppedClock(),
    });
    return { exit, stderr, json: JSON.parse(stdout) };
  };
  return { service, run };
}

interface Checked {
  readonly result: string;
  readonly reason: string | null;
}

const undecided = ({ checks }: { checks: readonly Checked[] }) =>
  new Set(checks.flatMap(({ result, reason }) => (result === 'unchecked' ? [reason] : [])));

/** The demo has few collections, and nothing that came from another system. */
const tooFew = /^the list has fewer than \d records$|^no record that is listed has its external_id set$/;

it('the sandbox does what the contract says, as far as its demo lets that be seen', async () => {
  const { run } = await demo();
  const { json } = await run();
  expect(json.findings).toEqual([]);
  for (const reason of undecided(json)) expect(reason).toMatch(tooFew);
  expect(json.summary.drifted).toBe(0);
});

it('orders that a partner created break nothing, for only the partner finds them by the external_id that it gave', async () => {
  const { run, service } = await demo();
  const order = { ...(await quotedOrder(service)), external_id: 'PARTNER-1' };
  const made = await service.post('partner.Shipping/CreateAndConfirmOrder', order, service.shopKey);
  expect(made.status).toBe(200);
  const { json } = await run('--area', 'Order', '--area', 'Fulfillment');
  expect(json.findings).toEqual([]);
  const ofOrders = json.checks.filter(({ check }: { check: string }) => check === 'by external_id');
  expect(ofOrders).toContainEqual(
    expect.objectContaining({
      operation: 'shop.Order/GetOrder',
      result: 'unchecked',
      reason: 'no record that is listed was created with this key, as it seems',
    }),
  );
  const partner = await run('--profile', 'partner', '--area', 'Shipping');
  expect(partner.json.findings).toEqual([]);
});

it('the sandbox does so for writes, and for a partner, and keeps nothing of a run', async () => {
  const { run, service } = await demo();
  const before = (await service.changes()).length;
  const { json } = await run('--write-shop', service.shop.id);
  expect([json.findings, json.left]).toEqual([[], []]);
  for (const reason of undecided(json)) expect(reason).toMatch(/^the list has fewer than/);
  expect(json.summary.proved).toBeGreaterThan(45);
  const made = (await service.changes()).slice(before).map(({ name }) => name);
  const deleted = made.filter((name) => name.endsWith(' delete')).length;
  expect(deleted).toBe(made.filter((name) => name.endsWith(' create') && !name.startsWith('order')).length);
  expect(made).toContain('order create');
  const partner = await run('--profile', 'partner');
  expect([partner.json.findings, undecided(partner.json)]).toEqual([[], new Set()]);
  expect(partner.exit).toBe(0);
});

it('the sandbox does so for shipments of a shop and of its partner, and each is cancelled', async () => {
  const { run, service } = await demo();
  const before = (await service.changes()).length;
  const alive = async () => {
    const names = new Map((await service.changes()).slice(before).map(({ latest, name }) => [latest.id, name]));
    return [...names.values()].filter((name) => /^customer/.test(name) && !name.endsWith(' delete'));
  };
  for (const profile of ['own', 'partner']) {
    const words = ['--write-shop', service.shop.id, '--ship', '--max-fee', '500000', '--profile', profile];
    const { json, stderr } = await run(...words, '--area', 'Shipping', '--area', 'Shipnow', '--area', 'Webhook');
    expect([json.findings, json.left], stderr).toEqual([[], []]);
    for (const reason of undecided(json)) expect(reason).toMatch(tooFew);
    const created = json.checks.filter(({ check }: { check: string }) => check === 'create');
    const asked = created.filter(({ result }: Checked) => result !== 'not asked');
    expect([profile, asked.length]).toEqual([profile, profile === 'own' ? 3 : 2]);
    // An order makes a customer with an address, which a partner's key can neither see nor delete.
    expect([profile, await alive()]).toEqual([
      profile,
      profile === 'own' ? [] : ['customer create', 'customer_address create'],
    ]);
    if (profile === 'partner') expect(stderr).toMatch(/may create a customer named shopctl-conformance-/);
  }
  const last = new Map(
    (await service.changes()).slice(before).map(({ latest, name }) => [latest.id, { name, latest }]),
  );
  const shipped = [...last.values()].filter(({ name }) => /^(?:order|fulfillment|shipnow_fulfillment) /.test(name));
  expect(shipped.length).toBeGreaterThanOrEqual(6);
  for (const { latest } of shipped) expect(latest.status).toBe('N');
});

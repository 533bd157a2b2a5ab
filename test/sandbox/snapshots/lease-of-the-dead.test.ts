import { expect, it } from 'vitest';
import { openTestSandbox } from '../../support/sandbox.ts';

it('a restored snapshot has no delivery in progress: its worker may be gone', async () => {
  const { core, post, sandbox, shop } = await openTestSandbox();
  const webhook = { url: 'http://127.0.0.1:9/', entities: ['order'] };
  expect((await post('shop.Webhook/CreateWebhook', webhook, shop.apiKey)).status).toBe(200);
  await core.store.exclusively((sqlite) => {
    sqlite.exec("UPDATE webhooks SET lease_token = 'of-another', lease_until = 9007199254740991");
  });
  await sandbox.control.snapshots.save('busy');
  await sandbox.control.snapshots.restore('busy');
  let leases: unknown;
  await core.store.exclusively((sqlite) => {
    leases = sqlite.prepare('SELECT lease_token, lease_until FROM webhooks').all([]);
  });
  expect(leases).toEqual([{ lease_token: null, lease_until: null }]);
});

import { expect, it } from 'vitest';
import { openTestSandbox } from '../../support/sandbox.ts';
import { openWebhookSandbox } from './webhook-sandbox.ts';

it('changes are recorded from the first webhook on, and no more after the last', async () => {
  const test = await openTestSandbox({ recordsUnheard: false });
  const make = async (name: string) => {
    const { status } = await test.post('shop.CustomerGroup/CreateGroup', { name }, test.shop.apiKey);
    expect(status).toBe(200);
  };
  const heard = async () => (await test.changes()).map(({ latest }) => latest.name);
  await make('before');
  expect(await heard()).toEqual([]);
  const asked = { url: 'http://127.0.0.1:9/', entities: ['customer_group'] };
  // Of another account: what it hears is decided when its changes are sent.
  const { body } = await test.post('shop.Webhook/CreateWebhook', asked, test.otherShop.apiKey);
  await make('between');
  expect(await heard()).toEqual(['between']);
  await test.post('shop.Webhook/DeleteWebhook', { id: body.id }, test.otherShop.apiKey);
  await make('after');
  expect(await heard()).toEqual(['between']);
});

it('a webhook hears the change right after it and none before, though none was recorded', async () => {
  const test = await openWebhookSandbox({ recordsUnheard: false });
  await test.makeGroups(['before']);
  await test.register(['customer_group']);
  await test.makeGroups(['first']);
  await test.makeGroups(['second']);
  await test.advance('1m');
  expect(test.delivered().flat()).toEqual(['first', 'second']);
});

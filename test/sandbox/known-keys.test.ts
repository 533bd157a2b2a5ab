import { expect, it } from 'vitest';
import { openTestSandbox } from '../support/sandbox.ts';

const getOrder = 'partner.Shipping/GetOrder';

it('a key that was just used opens nothing once its link is removed, and the new one does', async () => {
  const test = await openTestSandbox();
  const status = async (key: string) => (await test.post(getOrder, { id: '1' }, key)).status;
  expect([await status(test.shopKey), await status(test.shopKey)]).toEqual([404, 404]);
  await test.sandbox.control.unlink(test.shop.id);
  expect(await status(test.shopKey)).toBe(401);
  const renewed = await test.signIn(test.shop.id);
  expect([await status(renewed), await status(test.shopKey)]).toEqual([404, 401]);
});

it('a key that was just used follows the data that are put back', async () => {
  const test = await openTestSandbox();
  const { snapshots } = test.sandbox.control;
  const status = async () => (await test.post(getOrder, { id: '1' }, test.shopKey)).status;
  await snapshots.save('linked');
  await test.sandbox.control.unlink(test.shop.id);
  await snapshots.save('unlinked');
  expect(await status()).toBe(401);
  await snapshots.restore('linked');
  expect(await status()).toBe(404);
  await snapshots.restore('unlinked');
  expect(await status()).toBe(401);
});

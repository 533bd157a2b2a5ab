import { expect, it } from 'vitest';
import { explained } from '../../src/account/actions/login-with-person.ts';
import { authorizeShop } from '../../src/account/sign-in.ts';
import { ui } from '../../src/cli/program.ts';
import { ServiceError } from '../../src/client/errors.ts';
import { errorAnswer, scripted } from '../support/scripted-transport.ts';
import { testConnection } from '../support/test-connection.ts';

it('explains a shop that never signed in, and leaves every other error alone', async () => {
  const { transport } = scripted(errorAnswer(403, 'permission_denied', { reason: 'never' }));
  const error = await authorizeShop({ shop_id: '1' }, testConnection(transport)).catch((thrown) => thrown);
  expect(explained(error, { ui })).toMatchObject({
    meta: { reason: 'never' },
    hint: expect.stringContaining('without --shop-id'),
  });
  expect(explained(error, { ui })).toBeInstanceOf(ServiceError);
  const other = new Error('other');
  expect(explained(other, { ui })).toBe(other);
});

import type { Account } from '../../client/account.ts';
import { ServiceError } from '../../client/errors.ts';
import { ledgerAccount } from '../../flows/ledger/identity.ts';
import { ledgerDoor } from '../action/open-workspace.ts';
import type { Ports } from '../action/ports.ts';

/**
 * A partner's external_id is unique over all its shops, and a shop's key does not see another shop's order. If the ledger
 * knows that one of the profile's other shops has it, the refusal names the shop and the order; any other error is returned
 * as it is.
 */
export async function atOtherShop(error: unknown, account: Account, name: string, ports: Ports): Promise<unknown> {
  const isClash = error instanceof ServiceError && error.code === 'already_exists' && account.family === 'partner';
  if (!isClash || name === '') return error;
  const store = await ledgerDoor(ports).open();
  try {
    const { keyNamed } = await import('../../workspace/ledger/keys.ts');
    for (const [shop, { name: called = shop }] of Object.entries(ports.settings.profile?.shops ?? {})) {
      if (shop === account.shop) continue;
      const key = await store.read((sql) => keyNamed(sql, ledgerAccount({ ...account, shop }), 'order', name));
      if (key?.state !== 'done' || key.family !== account.family) continue;
      const { operation = '', code, status, outcome } = error;
      const msg = `${name} is taken by order ${key.recordId} of shop ${called}: nothing was sent`;
      const meta = { ...error.meta, external_id: name, order_id: key.recordId ?? '', shop_id: shop };
      return new ServiceError(operation, { code, msg, meta, status, outcome });
    }
    return error;
  } finally {
    await store.close();
  }
}

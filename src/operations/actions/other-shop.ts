import type { Ports } from '../../action/ports.ts';
import type { Account } from '../../client/account.ts';
import { ServiceError } from '../../client/errors.ts';
import { takenElsewhere } from '../../ledger/known/other-shop.ts';
import { ledgerOpener } from '../../ledger/open.ts';

/** A refusal of a name that names the other shop of the partner which has it; any other error as it is. */
export async function atOtherShop(error: unknown, account: Account, name: string, ports: Ports): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'already_exists' || name === '') return error;
  const { keysAt } = await import('../../ledger/store/keys.ts');
  const store = await ledgerOpener(ports).open();
  try {
    const shops = ports.settings.profile?.shops ?? {};
    const taken = await store.read((sql) => takenElsewhere((...at) => keysAt(sql, ...at), account, shops, name));
    if (taken === undefined) return error;
    const { operation = '', code, status, outcome, meta } = error;
    const { message: msg, ...facts } = taken;
    return new ServiceError(operation, { code, msg, meta: { ...meta, external_id: name, ...facts }, status, outcome });
  } finally {
    await store.close();
  }
}

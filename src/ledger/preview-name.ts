import type { Account } from '../client/account.ts';
import { type CreateQuery, conflictOf } from './conflict.ts';
import { codeName, singleName } from './identity.ts';
import type { LedgerOpener } from './intents/drafts.ts';
import { serviceOf } from './known/service.ts';
import type { Wanted } from './once.ts';
import type { Moment } from './store/keys.ts';
import type { WritingContext } from './writing.ts';

/** An external_id, and whether it is the one that the next run sends. */
export interface PreviewedName {
  readonly name: string;
  readonly isCertain: boolean;
}

const NO_LEDGER = '0'.repeat(32);

/**
 * The external_id that the next run would send a create under, or settle it by. Nothing is written, and no ledger is
 * made.
 */
export async function previewName(
  opener: LedgerOpener,
  { account: dialled, connection }: Pick<WritingContext, 'account' | 'connection'>,
  wanted: Omit<Wanted, 'began'>,
  now: number,
): Promise<PreviewedName> {
  const { external_id, external_code, content } = wanted;
  if (external_id !== '') return { name: external_id, isCertain: true };
  const store = await opener.openIfThere();
  const ofCode = (account: Account) => ({ name: codeName(account, external_code), isCertain: account.shop !== '' });
  if (store === undefined) {
    if (external_code !== '') return ofCode(dialled);
    return { name: singleName(NO_LEDGER, dialled, content, 1), isCertain: false };
  }
  try {
    const { account } = await serviceOf(store, dialled, connection);
    if (external_code !== '') return ofCode(account);
    const hasPassed = (milliseconds: number, { at, localAt }: Moment) => now - Math.max(at, localAt) >= milliseconds;
    const holders: Pick<CreateQuery, 'beside' | 'waitedFor'> = { beside: new Set(), waitedFor: new Set() };
    const began = { began: Number.POSITIVE_INFINITY, now: () => now };
    const query = { ...wanted, account, ...began, ...holders, passUnclear: false, time: { hasPassed } };
    const conflict = await store.read((sql) => conflictOf(sql, store.id, query));
    const name = conflict.kind === 'free' ? conflict.key.name : (conflict.key.name ?? '');
    return { name, isCertain: account.shop !== '' };
  } finally {
    await store.close();
  }
}

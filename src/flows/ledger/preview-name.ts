import { codeName, singleName } from './identity.ts';
import type { LedgerDoor } from './intents/drafts.ts';
import { meet, type Sought } from './meet.ts';
import type { Wanted } from './once.ts';

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
  door: LedgerDoor,
  wanted: Omit<Wanted, 'began'>,
  now: number,
): Promise<PreviewedName> {
  const { account, external_id, external_code, content } = wanted;
  if (external_id !== '') return { name: external_id, isCertain: true };
  if (external_code !== '') return { name: codeName(account, external_code), isCertain: account.shop !== '' };
  const store = await door.openIfThere();
  if (store === undefined) return { name: singleName(NO_LEDGER, account, content, 1), isCertain: false };
  try {
    const time = { hasPassed: (milliseconds: number, since: number) => now - since >= milliseconds };
    const holders: Pick<Sought, 'beside' | 'waitedFor'> = { beside: new Set(), waitedFor: new Set() };
    const began = { began: Number.POSITIVE_INFINITY, now: () => now };
    const sought = { ...wanted, ...began, ...holders, passUnclear: false, time };
    const met = await store.read((sql) => meet(sql, store.id, sought));
    const name = met.kind === 'free' ? met.key.name : (met.key.name ?? '');
    return { name, isCertain: account.shop !== '' };
  } finally {
    await store.close();
  }
}

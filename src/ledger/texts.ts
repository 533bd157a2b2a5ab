import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const ledgerTexts = {};

export const say = textsIn('ledger', ledgerTexts);

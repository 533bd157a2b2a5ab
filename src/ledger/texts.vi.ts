import type { ledgerTexts } from './texts.ts';

export const ledgerVietnamese: typeof ledgerTexts = {};

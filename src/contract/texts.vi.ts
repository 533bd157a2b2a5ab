import type { contractTexts } from './texts.ts';

export const contractVietnamese: typeof contractTexts = {};

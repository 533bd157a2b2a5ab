import type { accountTexts } from './texts.ts';

export const accountVietnamese: typeof accountTexts = {};

import type { reportsTexts } from './texts.ts';

export const reportsVietnamese: typeof reportsTexts = {};

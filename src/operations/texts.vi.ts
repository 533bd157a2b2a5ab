import type { operationsTexts } from './texts.ts';

export const operationsVietnamese: typeof operationsTexts = {};

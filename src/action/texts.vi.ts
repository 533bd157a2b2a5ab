import type { actionTexts } from './texts.ts';

export const actionVietnamese: typeof actionTexts = {};

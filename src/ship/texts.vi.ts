import type { shipTexts } from './texts.ts';

export const shipVietnamese: typeof shipTexts = {};

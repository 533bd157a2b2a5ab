import type { runTexts } from './texts.ts';

export const runVietnamese: typeof runTexts = {};

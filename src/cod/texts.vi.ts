import type { codTexts } from './texts.ts';

export const codVietnamese: typeof codTexts = {};

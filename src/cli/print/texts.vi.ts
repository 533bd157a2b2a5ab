import type { printTexts } from './texts.ts';

export const printVietnamese: typeof printTexts = {};

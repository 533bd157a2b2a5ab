import type { sheetsTexts } from './texts.ts';

export const sheetsVietnamese: typeof sheetsTexts = {};

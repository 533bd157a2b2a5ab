import type { slipsTexts } from './texts.ts';

export const slipsVietnamese: typeof slipsTexts = {};

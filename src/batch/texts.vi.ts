import type { batchTexts } from './texts.ts';

export const batchVietnamese: typeof batchTexts = {};

import type { errorsTexts } from './texts.ts';

export const errorsVietnamese: typeof errorsTexts = {};

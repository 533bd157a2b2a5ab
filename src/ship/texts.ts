import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const shipTexts = {};

export const say = textsIn('ship', shipTexts);

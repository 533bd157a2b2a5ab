import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const sheetsTexts = {};

export const say = textsIn('sheets', sheetsTexts);

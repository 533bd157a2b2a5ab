import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const actionTexts = {};

export const say = textsIn('action', actionTexts);

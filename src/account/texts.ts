import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const accountTexts = {};

export const say = textsIn('account', accountTexts);

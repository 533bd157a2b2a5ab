import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const contractTexts = {};

export const say = textsIn('contract', contractTexts);

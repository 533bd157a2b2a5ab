import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const slipsTexts = {};

export const say = textsIn('slips', slipsTexts);

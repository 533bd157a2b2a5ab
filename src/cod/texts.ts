import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const codTexts = {};

export const say = textsIn('cod', codTexts);

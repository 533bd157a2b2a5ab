import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const batchTexts = {};

export const say = textsIn('batch', batchTexts);

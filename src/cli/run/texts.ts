import { textsIn } from '../../domain/language.ts';

/** What people read of this subject. */
export const runTexts = {};

export const say = textsIn('run', runTexts);

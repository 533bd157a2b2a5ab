import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const operationsTexts = {};

export const say = textsIn('operations', operationsTexts);

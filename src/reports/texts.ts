import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const reportsTexts = {};

export const say = textsIn('reports', reportsTexts);

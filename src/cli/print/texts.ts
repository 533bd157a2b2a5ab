import { textsIn } from '../../domain/language.ts';

/** What stands around tables for people. */
export const printTexts = {};

export const say = textsIn('print', printTexts);

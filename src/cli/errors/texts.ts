import { textsIn } from '../../domain/language.ts';

/** What people read of this subject. */
export const errorsTexts = {};

export const say = textsIn('errors', errorsTexts);

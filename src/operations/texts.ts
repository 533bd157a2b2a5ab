import { textsIn } from '../domain/language.ts';

/** What people read of this subject. */
export const operationsTexts = {
  waiting: 'another shopctl is sending the same record; waiting for its answer',
};

export const say = textsIn('operations', operationsTexts);

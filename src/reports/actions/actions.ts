import { report } from './report.ts';

/** Reports from the mirror. */
export const actions = [report];

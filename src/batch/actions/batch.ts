import { help, resume, retry, settle, undo } from './going-actions.ts';
import { find, forget, listBatches, result, rows, show } from './looking-actions.ts';
import { map, plan, run } from './plan/sheet-actions.ts';

/** Processes a spreadsheet row by row, exactly once. */
export const actions = [
  map,
  plan,
  run,
  resume,
  help,
  retry,
  settle,
  listBatches,
  show,
  rows,
  find,
  result,
  undo,
  forget,
];

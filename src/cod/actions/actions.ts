import { close } from './close.ts';
import { listFiles, removeFile, showLines } from './files.ts';
import { importFiles } from './import.ts';
import { mapPayments } from './map.ts';
import { reconcileAction } from './reconcile.ts';

/** Cash on delivery: what carriers paid, and what they owe. */
export const actions = [importFiles, listFiles, showLines, removeFile, reconcileAction, close, mapPayments];

/* The program of a thread that applies one JMESPath expression and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { search } from '@jmespath-community/jmespath';
import { warnInParent } from '../process/node-warnings.ts';
import type { Found, Searched } from './search.ts';

warnInParent();

const { value, expression }: Searched = workerData;

function found(): Found {
  try {
    return { ok: true, value: search(value, expression) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(found());

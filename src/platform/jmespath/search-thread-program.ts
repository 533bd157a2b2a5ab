/* The program of a thread that applies one JMESPath expression and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { search } from '@jmespath-community/jmespath';
import type { Found, Searched } from './search.ts';

const { value, expression }: Searched = workerData;

function found(): Found {
  try {
    return { ok: true, value: search(value, expression) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(found());

import { runInNewContext } from 'node:vm';
import { errorCode } from '../process/error-code.ts';

/** Thrown when work was ended because it took too long. */
export class TooLongError extends Error {
  constructor() {
    super('it took too long');
    this.name = 'TooLongError';
  }
}

/**
 * Calls a function that may not wait, and ends it after that many milliseconds, wherever it is: throws a TooLongError.
 * Signals are delivered only when it has ended.
 */
export function withinTime<Result>(work: () => Result, ms: number): Result {
  try {
    return runInNewContext('work()', { work }, { timeout: ms });
  } catch (error) {
    throw errorCode(error) === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TooLongError() : error;
  }
}

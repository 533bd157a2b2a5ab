import type { Result } from '../flags/command.ts';

/** Thrown to end a dry run before anything is done; carries what to show. */
export class Previewed extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('only a look was asked for');
    this.name = 'Previewed';
    this.result = result;
  }
}

import type { Result } from '../command.ts';

/** Thrown to end a run of which only a look was asked for, before anything was done; it carries what is shown. */
export class Previewed extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('only a look was asked for');
    this.name = 'Previewed';
    this.result = result;
  }
}

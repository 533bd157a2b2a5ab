import type { Result } from '../flags/command.ts';

/** Thrown to end a dry run before anything is done; carries what to show. */
export class Previewed extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('this was only a preview');
    this.name = 'Previewed';
    this.result = result;
  }
}

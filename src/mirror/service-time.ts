import { type Connection, through } from '../client/connection.ts';
import { freeMemory } from '../platform/process/free-memory.ts';

/**
 * After how many characters of answers the garbage is collected, and from which size of the heap. V8 keeps each short text
 * that it reads in a table which only a full collection clears, and puts that off until the heap has some hundred MB.
 */
const CHARACTERS_BETWEEN = 8 * 2 ** 20;
const MOST_WHILE_READING = 32 * 2 ** 20;

/** The service's clock, as its answers tell it. */
export interface ServiceTime {
  /** The connection whose answers are looked at. */
  readonly connection: Connection;
  /** The Date of the last answer, in milliseconds since 1970; undefined if it had none. */
  last(): number | undefined;
  /** How many answers there were. */
  calls(): number;
}

/**
 * Reads the Date header of every answer: whole seconds, by the service's clock. However many answers there are, no more
 * memory is used.
 */
export function serviceTime(connection: Connection): ServiceTime {
  let last: number | undefined;
  let calls = 0;
  let characters = 0;
  return {
    connection: through(connection, async (request, next) => {
      const answer = await next(request);
      const date = Date.parse(answer.headers.date ?? '');
      last = Number.isNaN(date) ? undefined : date;
      calls += 1;
      characters += answer.body.length;
      if (characters >= CHARACTERS_BETWEEN) {
        freeMemory(MOST_WHILE_READING);
        characters = 0;
      }
      return answer;
    }),
    last: () => last,
    calls: () => calls,
  };
}

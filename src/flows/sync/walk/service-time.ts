import type { Connection } from '../../../client/connection.ts';

/** The service's clock, as its answers tell it. */
export interface ServiceTime {
  /** The connection whose answers are looked at. */
  readonly connection: Connection;
  /** The Date of the last answer, in milliseconds since 1970; undefined if it had none. */
  last(): number | undefined;
  /** How many answers there were. */
  calls(): number;
}

/** Reads the Date header of every answer: whole seconds, by the service's clock. */
export function serviceTime(connection: Connection): ServiceTime {
  let last: number | undefined;
  let calls = 0;
  return {
    connection: {
      ...connection,
      async transport(request) {
        const answer = await connection.transport(request);
        const date = Date.parse(answer.headers.date ?? '');
        last = Number.isNaN(date) ? undefined : date;
        calls += 1;
        return answer;
      },
    },
    last: () => last,
    calls: () => calls,
  };
}

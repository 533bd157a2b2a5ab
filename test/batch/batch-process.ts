/*
 * The main file of the program for killed.proof.test.ts and killed-on-postgres.proof.test.ts: shopctl, which kills itself at one of the
 * points around its commits and its requests (fault-points.ts). It waits less.
 */
import { runProcess as runOurs } from '../../src/process.ts';
import { impatientClock } from '../support/impatient-clock.ts';
import { randomHere } from '../support/random-from.ts';
import { isOfJournal, point } from './fault-points.ts';

/** A server's statements count likewise: before one is sent, when it is, and when its answer is there. */
async function watchServer(): Promise<void> {
  const { Client } = await import('pg');
  const prototype: { query(this: object, given: string | { text: string }, ...others: unknown[]): unknown } =
    Client.prototype;
  const { query } = prototype;
  prototype.query = function queried(given, ...others) {
    const sql = typeof given === 'string' ? given : given.text;
    if (!isOfJournal(sql)) return query.call(this, given, ...others);
    point('journal');
    const answer = Promise.resolve(query.call(this, given, ...others));
    point('journal');
    return answer.finally(() => point('journal'));
  };
}

/** Runs the command line. */
export async function runProcess(): Promise<void> {
  if (process.env.SHOPCTL_WORKSPACE?.startsWith('postgres:')) await watchServer();
  await runOurs((context) => ({
    ...context,
    clock: impatientClock,
    random: randomHere(),
    transport: async (request) => {
      point('request');
      const answer = context.transport(request);
      point('request');
      const value = await answer;
      point('request');
      return value;
    },
  }));
}

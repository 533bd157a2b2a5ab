import { inject } from 'vitest';
import { postgresAt, type SharedPostgres } from '../support/postgres-cluster.ts';

async function ask<T>(what: string): Promise<T> {
  // A connection that is kept may be closed by the server's idle time-out just as it is used again.
  const response = await fetch(`${inject('madeOnce')}/${what}`, { headers: { connection: 'close' } });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/**
 * The directory with the program as it is built, once for this run, or with the one that kills itself at a point
 * (test/batch/batch-process.ts): nobody may write into it.
 */
export const programOfThisRun = (which: 'program' | 'killable'): Promise<string> => ask(which);

/**
 * The server that all files of this run share: a safe one as users are to have it, or a quick one that does not wait for
 * its disk, for many databases. Each caller has databases of its own; what stops a server, changes its
 * settings or makes roles needs one of its own (`startPostgres`).
 */
export async function sharedPostgres(kind: 'safe' | 'quick' = 'safe'): Promise<SharedPostgres> {
  const { port, directory } = await ask<{ readonly port: number; readonly directory: string }>(`postgres/${kind}`);
  return postgresAt(port, directory);
}

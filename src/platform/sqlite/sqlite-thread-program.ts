/*
 * The program of a thread that has one connection to a SQLite database: it runs the statements that it is sent, one
 * after another, and answers each.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { warnInParent } from '../process/node-warnings.ts';
import { openSqlite } from './sqlite.ts';
import { runStatement, runTogether } from './sqlite-connection.ts';
import type { FromThread, ThreadError, ToThread } from './sqlite-thread.ts';

warnInParent();
const path: string = workerData;
const opening = openSqlite(path);
// A failure to open is the answer to every statement.
opening.catch(() => {});

/** What a driver throws has fields of its own, such as its code; between threads an error would lose them. */
function reported(error: unknown): ThreadError {
  const thrown = error instanceof Error ? error : new Error(String(error));
  const { name, message } = thrown;
  const own = Object.entries(thrown).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return { ...Object.fromEntries(own), name, message };
}

async function answered(message: ToThread): Promise<FromThread> {
  const { number } = message;
  try {
    const database = await opening;
    if ('does' in message) {
      if (message.does === 'close') database.close();
      return { number, columns: [], values: [] };
    }
    if ('calls' in message) {
      return { number, columns: [], values: [], changes: runTogether(database, message.calls) ? 1 : 0 };
    }
    const { rows, changes } = runStatement(database, message.sql, message.parameters);
    const columns = Object.keys(rows[0] ?? {});
    return { number, columns, values: rows.flatMap((row) => Object.values(row)), changes };
  } catch (error) {
    return { number, columns: [], values: [], error: reported(error) };
  }
}

parentPort?.on('message', async (message: ToThread) => {
  parentPort?.postMessage(await answered(message));
});

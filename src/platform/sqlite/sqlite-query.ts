import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { warnAsPrinted } from '../process/node-warnings.ts';
import { type QueryLine, queryLines } from './query-lines.ts';

/** The program, which the build puts beside this one. */
const built = new URL('./sqlite-query.cjs', import.meta.url);

/**
 * Runs a query on a database file in a process of its own, and yields what it says. The process is killed when the
 * signal is aborted, when the caller stops reading, and when this process is killed. Where the program is not built, as beside the sources, the query
 * runs in this thread. Throws an Error if the process ends without saying that it is done.
 */
export async function* querySqlite(
  path: string,
  sql: string,
  signal: AbortSignal,
  program: URL = built,
): AsyncGenerator<QueryLine, void, undefined> {
  if (!existsSync(program)) {
    yield* queryLines(path, sql);
    return;
  }
  const child = spawn(process.execPath, [fileURLToPath(program)], { stdio: 'pipe' });
  warnAsPrinted(child.stderr);
  const kill = () => child.kill('SIGKILL');
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    // A process that was killed does not read its request.
    child.stdin.on('error', () => {});
    // Stays open: its end tells the process that this one is gone.
    child.stdin.write(`${JSON.stringify([path, sql])}\n`);
    for await (const line of createInterface({ input: child.stdout })) {
      if (signal.aborted) break;
      const said: QueryLine = JSON.parse(line);
      yield said;
      if ('done' in said || 'error' in said) return;
    }
    signal.throwIfAborted();
    throw new Error('the process of the query ended without an answer');
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await ended;
  }
}

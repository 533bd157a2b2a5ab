/*
 * The program of a process that runs one query on a SQLite file and exits. It reads the request, a line of JSON, from stdin
 * and writes lines of JSON; whoever started it may kill it at any time, which is the only way to end a query that does not
 * end. The query blocks a thread of its own, so that the end of stdin is noticed: then whoever asked is gone, however it
 * ended, and nobody reads an answer.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { errorCode } from '../process/error-code.ts';
import { queryLines } from './query-lines.ts';

const STDOUT = 1;

/** Writes all of a text; a reader that is slow is waited for. */
async function write(text: string): Promise<void> {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(STDOUT, bytes));
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      await wait(1);
    }
  }
}

/** Answers the request in this thread. */
async function run(request: string): Promise<void> {
  const [path = '', sql = ''] = JSON.parse(request) as string[];
  for await (const line of queryLines(path, sql)) await write(`${JSON.stringify(line)}\n`);
}

/** Has the request answered in a thread of its own, and dies with whoever asked. */
function serve(): void {
  const asked = createInterface({ input: process.stdin });
  asked.once('line', (request) => {
    const thread = new Worker(process.argv[1] ?? '', { workerData: request });
    thread.once('exit', (code) => process.exit(code));
  });
  asked.once('close', () => process.kill(process.pid, 'SIGKILL'));
}

if (isMainThread) serve();
else void run(String(workerData));

/*
 * The program of a process that runs one query on a SQLite file and exits. It reads the request from stdin and writes
 * lines of JSON; whoever started it may kill it at any time, which is the only way to end a query that does not end.
 */
import { readFileSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
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

async function run(): Promise<void> {
  const [path = '', sql = ''] = JSON.parse(readFileSync(0, 'utf8')) as string[];
  for await (const line of queryLines(path, sql)) await write(`${JSON.stringify(line)}\n`);
}

void run();

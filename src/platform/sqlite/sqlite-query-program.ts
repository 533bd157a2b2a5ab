/*
 * The program of a process that runs one query on a SQLite file. It reads the request, a line of JSON, from stdin and
 * writes lines of JSON; whoever started it may kill it at any time, which is the only way to end a query that does not
 * end. The query blocks the first thread, so a second one waits for the end of stdin: then whoever asked is gone, however
 * it ended, and nobody reads an answer.
 */
import { readSync, writeSync } from 'node:fs';
import { isMainThread, Worker } from 'node:worker_threads';
import { errorCode } from '../process/error-code.ts';
import { queryLines } from './query-lines.ts';

const [STDIN, STDOUT] = [0, 1];
const NEWLINE = 10;
const PAUSE_MS = 1;

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);

/** Repeats what a pipe is not ready for. */
function patiently(transfer: () => number): number {
  for (;;) {
    try {
      return transfer();
    } catch (error) {
      if (errorCode(error) !== 'EAGAIN') throw error;
      pause();
    }
  }
}

/** Writes all of a text; a reader that is slow is waited for. */
function write(text: string): void {
  let bytes: Uint8Array = Buffer.from(text);
  while (bytes.length > 0) {
    const rest = bytes;
    bytes = bytes.subarray(patiently(() => writeSync(STDOUT, rest)));
  }
}

/** Reads what stdin has next; nothing at its end. */
function read(into: Uint8Array): Uint8Array {
  return into.subarray(
    0,
    patiently(() => readSync(STDIN, into)),
  );
}

function readLine(): string {
  const parts: Uint8Array[] = [];
  for (;;) {
    const part = read(new Uint8Array(65_536));
    const end = part.indexOf(NEWLINE);
    parts.push(end < 0 ? part : part.subarray(0, end));
    if (end >= 0 || part.length === 0) return Buffer.concat(parts).toString('utf8');
  }
}

/** Ends the process, and with it whatever its threads wait for. */
const end = () => process.kill(process.pid, 'SIGKILL');

async function serve(): Promise<void> {
  const [path = '', sql = '']: readonly string[] = JSON.parse(readLine());
  new Worker(process.argv[1] ?? '').unref();
  for await (const line of queryLines(path, sql)) write(`${JSON.stringify(line)}\n`);
  end();
}

/** Waits until whoever asked is gone. */
function watch(): void {
  try {
    const ignored = new Uint8Array(64);
    while (read(ignored).length > 0);
  } finally {
    end();
  }
}

if (isMainThread) void serve();
else watch();

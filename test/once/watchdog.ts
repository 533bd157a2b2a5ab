import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { beforeEach } from 'vitest';

/** Longer than any test holds the thread, on a busy machine too. */
const HUNG_MS = 600_000;

/** Ends the process whose main thread has not said for so long that it turns. */
const watch = `
  const { parentPort, workerData } = require('node:worker_threads');
  let heard = Date.now();
  let test = 'no test';
  parentPort.on('message', (name) => {
    heard = Date.now();
    if (name !== undefined) test = name;
  });
  setInterval(() => {
    if (Date.now() - heard < workerData) return;
    require('node:fs').writeSync(2, 'hung for ' + workerData / 1000 + ' s, ended: ' + test + '\\n');
    process.kill(process.pid, 'SIGKILL');
  }, 1000);
`;

declare global {
  var watchdog: Worker | undefined;
}

// A loop that never yields also holds the timers with which vitest limits a test: a thread of its own ends it. Where a
// debugger is attached, somebody is looking.
if (globalThis.watchdog === undefined && debuggerUrl() === undefined) {
  const dog = new Worker(watch, { eval: true, workerData: HUNG_MS, execArgv: [], stdout: false });
  dog.unref();
  setInterval(() => dog.postMessage(undefined), 5000).unref();
  globalThis.watchdog = dog;
}

beforeEach(({ task }) => {
  globalThis.watchdog?.postMessage(`${task.file.name} > ${task.name}`);
});

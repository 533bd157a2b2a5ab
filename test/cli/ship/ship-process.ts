/*
 * A program for kill.test.ts: shopctl with its real files and sockets, which kills itself (SIGKILL) at one of the points
 * around its writes and requests. It reads which one from KILL_AT; each point that it passes is told in the file KILL_LOG.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Context } from '../../../src/cli/context.ts';
import { run } from '../../../src/main.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { nodeChildren } from '../../../src/platform/node-children.ts';
import { nodeFiles } from '../../../src/platform/node-files.ts';
import { settingsIn } from '../../../src/platform/node-settings.ts';
import { systemStreams } from '../../../src/platform/node-streams.ts';
import { createTransport } from '../../../src/platform/undici-transport.ts';

const { KILL_AT, KILL_LOG = '' } = process.env;
const unused = async () => {
  throw new Error('not needed here');
};
let passed = 0;

function point(name: string): void {
  appendFileSync(KILL_LOG, `${name}\n`);
  if (String(passed) === KILL_AT) process.kill(process.pid, 'SIGKILL');
  passed += 1;
}

async function around<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  point(`before ${name}`);
  const result = work();
  point(`during ${name}`);
  const value = await result;
  point(`after ${name}`);
  return value;
}

const { transport, close } = createTransport({ proxies: {} });
const context: Context = {
  ...systemStreams(),
  argv: process.argv.slice(2),
  env: process.env,
  clock: systemClock,
  random: Math.random,
  randomBytes: (length) => randomBytes(length),
  files: {
    ...nodeFiles,
    write: (path, text, mode) => around('write', () => nodeFiles.write(path, text, mode)),
    remove: (path) => around('remove', () => nodeFiles.remove(path)),
    lock: (path, timeoutMs) => around('lock', () => nodeFiles.lock(path, timeoutMs)),
  },
  prompter: { text: unused, textUntil: unused, secret: unused, confirm: unused, choose: unused, search: unused },
  signal: new AbortController().signal,
  transport: (request) => around(request.url.split('/').at(-1) ?? '', () => transport(request)),
  settingsIn: (directory) => settingsIn(directory),
  browser: { open: unused },
  listenOnLoopback: unused,
  children: nodeChildren,
  pid: process.pid,
  home: '/nowhere',
  workingDirectory: process.cwd(),
  platform: process.platform,
  version: '0.0.0-test',
};
process.exitCode = await run(context);
await close();

/*
 * A program for killed.test.ts and killed-on-postgres.test.ts: shopctl with its real files and sockets, which kills itself at
 * one of the points around its commits and its requests (fault-points.ts). It waits a tenth of what it would: no promise
 * hangs on that.
 */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Context } from '../../src/cli/context.ts';
import { run } from '../../src/main.ts';
import { nodeChildren } from '../../src/platform/children/node-children.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import { createTransport } from '../../src/platform/http/undici-transport.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { settingsIn } from '../../src/platform/settings/node-settings.ts';
import { systemStreams } from '../../src/platform/terminal/node-streams.ts';
import { randomHere } from '../support/random-from.ts';
import { isOfJournal, point } from './fault-points.ts';

const { PROJECT = '' } = process.env;

/** A server's statements count likewise: before one is sent, when it is, and when its answer is there. */
if (process.env.SHOPCTL_WORKSPACE?.startsWith('postgres:')) {
  const { Client } = createRequire(`${PROJECT}/package.json`)('pg');
  const { query } = Client.prototype;
  Client.prototype.query = function queried(this: object, given: string | { text: string }, ...others: unknown[]) {
    const sql = typeof given === 'string' ? given : given.text;
    if (!isOfJournal(sql)) return query.call(this, given, ...others);
    point('journal');
    const answer = query.call(this, given, ...others);
    point('journal');
    return answer.finally(() => point('journal'));
  };
}

const unused = async () => {
  throw new Error('not needed here');
};
const { transport, close } = createTransport({ proxies: {} });
const context: Context = {
  ...systemStreams(),
  argv: process.argv.slice(2),
  env: process.env,
  clock: { now: systemClock.now, wait: (milliseconds, signal) => systemClock.wait(milliseconds / 10, signal) },
  random: randomHere(),
  randomBytes: (length) => randomBytes(length),
  files: nodeFiles,
  prompter: { text: unused, textUntil: unused, secret: unused, confirm: unused, choose: unused, search: unused },
  signal: new AbortController().signal,
  transport: async (request) => {
    point('request');
    const answer = transport(request);
    point('request');
    const value = await answer;
    point('request');
    return value;
  },
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

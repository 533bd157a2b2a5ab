import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isRunning } from '../../src/platform/files/files.ts';
import { buildProgram } from '../support/built-program.ts';

/** Kills the program by SIGKILL as soon as it has started another one, before it has done anything else. */
const killedAtOnce = `
  const children = require('node:child_process');
  const { spawn } = children;
  children.spawn = (file, ...rest) => {
    const child = spawn(file, ...rest);
    if (file === 'sh') process.kill(process.pid, 'SIGKILL');
    return child;
  };`;

it('leaves no program behind that it was killed while starting', async () => {
  const program = await buildProgram();
  onTestFinished(() => program.remove());
  const place = mkdtempSync(join(tmpdir(), 'shopctl-exec-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const [hook, pidFile] = [join(place, 'hook.cjs'), join(place, 'pid')];
  writeFileSync(hook, killedAtOnce);
  const temporary = mkdtempSync(join(place, 'tmp-'));
  const child = spawn(...program.line('sandbox', 'exec', '--', 'sh', '-c', `echo $$ > ${pidFile}; sleep 300`), {
    env: { ...process.env, NODE_OPTIONS: `--require ${hook}`, TMPDIR: temporary, HOME: program.home },
    stdio: 'ignore',
  });
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGKILL');
  // It may be ended before it says who it is.
  await expect.poll(() => readdirSync(temporary)).toEqual([]);
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0;
  await expect.poll(() => pid > 0 && isRunning(pid)).toBe(false);
});

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'leaves neither its program nor its directory behind when `sandbox exec` ends by %s',
  async (signal) => {
    const program = await buildProgram();
    onTestFinished(() => program.remove());
    const place = mkdtempSync(join(tmpdir(), 'shopctl-exec-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const pidFile = join(place, 'pid');
    const temporary = mkdtempSync(join(place, 'tmp-'));
    const words = ['sandbox', 'exec', '--', 'sh', '-c', `sleep 300 & echo $! $$ > ${pidFile}; wait`];
    const child = spawn(...program.line(...words), {
      env: { ...process.env, NODE_OPTIONS: '', TMPDIR: temporary, HOME: program.home },
      stdio: 'ignore',
    });
    const pidsNow = () =>
      existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim().split(' ').filter(Boolean).map(Number) : [];
    await expect.poll(() => pidsNow().length).toBe(2);
    const pids = pidsNow();
    expect(readdirSync(temporary)).toHaveLength(1);
    child.kill(signal);
    await once(child, 'exit');
    const left = () => [readdirSync(temporary), signal === 'SIGKILL' ? pids.filter(isRunning) : []];
    await expect.poll(left).toEqual([[], []]);
    for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  },
);

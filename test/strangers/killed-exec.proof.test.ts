import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isRunning } from '../../src/platform/files/files.ts';
import { buildProgram } from '../support/built-program.ts';

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

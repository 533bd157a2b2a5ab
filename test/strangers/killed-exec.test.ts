import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isRunning } from '../../src/platform/process/process-status.ts';
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
    const child = spawn(process.execPath, [join(program.bin, 'shopctl.js'), ...words], {
      env: { ...process.env, NODE_OPTIONS: '', TMPDIR: temporary, HOME: program.home },
      stdio: 'ignore',
    });
    const pids = await vi.waitFor(
      () => {
        const found = readFileSync(pidFile, 'utf8').trim().split(' ').map(Number);
        expect(found).toHaveLength(2);
        return found;
      },
      { interval: 50 },
    );
    expect(readdirSync(temporary)).toHaveLength(1);
    child.kill(signal);
    await once(child, 'exit');
    await vi.waitFor(
      () => {
        expect(readdirSync(temporary)).toEqual([]);
        if (signal === 'SIGKILL') expect(pids.filter(isRunning)).toEqual([]);
      },
      { interval: 100 },
    );
    for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  },
);

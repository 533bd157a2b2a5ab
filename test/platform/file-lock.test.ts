import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, LockError } from '../../src/platform/files/file-lock.ts';
import { holderFrom, stateOf, thisProcess } from '../../src/platform/files/lock-holder.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'shopctl-lock-'));
  path = join(directory, 'config.json.lock');
});
afterEach(() => rmSync(directory, { recursive: true }));

const token = '00112233445566aa';
const impatient = { timeoutMs: 60 };

/** A process number that was in use and is no more. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return Number(child.pid);
}

const hold = (holder: object, at = path) => writeFileSync(at, JSON.stringify({ ...thisProcess(), token, ...holder }));

describe('a lock', () => {
  it('is a private file that names its holder, and is removed afterwards', async () => {
    const lock = await acquireLock(path);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
    lock.verify();
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([-1, 1])('is waited for as long as was said when the clock is set by a day (%i) meanwhile', async (days) => {
    hold({});
    let elapsed = 0;
    const clock = {
      now: () => Date.now() + (elapsed > 0 ? days * 86_400_000 : 0),
      elapsed: () => elapsed,
      wait: async () => {
        elapsed += 10;
        if (elapsed > 1_000) throw new Error('it waits for ever');
      },
    };
    await expect(acquireLock(path, { timeoutMs: 60, clock })).rejects.toBeInstanceOf(LockError);
    expect(elapsed).toBe(60);
  });

  it('is held by one at a time', async () => {
    let inside = 0;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const lock = await acquireLock(path);
        inside += 1;
        expect(inside).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        lock.release();
      }),
    );
    expect(readdirSync(directory)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux')(
    'is nobody’s after a restart, where no other machine reaches it',
    async () => {
      hold({ machine: '11111111-2222-3333-4444-555555555555 pid:[4026531836]' });
      await expect(acquireLock(path, impatient)).rejects.toThrow(LockError);
      const lock = await acquireLock(path, { ...impatient, isLocal: true });
      lock.release();
      // A container of this machine, which has not restarted.
      hold({ machine: thisProcess().machine.replace(/pid:.*/, 'pid:[1]') });
      await expect(acquireLock(path, { ...impatient, isLocal: true })).rejects.toThrow(LockError);
    },
  );

  it('is waited for no longer than requested, and not changed', async () => {
    const lock = await acquireLock(path);
    const error = await acquireLock(path, impatient).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LockError);
    expect((error as LockError).message).toContain(`process ${process.pid} holds the lock ${path}`);
    lock.verify();
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('notices that somebody removed its file, and removes nobody else’s', async () => {
    const lock = await acquireLock(path);
    rmSync(path);
    expect(() => lock.verify()).toThrow(LockError);
    const next = await acquireLock(path);
    lock.release();
    next.verify();
    next.release();
  });
});

describe('a lock whose process is gone', () => {
  it('is taken over at once, also by who does not wait at all', async () => {
    hold({ pid: await deadProcess() });
    const lock = await acquireLock(path, { timeoutMs: 0 });
    lock.verify();
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is left to whoever took it over between the look and the removal', async () => {
    hold({ pid: await deadProcess() });
    let lookups = 0;
    const successor = { token: 'ffeeddccbbaa9988' };
    const clock = {
      now() {
        lookups += 1;
        // The first asks for the deadline, the second comes when the dead holder has been read.
        if (lookups === 2) hold(successor);
        return Date.now();
      },
      wait: async () => {},
    };
    await expect(acquireLock(path, { timeoutMs: 0, clock })).rejects.toBeInstanceOf(LockError);
    expect(JSON.parse(readFileSync(path, 'utf8')).token).toBe(successor.token);
  });

  it('is taken over', async () => {
    hold({ pid: await deadProcess() });
    const lock = await acquireLock(path, impatient);
    lock.verify();
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('is recognised although its number is in use again', async () => {
    hold({ started: '1' });
    (await acquireLock(path, impatient)).release();
  });

  it('is taken over although another one died while doing so', async () => {
    const pid = await deadProcess();
    hold({ pid });
    hold({ pid, token: 'ffffffffffffffff' }, `${path}.${token}`);
    hold({ pid, token: 'eeeeeeeeeeeeeeee' }, `${path}.${token}.ffffffffffffffff`);
    (await acquireLock(path, impatient)).release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is left to the one who is taking it over', async () => {
    hold({ pid: await deadProcess() });
    hold({ token: 'ffffffffffffffff' }, `${path}.${token}`);
    await expect(acquireLock(path, impatient)).rejects.toThrow(LockError);
    expect(readFileSync(path, 'utf8')).toContain(token);
  });

  it('is taken over by one of many', async () => {
    hold({ pid: await deadProcess() });
    let inside = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const lock = await acquireLock(path);
        inside += 1;
        expect(inside).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside -= 1;
        lock.release();
      }),
    );
  });
});

it('a lock clears what killed processes left beside it, and nothing that is in use', async () => {
  const pid = await deadProcess();
  const inUse = `${path}.new-1111111111111111`;
  hold({ pid }, `${path}.new-0000000000000000`);
  hold({ pid }, `${path}.${token}`);
  hold({}, inUse);
  writeFileSync(join(directory, 'config.json'), '{}');
  const lock = await acquireLock(path, impatient);
  expect(
    readdirSync(directory)
      .map((name) => join(directory, name))
      .sort(),
  ).toEqual([join(directory, 'config.json'), path, inUse].sort());
  lock.release();
});

describe('a lock of which nobody can tell whether its process lives', () => {
  it.each([
    ['another machine’s', JSON.stringify({ pid: 1, machine: 'elsewhere', token })],
    ['one with no content', ''],
    ['one with content that is not ours', '{"pid":"1","token":"../../x"}'],
  ])('is respected while it is young and taken over when it is old: %s', async (_name, content) => {
    writeFileSync(path, content);
    await expect(acquireLock(path, impatient)).rejects.toThrow(LockError);
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(path, hourAgo, hourAgo);
    (await acquireLock(path, impatient)).release();
    expect(readdirSync(directory)).toEqual([]);
  });
});

it('a lock is respected as long as its holder lives, however old it is', async () => {
  // Only there can a process be told from a later one with its number.
  if (process.platform !== 'linux') return;
  hold({});
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(path, hourAgo, hourAgo);
  await expect(acquireLock(path, impatient)).rejects.toThrow(LockError);
  expect(readdirSync(directory)).toHaveLength(1);
});

describe('the holder of a lock', () => {
  it('is alive when it is this process', () => {
    expect(stateOf({ ...thisProcess(), token })).toBe(process.platform === 'linux' ? 'alive' : 'unknown');
  });

  it.runIf(process.platform === 'linux')('is gone when its process ended and was not fetched yet', async () => {
    // The shell becomes a program that never asks after the child that it started, and prints the child's number.
    const script = 'cat <&3 & echo $!; exec sleep 300 3<&-';
    const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    try {
      const pid = Number(await new Promise((resolve) => parent.stdout?.once('data', resolve)));
      const started = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21] ?? '';
      const holder = { pid, machine: thisProcess().machine, started, token };
      expect(stateOf(holder)).toBe('alive');
      // Until then it is a shell, which may fetch whoever ended.
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
      parent.stdio[3]?.destroy();
      await expect.poll(() => stateOf(holder)).toBe('gone');
      expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
    } finally {
      parent.stdio[3]?.destroy();
      parent.kill('SIGKILL');
    }
  });

  it('gets no token from a text that is not ours', () => {
    expect(holderFrom('null', 'fallback').token).toBe('fallback');
    expect(holderFrom(JSON.stringify({ pid: 1, machine: 'm', token: '../x' }), 'fallback').token).toBe('fallback');
  });
});

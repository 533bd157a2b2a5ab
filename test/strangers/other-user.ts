import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Two users of one group, who have no account here and need none. */
export const victim = { uid: 65_101, gid: 65_100 };
export const attacker = { uid: 65_102, gid: 65_100 };

type User = typeof victim;

/** Whether a test may become another user: only the system's own may, and a container may forbid it. */
export const mayBeOthers =
  process.platform !== 'win32' &&
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['-e', '0'], { ...victim, cwd: '/' }).status === 0;

/** A directory of the victim's, or of another's, removed with the test. */
export function victimsDirectory(mode = 0o755, owner: User = victim): string {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-victim-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, mode);
  chownSync(directory, owner.uid, owner.gid);
  return directory;
}

/** What one user's node makes of a script, under a umask. */
export function runAs(
  user: User,
  script: string,
  { umask = 0o022, env = {}, words = [] }: { umask?: number; env?: Record<string, string>; words?: string[] } = {},
) {
  const before = process.umask(umask);
  try {
    const { PATH = '' } = process.env;
    const options = { ...user, cwd: '/', env: { PATH, ...env }, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script, ...words], options);
    return { status, stdout, stderr };
  } finally {
    process.umask(before);
  }
}

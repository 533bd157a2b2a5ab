import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Milliseconds for which this process has computed: what others do on the machine does not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of a tick of the system's own accounting. */
const TICK_MS = 10;

/** The same of another process, with what it waited for; for ever once it has ended. */
function processorMsOf(pid: number): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [state, ...values] = fields.split(' ');
    const [user = 0, system = 0] = values.slice(10, 12).map(Number);
    return state === 'Z' ? Number.POSITIVE_INFINITY : (user + system) * TICK_MS;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** More than any command takes to begin, or to read an answer, on any machine. */
const WORK_MS = 1_000;

/** Waits until a process is at its work, or has ended: from now on it has computed for longer than anything before that takes. */
export async function isAtWork(pid: number | undefined): Promise<void> {
  const before = processorMsOf(pid ?? 0);
  await expect
    .poll(() => processorMsOf(pid ?? 0))
    .toBeGreaterThan(before === Number.POSITIVE_INFINITY ? 0 : before + WORK_MS);
}

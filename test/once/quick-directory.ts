import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';

/** More than a whole run leaves there at any time, in bytes. */
const ENOUGH = 4 * 1024 ** 3;

/** Whether what lies there may be run: containers often forbid it. */
function mayRun(place: string): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === place)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}

/**
 * Where tests put their files: memory, if there is enough of it, because tests wait for the disk longer than for the
 * processor. No test cuts the power: what it kills leaves the same files in memory as on a disk. What is synchronised,
 * and when, `npm run power-cuts` and the tests of `fsync` prove by the calls.
 */
export function quickDirectory(): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= ENOUGH && mayRun(memory) ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

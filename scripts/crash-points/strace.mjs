import { readFileSync } from 'node:fs';

// Without --seccomp-bpf, which is faster: with it, an injected signal is not delivered at the call.
const following = (log, calls) => ['strace', '-f', '-o', log, '-e', `trace=${calls}`];

/** The command line before a program that is to fail so at its nth call; each thread counts its own. */
export function injecting({ how, call, when }, log) {
  const what = how === 'KILL' ? 'signal=KILL' : `error=${how}`;
  return [...following(log, call), '-e', `inject=${call}:${what}:when=${when}`];
}

/** Whether the program got as far as the call that was to fail. */
export function wasReached(log) {
  return /\(INJECTED\)$|killed by SIGKILL/m.test(readFileSync(log, 'utf8'));
}

/** The command line before a program whose calls are to be counted. */
export const counting = (log, calls) => [...following(log, calls.join()), '-y'];

/**
 * At which numbers each of these calls can be made to fail: as each thread counts its own, those that a thread reaches. Of
 * them, `files` are where a thread writes to a file or prints; elsewhere it wakes another, or sends, which no disk fails.
 */
export function pointsOf(log, calls) {
  const counts = new Map();
  const points = new Map(calls.map((call) => [call, { most: 0, files: new Set() }]));
  for (const [, thread, call, descriptor, path] of readFileSync(log, 'utf8').matchAll(
    /^(\d+) +(\w+)\((\d+)<([^>]*)/gm,
  )) {
    const key = `${thread} ${call}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const of = points.get(call);
    of.most = Math.max(of.most, count);
    if (path.startsWith('/') || ['1', '2'].includes(descriptor)) of.files.add(count);
  }
  return points;
}

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

/** The calls that change files, for a log from which the files can be rebuilt. */
const calls = [
  ...[
    'openat',
    'write',
    'pwrite64',
    'writev',
    'pwritev',
    'pwritev2',
    'ftruncate',
    'fallocate',
    'lseek',
    'copy_file_range',
  ],
  ...['fsync', 'fdatasync', 'sync_file_range', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'symlink'],
  ...['unlink', 'unlinkat', 'mkdir', 'mkdirat', 'rmdir', 'truncate', 'sendfile', 'creat', 'open'],
];

/** The command line before a program whose files are to be rebuilt; it is killed at its nth synchronisation, if there is one. */
export function recording(log, call, when) {
  const whole = ['strace', '-f', '-xx', '-y', '-s', '50000000', '-o', log, '-e', `trace=${calls}`];
  return when === undefined ? whole : [...whole, '-e', `inject=${call}:signal=KILL:when=${when}`];
}

const bytesOf = (hex) => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
const textOf = (hex) => bytesOf(hex).toString();

/** The calls of a log in the order of their ends, each with what was there when it began. */
function* callsIn(log, begun) {
  const open = new Map();
  for (const line of log.split('\n')) {
    const [, thread, rest] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    if (rest === undefined || /^(?:\+\+\+|---)/.test(rest)) continue;
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest);
    const text = resumed === null ? rest : open.get(thread)?.text + resumed[1];
    const unfinished = /^(.*) <unfinished \.\.\.>$/s.exec(text);
    const state = resumed === null ? begun(text) : open.get(thread)?.state;
    if (unfinished !== null) {
      open.set(thread, { text: unfinished[1], state });
      continue;
    }
    open.delete(thread);
    const [, call, words, result] = /^(\w+)\((.*)\) += (-?\d+|\?)/s.exec(text) ?? [];
    // What failed, or was killed at its beginning, changed nothing.
    if (call !== undefined && Number(result) >= 0) yield { call, words, result: Number(result), state };
  }
  return open.size;
}

const descriptorIn = (words) => /^(\d+)<([^>]*)>(\(deleted\))?/.exec(words);
const stringsIn = (words) => [...words.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => hex);
const lastNumber = (words) => Number(words.slice(words.lastIndexOf(',') + 1));

/** Plays a log on a disk; how many calls were on their way at its end. Throws at a call that it does not know. */
export function replay(log, disk) {
  const positions = new Map();
  const pathIn = (words) => {
    const [, , hex, deleted] = descriptorIn(words) ?? [];
    const path = hex === undefined || deleted !== undefined ? undefined : textOf(hex);
    return path !== undefined && disk.isHere(path) ? path : undefined;
  };
  const pathsIn = (words) => stringsIn(words).map(textOf);
  const write = (words, path, result, at) =>
    disk.write(path, at, Buffer.concat(stringsIn(words).map(bytesOf)).subarray(0, result));
  const writeOn = ({ words, result }) => {
    const path = pathIn(words);
    if (path === undefined) return;
    const [, descriptor] = descriptorIn(words);
    const { at, appends } = positions.get(descriptor);
    const from = appends ? disk.sizeOf(path) : at;
    write(words, path, result, from);
    positions.set(descriptor, { at: from + result, appends });
  };
  const synchronise = ({ words, state }) => {
    const path = pathIn(words);
    if (path !== undefined) disk.synchronise(path, state);
  };
  const both =
    (does) =>
    ({ words }) => {
      const [from, to] = pathsIn(words);
      if (disk.isHere(from) || disk.isHere(to)) disk[does](from, to);
    };
  const one =
    (does) =>
    ({ words }) => {
      const [path] = pathsIn(words);
      if (disk.isHere(path)) disk[does](path);
    };
  const unknown = ({ call, words }) => {
    if (stringsIn(words).map(textOf).some(disk.isHere) || pathIn(words) !== undefined)
      throw new Error(`${call} is not replayed`);
  };
  const played = {
    openat({ words, result }) {
      const [path] = pathsIn(words);
      positions.set(String(result), { at: 0, appends: words.includes('O_APPEND') });
      if (!disk.isHere(path)) return;
      if (words.includes('O_CREAT') && disk.sizeOf(path) === undefined) disk.make(path);
      if (words.includes('O_TRUNC') && disk.sizeOf(path) > 0) disk.resize(path, 0);
    },
    write: writeOn,
    writev: writeOn,
    pwrite64({ words, result }) {
      const path = pathIn(words);
      if (path !== undefined) write(words, path, result, lastNumber(words));
    },
    ftruncate({ words }) {
      const path = pathIn(words);
      if (path !== undefined) disk.resize(path, lastNumber(words));
    },
    lseek({ words, result }) {
      const [, descriptor] = descriptorIn(words);
      if (positions.has(descriptor)) positions.get(descriptor).at = result;
    },
    fsync: synchronise,
    fdatasync: synchronise,
    rename: both('rename'),
    link: both('link'),
    unlink: one('remove'),
    rmdir: one('remove'),
    mkdir: one('makeDirectory'),
  };
  const begun = (text) => {
    const path = /^f(?:data)?sync\(/.test(text) ? pathIn(text.slice(text.indexOf('(') + 1)) : undefined;
    return path === undefined ? 0 : disk.pendingOf(path);
  };
  const all = callsIn(log, begun);
  for (;;) {
    const next = all.next();
    if (next.done) return next.value;
    (played[next.value.call] ?? unknown)(next.value);
  }
}

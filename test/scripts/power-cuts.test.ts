import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const { diskOf } = await import(resolve('scripts/crash-points/disk.mjs'));
const { replay } = await import(resolve('scripts/crash-points/strace.mjs'));

const hex = (text: string) => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
const path = (name: string) => `"${hex(`/home${name}`)}"`;
const open = (descriptor: number, name: string) => `${descriptor}<${hex(`/home${name}`)}>`;

const made = [
  `7 openat(AT_FDCWD<${hex('/')}>, ${path('/draft')}, O_WRONLY|O_CREAT|O_TRUNC, 0600) = ${open(20, '/draft')}`,
  `7 write(${open(20, '/draft')}, "${hex('new content')}", 11 <unfinished ...>`,
  `8 pwrite64(${open(21, '/ledger')}, "${hex('CC')}", 2, 2) = 2`,
  '7 <... write resumed>) = 11',
];
const replaced = `7 rename(${path('/draft')}, ${path('/config')}) = 0`;
const fsync = (name: string) => `7 fsync(${open(20, name)}) = 0`;

/** What a power cut leaves after these calls, and what was there before it. */
function after(lines: readonly string[], how = 'strict') {
  const files = new Map([
    ['config', Buffer.from('old')],
    ['ledger', Buffer.from('aabb')],
  ]);
  const disk = diskOf(files, '/home');
  replay(lines.join('\n'), disk);
  const texts = (contents: Map<string, Buffer>) =>
    Object.fromEntries([...contents].map(([name, content]) => [name, content.toString()]));
  return { before: texts(disk.contents()), left: texts(disk.cut(how, () => 0.4)) };
}

it('loses what was not synchronised, names included', () => {
  const { before, left } = after([...made, replaced]);
  expect(before).toEqual({ config: 'new content', ledger: 'aaCC' });
  expect(left).toEqual({ config: 'old', ledger: 'aabb' });
});

it('keeps what was synchronised: a content by its file, a name by its directory', () => {
  expect(after([...made, fsync('/draft'), replaced]).left.config).toBe('old');
  expect(after([...made, fsync('/draft'), replaced, fsync('')]).left.config).toBe('new content');
  expect(after([...made, replaced, fsync('')]).left.config).toBe('');
  expect(after([...made, replaced], 'names').left.config).toBe('');
  expect(after([...made, fsync('/ledger')]).left.ledger).toBe('aaCC');
});

it('loses a directory with all that was synchronised in it, if its own name was not', () => {
  const inside = [
    `7 mkdir(${path('/state')}, 0700) = 0`,
    `7 openat(AT_FDCWD<${hex('/')}>, ${path('/state/new')}, O_RDWR|O_CREAT, 0600) = ${open(20, '/state/new')}`,
    fsync('/state/new'),
    fsync('/state'),
  ];
  expect(after(inside).left).not.toHaveProperty('state/new');
  expect(after([...inside, fsync('')]).left).toHaveProperty('state/new');
});

it('tears the last write, and keeps any of the others', () => {
  expect(after(made, 'torn').left).toEqual({ config: 'old', ledger: 'aaCb', draft: 'new c' });
  expect(after(made, 'random').left.ledger).toBe('aaCC');
});

it('changes nothing by what failed, or was killed at its beginning, and refuses what it does not know', () => {
  const failed = [
    `7 unlink(${path('/config')}) = -1 EACCES (Permission denied)`,
    `7 fsync(${open(21, '/ledger')}) = ?`,
  ];
  expect(after([...made, ...failed])).toMatchObject({ before: { config: 'old' }, left: { ledger: 'aabb' } });
  expect(() => after([`7 truncate(${path('/ledger')}, 0) = 0`])).toThrow('truncate is not replayed');
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makePrivateDirectory } from '../../src/platform/files/files.ts';

function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-private-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

it('makes a directory and those above it, each for nobody else', () => {
  const base = scratch();
  makePrivateDirectory(join(base, 'a', 'b'));
  expect([join(base, 'a'), join(base, 'a', 'b')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
});

it('makes the name of each survive a power cut', () => {
  const base = scratch();
  const synchronised: string[] = [];
  const synchronise = (directory: string) => {
    expect(statSync(join(directory, directory === base ? 'a' : 'b')).isDirectory()).toBe(true);
    synchronised.push(directory);
  };
  makePrivateDirectory(join(base, 'a', 'b'), { synchronise });
  makePrivateDirectory(join(base, 'a', 'b'), { synchronise });
  expect(synchronised).toEqual([base, join(base, 'a')]);
});

it('does not change an existing one', () => {
  const there = join(scratch(), 'there');
  mkdirSync(there, { mode: 0o755 });
  makePrivateDirectory(there);
  expect(statSync(there).mode & 0o777).toBe(0o755);
});

it('says where nothing can be made, at once', () => {
  const file = join(scratch(), 'file');
  writeFileSync(file, '');
  expect(() => makePrivateDirectory(join(file, 'in'))).toThrow(/ENOTDIR/);
});

it.skipIf(process.platform !== 'linux')('ends in a file system that makes no directories', () => {
  expect(() => makePrivateDirectory('/proc/nowhere/deeper')).toThrow(/EPERM/);
});

it('is made by this alone: what Node makes with those above it never ends where nothing can be made', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  const found = sources.filter((path) =>
    /\bmkdir(?:Sync)?\([^;]*recursive: true/.test(readFileSync(join('src', path), 'utf8')),
  );
  // It imports nothing, and makes directories in one that it has just made.
  expect(found).toEqual(['one-file.ts']);
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { buildProgram } from './support/built-program.ts';

const { changedByEscapes, namesImported } = (await import(resolve('scripts/build.mjs'))) as {
  changedByEscapes: (text: string) => string[];
  namesImported: (source: string, path: string) => Promise<string[] | undefined>;
};

const used = 'void [a, b, all];';

it.each([
  ["import { a, b } from 'node:fs';", ['a', 'b']],
  ["import {\n  a,\n  b,\n} from 'node:fs';", ['a', 'b']],
  ["import { a as b, type Stats } from 'node:fs';", ['a']],
  ['import { a } from \'node:fs\'; import { b } from "node:fs";', ['a', 'b']],
  ["import type { Stats } from 'node:fs';\nimport { a } from 'node:fs';", ['a']],
  ["import * as all from 'node:fs';", undefined],
  ["import all, { a } from 'node:fs';", undefined],
  ["import { a } from 'node:fs';\nexport * from 'node:fs';", undefined],
  ["import 'node:fs';", undefined],
])('the names that are imported, or that it is all, whatever the form: %s', async (statements, names) => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-names-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'source.ts');
  writeFileSync(file, `${statements}\n${used}\n`);
  expect(await namesImported(file, 'node:fs')).toEqual(names);
});

it.each([
  ['/\\đ/', 1],
  ['`\\đ`', 1],
  ['String.raw`đ`', 1],
  ['/\\\\đ/', 0],
  ['/[đĐ]/u', 0],

  ['String.raw`d`', 0],
])('the build refuses letters that an escape would change: %s', (code, count) => {
  expect(changedByEscapes(code)).toHaveLength(count);
});

it('the program reads letters beyond ASCII as they were written, in its regular expressions too', async () => {
  const built = await buildProgram();
  onTestFinished(() => built.remove());
  const wrong = readFileSync(join(built.bin, '..', 'dist', 'process.cjs')).filter((byte) => byte > 0x7f);
  expect(wrong).toHaveLength(0);
  // It is not a module: what it loads, its loader does, from a file of its own.
  for (const name of ['process.cjs', 'sandbox.cjs', 'written-answer.cjs']) {
    const text = readFileSync(join(built.bin, '..', 'dist', name), 'utf8');
    expect([name, /\bimport\([^)]{0,60}\)/.exec(text)?.[0]]).toEqual([name, undefined]);
  }
  const words = ['quote', '--input', resolve('examples/quote.json'), '--cod-amount', '1.350.000 ₫', '--dry-run'];
  const env = {
    PATH: process.env.PATH,
    SHOPCTL_CONFIG_DIR: built.home,
    SHOPCTL_BASE_URL: 'http://127.0.0.1:1',
    SHOPCTL_AS: 'shop',
    SHOPCTL_API_KEY: '2790128029463001495:secret-of-a-test',
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(built.bin, 'shopctl.js'), ...words], {
    env,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining('dry run')]);
  expect(stdout).toContain('"cod_amount": 1350000');
}, 60_000);

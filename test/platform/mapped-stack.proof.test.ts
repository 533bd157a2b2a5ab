import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mappedStack } from '../../src/platform/process/mapped-stack.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';

const run = promisify(execFile);

let program: BuiltProgram;

beforeAll(async () => {
  program = await buildProgram();
});

afterAll(() => program.remove());

/** Where a built file says something, as a frame of V8 names the place. */
function frameAt(file: string, words: string): string {
  const text = readFileSync(file, 'latin1');
  const index = text.indexOf(words);
  if (index < 0) throw new Error(`${file} does not say ${words}`);
  const before = text.slice(0, index).split('\n');
  return `    at a (${file}:${before.length}:${(before.at(-1) ?? '').length + 1})`;
}

/** A file that makes the program fail at an amount, when it is required first. */
function plantedFault(): string {
  const hook = join(program.home, 'hook.cjs');
  writeFileSync(
    hook,
    'const known = Number.isSafeInteger; Number.isSafeInteger = (n) => { if (n === 450000) throw new TypeError("planted"); return known(n); };',
  );
  return hook;
}

describe('the stack of a bug in the minified program', () => {
  it('names functions and lines of the sources with --debug', async () => {
    const failed = await run(
      process.execPath,
      [join(program.bin, 'shopctl.js'), 'totals', 'check', 'examples/order.json', '--debug'],
      {
        env: { ...process.env, NODE_OPTIONS: `--require ${plantedFault()}`, SHOPCTL_CONFIG_DIR: program.home },
      },
    ).catch((error: { stderr: string }) => error);
    expect(failed.stderr).toContain('TypeError: planted');
    const [, file = '', line] = /at readAmount \((src\/[\w/-]+\.ts):(\d+)\)/.exec(failed.stderr) ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain('isSafeInteger');
    expect(failed.stderr).toContain('at reviewTotals (src/domain/amounts/totals.ts:');
  });

  // Each stands behind letters in its line that the build writes as escapes, the first behind 15.
  it.each([
    ['process.cjs', '"no-csv-guard"'],
    ['texts.cjs', '"less than a minute ago"'],
    ['sandbox.cjs', '"the sandbox has no partner"'],
  ])('finds the source line of %s that says %s', (built, words) => {
    const mapped = mappedStack(frameAt(join(program.bin, '..', 'dist', built), words));
    const [, file = '', line] = /\((src\/[\w/-]+\.ts):(\d+)\)/.exec(mapped) ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(words.slice(1, -1));
  });

  it('names them where the build was moved since it compiled its code', async () => {
    const moved = await mkdtemp(join(program.home, 'moved-'));
    const dist = join(moved, 'dist');
    cpSync(join(program.bin, '..', 'dist'), dist, { recursive: true });
    for (const part of ['bin', 'node_modules', 'package.json'])
      symlinkSync(join(program.bin, '..', part), join(moved, part));
    await run(process.execPath, ['scripts/compile-ahead.mjs', dist, join(moved, 'before')]);
    const failed = await run(
      process.execPath,
      [
        '-e',
        `require(${JSON.stringify(join(dist, 'start.cjs'))}).start()`,
        'shopctl',
        'totals',
        'check',
        'examples/order.json',
        '--debug',
      ],
      { env: { ...process.env, NODE_OPTIONS: `--require ${plantedFault()}`, SHOPCTL_CONFIG_DIR: program.home } },
    ).catch((error: { stderr: string }) => error);
    expect(failed.stderr).toContain('at reviewTotals (src/domain/amounts/totals.ts:');
  });

  it('leaves frames of other files as they are', () => {
    const stack = 'Error: x\n    at f (/nowhere/a.js:1:2)\n    at node:internal/process:3:4';
    expect(mappedStack(stack)).toBe(stack);
  });
});

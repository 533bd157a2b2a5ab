import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
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

describe('the stack of a bug in the minified program', () => {
  it('names functions and lines of the sources with --debug', async () => {
    const hook = join(program.home, 'hook.cjs');
    writeFileSync(
      hook,
      'const known = Number.isSafeInteger; Number.isSafeInteger = (n) => { if (n === 450000) throw new TypeError("planted"); return known(n); };',
    );
    const failed = await run(
      process.execPath,
      [join(program.bin, 'shopctl.js'), 'totals', 'check', 'examples/order.json', '--debug'],
      {
        env: { ...process.env, NODE_OPTIONS: `--require ${hook}`, SHOPCTL_CONFIG_DIR: program.home },
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
    ['process.cjs', '"names more than one place"'],
    ['sandbox.cjs', '"the sandbox has no partner"'],
  ])('finds the source line of %s that says %s', (built, words) => {
    const mapped = mappedStack(frameAt(join(program.bin, '..', 'dist', built), words));
    const [, file = '', line] = /\((src\/[\w/-]+\.ts):(\d+)\)/.exec(mapped) ?? [];
    expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(words.slice(1, -1));
  });

  it('leaves frames of other files as they are', () => {
    const stack = 'Error: x\n    at f (/nowhere/a.js:1:2)\n    at node:internal/process:3:4';
    expect(mappedStack(stack)).toBe(stack);
  });
});

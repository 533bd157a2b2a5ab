import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve('.');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the worked example of CONTRIBUTING.md', () => {
  const blocks = [...textOf('CONTRIBUTING.md').matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)];
  const files = blocks.map(([, path = '', text = '']) => ({ path, text }));

  it('is a declaration, a handler and a test', () => {
    expect(files.map(({ path }) => path.split('/').slice(0, 2).join('/'))).toEqual([
      'src/contract',
      'src/sandbox',
      'test/sandbox',
    ]);
  });

  it('agrees with the types of the project', () => {
    const place = mkdtempSync(join(tmpdir(), 'shopctl-example-'));
    try {
      for (const { path, text } of files) {
        mkdirSync(join(place, dirname(path)), { recursive: true });
        writeFileSync(join(place, path), text);
      }
      // Both trees are one to the compiler; where both have a file, the example's is seen by the example.
      const compilerOptions = { rootDirs: [place, root], typeRoots: [join(root, 'node_modules/@types')] };
      const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [join(place, '**/*.ts')] };
      symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
      writeFileSync(join(place, 'package.json'), '{"type":"module"}');
      writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(settings));
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      const { stdout } = spawnSync(process.execPath, [compiler, '-p', place], { encoding: 'utf8' });
      // Faults of the settings stand at the start of a line; those of other files are not the example's.
      const ours = (line: string) => line.startsWith('error') || files.some(({ path }) => line.includes(path));
      expect(stdout.split('\n').filter(ours)).toEqual([]);
    } finally {
      rmSync(place, { recursive: true });
    }
  });
});

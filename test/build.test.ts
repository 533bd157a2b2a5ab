import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const { namesImported } = (await import(resolve('scripts/build.mjs'))) as {
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

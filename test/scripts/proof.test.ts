import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const { withRow, withSection } = await import(resolve('scripts/proof.mjs'));

const row = { run: 'soak from seed 1', node: '20.20.2', when: '2026-11-23, abc', result: 'kept' };

it('a run has one row, the last one, for each Node; other sections stay as they are', () => {
  const page = 'before\n<!-- soak -->\n<!-- end of soak -->\n\n<!-- suite -->\nrest\n<!-- end of suite -->\n';
  const other = { ...row, node: '24.21.0' };
  const again = { ...row, when: '2026-11-24, def', result: 'kept again' };
  const written = [row, other, again].reduce((text, each) => withRow(text, 'soak', each), page);
  expect(written).toBe(`before
<!-- soak -->
| Run | Node | When | Result |
| --- | --- | --- | --- |
| soak from seed 1 | 20.20.2 | 2026-11-24, def | kept again |
| soak from seed 1 | 24.21.0 | 2026-11-23, abc | kept |
<!-- end of soak -->

<!-- suite -->
rest
<!-- end of suite -->
`);
});

it('a section that the page does not have is refused', () => {
  expect(() => withSection('<!-- soak -->\n', 'soak', () => [])).toThrow('no section soak');
  expect(() => withSection('', 'suite', () => [])).toThrow('no section suite');
});

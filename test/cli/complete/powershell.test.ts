import { describe, expect, it } from 'vitest';
import { completionScript } from '../../../src/cli/complete/scripts.ts';

// There is no PowerShell here: this looks at the text alone and proves no more than that it hangs together.
describe('the script for powershell (its text only; it is not run)', () => {
  /** The text without what stands in quotes, where a bracket means nothing. */
  const bare = (text: string) => text.replace(/^\s*#.*$/gm, '').replace(/'(?:[^']|'')*'|"(?:[^"`]|`.)*"/g, "''");

  it('closes every bracket that it opens, in order', async () => {
    const open: string[] = [];
    for (const sign of bare(await completionScript('powershell'))) {
      if ('({['.includes(sign)) open.push({ '(': ')', '{': '}', '[': ']' }[sign] ?? '');
      else if (')}]'.includes(sign)) expect(open.pop()).toBe(sign);
    }
    expect(open).toEqual([]);
  });

  it('has no key twice in a table, also where only the case differs', async () => {
    const text = await completionScript('powershell');
    const tables = [...text.matchAll(/^\$global:Shopctl\w+ = @\{\n(.*?)^\}/gms)].map(([, body = '']) =>
      [...body.matchAll(/^ {4}'([^']*)' = /gm)].map(([, key = '']) => key.toLowerCase()),
    );
    expect(tables).toHaveLength(4);
    for (const keys of tables) expect(new Set(keys).size).toBe(keys.length);
    expect(text).toContain('Register-ArgumentCompleter -Native -CommandName shopctl');
  });
});

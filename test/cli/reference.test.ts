import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { generatedDirectories, generatedFiles } from '../../src/cli/generate/files.ts';
import { loadTree } from '../../src/cli/tree/tree.ts';
import { run } from '../../src/main.ts';
import { offlineContext } from '../support/offline-context.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const files = await generatedFiles();
const tree = await loadTree();

describe('the generated files', () => {
  it('are those that the tree gives today (npm run generate writes them)', () => {
    const onDisk = generatedDirectories.flatMap((directory) =>
      readdirSync(`${root}${directory}`).map((name) => `${directory}/${name}`),
    );
    const alone = [...files.keys()].filter((path) => !generatedDirectories.some((one) => path.startsWith(`${one}/`)));
    expect(alone).toEqual(['docs/mirror.md', 'docs/reports.md']);
    expect([...onDisk, ...alone].sort()).toEqual([...files.keys()].sort());
    const stale = [...files].filter(([path, text]) => readFileSync(`${root}${path}`, 'utf8') !== text);
    expect(stale.map(([path]) => path)).toEqual([]);
  });

  it.each([
    ['bash', 'shopctl.bash'],
    ['zsh', '_shopctl'],
    ['fish', 'shopctl.fish'],
    ['powershell', 'shopctl.ps1'],
  ])('are what `shopctl completion %s` prints', async (shell, name) => {
    const context = offlineContext(['completion', shell]);
    expect(await run(context)).toBe(0);
    expect(context.stdout.text).toBe(files.get(`completions/${name}`));
  });

  it('say nothing that is not a text', () => {
    const odd = [...files].filter(([, text]) => /undefined|\[object|NaN|\r|\t+$/.test(text));
    expect(odd.map(([path]) => path)).toEqual([]);
  });
});

describe('the reference', () => {
  const pages = [...files].filter(([path]) => path.startsWith('docs/reference/'));

  it('names every command, flag, operation and example', () => {
    const text = pages.map(([, page]) => page).join('\n');
    for (const { command, flags, operations, examples } of tree.commands) {
      expect(text).toContain(`\n## shopctl ${command}\n`);
      for (const flag of flags) expect(text).toContain(`--${flag.name}`);
      for (const { id } of operations) expect(text).toContain(id);
      for (const example of examples) expect(text).toContain(`\n${example}\n`);
    }
  });

  it('has the same number of cells in every row of a table', () => {
    const cells = (line: string) => line.replaceAll('\\|', '').split('|').length;
    for (const [path, page] of pages) {
      const lines = page.split('\n');
      const uneven = lines.filter((line, index) => {
        const above = lines[index - 1] ?? '';
        return line.startsWith('| ') && above.startsWith('| ') && cells(line) !== cells(above);
      });
      expect({ path, uneven }).toEqual({ path, uneven: [] });
    }
  });

  it('links to pages that there are', () => {
    for (const [, page] of pages) {
      for (const [, target = ''] of page.matchAll(/\]\(([^)#]+\.md)[^)]*\)/g)) {
        expect(files.has(`docs/reference/${target}`)).toBe(true);
      }
    }
  });
});

const hasMan = spawnSync('man', ['--version']).status === 0;

describe('the man pages', () => {
  const pages = [...files].filter(([path]) => path.startsWith('man/'));

  it('can be formatted where CI runs', () => expect(hasMan || !process.env.CI).toBe(true));

  it.runIf(hasMan).each(pages)('are formatted without a warning: %s', (path) => {
    const env = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '80' };
    const { status, stderr } = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', '-Tutf8', '-Z', `${root}${path}`], {
      env,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.runIf(hasMan)('show examples as they are typed', () => {
    const env = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '400', MAN_KEEP_FORMATTING: '' };
    const page = execFileSync('man', ['-E', 'UTF-8', '-P', 'cat', '-l', `${root}man/shopctl-inventory.1`], {
      env,
      encoding: 'utf8',
    });
    expect(page).toContain('shopctl inventory list --all --query "[?available_quantity==`0`].variant_id"');
  });
});

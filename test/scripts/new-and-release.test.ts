import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of parts of the project, in which a script of it can write; `run` is its exit code and what it says. */
function copyOf(...parts: string[]) {
  const place = mkdtempSync(join(tmpdir(), 'shopctl-scripts-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const part of ['scripts', ...parts]) cpSync(join(root, part), join(place, part), { recursive: true });
  const run = (script: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(place, 'scripts', script), ...words], {
      encoding: 'utf8',
    });
    return { exit: status, stdout, stderr };
  };
  return { place, run, read: (path: string) => readFileSync(join(place, path), 'utf8') };
}

describe('npm run new', () => {
  it.each([
    [
      ['operation', 'shop.Order/TagOrder'],
      [
        ['src/contract/shop/order.ts', "id: 'shop.Order/TagOrder'"],
        ['src/sandbox/service/handlers/shop/order.ts', 'TagOrder(_input, _call)'],
        ['test/sandbox/every-operation/orders.ts', "'shop.Order/TagOrder': {"],
      ],
    ],
    [['command', 'totals', 'weigh'], [['src/ship/actions/totals.ts', "words: ['totals', 'weigh']"]]],
    [['setting', 'page_rows'], [['src/settings/table.ts', "variable: 'SHOPCTL_PAGE_ROWS'"]]],
  ] as const)('%j writes the stubs where they belong, names each file, and what is left to do', (words, files) => {
    const { run, read } = copyOf('src', 'test/sandbox');
    const { exit, stdout, stderr } = run('new.mjs', ...words);
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').slice(0, -2)).toEqual(files.map(([path]) => path));
    expect(stdout).toContain('npm run generate && npm run check');
    for (const [path, text] of files) {
      expect(readFileSync(join(root, path), 'utf8')).not.toContain(text);
      expect(read(path)).toContain(text);
    }
  });

  it.each([
    [[], 'operation, command, setting'],
    [['operation', 'TagOrder'], 'is named like shop.Order/TagOrder'],
    [['operation', 'shop.Unheard/Of'], 'is a new area'],
    [['command', 'totals'], 'is named by its group and its own words'],
    [['setting', 'Page-Rows'], 'is named like work_directory'],
  ] as const)('%j is refused with exit 2, and nothing is written', (words, message) => {
    const { run } = copyOf('src/contract', 'src/sandbox/service/handlers', 'test/sandbox/every-operation');
    expect(run('new.mjs', ...words)).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(message) });
  });
});

describe('npm run release', () => {
  /** A repository with something to release. */
  function repository(unreleased: string) {
    const { place, run, read } = copyOf('package.json', 'package-lock.json');
    const git = (...words: string[]) => execFileSync('git', words, { cwd: place, encoding: 'utf8' }).trim();
    writeFileSync(
      join(place, 'CHANGELOG.md'),
      `# Changes\n\n## Unreleased\n${unreleased}\n## 0.0.9 - 2026-01-31\n\n- Old.\n`,
    );
    mkdirSync(join(place, '.none'));
    git('init', '--quiet', '--initial-branch=main');
    for (const [name, value] of [
      ['user.name', 'A Name'],
      ['user.email', 'name@example.com'],
      ['core.hooksPath', join(place, '.none')],
      ['commit.gpgsign', 'false'],
      ['tag.gpgsign', 'false'],
    ] as const) {
      git('config', name, value);
    }
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Begin');
    return { place, run, read, git };
  }

  it('gives what is unreleased to the version, sets it in both files, commits and tags', () => {
    const { run, read, git } = repository('\n- New.\n');
    expect(run('release.mjs', '1.2.3')).toMatchObject({ exit: 0, stderr: '' });
    expect(read('CHANGELOG.md')).toMatch(/^## Unreleased\n\n## 1\.2\.3 - \d{4}-\d\d-\d\d\n\n- New\.\n\n## 0\.0\.9/m);
    expect(JSON.parse(read('package.json')).version).toBe('1.2.3');
    const lock = JSON.parse(read('package-lock.json'));
    expect([lock.version, lock.packages[''].version]).toEqual(['1.2.3', '1.2.3']);
    expect([git('tag', '--list'), git('log', '-1', '--format=%s'), git('status', '--porcelain')]).toEqual([
      'v1.2.3',
      'Release 1.2.3',
      '',
    ]);
    expect(run('release.mjs', '1.2.3')).toMatchObject({ exit: 2, stderr: expect.stringContaining('exists already') });
  });

  it('does nothing without a version, with nothing to release, or with changes that are not committed', () => {
    const { place, run, git } = repository('');
    expect(run('release.mjs', 'soon')).toMatchObject({ exit: 2, stderr: expect.stringContaining('which version?') });
    expect(run('release.mjs', '1.2.3')).toMatchObject({ exit: 2, stderr: expect.stringContaining('nothing under') });
    writeFileSync(join(place, 'left.txt'), 'left over');
    expect(run('release.mjs', '1.2.3')).toMatchObject({ exit: 2, stderr: expect.stringContaining('uncommitted') });
    expect([git('tag', '--list'), git('log', '--oneline').split('\n').length]).toEqual(['', 1]);
  });
});

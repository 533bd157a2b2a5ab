import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { requestContext } from '../support/request-context.ts';

describe('help for something that is not there', () => {
  it.each([
    [['help', 'nosuch'], 'nosuch', 'see `shopctl --help`'],
    [['help', 'ordres'], 'ordres', 'did you mean `shopctl help orders`?'],
    [['help', 'exit-code'], 'exit-code', 'did you mean `shopctl help exit-codes`?'],
    [['ordres', '--help'], 'ordres', 'did you mean `shopctl help orders`?'],
    [['help', 'orders', 'lst'], 'orders lst', 'did you mean `shopctl help orders list`?'],
    [['orders', 'lst', '--help'], 'orders lst', 'did you mean `shopctl help orders list`?'],
    [['help', 'ship', 'drfts'], 'ship drfts', 'did you mean `shopctl help ship drafts`?'],
  ])('is an error with the nearest name: %j', async (words, named, hint) => {
    const { run } = await requestContext();
    const { exit, stdout, stderr } = await run(words);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`no help for "${named}"`);
    expect(stderr).toContain(`hint: ${hint}\n`);
    if (hint.startsWith('did you mean')) expect(stderr).not.toContain('Usage:');
  });

  it('is an error that names the topic where further words follow it', async () => {
    const { run } = await requestContext();
    const { exit, stderr } = await run(['help', 'exit-codes', 'extra']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('"extra" is too much: the topic is exit-codes')]);
    expect(stderr).toContain('hint: give the name of one topic\n');
  });

  it.each([
    ['help'],
    ['help', 'orders'],
    ['orders', '--help'],
    ['help', 'orders', 'list'],
    ['help', 'input'],
    ['help', 'input', '--json'],
    ['help', 'exit-codes', '-o', 'json'],
    ['-q', 'help', 'input'],
    ['--no-color', 'help', 'orders'],
    ['--help'],
  ])('is not an error where it is there: %s %s %s', async (...words) => {
    const { run } = await requestContext();
    expect(await run(words.filter((word) => word !== undefined))).toMatchObject({ exit: 0, stderr: '' });
  });

  it('of the program itself fits a terminal of 80 columns', async () => {
    const { run } = await requestContext();
    const { stdout } = await run(['--help']);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toContain('--bom');
  });

  it('of a command names the commands below it', async () => {
    const { run } = await requestContext();
    expect((await run(['ship', '--help'])).stdout).toMatch(/^Commands:\n {2}drafts /m);
  });

  it('says of a group within a group what it holds', async () => {
    const { run } = await requestContext();
    expect((await run(['sandbox', '--help'])).stdout).toMatch(
      /^ {2}faults \[options\] +Script calls that fail, and how$/m,
    );
  });

  it.each(['clock', 'faults', 'snapshot'])('of a group within a group says itself what it holds: %s', async (group) => {
    const { run } = await requestContext();
    const listed = new RegExp(`^ {2}${group} \\[options\\] +([A-Z].*)$`, 'm');
    const [, summary = 'nothing'] = listed.exec((await run(['sandbox', '--help'])).stdout) ?? [];
    expect((await run(['sandbox', group, '--help'])).stdout).toContain(`\n${summary}`);
  });

  it('the version has a word and two flags', async () => {
    const { run } = await requestContext();
    const { stdout } = await run(['--version']);
    for (const words of [['version'], ['-v']]) expect(await run(words)).toMatchObject({ exit: 0, stdout, stderr: '' });
  });
});

it('the man pages are installed with the package', () => {
  const root = new URL('../../', import.meta.url);
  const { directories, files } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  expect(files).toContain(directories.man);
  const pages = readdirSync(new URL(`${directories.man}/`, root));
  expect(pages).toContain('shopctl.1');
  for (const page of pages) expect(page).toMatch(/^shopctl(-[a-z-]+)?\.1$/);
});

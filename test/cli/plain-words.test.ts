import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shopWorld } from '../support/shop-world.ts';

const shop = ['--profile', 'shop'];

it('names what a delete has deleted', async () => {
  const { run } = await shopWorld();
  const made = await run(['groups', 'create', '--name', 'VIP', '-o', 'name', ...shop]);
  const id = made.stdout.trim();
  expect((await run(['groups', 'delete', id, '--yes', ...shop])).stderr).toBe(`done: groups delete ${id}\n`);
});

it('calls a customer active and an order done', async () => {
  const { run } = await shopWorld();
  const made = await run(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', ...shop]);
  expect(made.stdout).toMatch(/^status +P active$/m);
  const listed = await run(['customers', 'list', ...shop]);
  expect(listed.stdout).toMatch(/ P active$/m);
  expect(listed.stdout).not.toContain('P done');
});

it('says nothing of more records where --limit and -q are given', async () => {
  const { run } = await shopWorld();
  for (const name of ['a', 'b', 'c']) await run(['groups', 'create', '--name', name, ...shop]);
  const list = ['groups', 'list', '--limit', '2', ...shop];
  expect((await run(list)).stderr).toMatch(/^there may be more: /);
  expect((await run([...list, '-q'])).stderr).toBe('');
});

it('proposes the value that a mistyped one is nearest to', async () => {
  const { run } = await shopWorld();
  const customer = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', ...shop];
  expect((await run([...customer, '--type', 'indivdual'])).stderr).toContain('independent; did you mean individual?');
  expect((await run([...customer, '--type', 'zzz'])).stderr).not.toContain('did you mean');
});

it('says what holds read-only mode, and how it is lifted', async () => {
  const { run } = await shopWorld();
  const write = ['groups', 'create', '--name', 'VIP', ...shop];
  const hintOf = async (words: readonly string[], env = {}) =>
    /hint: (.*)\n/.exec((await run([...write, ...words], { env })).stderr)?.[1];
  expect(await hintOf(['--read-only'])).toBe('nothing was sent; leave out --read-only to write');
  expect(await hintOf([], { SHOPCTL_READ_ONLY: 'true' })).toBe(
    'nothing was sent; SHOPCTL_READ_ONLY is set: unset it to write',
  );
  await run(['config', 'set', 'read_only', 'true', ...shop]);
  expect(await hintOf([])).toMatch(/^nothing was sent; `shopctl config set read_only false.*` lets the profile write$/);
});

it('marks bad cells in the file where GitHub Actions runs it, and nowhere else', async () => {
  const { run, directory } = await shopWorld();
  const file = join(directory, 'of: today,100%.csv');
  writeFileSync(file, 'full_name,phone\nLan,0901234567\nHoa,09x\n');
  const plan = ['batch', 'plan', file, '--do', 'customers create', ...shop];
  const marked = /^::error file=(.*),line=(\d+)::(.*)$/m;
  const [, place, line, told] = marked.exec((await run(plan, { env: { GITHUB_ACTIONS: 'true' } })).stderr) ?? [];
  expect([place, line]).toEqual([`${directory}/of%3A today%2C100%25.csv`, '3']);
  expect(told).toContain('line 3, column phone: "09x"');
  expect((await run([...plan, '--skip-bad'], { env: { GITHUB_ACTIONS: 'true' } })).stderr).toMatch(marked);
  expect((await run(plan)).stderr).not.toContain('::error');
});

it('names the cure for a workbook of the old Excel format', async () => {
  const { run, directory } = await shopWorld();
  const file = join(directory, 'old.xls');
  writeFileSync(file, 'x');
  expect((await run(['batch', 'plan', file, ...shop])).stderr).toContain('old Excel format: save it as .xlsx or .csv');
});

it('wraps a description once', async () => {
  const { run } = await shopWorld();
  const { stdout } = await run(['auth', 'login', '--help']);
  const [, paragraph = ''] = stdout.split('\n\n').slice(1);
  const lines = paragraph.split('\n');
  // A line ends where the next word does not fit.
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const next = lines[index + 1]?.trim().split(' ')[0] ?? '';
    expect(`${line} ${next}`.length, line).toBeGreaterThan(80);
  }
});

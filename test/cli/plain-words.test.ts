import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manyOrders } from '../batch/batch-world.ts';
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
  const [, place, line, reported] = marked.exec((await run(plan, { env: { GITHUB_ACTIONS: 'true' } })).stderr) ?? [];
  expect([place, line]).toEqual([`${directory}/of%3A today%2C100%25.csv`, '3']);
  expect(reported).toContain('line 3, column phone: "09x"');
  expect((await run([...plan, '--skip-bad'], { env: { GITHUB_ACTIONS: 'true' } })).stderr).toMatch(marked);
  expect((await run(plan)).stderr).not.toContain('::error');
});

it('names the cure for a workbook of the old Excel format', async () => {
  const { run, directory } = await shopWorld();
  const file = join(directory, 'old.xls');
  writeFileSync(file, 'x');
  expect((await run(['batch', 'plan', file, ...shop])).stderr).toContain('old Excel format: save it as .xlsx or .csv');
  const sheet = file.replace('.xls', '.ods');
  writeFileSync(sheet, '');
  expect((await run(['batch', 'plan', sheet, ...shop])).stderr).toContain('is a sheet of LibreOffice (.ods): open it');
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

it('asks by its name whether a record is to be deleted', async () => {
  const { run } = await shopWorld();
  const made = await run(['groups', 'create', '--name', 'Khách VIP', '-o', 'name', ...shop]);
  const id = made.stdout.trim();
  const { prompter } = await run(['groups', 'delete', id, ...shop], { terminal: true, answers: [true] });
  expect(prompter.asked).toEqual([`Delete a group: Khách VIP (id ${id}) — are you sure?`]);
});

it('does not show a person what a delete has left', async () => {
  const { run } = await shopWorld();
  const hook = ['webhooks', 'create', '--url', 'http://127.0.0.1:9/x', '--entities', 'order', '-o', 'name', ...shop];
  const one = (await run(hook)).stdout.trim();
  const last = (await run(hook)).stdout.trim().split('\n').at(-1) ?? '';
  const deleted = await run(['webhooks', 'delete', last, '--yes', ...shop]);
  expect([deleted.stdout, deleted.stderr]).toEqual(['', `done: webhooks delete ${last}\n`]);
  const { stdout } = await run(['webhooks', 'delete', one, '--yes', '--json', '--query', 'webhooks[].id', ...shop]);
  expect(JSON.parse(stdout)).toEqual([]);
});

it('reads on and off alike in the environment, the settings and flags, and refuses anything else', async () => {
  const { run } = await shopWorld();
  const write = ['groups', 'create', '--name', 'VIP', ...shop];
  const exitOf = async (value: string) => (await run(write, { env: { SHOPCTL_READ_ONLY: value } })).exit;
  expect(await Promise.all(['1', 'yes', 'TRUE', 'on'].map(exitOf))).toEqual([12, 12, 12, 12]);
  const refused = await run(write, { env: { SHOPCTL_READ_ONLY: 'nope' } });
  expect([refused.exit, refused.stderr]).toEqual([
    14,
    'shopctl: error: SHOPCTL_READ_ONLY must be true, false or locked\n',
  ]);
  await run(['config', 'set', 'read_only', 'yes', ...shop]);
  expect((await run(write)).exit).toBe(12);
  for (const off of ['0', 'no', 'off']) expect(await exitOf(off)).toBe(0);
  expect((await run(['account', 'show', '--timeout', '0', ...shop])).stderr).toContain(
    '--timeout must be a number of seconds, more than 0 and at most 86400',
  );
});

it('proposes the operation and the command that misspelt ones mean', async () => {
  const { run } = await shopWorld();
  const called = await run(['api', 'shop.Order/ListOrdrs', ...shop]);
  expect([called.exit, called.stderr]).toEqual([2, expect.stringContaining('did you mean shop.Order/ListOrders?')]);
  expect((await run(['schema', 'ordr', 'create'])).stderr).toContain('did you mean `shopctl schema orders create`?');
});

it('refuses a table of any answer, and names the command that has one', async () => {
  const { run } = await shopWorld();
  const table = await run(['api', 'shop.Order/ListOrders', '-o', 'table', ...shop]);
  expect([table.exit, table.stdout]).toEqual([2, '']);
  expect(table.stderr).toContain('`shopctl orders list --profile shop` has one');
  expect((await run(['api', 'shop.Order/ListOrders', '-o', 'yaml', ...shop])).exit).toBe(0);
});

it('says that a deprecated type of customer is deprecated, and sends it', async () => {
  const { run } = await shopWorld();
  const customer = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', ...shop];
  const made = await run([...customer, '--type', 'independent']);
  expect([made.exit, made.stderr]).toEqual([0, expect.stringContaining('is a deprecated type')]);
  expect((await run([...customer, '--phone', '0901234568', '--type', 'individual'])).stderr).not.toContain(
    'deprecated',
  );
});

it('shows the record of a changed row instead of a name that the file does not have', async () => {
  const { run, directory } = await shopWorld();
  const product = (await run(['products', 'create', '--name', 'Tea', '-o', 'name', ...shop])).stdout.trim();
  await run(['variants', 'create', '--product-id', product, '--code', 'TEA-1', ...shop]);
  writeFileSync(join(directory, 'prices.csv'), 'code,retail_price\nTEA-1,170.000\n');
  await run(['batch', 'run', 'prices.csv', '--do', 'variants update', '--yes', ...shop]);
  expect((await run(['batch', 'rows', ...shop])).stdout).toBe(
    'ROW  CELL    STATE  CODE   ERROR\n  1  line 2  done   TEA-1\n',
  );
  expect(JSON.parse((await run(['batch', 'rows', '--json', ...shop])).stdout)).toMatchObject([{ external_id: null }]);
});

it('names a batch before it asks for quotes, and says where nothing of it is stored', async () => {
  const before: string[] = [];
  let said = '';
  const { run, directory } = await shopWorld((transport) => (request) => {
    if (request.url.endsWith('/GetShippingServices')) before.push(said);
    return transport(request);
  });
  writeFileSync(join(directory, 'orders.csv'), manyOrders(2));
  const words = ['batch', 'run', 'orders.csv', '--yes', ...shop];
  const onStderr = (text: string) => {
    said += text;
  };
  const refused = await run([...words, '--max-total', '1'], { onStderr });
  expect(before[0]).toMatch(/^batch \d{8}-\w{5}\n$/);
  expect(refused.exit).toBe(12);
  expect(refused.stderr).toMatch(/^batch (\S+)\nbatch \1 was not stored: nothing was sent\n/);
  // Nobody has agreed: there is no name either.
  expect((await run(words.filter((word) => word !== '--yes'))).stderr).not.toMatch(/^batch \d/m);
  const sent = await run(words);
  expect([sent.exit, sent.stderr]).toEqual([0, expect.not.stringContaining('was not stored')]);
});

it('says how many rows a helper has sent, beside those of the batch', async () => {
  let created = 0;
  const { run, directory } = await shopWorld((transport) => async (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
    created += 1;
    if (created !== 2) return transport(request);
    return { status: 401, headers: {}, body: '{"code":"unauthenticated","msg":"no"}' };
  });
  writeFileSync(join(directory, 'orders.csv'), manyOrders(3));
  await run(['batch', 'run', 'orders.csv', '--yes', '--concurrency', '1', ...shop]);
  const [{ batch, counts }] = JSON.parse((await run(['batch', 'list', '--json', ...shop])).stdout);
  expect(counts).toMatchObject({ done: 1, left: 2 });
  expect((await run(['batch', 'work', batch, ...shop])).stderr).toContain('done by this command: 2 of 3 rows\n');
});

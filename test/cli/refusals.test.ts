import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orderFields } from '../support/sandbox-order.ts';
import { shopWorld } from '../support/shop-world.ts';

const terminal = { terminal: true, env: { TERM: 'xterm' } } as const;

it('names all that is missing in one message, the agreement too, by the flags that say it', async () => {
  const { run } = await shopWorld();
  const { exit, stderr } = await run(['orders', 'cancel', '--profile', 'shop']);
  expect([exit, stderr.split('\n')]).toEqual([
    2,
    [
      'shopctl: error: 2 fields are wrong',
      '  --cancel-reason is required',
      '  --id is missing: give exactly one of --id, --code, --external-id',
      'hint: give --cancel-reason, --yes, or the whole request with --input',
      '',
    ],
  ]);
  const deleting = await run(['customers', 'delete', '--profile', 'shop']);
  expect(deleting.stderr).toMatch(/--id is missing: .*\nhint: add --yes to confirm\n$/);
  const json = JSON.parse((await run(['orders', 'cancel', '--profile', 'shop', '--json'])).stderr);
  expect(json.error.message).toContain('add --yes to confirm');
  expect(json.error.field_errors[0]).toEqual({ path: 'cancel_reason', message: 'is required' });
});

it.each([
  [['orders'], /\nhint: one of: list, get, [^\n]+\n$/],
  [['batch', 'run'], /\nhint: give a FILE, or a plan with --plan\n$/],
  [['orders', 'create', '--lines', 'a=b'], /\nhint: the fields are: [^\n]+\n$/],
  [['orders', 'get'], /\nUsage: shopctl orders get [^\n]+\n$/],
  [['orders', 'foo'], /\nhint: see `shopctl orders --help`\nUsage: shopctl orders [^\n]+\n$/],
])('prints the short usage below an error that no hint explains: %j', async (words, end) => {
  const { run } = await shopWorld();
  const { exit, stderr } = await run([...words, '--profile', 'shop']);
  expect([exit, stderr]).toEqual([2, expect.stringMatching(end)]);
});

it.each([
  ['say which orders', []],
  ['orders can be named in one way only', ['SO-1', '--today']],
])('says how slips are asked for: %s', async (message, words) => {
  const { run } = await shopWorld();
  const { exit, stderr } = await run(['slips', ...words, '--to', 'slips.pdf', '--profile', 'shop', '--json']);
  const { error } = JSON.parse(stderr);
  expect([exit, error]).toMatchObject([2, { message, hint: expect.stringMatching(/^name ORDERs, /) }]);
});

it.each([
  [['slips', 'X', '--to', 'x.csv'], / as PDF, to a file that ends in \.pdf, not to x\.csv\n$/],
  [['orders', 'list', '--to', 'x.foo'], / ends in \.csv, \.xlsx or \.jsonl, not to x\.foo\n$/],
  [['batch', 'plan', 'x.csv', '--to', 'x.foo'], / written to \.xlsx, \.md or \.html, not to x\.foo\n$/],
  [['report', 'sales', '--to', 'x.foo'], / written to \.html, \.xlsx, \.csv or \.jsonl, not to x\.foo\n$/],
  [['batch', 'run', 'x.csv', '--max-outage', '3 days'], /3 days is not a length of time such as 30s, 10m or 1h\n$/],
  [['ship', 'drafts', 'show', 'abcdef'], /\nhint: see `shopctl ship drafts list --profile test`\n$/],
])('prints no usage below an error that says itself what to give: %j', async (words, end) => {
  const { run, directory } = await shopWorld();
  writeFileSync(join(directory, 'x.csv'), 'full_name\n');
  const { exit, stderr } = await run(words);
  expect([[2, 3].includes(exit), stderr]).toEqual([true, expect.stringMatching(end)]);
});

it('prints the short usage below the refusal of a rule, and names flags where flags were given', async () => {
  const { run } = await shopWorld();
  const twice = await run(['orders', 'get', '--profile', 'shop']);
  expect(twice.stderr).toMatch(/^Usage: shopctl orders get \[options\] \[id\]$/m);
  const line = 'product_name=Trà,quantity=1,retail_price=5,payment_price=9';
  const { stderr } = await run(['orders', 'create', '--profile', 'shop', '--lines', line]);
  expect(stderr).toContain('  --lines (1) payment_price is 9, more than the retail_price of 5\n');
  expect(stderr).toContain('  --total-amount is missing, should be 9');
  const stdin = JSON.stringify({ lines: [{ product_name: 'Trà', quantity: 1, retail_price: 5, payment_price: 9 }] });
  const fromFile = await run(['orders', 'create', '--profile', 'shop', '--input', '-'], { stdin });
  expect(fromFile.stderr).toContain('  lines[0].payment_price is 9');
});

it('names the flag of a field that the service refused; a script is told its path as well', async () => {
  const { run } = await shopWorld();
  const refused = ['customers', 'list', '--profile', 'shop', '--sort', 'name'];
  const { exit, stderr } = await run(refused);
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/^shopctl: error: --sort /)]);
  expect(stderr).toMatch(/^ {2}field: --sort$/m);
  expect(stderr).not.toContain('paging');
  const { error } = JSON.parse((await run([...refused, '--json'])).stderr);
  expect([error.message, error.meta.field]).toEqual([expect.stringMatching(/^paging\.sort /), 'paging.sort']);
  expect(error.field_errors).toEqual([{ path: 'paging.sort', message: expect.stringMatching(/^must be created_at /) }]);
  const stdin = JSON.stringify({ paging: { sort: 'name' } });
  const fromFile = await run(['customers', 'list', '--profile', 'shop', '--input', '-'], { stdin });
  expect(fromFile.stderr).toMatch(/error: paging\.sort .*\n {2}field: paging\.sort$/m);
});

it('names --fields where it was given unknown ones, and not the flags of the same name', async () => {
  const { run } = await shopWorld();
  const { exit, stderr } = await run(['orders', 'get', '1', '--profile', 'shop', '--fields', 'id,code']);
  expect(exit).toBe(2);
  expect(stderr.split('\n').slice(0, 3)).toEqual([
    'shopctl: error: 2 fields are wrong',
    '  --fields id is not a field of this result',
    '  --fields code is not a field of this result',
  ]);
});

it('says of an order with a shipping part that nothing is shipped, and offers no unknown inspection', async () => {
  const { run } = await shopWorld();
  const order = { ...orderFields, shipping: { try_on: 'open', cod_amount: 5_000 } };
  const words = ['orders', 'create', '--profile', 'shop', '--input', '-'];
  const { exit, stderr } = await run(words, { stdin: JSON.stringify(order) });
  expect([exit, stderr]).toEqual([0, expect.stringContaining('nothing is shipped, not even when it is confirmed\n')]);
  const plain = await run(words, { stdin: JSON.stringify(orderFields) });
  expect(plain.stderr).not.toContain('nothing is shipped');
  for (const group of ['shipping', 'orders']) {
    const help = (await run([group, 'create', '--help'])).stdout;
    expect(help).toMatch(/\(none, open,\s+try\)|: none, open,\s+try/);
    expect(help).not.toMatch(/unknown,\s+none,\s+open/);
  }
  const refused = await run(['shipping', 'create', '--shipping.try-on', 'unknown']);
  expect(refused.stderr).toMatch(/try-on .*none.*open.*try/);
  expect(refused.stderr).not.toMatch(/try-on .*unknown/);
});

it('takes a no for an answer, and for no mistake in what was typed', async () => {
  const world = await shopWorld();
  const words = ['customers', 'delete', '2790133547456004247', '--profile', 'shop'];
  const { exit, stderr, prompter } = await world.run(words, {
    terminal: true,
    env: { TERM: 'xterm' },
    answers: [false],
  });
  expect([exit, stderr, prompter.asked.length]).toEqual([2, 'shopctl: error: not confirmed, nothing was sent\n', 1]);
});

it('asks in a whole sentence where nothing is named, and does nothing on a no', async () => {
  const { run } = await shopWorld();
  const { exit, stderr, prompter } = await run(['sandbox', 'reset'], { ...terminal, answers: [false] });
  expect(prompter.asked).toEqual([
    'Reset the data to what the sandbox started with; accounts and keys stay — are you sure?',
  ]);
  expect([exit, stderr]).toEqual([2, 'shopctl: error: not confirmed, nothing was sent\n']);
});

it('names what writes under --read-only as it was typed, and sends nothing', async () => {
  const { run } = await shopWorld();
  for (const words of [['batch', 'run', '-'], ['batch', 'retry', 'some'], ['ship']]) {
    const { exit, stderr } = await run([...words, '--profile', 'shop', '--read-only']);
    const name = words.slice(0, 2).join(' ');
    expect([exit, stderr]).toEqual([
      12,
      `shopctl: error: ${name} writes, and only reading is allowed (flag)\nhint: nothing was sent; leave out --read-only to write\n`,
    ]);
  }
});

it('does not repeat the value of a flag that there is none of: it may be a key', async () => {
  const { run } = await shopWorld();
  const { exit, stderr } = await run(['orders', 'list', '--api-key=1042:3f9c7d21\nab88']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining("unknown option '--api-key'")]);
  expect(stderr).not.toMatch(/1042|3f9c|ab88/);
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { manyOrders } from '../batch/batch-world.ts';
import { plainOrder } from '../support/plain-order.ts';
import { type Between, type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { steppedClock } from '../support/stepped-clock.ts';

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

it('saves the address that a profile was made with, though the environment says it, and no key of it', async () => {
  const { run, settings } = await shopWorld();
  const env = { SHOPCTL_BASE_URL: 'http://127.0.0.1:35127', SHOPCTL_API_KEY: 'shop1:abcdefgh12345678' };
  expect((await run(['profiles', 'add', 'x'], { env })).exit).toBe(0);
  const { profiles } = await settings();
  expect(profiles.x).toMatchObject({ base_url: 'http://127.0.0.1:35127' });
  expect(JSON.stringify(profiles.x)).not.toContain('abcdefgh');
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

it('names a batch before it asks for quotes, but not before a limit of their sum is checked', async () => {
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
  expect([refused.exit, refused.stderr]).toEqual([12, expect.not.stringMatching(/^batch |was not stored/m)]);
  // Nobody has agreed: there is no name either.
  expect((await run(words.filter((word) => word !== '--yes'))).stderr).not.toMatch(/^batch \d/m);
  expect(before.join('')).not.toMatch(/^batch /m);
  before.splice(0);
  said = '';
  const sent = await run(words, { onStderr });
  expect(before[0]).toMatch(/^batch \d{8}-\w{5}\n$/);
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

/** A service whose answers to one operation are these. */
const answering =
  (operation: string, status: number, body: string, type = 'application/json'): Between =>
  (transport) =>
  (request) =>
    request.url.endsWith(`/${operation}`)
      ? Promise.resolve({ status, headers: { 'content-type': type }, body })
      : transport(request);

const losing: Between = (transport) => async (request) => {
  if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
  throw new TransportError('closed', 'maybe', 'the connection was closed before the answer');
};

const unavailable = JSON.stringify({ code: 'unavailable', msg: 'busy' });
const customer = ['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', ...shop];
const patient = () => {
  const clock = steppedClock();
  return { clock: { ...standingClock(), ...clock, elapsed: clock.now } };
};

/** Ships an order; the words that follow are about it. */
async function shipped(world: ShopWorld) {
  const words = ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes', '--json'];
  return String(JSON.parse((await world.run(words)).stdout).order.id);
}

interface Provoked {
  readonly exit: number;
  readonly between?: Between;
  /** The command; what it needs is made first. */
  readonly words: (world: ShopWorld) => Promise<readonly string[]> | readonly string[];
  readonly says: RegExp | string;
}

const messages: Readonly<Record<string, Provoked>> = {
  'a create that the service is too busy for': {
    exit: 10,
    between: answering('CreateCustomer', 503, unavailable),
    words: () => customer,
    says: /error: the service answered 503 to the customer\. It may exist: a look-up found nothing yet\n(?!.*may have)/s,
  },
  'an order whose answer is lost': {
    exit: 10,
    between: losing,
    words: (world) => ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes'],
    says: /error: the answer to the order was lost\. It may exist: a look-up found nothing yet\n(?!.*may have)/s,
  },
  'a change that a gateway answers': {
    exit: 10,
    between: answering('UpdateCustomer', 502, '<title>502 Bad Gateway</title>', 'text/html'),
    async words({ run }) {
      const id = (await run([...customer, '-o', 'name'])).stdout.trim();
      return ['customers', 'update', id, '--note', 'x', ...shop];
    },
    says: 'error: the service answered 502 with a web page ("502 Bad Gateway"): a proxy in front of it?\n',
  },
  'a cancellation that does not bring a parcel back': {
    exit: 0,
    async words(world) {
      const id = await shipped(world);
      await world.service.sandbox.control.advance(id, { to: 'delivered' });
      return ['orders', 'cancel', id, '--cancel-reason', 'x', '--order-only', '--yes', ...shop];
    },
    says: /^order \w+ is cancelled, but its parcel \w+ is delivered/m,
  },
  'waiting in vain for an order': {
    exit: 11,
    words: async (world) => ['wait', 'order', await shipped(world), '--until', 'delivered', '--within', '3s'],
    says: /^after 3 s order \w+ is still in progress \(parcel: created\), not delivered$/m,
  },
  'waiting for what cannot come any more': {
    exit: 11,
    async words(world) {
      const id = await shipped(world);
      await world.service.sandbox.control.advance(id, { to: 'delivered' });
      return ['wait', 'order', id, '--until', 'cancelled'];
    },
    says: /^order \w+ is in progress \(parcel: delivered\), and can no longer be cancelled$/m,
  },
  'a shop that is not signed in': {
    exit: 4,
    words(world) {
      writeFileSync(join(world.directory, 'orders.csv'), manyOrders(1));
      return ['batch', 'run', 'orders.csv', '--yes', '--shop', 'second demo shop'];
    },
    says: /error: no shop is signed in as "second demo shop"\nhint: the shops are: /,
  },
  'a key that there is not': {
    exit: 4,
    async words({ run }) {
      await run(['auth', 'logout', '--all']);
      return ['shipping', 'get', '1'];
    },
    says: 'error: a shop key is needed, and there is none\n',
  },
  'a key that the service does not accept': {
    exit: 4,
    between: answering('ListOrders', 401, JSON.stringify({ code: 'unauthenticated', msg: 'no such token' })),
    words: () => ['orders', 'list', ...shop],
    says: /error: the service does not accept this key \(unauthenticated\)\n {2}answer: no such token\nhint: /,
  },
  'what ends a record, in a script': {
    exit: 2,
    words: () => ['orders', 'cancel', '1', '--cancel-reason', 'x', ...shop],
    says: 'error: orders cancel cannot be undone: add --yes to confirm\n',
  },
  'what costs money, in a script': {
    exit: 2,
    words: (world) => ['ship', '--input', plainOrder(world), '--pick', 'cheapest'],
    says: 'error: this costs money: add --yes to confirm\n',
  },
  'what prints a key, in a script': {
    exit: 2,
    words: () => ['auth', 'token'],
    says: 'error: this prints a key: add --yes to confirm\n',
  },
  'what changes the ledger, in a script': {
    exit: 2,
    words: () => ['profiles', 'remove', 'shop'],
    says: 'error: removing a profile has to be confirmed: add --yes\n',
  },
  'a password in an address': {
    exit: 2,
    words: () => ['config', 'set', 'workspace', 'postgres://shop:secret@db.example/shop'],
    says: 'leave the password out of the address, and put it in PGPASSWORD or ~/.pgpass',
  },
  'a code where an id is due': {
    exit: 0,
    async words(world) {
      await shipped(world);
      const [{ code }] = JSON.parse((await world.run(['orders', 'list', '--json', ...shop])).stdout);
      return ['orders', 'get', code, '-o', 'name', ...shop];
    },
    says: /^\w+ is the code of \d+$/m,
  },
  'a field of a table that is called otherwise': {
    exit: 2,
    words: () => ['batch', 'list', '--fields', 'done', ...shop],
    says: 'hint: did you mean counts.done?\n',
  },
  'a seed that is none': {
    exit: 2,
    words: () => ['sandbox', 'start', '--seed', 'foo', '--port', '0'],
    says: 'error: --seed takes demo, none, history:N or a file; there is no file foo\n',
  },
  'a list that a proxy answers': {
    exit: 13,
    between: answering('ListOrders', 502, '<title>502 Bad Gateway</title>', 'text/html; charset=utf-8'),
    words: () => ['orders', 'list', '--max-retries', '0', ...shop],
    says: 'error: the service answered 502 with a web page ("502 Bad Gateway"): a proxy in front of it? (',
  },
  'a change that is not stored': {
    exit: 3,
    words: () => ['events', 'show', '1', ...shop],
    says: 'error: there is no change 1 in this workspace\n',
  },
  'a sign-in that the owner completes': {
    exit: 8,
    words: () => ['auth', 'login', '--no-input'],
    says: /the browser shows an error page: that is expected\. Copy the shop_id from its address, and run `shopctl auth login --shop-id ID/,
  },
  'a request that is not there': {
    exit: 2,
    words: () => ['orders', 'create', '--input', 'none.json', ...shop],
    says: /error: no such file: \S*none\.json\n/,
  },
  'a sheet that is not there': {
    exit: 2,
    words: () => ['batch', 'run', 'none.csv', ...shop],
    says: /error: no such file: \S*none\.csv\n/,
  },
  'a shop that no profile has': {
    exit: 3,
    words: () => ['auth', 'use', 'Nowhere'],
    says: '\nhint: the shops are: ',
  },
};

describe('a message says what happened, and what to do', () => {
  it.each(Object.entries(messages))('%s', async (_, { exit, between, words, says }) => {
    const world = await shopWorld(between);
    const ended = await world.run(await words(world), patient());
    expect(ended.stderr).toMatch(says);
    expect([ended.exit, ended.stderr]).toEqual([exit, expect.any(String)]);
  });

  it('and none of those that read oddly is left', () => {
    const odd = [
      'the call may have been carried out',
      'and it was not found',
      'a shipment reports',
      'was waited for`',
      'and none of them fitted',
      'it needs --yes in a script',
      'needs --yes in a script',
      '--yes is missing',
      'does not belong in it',
      'has the password',
      'no such file or directory:',
      'with text/html instead of JSON',
      'is not a change in this workspace',
      'the browser then fails to open',
      '; next: ',
      'needs a shop key, and there is none',
      'The shops are: ',
    ];
    const source = join(import.meta.dirname, '../../src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const texts = files.map((name) => readFileSync(join(source, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, ''));
    expect(files.length).toBeGreaterThan(400);
    expect(odd.filter((phrase) => texts.some((text) => text.includes(phrase)))).toEqual([]);
  });
});

it('leaves out where a list goes on if a terminal would break it over its lines', async () => {
  const { run } = await shopWorld();
  for (const name of ['a', 'b', 'c']) await run(['groups', 'create', '--name', name, ...shop]);
  const list = ['groups', 'list', '--limit', '2', ...shop];
  const env = { TERM: 'xterm' };
  const narrow = (await run(list, { terminal: true, columns: 80, env })).stderr;
  expect(narrow.replaceAll(/\s+/g, ' ')).toBe(
    'there may be more: take everything with --all, or more of it with --limit N ',
  );
  expect(narrow.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const cursor = /--sort=\S+ --after \S+$/m;
  expect((await run(list, { terminal: true, columns: 200, env })).stderr).toMatch(cursor);
  expect((await run(list)).stderr).toMatch(cursor);
});

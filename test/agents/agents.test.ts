import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandEffects } from '../../src/action/declared.ts';
import { rowsToRead } from '../../src/agents/plans.ts';
import { groups } from '../../src/cli/tree/groups.ts';
import { fieldsIn, recordsIn } from '../../src/domain/json/values.ts';
import { commands } from '../cli/every-command/walk.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { agentOf, countedWorld, orderNamed } from './agent-world.ts';

const all = (await Promise.all(groups.map(async ({ load }) => (await load()).commands))).flatMap((of) =>
  of.flatMap(({ actions }) => actions),
);
const MINUTE_MS = 60_000;

describe('what agents may use', () => {
  it('reads what has no graver effect, and plans what writes', () => {
    const grave = (words: readonly string[]) =>
      commandEffects.indexOf(commands.find(({ command }) => command === words.join(' '))?.effect ?? 'program');
    const reading = all.filter(({ agents }) => agents === 'read' || agents === 'read-personal');
    expect(reading.filter(({ words }) => grave(words) > 0).map(({ id }) => id)).toEqual([]);
    const planning = all.filter(({ agents }) => agents === 'plan');
    expect(planning.filter(({ words }) => grave(words) < 2).map(({ id }) => id)).toEqual([]);
    expect(reading.length).toBeGreaterThan(30);
    expect(planning.length).toBeGreaterThan(20);
  });

  it('is nothing of keys, profiles, settings, raw requests, the sandbox, webhooks, or of agents themselves', () => {
    const closed =
      /^(?:auth|profiles|config|api|sandbox|agents|approve|mcp|webhooks (?:create|delete|listen|test)|mirror export)\b/;
    const open = all.filter(({ words, agents = 'none' }) => closed.test(words.join(' ')) && agents !== 'none');
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});

describe.each(['legacy', 'auto'] as const)('a client of the era %s', (mode) => {
  it('lists six tools within 2,000 tokens, finds, reads about and runs a command', async () => {
    const agent = await agentOf(await shopWorld(), { words: ['--profile', 'shop'], mode });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['find', 'describe', 'read', 'plan', 'apply', 'status']);
    expect(JSON.stringify(tools).length / 4).toBeLessThan(2_000);
    // By these a client decides what it asks its user about.
    expect(tools.map(({ name, annotations, inputSchema }) => [name, annotations, inputSchema.required])).toEqual([
      ['find', { readOnlyHint: true, openWorldHint: false }, ['text']],
      ['describe', { readOnlyHint: true, openWorldHint: false }, ['command']],
      ['read', { readOnlyHint: true, openWorldHint: true }, ['command']],
      ['plan', { readOnlyHint: false, destructiveHint: false, openWorldHint: true }, ['command']],
      ['apply', { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }, ['plan']],
      ['status', { readOnlyHint: true, openWorldHint: true }, []],
    ]);
    expect(tools.map(({ inputSchema }) => inputSchema.additionalProperties)).toEqual(tools.map(() => false));
    const found = await agent.call('find', { text: 'ship an order' });
    expect(recordsIn(found.result.commands)[0]).toMatchObject({ command: 'ship', tool: 'plan' });
    const described = await agent.call('describe', { command: 'ship' });
    expect(described.text.length / 4).toBeLessThan(2_000);
    expect(described.result).toMatchObject({ tool: 'plan', effect: 'spend', untrusted: true });
    const read = await agent.call('read', { command: 'orders list', input: { limit: 2 } });
    expect(JSON.parse(read.text)).toEqual(read.result);
    expect(read.result).toMatchObject({ records: [], cursor: null, untrusted: true });
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('shopctl://skill');
    expect(await agent.end()).toMatchObject({ exit: 0, stderr: '' });
  });
});

it('describes every command within 2,000 tokens', async () => {
  const agent = await agentOf(await shopWorld(), { words: ['--profile', 'shop'] });
  const names = new Set(
    all.filter(({ agents }) => agents === 'read' || agents === 'plan').map(({ words }) => words.join(' ')),
  );
  for (const command of names) {
    const { text, isError } = await agent.call('describe', { command });
    expect([command, isError, text.length / 4 < 2_000]).toEqual([command, false, true]);
  }
});

it('reads a long list page by page, each within 6,000 tokens, whole and without repeats', async () => {
  const world = await shopWorld();
  const agent = await agentOf(world, { words: ['--profile', 'shop'] });
  for (let number = 1; number <= 30; number += 1)
    await world.run([
      'customers',
      'create',
      '--full-name',
      `Lan ${number}`,
      '--phone',
      `09120000${10 + number}`,
      '--note',
      'x'.repeat(900),
      '--profile',
      'shop',
    ]);
  const ids: unknown[] = [];
  let cursor: unknown;
  do {
    const { result, text } = await agent.call('read', { command: 'customers list', ...(cursor ? { cursor } : {}) });
    expect(text.length / 4).toBeLessThan(6_000);
    ids.push(...recordsIn(result.records).map(({ id }) => id));
    cursor = result.cursor;
  } while (cursor !== null);
  const listed = JSON.parse((await world.run(['customers', 'list', '--profile', 'shop', '-o', 'json'])).stdout);
  expect(ids).toEqual(recordsIn(listed).map(({ id }) => id));
});

it('masks phone numbers and e-mail addresses in records and in errors, unless personal data are asked for', async () => {
  const world = await shopWorld();
  const shop = ['--profile', 'shop'];
  await world.run([
    'customers',
    'create',
    '--full-name',
    'Lan',
    '--phone',
    '0912345678',
    '--note',
    'call 0987 654 321 or lan.ha@example.com',
    ...shop,
  ]);
  const agent = await agentOf(world, { words: shop });
  const masked = await agent.call('read', { command: 'customers list', input: { limit: 1 } });
  expect(masked.text).not.toMatch(/0912345678|654 321|lan\.ha/);
  expect(recordsIn(masked.result.records)[0]).toMatchObject({
    phone: '***678',
    note: 'call ***321 or ***@example.com',
  });
  const wrong = await agent.call('read', { command: 'customers get', input: { id: 'lan.ha@example.com 0912345678' } });
  expect(wrong.isError).toBe(true);
  expect(wrong.text).not.toMatch(/0912345678|lan\.ha/);
  const open = await agentOf(world, { words: [...shop, '--personal-data'] });
  const shown = await open.call('read', { command: 'customers list', input: { limit: 1 } });
  expect(shown.text).toContain('0912345678');
});

it('refuses what is not offered, and fields that name a file', async () => {
  const agent = await agentOf(await shopWorld(), { words: ['--profile', 'shop'] });
  for (const [name, given, code] of [
    ['read', { command: 'auth token' }, 'command_not_offered'],
    ['read', { command: 'mirror sql', input: { sql: 'select 1' } }, 'command_unknown'],
    ['read', { command: 'orders cancel', input: { id: '1' } }, 'usage'],
    ['read', { command: 'report', input: { name: 'sales', to: '/tmp/x.html' } }, 'hidden'],
    ['plan', { command: 'orders list', input: {} }, 'usage'],
    ['plan', { command: 'ship', rows: [{}], options: { again: true } }, 'usage'],
    ['plan', { command: 'ship', rows: [orderNamed('A-1')], yes: true }, 'usage'],
  ] as const) {
    const answer = await agent.call(name, given);
    expect([
      given,
      answer.isError,
      answer.text.split('\n').at(-1)?.includes('applied') || answer.text.includes('not_applied'),
    ]).toEqual([given, true, true]);
    const words: Readonly<Record<string, RegExp>> = { usage: /^usage: /, hidden: /^usage: to cannot be given here/ };
    const said = words[code] ?? /^command_/;
    expect([given, answer.text]).toEqual([given, expect.stringMatching(said)]);
  }
});

describe('consent', () => {
  it('without a policy a person types the total, and then it is sent once', async () => {
    const world = await countedWorld();
    const agent = await agentOf(world);
    const { result: plan } = await agent.call('plan', {
      command: 'ship',
      rows: [orderNamed('A-1'), orderNamed('A-2')],
    });
    expect(plan).toMatchObject({ records: 2, allowed: 'person', fees: { total: expect.any(Number) } });
    const before = await agent.call('apply', { plan: plan.plan });
    expect(before).toMatchObject({
      isError: false,
      result: { state: 'needs_approval', command: expect.stringContaining(`shopctl approve ${String(plan.plan)}`) },
    });
    expect(world.shipped).toEqual([]);
    const total = String(fieldsIn(plan.fees).total);
    const shown = await world.approve(plan.plan, total);
    for (const part of ['A-1', 'A-2', total.replace(/(?=\d{3}$)/, ','), 'Nguyễn Thị Lan'])
      expect(shown.stderr).toContain(part);
    expect(shown.exit).toBe(0);
    const done = await agent.call('apply', { plan: plan.plan });
    expect(done.result).toMatchObject({ state: 'done', counts: { done: 2 } });
    expect(world.shipped.toSorted()).toEqual(['A-1', 'A-2']);
    const again = await agent.call('apply', { plan: plan.plan });
    expect(again.result).toEqual(done.result);
    expect((await agent.call('status', { plan: plan.plan })).result).toMatchObject({ state: 'done' });
    const replanned = await agent.call('plan', { command: 'ship', rows: [orderNamed('A-1'), orderNamed('A-2')] });
    expect(replanned.result).toMatchObject({ plan: null, state: 'done', records: 0 });
    // Another order of a name that is there cannot be sent: it is not said to be done, and is named beside others.
    const rows = [orderNamed('A-1', { order_note: 'another' })];
    const differs = [{ row: 1, name: 'A-1', fields: ['order_note'] }];
    const { result: other } = await agent.call('plan', { command: 'ship', rows });
    expect(other).toMatchObject({ plan: null, state: 'refused', records: 0, counts: { failed: 1 }, differs });
    const { result: mixed } = await agent.call('plan', { command: 'ship', rows: [...rows, orderNamed('A-3')] });
    expect(mixed).toMatchObject({ plan: expect.any(String), records: 1, differs });
    expect(world.shipped).toHaveLength(2);
  });

  it('is given to everything that is sent, each value once', async () => {
    const world = await countedWorld();
    const agent = await agentOf(world, { words: ['--profile', 'shop'] });
    const shown = async (command: string, input: object) => {
      const { result } = await agent.call('plan', { command, input });
      const own = { env: { SHOPCTL_PROFILE: 'shop' }, columns: 400 };
      const { exit, stderr, prompter } = await world.approve(result.plan, '1', own);
      // What costs nothing is approved by the number of its records, and names no sums.
      expect([exit, prompter.asked.join()]).toEqual([0, expect.stringContaining('number of records')]);
      expect(stderr).not.toContain('in all');
      return stderr.split('\n').find((line) => line.trim().startsWith('1. '));
    };
    expect(await shown('orders cancel', { id: '1234567890123456789', cancel_reason: 'no\u001b[2J' })).toBe(
      '  1. id 1234567890123456789; cancel_reason no\\x1b[2J',
    );
    expect(await shown('customers create', { full_name: 'Lan', phone: '0912345678' })).toMatch(
      /^ {2}1\. full_name Lan; phone 0912345678; external_id shopctl-\S+$/,
    );
    const { result: twins } = await agent.call('plan', {
      command: 'customers create',
      rows: ['0912345678', '0912345679'].map((phone) => ({ full_name: 'Lan', phone })),
    });
    const pair = await world.approve(twins.plan, '2', { env: { SHOPCTL_PROFILE: 'shop' }, columns: 400 });
    expect(pair.stderr).toMatch(/ 1\. phone 0912345678; .*\n +2\. phone 0912345679; .*\n +in each: full_name Lan\n/);
    const parcel = await countedWorld();
    const { result: plan } = await (await agentOf(parcel)).call('plan', {
      command: 'ship',
      rows: [orderNamed('A-1', { order_note: 'leave it' })],
    });
    const { stderr } = await parcel.approve(plan.plan, String(fieldsIn(plan.fees).total), { columns: 900 });
    expect(stderr).toMatch(
      /1\. A-1; Nguyễn Thị Lan; 12 ngõ 5, .*; 0901234567; 2 × Áo khoác at 400,000 \(retail 450,000, list 500,000\), 1 × Áo khoác at 450,000 \(list 500,000\); from Kho Liên Chiểu, 0905123456, Lô 7 KCN, .*; .*shipping\.try_on open; .*order_note leave it; greenmile; fee 52,650; collects 1,280,000\n/,
    );
  });

  it('is given to what there is of a row alone: nothing stands for what is missing', () => {
    const payload = (of: object) => JSON.stringify(of);
    const place = { address1: '12 ngõ 5', province: 'Hà Nội' };
    const shipping = { cod_amount: 0, pickup_address: { full_name: 'Kho', province: 'Huế' } };
    const parcel = { shipping_address: place, customer_address: place, shipping };
    const tea = (more: object) => ({ product_name: 'Tea', quantity: 2, ...more });
    const rows = [
      { row: 1, payload: payload({ ...parcel, lines: [tea({}), tea({ payment_price: 5_000, list_price: 5_000 })] }) },
      { row: 2, payload: payload({ ...parcel, lines: [tea({ list_price: 6_000 })] }), carrier: 'swift', fee: 0 },
      { row: 3, payload: '' },
      { row: 4, payload: payload({ id: '7', full_name: 'Lan', note: 'new', tags: ['', null] }) },
    ];
    const changes = [{ field: 'full_name', old: null, new: 'Lan' }];
    const facts = JSON.stringify({ rows: [{ row: 4, changes }] });
    expect(rowsToRead({ content: JSON.stringify({ rows }), facts })).toEqual([
      '1. 12 ngõ 5, Hà Nội; 2 × Tea, 2 × Tea at 5,000; from Kho, Huế',
      '2. 12 ngõ 5, Hà Nội; 2 × Tea at list 6,000; from Kho, Huế; swift; fee 0',
      '4. id 7; note new; full_name: null becomes "Lan"',
    ]);
  });

  it('is no flag, no pipe, no variable of a program, and no other number', async () => {
    const world = await countedWorld();
    const agent = await agentOf(world);
    const { result: plan } = await agent.call('plan', {
      command: 'ship',
      input: { order: orderNamed('A-1'), pick: 'cheapest' },
    });
    const name = String(plan.plan);
    const total = String(fieldsIn(plan.fees).total);
    for (const [words, options] of [
      [['--yes'], { terminal: true, answers: [total] }],
      [[], { terminal: false }],
      [['--no-input'], { terminal: true }],
      ...['AI_AGENT', 'AGENT', 'CLAUDECODE', 'CURSOR_AGENT', 'GEMINI_CLI', 'SHOPCTL_AGENT', 'CI'].map(
        (variable) => [[], { terminal: true, answers: [total], env: { [variable]: '1' } }] as const,
      ),
    ] as const)
      expect([words, options, (await world.run(['approve', name, ...words], options)).exit]).toEqual([
        words,
        options,
        12,
      ]);
    expect((await agent.call('apply', { plan: name })).result.state).toBe('needs_approval');
    expect((await world.approve(name, '1')).exit).not.toBe(0);
    expect((await agent.call('apply', { plan: name })).result.state).toBe('needs_approval');
    expect(world.shipped).toEqual([]);
  });

  it('ends with its quarter of an hour, with a changed plan, and with a stop', async () => {
    const world = await countedWorld();
    const clock = standingClock();
    let now = clock.now();
    const moving = { ...clock, now: () => now };
    const agent = await agentOf(world, { clock: moving });
    const planned = async (name: string) =>
      (await agent.call('plan', { command: 'ship', rows: [orderNamed(name)] })).result;
    const late = await planned('A-1');
    await world.approve(late.plan, String(fieldsIn(late.fees).total), { clock: moving });
    now += 16 * MINUTE_MS;
    expect((await agent.call('apply', { plan: late.plan })).result).toMatchObject({ state: 'refused' });
    // A clock that is set back is no new quarter of an hour.
    now -= 16 * MINUTE_MS;
    expect((await agent.call('apply', { plan: late.plan })).result).toMatchObject({ state: 'refused' });
    now += 16 * MINUTE_MS;
    const stopped = await planned('A-2');
    await world.approve(stopped.plan, String(fieldsIn(stopped.fees).total), { clock: moving });
    expect(JSON.parse((await world.run(['agents', 'stop', '--json'], { clock: moving })).stdout)).toEqual({
      revoked: 2,
    });
    expect((await agent.call('apply', { plan: stopped.plan })).result).toMatchObject({ state: 'refused' });
    const denied = await planned('A-3');
    await world.run(['approve', '--deny', String(denied.plan)], { clock: moving });
    expect((await agent.call('apply', { plan: denied.plan })).result).toMatchObject({ state: 'refused' });
    expect(world.shipped).toEqual([]);
    const log = JSON.parse((await world.run(['agents', 'log', '--json'], { clock: moving })).stdout);
    expect(recordsIn(log)[0]).toMatchObject({ event: 'apply' });
    expect(recordsIn(log).at(-1)).toMatchObject({ event: 'planned' });
    expect(new Set(recordsIn(log).map(({ event }) => event))).toEqual(
      new Set(['planned', 'plan', 'approved', 'apply', 'refused', 'stopped', 'denied']),
    );
  });
});

describe('the quarter of an hour of an approval', () => {
  it('is over when it has passed, for whoever approves, applies, asks or plans once more', async () => {
    const world = await countedWorld();
    const clock = standingClock();
    const agent = await agentOf(world, { clock });
    const planned = async () => (await agent.call('plan', { command: 'ship', rows: [orderNamed('A-1')] })).result;
    const plan = await planned();
    const total = String(fieldsIn(plan.fees).total);
    clock.advance(15 * MINUTE_MS - 1);
    expect((await planned()).plan).toBe(plan.plan);
    expect((await agent.call('status', { plan: plan.plan })).result).toMatchObject({ state: 'needs_approval' });
    expect((await world.approve(plan.plan, total, { clock })).exit).toBe(0);
    clock.advance(1);
    const late = await world.approve(plan.plan, total, { clock });
    expect([late.exit, late.stderr]).toEqual([5, expect.stringContaining('has expired')]);
    const status = (await agent.call('status', { plan: plan.plan })).result;
    expect(status).toMatchObject({ state: 'refused', why: 'it has expired', command: null });
    expect((await agent.call('apply', { plan: plan.plan })).result).toMatchObject({ state: 'refused' });
    expect((await planned()).plan).not.toBe(plan.plan);
    expect(world.shipped).toEqual([]);
  });

  it('passes for a server whose clock was set back, as well', async () => {
    const world = await countedWorld();
    const clock = standingClock();
    let passed = 0;
    const right = { ...clock, now: () => clock.now() + passed, elapsed: () => passed };
    const setBack = { ...right, now: () => right.now() - 1_800 * MINUTE_MS };
    const agent = await agentOf(world, { clock: setBack });
    await world.run(['agents', 'stop'], { clock: right });
    const { result: plan } = await agent.call('plan', { command: 'ship', rows: [orderNamed('A-1')] });
    expect((await world.approve(plan.plan, String(fieldsIn(plan.fees).total), { clock: right })).exit).toBe(0);
    passed = 16 * MINUTE_MS;
    expect((await agent.call('apply', { plan: plan.plan })).result).toMatchObject({ state: 'refused' });
    expect(world.shipped).toEqual([]);
  });
});

describe('a policy', () => {
  const capped = (caps: string) =>
    `version: 1\nallow:\n  - command: ship\napprove:\n  - command: customers create\ncaps:\n  ${caps}\n`;

  it('allows within its caps, however small the plans are, and over several servers', async () => {
    const world = await countedWorld();
    expect((await world.accept(capped('hour: { records: 3 }'))).exit).toBe(0);
    const [one, two] = [await agentOf(world), await agentOf(world)];
    const states: unknown[] = [];
    for (let number = 1; number <= 6; number += 1) {
      const agent = number % 2 === 0 ? one : two;
      const { result: plan } = await agent.call('plan', { command: 'ship', rows: [orderNamed(`A-${number}`)] });
      states.push((await agent.call('apply', { plan: plan.plan })).result.state);
    }
    expect(states).toEqual(['done', 'done', 'done', 'needs_approval', 'needs_approval', 'needs_approval']);
    expect(world.shipped).toHaveLength(3);
  });

  it.each([
    ['hour', 60],
    ['day', 24 * 60],
  ])('counts what was sent for one %s, and no longer', async (name, minutes) => {
    const world = await countedWorld();
    const clock = standingClock();
    await world.accept(capped(`${name}: { records: 1 }`), { clock });
    const agent = await agentOf(world, { clock });
    const sent = async (order: string) => {
      const { result: plan } = await agent.call('plan', { command: 'ship', rows: [orderNamed(order)] });
      return (await agent.call('apply', { plan: plan.plan })).result.state;
    };
    expect(await sent('A-1')).toBe('done');
    clock.advance(minutes * MINUTE_MS - 1);
    expect(await sent('A-2')).toBe('needs_approval');
    clock.advance(1);
    expect(await sent('A-3')).toBe('done');
  });

  it('asks a person for what it names so, and refuses what it does not name', async () => {
    const world = await countedWorld();
    await world.accept(capped('plan: { records: 5 }'));
    const agent = await agentOf(world, { words: ['--profile', 'shop'] });
    const named = await agent.call('plan', {
      command: 'customers create',
      input: { full_name: 'Lan', phone: '0912345678' },
    });
    expect(named.result).toMatchObject({ allowed: 'person', records: 1 });
    expect((await agent.call('apply', { plan: named.result.plan })).result.state).toBe('needs_approval');
    const { result: other } = await agent.call('plan', { command: 'products create', input: { name: 'Tea' } });
    expect(other).toMatchObject({ allowed: 'nobody', plan: null, state: 'refused' });
  });

  it('that does not name what was planned before lets nobody approve that', async () => {
    const world = await countedWorld();
    const agent = await agentOf(world);
    const { result: plan } = await agent.call('plan', { command: 'ship', rows: [orderNamed('A-1')] });
    expect(plan.allowed).toBe('person');
    await world.accept('version: 1\nallow:\n  - command: customers create\n');
    const total = String(Object(plan.fees).total);
    const { exit, stderr } = await world.run(['approve', String(plan.plan)], { terminal: true, answers: [total] });
    expect([exit, stderr]).toEqual([12, expect.stringContaining('cannot be approved: the policy does not name it')]);
    expect((await agent.call('apply', { plan: plan.plan })).result.state).toBe('refused');
    expect(world.shipped).toEqual([]);
  });

  it('counts only as accepted: another file stops the server and says what to type', async () => {
    const world = await countedWorld();
    await world.accept(capped('plan: { records: 5 }'));
    const agent = await agentOf(world);
    appendFileSync(join(world.directory, 'agents.yaml'), '# changed\n');
    const refused = await agent.call('plan', { command: 'ship', rows: [orderNamed('A-1')] });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toContain('shopctl agents policy accept');
    expect((await agent.end()).exit).toBe(14);
    expect((await world.run(['mcp'])).exit).toBe(14);
    const yes = await world.run(['agents', 'policy', 'accept', '--yes'], { terminal: true });
    expect(yes.exit).toBe(12);
    writeFileSync(join(world.directory, 'agents.yaml'), 'version: 1\nalow: []\n', { mode: 0o600 });
    const unknown = await world.run(['agents', 'policy', 'check']);
    expect([unknown.exit, unknown.stderr]).toEqual([14, expect.stringContaining('alow is not known')]);
    expect(world.shipped).toEqual([]);
  });
});

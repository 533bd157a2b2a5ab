import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { allOperations } from '../../src/contract/areas.ts';
import { labelTexts } from '../../src/contract/labels.ts';
import { inVietnamese, leftBy } from '../support/left-words.ts';
import { type ConformanceRun, conformanceWorld } from './conformance-world.ts';
import { planted, slowOperation } from './service/planted.ts';
import { SecondService } from './service/service.ts';

const declared = await allOperations();
const writing = ['run', '--write-shop', SecondService.shop];
const shipping = [...writing, '--ship', '--max-fee', String(SecondService.fee * 4)];
const asPartner = [...shipping, '--profile', 'partner'];

/** The words of the run in which a deviation shows: of those that only read, a third look at everything. */
const wordsFor = ({ writes, found }: (typeof planted)[number], place: number) => {
  if (writes === 'shipping') return shipping;
  if (writes === 'as a partner') return asPartner;
  if (writes === true) return writing;
  const [, area = ''] = /^\w+\.(\w+)\//.exec(found.operation) ?? [];
  return place % 3 === 0 ? ['run'] : ['run', '--area', area];
};

interface Found {
  readonly operation: string;
  readonly check: string;
  readonly path: string;
  readonly kind: string;
}

const namesOf = (findings: readonly Found[]) =>
  findings.map(({ operation, check, path, kind }) => ({ operation, check, path, kind }));

const { sentence, state } = vietnamese.textsOf('label', labelTexts);

/** Codes, statuses, types and names, which are the same in both languages. */
const isTyped = (text: string) => /^(?:"\w+"|[\d.]+ \w+|[\w/.]+|\w+(?:, \w+)+|.* in JSON at .*)$/.test(text);

/** What a run says in words that have no Vietnamese. */
function unsaid({ findings, checks }: ConformanceRun['json']): readonly string[] {
  const texts = [
    ...findings.flatMap(({ expected, seen }: Record<string, string>) => [expected, seen]),
    ...checks.flatMap(({ reason }: { reason: string | null }) => reason ?? []),
  ];
  const kinds = findings.map(({ kind }: Found) => kind).filter((kind: string) => state(kind) === kind);
  return [...new Set([...kinds, ...texts.filter((text) => !isTyped(text) && sentence(text) === text)])];
}

describe('a service that does what the contract says', () => {
  it.each([
    { words: ['run'], proved: 24 },
    { words: writing, proved: 50 },
    { words: shipping, proved: 55 },
    { words: asPartner, proved: 6 },
  ])('has no finding, and every check within the scope is made: $words', async ({ words, proved }) => {
    const { run } = await conformanceWorld();
    const { exit, json, stderr } = await run(words);
    expect(json.findings).toEqual([]);
    expect(json.checks.filter(({ result }: { result: string }) => result === 'unchecked')).toEqual([]);
    expect([exit, json.left, unsaid(json)], stderr).toEqual([0, [], []]);
    expect(json.summary.proved).toBeGreaterThan(proved);
    expect(stderr).toContain(`${declared.length} operations: ${json.summary.proved} proved, `);
    expect(stderr).toMatch(/ proved, \d+ untested \([^)]+\), 0 drifted, 0 not reachable/);
  });

  it('is left by a run that writes as it was found', async () => {
    const { run, service } = await conformanceWorld();
    const before = JSON.stringify(
      [...service.records].map(([kind, records]) => [kind, records.filter(({ deleted }) => !deleted)]),
    );
    await run(writing);
    const orders = service.records.get('Order') ?? [];
    expect(orders.filter(({ cancel_reason }) => String(cancel_reason).startsWith('shopctl-conformance-'))).toHaveLength(
      1,
    );
    service.records.set('Order', orders.slice(0, 7));
    const after = JSON.stringify(
      [...service.records].map(([kind, records]) => [kind, records.filter(({ deleted }) => !deleted)]),
    );
    expect(after).toBe(before);
  });
});

describe('a deviation of a service', () => {
  it('is one of more than thirty that are planted', () => {
    expect(planted.length).toBeGreaterThanOrEqual(30);
    expect(new Set(planted.map(({ title }) => title)).size).toBe(planted.length);
  });

  const each = planted.map((one, place) => [one.title, one, wordsFor(one, place)] as const);

  it.each(each)('is found by name, and nothing else: %s', async (_, one, words) => {
    const { run } = await conformanceWorld(one.deviation);
    const { exit, json } = await run(words);
    expect([namesOf(json.findings), unsaid(json)]).toEqual([[one.found], []]);
    expect(json.findings[0].curl).toMatch(/^curl --request (POST|GET) /);
    expect(JSON.stringify(json)).not.toMatch(/key-of-the|key-for-the/);
    expect(exit).toBe(11);
    expect(json.summary.drifted).toBe(1);
  });

  it('is found by name, and nothing else: a slow operation', async () => {
    const world = await conformanceWorld({
      answer: ({ operation }) => {
        if (operation === slowOperation) void world.clock.wait(7000, undefined);
        return undefined;
      },
    });
    expect(namesOf((await world.run(['run'])).json.findings)).toEqual([
      { operation: slowOperation, check: 'speed', path: '', kind: 'may break others' },
    ]);
    expect((await world.run(['run', '--slow', '10'])).json.findings).toEqual([]);
  });
});

describe('an operation that cannot be reached', () => {
  it('is unchecked, and never a success', async () => {
    const { run } = await conformanceWorld(undefined, ['shop.Order/ListOrders']);
    const { exit, json } = await run(['run', '--area', 'Order']);
    expect(exit).toBe(9);
    const own = json.checks.filter(({ operation }: Found) => operation === 'shop.Order/ListOrders');
    expect(new Set(own.map(({ result }: { result: string }) => result))).toEqual(new Set(['unchecked']));
    expect(json.summary).toMatchObject({ unreachable: 1, proved: 0 });
  });

  it('is unchecked where something before the service answers 503', async () => {
    const { run } = await conformanceWorld({
      answer: ({ operation }) => (operation === 'shop.Misc/VersionInfo' ? { status: 503, body: '' } : undefined),
    });
    const { exit, json } = await run(['run', '--area', 'Misc']);
    expect([exit, json.findings, json.summary.unreachable]).toEqual([9, [], 1]);
  });

  it('is unchecked where it answers at first, and later no more', async () => {
    let asked = 0;
    const { run } = await conformanceWorld({
      answer: ({ operation }) => {
        if (operation !== 'shop.Order/ListOrders') return undefined;
        asked += 1;
        return asked > 1 ? { status: 503, body: '' } : undefined;
      },
    });
    const { exit, json } = await run(['run', '--area', 'Order']);
    const answer = json.checks.find(
      ({ operation, check }: Found) => operation.endsWith('ListOrders') && check === 'answer',
    );
    expect([exit, json.findings, answer.result]).toEqual([9, [], 'unchecked']);
  });

  it('ends the run with 7 where it is the whole service', async () => {
    const { run } = await conformanceWorld(undefined, ['']);
    expect((await run(['run'])).exit).toBe(7);
  });
});

it('a run without --write-shop sends nothing that writes', async () => {
  const { run } = await conformanceWorld();
  const { service } = await run(['run']);
  const called = service.requests.map(({ url }) => url.replace(/^.*\//, ''));
  expect(called.length).toBeGreaterThan(150);
  expect(called.filter((name) => /^(?:Create|Update|Delete|Cancel|Confirm)/.test(name))).toEqual([]);
});

it('a run writes to no other shop than the one that was named', async () => {
  const { run, service } = await conformanceWorld();
  const { exit, stderr } = await run(['run', '--write-shop', '5']);
  expect([exit, stderr]).toEqual([4, expect.stringContaining('nothing was written')]);
  expect(service.requests).toHaveLength(1);
});

it('--read-only refuses a run that writes', async () => {
  const { run } = await conformanceWorld();
  expect((await run([...writing, '--read-only'])).exit).toBe(12);
});

/** Names of operations, checks and fields, and data. */
const given = [
  'shop Order Customer GetCustomer ListCustomers Misc http answer page size limit sort pages by code id order JSON area',
  'accepted json check operation path reason and until nothing conformance run shopctl customer customers ABC',
  'Invalid input expected array received object',
  'ml dk connection refused',
  /shopctl-conformance-[\w-]+/g,
  /\b(?:shop|partner)\.\w+\/?\w*/g,
  /\b[a-z]+_[a-z_]+\b|\w+\[\]\S*/g,
];

it('says what it does and finds in a catalogue, and in Vietnamese on the terminal and on the page', async () => {
  const bent = planted.find(({ title }) => title.includes('type')) ?? planted[0];
  const { machine, clock } = await conformanceWorld(bent?.deviation, ['shop.Order/ListOrders']);
  const more = { clock };
  const at = (name: string) => join(machine.directory, name);
  const retries = ['--max-retries', '0'];
  const left = await leftBy(
    machine,
    [
      [['conformance', 'run', '--area', 'Order', ...retries], more],
      [['conformance', 'run', '--area', 'Nothing'], more],
      [['conformance', 'run', '--ship'], more],
      [['conformance', 'run', '--max-fee', '1'], more],
      [['conformance', 'run', '--write-shop', '1'], more],
      [['conformance', 'run', ...['--write-shop', SecondService.shop], '--area', 'Customer', ...retries], more],
      [['conformance', 'clean'], more],
    ],
    given,
  );
  expect(left).toEqual({});
  const shown = await inVietnamese(machine, ['conformance', 'run', '--to', at('run.html'), ...retries], more);
  const page = readFileSync(at('run.html'), 'utf8').replaceAll(/<(style|pre)>.*?<\/\1>|<[^>]*>/gs, ' ');
  for (const text of [shown.lines.join('\n'), page])
    expect(text).not.toMatch(/\b(?:the|was|should|proved|drifted|checks?|differs|contract|unchecked|because)\b/i);
  // How long it waits is drawn in the place of what was drawn before.
  expect([shown.exit, shown.tooWide.filter((line) => !line.includes('đang chờ hệ thống'))]).toEqual([11, []]);
});

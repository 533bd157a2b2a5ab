import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import { readJunit } from '../support/read-junit.ts';
import { conformanceWorld } from './conformance-world.ts';
import type { Deviation } from './service/deviations.ts';

const declared = await allOperations();
const hostile = '<script>alert(1)</script>';

/** Two deviations, one with markup in it. */
const bent: Deviation = {
  answer: ({ operation, status, body }) => {
    if (operation === 'shop.Misc/VersionInfo') return { status, body: { ...Object(body), [hostile]: 1 } };
    return operation === 'shop.Misc/CurrentAccount' && status === 200
      ? { status, body: { ...Object(body), tier: 1 } }
      : undefined;
  },
};

const run = ['run', '--area', 'Misc'];
const accepted = (until: string) => [
  { check: 'answer', operation: 'shop.Misc/CurrentAccount', path: 'tier', reason: 'announced for May', until },
  {
    check: 'answer',
    operation: 'shop.Misc/VersionInfo',
    path: '(a name with digits)',
    reason: 'asked the operator',
    until,
  },
];

describe('the page of a run', () => {
  it('holds nothing that runs or comes from elsewhere, and what the run found', async () => {
    const world = await conformanceWorld(bent);
    expect((await world.run([...run, '--to', 'report.html'])).exit).toBe(11);
    const page = readFileSync(join(world.directory, 'report.html'), 'utf8');
    expect(page).not.toMatch(/<script|<img|<link|url\(|@import|\son\w+=|javascript:/i);
    expect(page).toContain(`content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"`);
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page).toContain('name="viewport"');
    expect(page).toContain('tier: should be no such field, was an integer');
    expect(page).toContain('curl --request POST');
    expect(page).not.toContain('key-of-the-shop');
    expect(page).toContain(`${declared.length} operations:`);
    expect(page).toContain('<td class="where">shop.<wbr>Misc/<wbr>Current<wbr>Account<wbr><br>answer</td>');
  });
});

describe('the JSON of a run', () => {
  it('has the summary, each check, each finding with its request, and what is left', async () => {
    const world = await conformanceWorld(bent);
    const { json } = await world.run(run);
    expect(Object.keys(json)).toEqual(['summary', 'checks', 'findings', 'left']);
    expect(json.findings[0]).toEqual({
      check: 'answer',
      operation: 'shop.Misc/CurrentAccount',
      path: 'tier',
      kind: 'added',
      expected: 'no such field',
      seen: 'an integer',
      curl: expect.stringContaining('/v1/shop.Misc/CurrentAccount'),
      accepted: null,
      expired: null,
    });
    expect(json.summary).toMatchObject({ operations: declared.length, drifted: 2, drifted_since: expect.any(String) });
  });

  it('says since when an operation deviates, as everyday answers have shown it', async () => {
    const world = await conformanceWorld(bent);
    await world.machine.run(['account', 'show'], { clock: world.clock });
    await world.clock.wait(3 * 24 * 3_600_000, undefined);
    const { json, stderr } = await world.run(run);
    expect([json.summary.drifted_since.slice(0, 10), stderr]).toEqual([
      '2026-01-31',
      expect.stringContaining('2 drifted (since 2026-01-31)'),
    ]);
  });
});

describe('the JUnit report of a run', () => {
  it('has a failure for each deviation, skips what was not decided, and passes what holds', async () => {
    const world = await conformanceWorld(bent, ['shop.Misc/GetLocationList']);
    const { json } = await world.run([...run, '--junit', 'report.xml']);
    const xml = readFileSync(join(world.directory, 'report.xml'), 'utf8');
    const { counts, cases } = readJunit(xml);
    expect(cases).toHaveLength(json.checks.length);
    expect([counts.tests, counts.failures]).toEqual([String(json.checks.length), '2']);
    for (const [index, { check, operation, result, reason }] of json.checks.entries()) {
      const own = json.findings.filter((one: typeof json) => one.check === check && one.operation === operation);
      expect(cases[index]).toMatchObject({
        classname: operation,
        name: check,
        failures: own.map(({ kind, path, expected, seen, curl }: typeof json) => ({
          message: `${kind}: ${path} should be ${expected}, was ${seen}`,
          text: curl,
        })),
        skipped: result === 'unchecked' || result === 'not asked' ? `${result}: ${reason}` : undefined,
      });
    }
    const skipped = cases.flatMap((one) => one.skipped ?? []);
    expect([counts.skipped, skipped.filter((why) => why.startsWith('unchecked: ')).length > 0]).toEqual([
      String(skipped.length),
      true,
    ]);
    expect(xml).not.toContain('key-of-the-shop');
  });

  it('counts an accepted deviation as none', async () => {
    const made = await conformanceWorld(bent);
    writeFileSync(join(made.directory, 'accepted.json'), JSON.stringify(accepted('2026-12-31').slice(0, 1)));
    await made.run([...run, '--accepted', 'accepted.json', '--junit', 'report.xml']);
    expect(readJunit(readFileSync(join(made.directory, 'report.xml'), 'utf8')).counts.failures).toBe('1');
  });
});

describe('an accepted finding', () => {
  const world = async (list: unknown) => {
    const made = await conformanceWorld(bent);
    writeFileSync(join(made.directory, 'accepted.json'), typeof list === 'string' ? list : JSON.stringify(list));
    return made;
  };

  it('counts no more until its day is over', async () => {
    const made = await world(accepted('2026-01-31'));
    const { exit, json } = await made.run([...run, '--accepted', 'accepted.json']);
    expect([exit, json.summary.accepted, json.summary.drifted]).toEqual([0, 2, 0]);
    expect(json.findings.map((one: { accepted: string }) => one.accepted)).toContain('announced for May');
  });

  it('counts again when its day is over, and that is told', async () => {
    const made = await world(accepted('2026-01-30'));
    const { exit, json, stderr } = await made.run([...run, '--accepted', 'accepted.json']);
    expect([exit, json.findings[0].expired]).toEqual([11, '2026-01-30']);
    expect(stderr).toContain('it was accepted until 2026-01-30');
  });

  it('covers nothing but itself', async () => {
    const made = await world(accepted('2026-12-31').slice(0, 1));
    const { exit, json } = await made.run([...run, '--accepted', 'accepted.json']);
    expect([exit, json.summary.drifted, json.summary.accepted]).toEqual([11, 1, 1]);
  });

  it.each([
    ['without a reason', [{ ...accepted('2026-12-31')[0], reason: '' }]],
    ['without a day', [{ ...accepted('')[0] }]],
    ['no JSON', '['],
  ])('is refused before anything is sent: %s', async (_, list) => {
    const made = await world(list);
    const { exit, service } = await made.run([...run, '--accepted', 'accepted.json']);
    expect([exit, service.requests.length]).toEqual([2, 0]);
  });
});

it('an area that the contract lacks is refused, and the areas are named', async () => {
  const { run: runs } = await conformanceWorld();
  const { exit, stderr } = await runs(['run', '--area', 'Orders']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('shop.Order')]);
});

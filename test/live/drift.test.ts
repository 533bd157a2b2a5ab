import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadOperation } from '../../src/contract/areas.ts';
import { driftPath, readFindings, storedFindings } from '../../src/live/findings.ts';
import { DriftRecorder } from '../../src/live/recorder.ts';
import { nodeFiles } from '../../src/platform/files/node-files.ts';
import type { WireResponse } from '../../src/platform/http/transport.ts';
import { type TestMachine, testMachine } from '../support/context.ts';
import { inVietnamese } from '../support/left-words.ts';
import { json } from '../support/scripted-transport.ts';
import { standingClock } from '../support/standing-clock.ts';
import { stderrLines } from '../support/stderr-lines.ts';

const customer = { id: '1234567890123456789', full_name: 'Nguyễn Thị Lan', created_at: '2026-01-31T08:00:00Z' };
const orders = (...records: unknown[]) => json(200, { orders: records, paging: { next: 'n' } });
const nothingMore = json(200, { orders: [], paging: {} });

/** A machine whose service gives these answers in turn, the last one for ever. */
async function machineWith(...answers: WireResponse[]): Promise<TestMachine> {
  let turn = 0;
  const machine = testMachine(async () => answers[Math.min(turn++, answers.length - 1)] ?? nothingMore);
  await machine.save({
    version: 1,
    current_profile: 'own',
    profiles: { own: { kind: 'shop', base_url: 'http://127.0.0.1:4010', api_key: '8:secret-of-its-own' } },
  });
  return machine;
}

const fileOf = ({ directory }: TestMachine) => join(directory, 'state', 'drift.jsonl');
const kept = (machine: TestMachine) => readFileSync(fileOf(machine), 'utf8');
const listed = async (machine: TestMachine) => JSON.parse((await machine.run(['drift', 'list', '--json'])).stdout);
const get = ['customers', 'get', customer.id];

describe('an answer that is as the contract says', () => {
  it.each([
    ['every field', customer],
    ['nulls', { ...customer, phone: null, gender: null, updated_at: null }],
    ['a time with a fraction and an offset', { ...customer, updated_at: '2026-01-31T15:00:00.250+07:00' }],
  ])('opens no file: %s', async (_, answer) => {
    const machine = await machineWith(json(200, answer));
    expect(await machine.run(get)).toMatchObject({ exit: 0, stderr: '' });
    expect(existsSync(fileOf(machine))).toBe(false);
    expect(await listed(machine)).toEqual([]);
  });
});

it('shows what the service says as it stands, where that is a word of ours too', async () => {
  const headers = { 'content-type': 'text' };
  const machine = await machineWith({ status: 200, headers, body: '<title>Lan</title>' });
  await machine.run(get);
  expect(await listed(machine)).toMatchObject([{ kind: 'breaks', seen: '"text"' }]);
  expect((await inVietnamese(machine, ['drift', 'list'])).lines.join('\n')).toContain('"text"');
});

describe('an answer that differs from the contract', () => {
  it.each([
    ['added', 'loyalty', { loyalty: { points: 5 } }, 'an object', 0],
    ['unknown value', 'gender', { gender: 'undisclosed' }, '"undisclosed"', 0],
    ['may break others', 'shop_id', { shop_id: 12 }, 'an id as a number', 0],
    ['may break others', 'created_at', { created_at: '2026-01-31 08:00:00' }, 'text of 19 characters', 0],
    ['breaks', 'phone', { phone: 901234567 }, 'an integer', 13],
    ['breaks', 'id', { id: null }, 'nothing', 0],
  ])('is taken note of: %s, %s', async (kind, path, fields, seen, exit) => {
    const machine = await machineWith(json(200, { ...customer, ...fields }));
    expect((await machine.run([...get, '--json'])).exit).toBe(exit);
    expect(await listed(machine)).toMatchObject([
      { kind, path, seen, times: 1, operation: 'shop.Customer/GetCustomer', service: 'http://127.0.0.1:4010' },
    ]);
  });

  it('is taken note of where an entry of a list of texts is null, which shopctl can read', async () => {
    const machine = await machineWith(json(200, { id: '5', name: 'Trà', image_urls: ['https://a.example/1', null] }));
    expect((await machine.run(['products', 'get', '5', '--json'])).exit).toBe(0);
    expect(await listed(machine)).toMatchObject([{ kind: 'may break others', path: 'image_urls[]', seen: 'null' }]);
  });

  it('is taken note of where an id is a number of 19 digits', async () => {
    const machine = await machineWith({ ...json(200, {}), body: '{"id":1234567890123456789}' });
    expect((await machine.run([...get, '--json'])).stdout).toContain('"1234567890123456789"');
    expect(await listed(machine)).toMatchObject([{ path: 'id', seen: 'an id as a number' }]);
  });

  it('is listed and told in words of the language, and kept in English', async () => {
    const [phone, times] = [
      { ...customer, phone: 901234567 },
      { ...customer, created_at: 'yesterday', more: [1, 2] },
    ];
    const machine = await machineWith(json(200, phone), json(200, times));
    const told = await inVietnamese(machine, get);
    expect(told.lines.slice(0, 3).join(' ').replaceAll(/\s+/g, ' ')).toContain(
      'phone trong câu trả lời của shop.Customer/GetCustomer cần là văn bản, nhưng là số nguyên.',
    );
    await machine.run(get);
    const { lines } = await inVietnamese(machine, ['drift', 'list'], { columns: 120 });
    expect(
      lines
        .map((line) => line.split(/ {2,}/))
        .map(([, kind, , , seen]) => [kind, seen])
        .slice(0, 4),
    ).toEqual([
      ['LOẠI', 'ĐÃ THẤY'],
      ['không dùng được', 'số nguyên'],
      ['có thể gây lỗi', 'văn bản dài 9 ký tự'],
      ['thêm trường', 'danh sách 2 phần tử'],
    ]);
    expect((await listed(machine)).map(({ kind, seen }: Record<string, string>) => [kind, seen])).toEqual([
      ['breaks', 'an integer'],
      ['may break others', 'text of 9 characters'],
      ['added', 'a list of 2'],
    ]);
  });

  it('is taken note of where it is no JSON', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<title>Lan 0901234567</title>' };
    const machine = await machineWith(page);
    expect((await machine.run(get)).exit).toBe(13);
    expect(await listed(machine)).toMatchObject([{ kind: 'breaks', path: '', seen: 'text/html' }]);
    expect(kept(machine)).not.toContain('Lan');
  });

  it('is one finding in however many records, pages and runs, and counted by answers', async () => {
    const row = { id: '1', shop_note: 'x', status: 'WAITING' };
    const more = { ...orders(row), body: orders(row).body.replace('"n"', '"m"') };
    const machine = await machineWith(orders(row, row, row), more, nothingMore, orders(row), nothingMore);
    await machine.run(['orders', 'list', '--json']);
    await machine.run(['orders', 'list', '--json']);
    expect(await listed(machine)).toMatchObject([
      { path: 'orders[].shop_note', kind: 'added', times: 3 },
      { path: 'orders[].status', kind: 'unknown value', times: 3, seen: '"WAITING"' },
    ]);
  });

  it('is seen with the first time and the last, without a further call', async () => {
    let calls = 0;
    const machine = testMachine(async () => {
      calls += 1;
      return json(200, { ...customer, more: 1 });
    });
    const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: '8:secret', SHOPCTL_BASE_URL: 'http://127.0.0.1:4010' };
    const clock = standingClock();
    await machine.run(get, { clock, env });
    const first_seen = new Date(clock.now()).toISOString();
    clock.advance(3_600_000);
    await machine.run(get, { clock, env });
    const last_seen = new Date(clock.now()).toISOString();
    expect(calls).toBe(2);
    expect(await listed(machine)).toMatchObject([{ path: 'more', times: 2, first_seen, last_seen }]);
    expect(first_seen).not.toBe(last_seen);
  });

  it('is unchecked where an answer has more deviations than are compared, and that is listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`more_${index}`, 1]));
    const machine = await machineWith(json(200, { ...customer, ...many }));
    await machine.run(get);
    const findings = await listed(machine);
    expect(findings).toHaveLength(201);
    expect(findings.at(-1)).toMatchObject({ kind: 'unchecked', path: '', times: 1 });
  });

  it('is unchecked where more answers deviate than are compared', async () => {
    const state = join((await machineWith()).directory, 'state');
    const recorder = new DriftRecorder({ files: nodeFiles, clock: standingClock(), state });
    const operation = await loadOperation('shop.Customer/GetCustomer');
    for (let turn = 0; turn < 1002; turn += 1) {
      recorder.see('http://127.0.0.1:4010', { operation, answer: () => ({ ...customer, more: turn }) });
    }
    await recorder.end();
    const { findings } = await storedFindings(driftPath(state), nodeFiles);
    expect(findings).toMatchObject([
      { kind: 'added', path: 'more', times: 1000 },
      { kind: 'unchecked', times: 2 },
    ]);
  });

  it('is kept without anything that could be about a person', async () => {
    const answer = {
      ...customer,
      nickname: 'Nguyễn Thị Hoa',
      gender: 'Trần Văn Long 0907654321',
      '0912345678': { secret: '8:secret-of-its-own' },
      created_at: 'Lan called at noon',
      phone: { number: '0987654321' },
    };
    const machine = await machineWith(json(200, answer));
    await machine.run(get);
    expect(await listed(machine)).toHaveLength(5);
    expect(kept(machine)).not.toMatch(/Nguyễn|Long|Hoa|0907|0912|0987|noon|secret/);
    expect(statSync(fileOf(machine)).mode & 0o777).toBe(0o600);
  });
});

describe('a new deviation that shopctl cannot use', () => {
  const breaking = json(200, { ...customer, phone: 5 });

  it('is told on stderr once, with commands that work, and again a day later for another one', async () => {
    const machine = await machineWith(breaking, breaking, json(200, { ...customer, email: 5 }));
    const clock = standingClock();
    const first = await machine.run(get, { clock });
    expect(first.stderr).toContain(
      'phone in the answer of shop.Customer/GetCustomer should be text, and was an integer',
    );
    const [, shown = ''] = /`shopctl (drift show \w+)`/.exec(first.stderr) ?? [];
    expect(await machine.run([...shown.split(' '), '--json'])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('"phone"'),
    });
    expect((await machine.run(get, { clock })).stderr).not.toContain('drift');
    expect((await machine.run(get, { clock })).stderr).not.toContain('drift');
    const later = await machineWith(breaking, json(200, { ...customer, email: 5 }));
    await later.run(get, { clock });
    clock.advance(24 * 3_600_000);
    expect((await later.run(get, { clock })).stderr).toContain('email in the answer');
  });

  it('is a notice before the error for a program', async () => {
    const { stderr } = await (await machineWith(breaking)).run([...get, '--json']);
    expect(stderrLines(stderr)).toMatchObject({
      notices: [
        { code: 'drift', id: expect.stringMatching(/./), message: expect.stringContaining('phone in the answer') },
      ],
      errors: [{ code: expect.any(String) }],
    });
  });

  it('is not told with --quiet, or where it breaks nothing', async () => {
    expect((await (await machineWith(breaking)).run([...get, '-q'])).stderr).not.toContain('drift');
    expect((await (await machineWith(json(200, { ...customer, more: 1 }))).run(get)).stderr).toBe('');
  });
});

describe('the file of findings', () => {
  it('is not written with the setting off', async () => {
    const machine = await machineWith(json(200, { ...customer, more: 1 }));
    await machine.run(get, { env: { SHOPCTL_DRIFT: 'off' } });
    expect(existsSync(fileOf(machine))).toBe(false);
    expect((await machine.run(['config', 'set', 'drift', 'off'])).exit).toBe(0);
    await machine.run(get);
    expect(existsSync(fileOf(machine))).toBe(false);
  });

  it('forgets one finding, and all of them', async () => {
    const machine = await machineWith(json(200, { ...customer, one: 1, two: 2 }));
    await machine.run(get);
    const [{ id, path }] = await listed(machine);
    expect((await machine.run(['drift', 'forget', id])).exit).toBe(2);
    expect(await machine.run(['drift', 'forget', id, '--yes', '--json'])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('1'),
    });
    expect((await listed(machine)).map((finding: { path: string }) => finding.path)).not.toContain(path);
    expect((await machine.run(['drift', 'show', id])).exit).toBe(3);
    expect((await machine.run(['drift', 'forget', '--yes'])).exit).toBe(0);
    expect(existsSync(fileOf(machine))).toBe(false);
    await machine.run(get);
    expect(await listed(machine)).toHaveLength(2);
  });

  it('does without the half line of a process that was killed', async () => {
    const machine = await machineWith(json(200, { ...customer, one: 1 }));
    await machine.run(get);
    writeFileSync(fileOf(machine), `${kept(machine)}{"service":"http://127\n[1]\nnull\n`);
    expect(await listed(machine)).toHaveLength(1);
  });

  it('is rewritten with a line per finding before it grows', async () => {
    const machine = await machineWith(json(200, { ...customer, one: 1 }));
    await machine.run(get);
    writeFileSync(fileOf(machine), kept(machine).repeat(2000));
    await machine.run(get);
    expect(kept(machine).split('\n')).toHaveLength(2);
    expect(readFindings(kept(machine)).findings).toMatchObject([{ times: 2001 }]);
  });

  it('never makes a command fail: a directory in its place', async () => {
    const machine = await machineWith(json(200, { ...customer, one: 1 }));
    writeFileSync(join(machine.directory, 'state'), '');
    expect((await machine.run(get)).exit).toBe(0);
  });
});

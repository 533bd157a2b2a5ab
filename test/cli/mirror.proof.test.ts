import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/platform/sqlite/sqlite.ts';
import { buildProgram } from '../support/built-program.ts';
import { mirrorKinds } from '../support/mirrors.ts';

const ENDLESS = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
const FACTS = 'select name, value from mirror_facts order by name';

/** The built program beside a sandbox, in a home of its own. */
async function world(more: Readonly<Record<string, string>> = {}) {
  const built = await buildProgram();
  onTestFinished(() => built.remove());
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-home-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, SHOPCTL_CONFIG_DIR: directory, HOME: directory, ...more };
  const open = (...words: string[]) => {
    const child = spawn(...built.line(...words), {
      env: words[0] === 'sandbox' ? env : { ...env, SHOPCTL_PROFILE: 'sandbox-shop' },
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: directory,
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said.stderr += text;
    });
    const ended = once(child, 'close').then(([code]) => ({ code: Number(code), ...said }));
    return { child, ended };
  };
  const run = (...words: string[]) => open(...words).ended;
  const json = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(...words, '--json');
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return JSON.parse(stdout);
  };
  /** Starts a command that goes on; resolves with its first line. */
  const started = async (...words: string[]) => {
    const { child, ended } = open(...words, '--json');
    onTestFinished(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    for await (const line of createInterface(child.stdout)) return { child, ended, ready: JSON.parse(line) };
    throw new Error(`it said nothing: ${(await ended).stderr}`);
  };
  await started('sandbox', 'start', '--ephemeral', '--port', '0', '--seed', 'none', '--no-console');
  return { directory, open, run, json, started };
}

for (const kind of mirrorKinds()) {
  describe.skipIf(kind.missing !== undefined)(`the program with a mirror in ${kind.name}`, () => {
    afterAll(() => kind.end());

    it('refuses statements that write, and ends endless ones at --timeout and Ctrl-C', async () => {
      const place = kind.name === 'SQLite' ? undefined : await kind.place();
      const { directory, open, run, json } = await world(place === undefined ? {} : { SHOPCTL_WORKSPACE: place });
      const early = await run('mirror', 'sql', 'select * from orders');
      expect([early.code, early.stderr]).toEqual([3, expect.stringMatching(/nothing was copied yet.*mirror sync/s)]);
      await json('mirror', 'sync');
      const before = await json('mirror', 'sql', FACTS);
      const exits: Record<string, number> = {
        "attach database 'other.db' as other": 12,
        'select 1; delete from mirror_facts': 12,
        "select load_extension('x')": 2,
      };
      const found: Record<string, number> = {};
      for (const statement of Object.keys(exits)) found[statement] = (await run('mirror', 'sql', statement)).code;
      expect(found).toEqual(exits);
      expect(readdirSync(directory)).not.toContain('other.db');

      const late = await run('mirror', 'sql', ENDLESS, '--timeout', '1');
      expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('after 1 s')]);
      const { child, ended } = open('mirror', 'sql', ENDLESS.replace('count(*)', 'i'), '-o', 'jsonl');
      await once(child.stdout, 'data');
      child.kill('SIGINT');
      expect((await ended).code).toBe(130);
      expect(await json('mirror', 'sql', FACTS)).toEqual(before);
    });
  });
}

it('says of a first copy that was interrupted that it goes on', async () => {
  const { json, run } = await world();
  const begun = async () => (await run('mirror', 'status')).stderr;
  const compared = async (...words: string[]) => {
    const { code, stderr } = await run('mirror', 'verify', ...words);
    return [code, stderr];
  };
  expect(await compared()).toEqual([3, expect.stringContaining('nothing was copied yet')]);
  expect((await run('mirror', 'export', '--to', 'tables')).code).toBe(3);
  expect((await run('mirror', 'sql', 'select 1')).code).toBe(3);
  expect(await begun()).toContain('nothing was copied yet');
  await json('customers', 'create', '--full-name', 'Trần Thị', '--phone', '0912345671');
  await json('mirror', 'sync', '--area', 'orders');
  const never = 'customers was never copied completely, so nothing about it can be compared';
  expect(await compared('--area', 'customers')).toEqual([3, expect.stringContaining(never)]);
  expect(await compared()).toEqual([0, expect.stringMatching(/customers, .* were never copied completely/)]);
  await json('mirror', 'sync');
  expect(await begun()).toBe('');
  expect(await compared()).toEqual([0, expect.not.stringContaining('never')]);
  const { path } = await json('mirror', 'path');
  const database = await openSqlite(path);
  database.exec('update mirror_areas set complete_until = null');
  database.close();
  expect(await begun()).toContain('the first copy is not complete yet');
  expect((await compared())[0]).toBe(3);
});

it('tells what a listener missed that the service had stopped for two days', async () => {
  const { json, started, run } = await world();
  const create = (phone: string) => json('customers', 'create', '--full-name', 'Trần Thị', '--phone', phone);
  await json('mirror', 'sync');
  const words = ['webhooks', 'listen', '--register', '--keep', '--port', '0', '--poll', '1s'];
  const first = await started(...words);
  // The first poll begins with the present.
  while (
    !JSON.stringify(await json('mirror', 'sql', "select name from mirror_facts where name like 'news %'")).includes(
      'news',
    )
  );
  first.child.kill('SIGTERM');
  await first.ended;
  const missed = [await create('0912345671'), await create('0912345672')];
  const gone = await create('0912345673');
  await json('customers', 'update', missed[0].id, '--note', 'đổi');
  await json('customers', 'delete', gone.id, '--yes');
  await json('sandbox', 'clock', 'advance', '50h', '--until-idle');
  expect((await json('webhooks', 'list'))[0].states.state).toBe('stop');
  await started(...words);
  const events = () => json('events', 'list', '--entity', 'customer');
  while ((await events()).length < 2);
  const status = await run('webhooks', 'status', '-o', 'json');
  const reported = (await events()) as {
    record_id: string;
    source: string;
    change: { latest: { customer: { note: string } } };
  }[];
  expect(reported.map(({ record_id, source }) => [record_id, source]).sort()).toEqual(
    missed.map(({ id }) => [id, 'poll']).sort(),
  );
  expect(reported.find(({ record_id }) => record_id === missed[0].id)?.change.latest.customer.note).toBe('đổi');
  expect(JSON.parse(status.stdout)[0].missing).toEqual([expect.objectContaining({ to: expect.any(String) })]);
});

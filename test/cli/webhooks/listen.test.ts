import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RunOptions, testMachine } from '../../support/context.ts';
import { listeningReceiver } from '../../support/receiver.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { shellWords } from '../../support/shell-words.ts';
import { standingClock } from '../../support/standing-clock.ts';
import { messagesOf, stderrLines } from '../../support/stderr-lines.ts';
import { changeCount, recordedChanges } from '../../support/webhook-deliveries.ts';
import { newWorkspaces } from '../../support/workspace.ts';

/** A machine whose profile is a shop of a sandbox, which delivers over HTTP. */
async function world() {
  const sandbox = await openTestSandbox();
  const machine = testMachine(sandbox.sandbox.handle);
  await machine.save({
    version: 1,
    current_profile: 'shop',
    profiles: { shop: { kind: 'shop', base_url: 'http://127.0.0.1:4010', api_key: sandbox.shop.apiKey } },
  });
  const clock = standingClock();
  const workspace = newWorkspaces.areFiles ? undefined : await newWorkspaces.place();
  const env: Readonly<Record<string, string>> = workspace === undefined ? {} : { SHOPCTL_WORKSPACE: workspace };
  const run = (words: readonly string[], options: RunOptions = {}) => machine.run(words, { env, ...options });
  /** Runs a command that goes on; `said` resolves once it has said something. */
  const start = (words: readonly string[], options: RunOptions = {}) => {
    const ending = new AbortController();
    let [out, reported] = ['', ''];
    let look = () => {};
    const ended = machine.run(words, {
      env,
      clock,
      signal: ending.signal,
      onStdout(text) {
        out += text;
        look();
      },
      onStderr(text) {
        reported += text;
        look();
      },
      ...options,
    });
    onTestFinished(async () => {
      ending.abort('SIGINT');
      await ended;
    });
    return {
      ended,
      out: () => out,
      said: (pattern: RegExp) =>
        new Promise<void>((resolve, reject) => {
          look = () => {
            if (pattern.test(out + messagesOf(reported))) resolve();
          };
          void ended.then(({ exit }) =>
            reject(new Error(`it ended with ${exit} before it said ${pattern}: ${out}${reported}`)),
          );
          look();
        }),
      stop: () => {
        ending.abort('SIGINT');
        return ended;
      },
    };
  };
  const webhooks = async () => (await sandbox.post('shop.Webhook/GetWebhooks', {}, sandbox.shop.apiKey)).body.webhooks;
  return { ...sandbox, directory: machine.directory, run, clock, start, webhooks };
}

const makeGroups = ({ core, shop }: TestSandbox, ...names: readonly string[]) =>
  core.write((work) => {
    for (const name of names) work.records('customer_group', shop.id).insert({ name });
  });

const advance = ({ sandbox }: TestSandbox, by: string) => sandbox.control.clock.advance(by, { untilIdle: true });

/** Lets time pass until something has happened. */
async function passing(
  { clock }: { clock: ReturnType<typeof standingClock> },
  happened: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  void happened.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const listen = ['webhooks', 'listen', '--register', '--port', '0', '--json'];
const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('webhooks listen', () => {
  it('says first that it is ready, then each change, forwards it, and takes its webhook away at the end', async () => {
    const test = await world();
    const target = await listeningReceiver();
    const listening = test.start([
      ...listen,
      '--forward-to',
      `customer_group.create=${target.url}`,
      '--target-name',
      'crm',
    ]);
    await listening.said(/"ready"/);
    const [ready] = rowsOf(listening.out());
    expect(ready).toMatchObject({
      event: 'ready',
      hooks: [{ url: ready.url }],
      workspace: expect.stringMatching(newWorkspaces.areFiles ? /workspace\.db$/ : /^postgres:/),
    });
    expect(await test.webhooks()).toMatchObject([{ url: ready.url }]);
    makeGroups(test, 'VIP');
    await advance(test, '6s');
    await listening.said(/VIP/);
    const [, row] = rowsOf(listening.out());
    expect(row).toMatchObject({
      source: 'webhook',
      entity: 'customer_group',
      change_type: 'create',
      shop_id: test.shop.id,
    });
    while (target.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(target.requests[0]).toMatchObject({
      headers: { 'x-shopctl-change': row.id },
      callback: { id: row.id, changes: [row.change] },
    });
    expect(target.requests[0]?.headers.authorization).toBeUndefined();
    expect(target.requests[0]?.path).toBe('/hook?token=1');
    expect((await listening.stop()).exit).toBe(0);
    expect(await test.webhooks()).toEqual([]);
    const targets = await test.run(['events', 'targets', '-o', 'json']);
    expect(JSON.parse(targets.stdout)).toMatchObject([{ name: 'crm', behind: 0, concerns: 'customer_group create' }]);
    expect(targets.stdout).not.toContain('token=1');
  });

  it('takes away at the end the webhook that another command has put in place of its own', async () => {
    const test = await world();
    const listening = test.start(listen);
    await listening.said(/"ready"/);
    const [own] = await test.webhooks();
    const { shop, post } = test;
    const other = { url: 'http://127.0.0.1:9/other', entities: ['order'], fields: [] };
    await post('shop.Webhook/CreateWebhook', other, shop.apiKey);
    await post('shop.Webhook/DeleteWebhook', { id: own.id }, shop.apiKey);
    await post('shop.Webhook/CreateWebhook', { url: own.url, entities: own.entities, fields: [] }, shop.apiKey);
    expect((await listening.stop()).exit).toBe(0);
    expect(await test.webhooks()).toMatchObject([other]);
  });

  it('says of each attempt what the target answered, how long it took, and when the next one is', async () => {
    const test = await world();
    let status = 500;
    const target = await listeningReceiver((response) => response.writeHead(status).end('ok'));
    const forward = ['--forward-to', target.url, '--target-name', 'crm', '--exec', 'exit 7'];
    const listening = test.start([...listen, ...forward]);
    await listening.said(/"ready"/);
    makeGroups(test, 'VIP');
    await advance(test, '6s');
    await listening.said(/^crm: change \d+: answered status 500 in \d+ ms; next attempt in 1 s$/m);
    await listening.said(/^exec: change \d+: ended with exit 7 in \d+ ms; next attempt in 1 s$/m);
    status = 200;
    await passing(test, listening.said(/^crm: change \d+: status 200 in \d+ ms$/m));
  });

  it.each(['json', 'jsonl'])('says what its command prints in objects of their own: -o %s', async (format) => {
    const test = await world();
    const words = ['webhooks', 'listen', '--register', '--port', '0', '-o', format];
    const listening = test.start([...words, '--exec', 'echo one; echo two >&2; printf three']);
    await listening.said(/"ready"|^Listening at/m);
    makeGroups(test, 'VIP');
    await advance(test, '6s');
    await listening.said(/^exec: change \d+: exit 0 in/m);
    const { stderr } = await listening.stop();
    const { notices } = stderrLines(stderr);
    const printed = notices.filter(({ code }) => code === 'program_output').map(({ message }) => message);
    expect(printed.toSorted()).toEqual(['one', 'three', 'two']);
  });

  it.each([
    ['without', [], '.'],
    ['with', ['--pass-keys'], 'SECRET.'],
  ])('hands its command the keys of the environment only where that is asked for: %s', async (_, more, expected) => {
    const test = await world();
    const file = join(test.directory, 'seen');
    const key = test.shop.apiKey;
    const command = `printf '%s.' "$SHOPCTL_API_KEY" > '${file}'`;
    const listening = test.start([...listen, '--exec', command, ...more], { env: { SHOPCTL_API_KEY: key } });
    await listening.said(/"ready"/);
    makeGroups(test, 'VIP');
    await advance(test, '6s');
    await listening.said(/^exec: change \d+: exit 0 in/m);
    expect(readFileSync(file, 'utf8').replace(key, 'SECRET')).toBe(expected);
  });

  it('hands another command nothing that waits for an earlier one', async () => {
    const test = await world();
    const targets = async () => {
      const { stdout } = await test.run(['events', 'targets', '-o', 'json']);
      return JSON.parse(stdout).map(({ name, address, behind }: Record<string, unknown>) => [name, address, behind]);
    };
    const first = test.start([...listen, '--keep', '--exec', 'exit 7']);
    await first.said(/"ready"/);
    makeGroups(test, 'for the first');
    await advance(test, '6s');
    await first.said(/exit 7/);
    await first.stop();
    const { port } = new URL(rowsOf(first.out())[0].url);
    const again = ['webhooks', 'listen', '--register', '--keep', '--json', '--port', port, '--exec'];
    for (const run of ['once', 'and once more']) {
      const second = test.start([...again, 'true']);
      await second.said(/"ready"/);
      await second.stop();
      expect([run, await targets()]).toEqual([
        run,
        [
          ['exec', 'exit 7', 1],
          [expect.stringMatching(/^exec-[0-9a-f]{6}$/), 'true', 0],
        ],
      ]);
    }
    await test.run(['events', 'targets', 'remove', 'exec', '--yes']);
    const third = test.start([...again, 'true']);
    await third.said(/"ready"/);
    await third.stop();
    expect(await targets()).toEqual([[expect.stringMatching(/^exec-/), 'true', 0]]);
  });

  it('takes over what an earlier run left at its address, and replaces what is elsewhere, also where there are five', async () => {
    const test = await world();
    const first = test.start([...listen, '--keep']);
    await first.said(/"ready"/);
    const { url, hooks } = rowsOf(first.out())[0];
    await first.stop();
    const same = test.start(['webhooks', 'listen', '--register', '--keep', '--json', '--port', new URL(url).port]);
    await same.said(/"ready"/);
    expect(rowsOf(same.out())[0]).toMatchObject({ url, hooks });
    await same.stop();
    for (let number = 1; number < 5; number += 1) {
      await test.post(
        'shop.Webhook/CreateWebhook',
        { url: `http://127.0.0.1:9/${number}`, entities: ['order'] },
        test.shop.apiKey,
      );
    }
    const elsewhere = test.start([...listen, '--keep', '--entity', 'order']);
    await elsewhere.said(/"ready"/);
    const after = await test.webhooks();
    const [ready] = rowsOf(elsewhere.out());
    expect(ready.url).not.toBe(url);
    expect(new URL(ready.url).pathname).toBe(new URL(url).pathname);
    expect(after).toHaveLength(5);
    expect(after.map((webhook: { url: string }) => webhook.url)).not.toContain(url);
    expect(after).toContainEqual(expect.objectContaining({ url: ready.url, entities: ['order'] }));
  });

  it('makes one webhook where the answer of its creation is lost, and where its request is', async () => {
    for (const fate of ['drop-after-commit', 'drop-before', 'half-answer'] as const) {
      const test = await world();
      await test.sandbox.control.faults.add({ operation: 'shop.Webhook/CreateWebhook', do: fate, once: true });
      const listening = test.start([...listen, '--keep']);
      const ready = listening.said(/"ready"/).then(
        () => true,
        () => false,
      );
      await passing(test, ready);
      const after = await test.webhooks();
      // A request that never arrived may be given up; none that may have arrived is made twice.
      expect([fate, after.length]).toEqual([fate, (await ready) ? 1 : 0]);
      if (fate !== 'drop-before') expect(rowsOf(listening.out())[0].hooks).toMatchObject([{ id: after[0].id }]);
    }
  });

  it('takes no webhook away that an earlier run keeps, where its own cannot be registered', async () => {
    const test = await world();
    const first = test.start([...listen, '--keep']);
    await first.said(/"ready"/);
    const { url } = rowsOf(first.out())[0];
    await first.stop();
    await test.sandbox.control.faults.add({ operation: 'shop.Webhook/CreateWebhook', every: 1, do: 'status=403' });
    const other = ['webhooks', 'listen', '--register', '--port', new URL(url).port, '--entity', 'order'];
    for (const more of [[], ['--keep']]) {
      const { exit } = await test.start([...other, ...more]).ended;
      expect([exit === 0, await test.webhooks()]).toEqual([false, [expect.objectContaining({ url })]]);
    }
  });

  it('writes down at its end what a target has accepted of what was on its way', async () => {
    const test = await world();
    let answer = () => {};
    const target = await listeningReceiver((response) => {
      answer = () => response.end('ok');
    });
    const listening = test.start([...listen, '--forward-to', target.url]);
    await listening.said(/"ready"/);
    makeGroups(test, 'VIP');
    await advance(test, '6s');
    while (target.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopped = listening.stop();
    while ((await test.webhooks()).length > 0) await new Promise((resolve) => setImmediate(resolve));
    answer();
    expect((await stopped).exit).toBe(0);
    const { stdout } = await test.run(['events', 'targets', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ behind: 0 }]);
  });

  it('waits for what a test expects: 0 when it came, 11 when it did not', async () => {
    const test = await world();
    const expected = test.start([
      ...listen,
      '--expect',
      "entity == 'customer_group' && change.latest.customer_group.name == 'B'",
      '--within',
      '30s',
    ]);
    await expected.said(/"ready"/);
    makeGroups(test, 'A', 'B', 'C');
    await advance(test, '6s');
    expect((await expected.ended).exit).toBe(0);
    expect(rowsOf(expected.out())).toHaveLength(3);

    const vain = test.start([...listen, '--expect', "latest.shipping_state == 'delivered'", '--within', '30s']);
    await vain.said(/"ready"/);
    makeGroups(test, 'D');
    await advance(test, '6s');
    await passing(test, vain.ended);
    const none = 'change came, and it did not match the expression; it has no latest.shipping_state';
    expect(await vain.ended).toMatchObject({ exit: 11, stderr: expect.stringContaining(none) });

    const silent = test.start([...listen, '--expect', "entity == 'order'", '--within', '30s']);
    await silent.said(/"ready"/);
    await passing(test, silent.ended);
    expect(await silent.ended).toMatchObject({ exit: 11, stderr: expect.stringContaining('no change came') });

    if (newWorkspaces.areFiles) {
      const first = test.start(listen);
      await first.said(/"ready"/);
      const second = test.start([...listen, '--until-idle', '3s']);
      await passing(test, second.ended);
      expect(await second.ended).toMatchObject({
        exit: 5,
        stderr: expect.stringContaining(`another listener named shop is running (process ${process.pid})`),
      });
      await first.stop();
    }

    const counted = test.start([...listen, '--count', '2']);
    await counted.said(/"ready"/);
    makeGroups(test, 'D', 'E', 'F');
    await advance(test, '6s');
    expect((await counted.ended).exit).toBe(0);
    expect(rowsOf(counted.out())).toHaveLength(3);

    const idle = test.start([...listen, '--until-idle', '10']);
    await idle.said(/"ready"/);
    await passing(test, idle.ended);
    expect((await idle.ended).exit).toBe(0);
  });

  it.runIf(newWorkspaces.areFiles)('runs beside one of another name, and waits for one of its own', async () => {
    const test = await world();
    const listen = ['webhooks', 'listen', '--port', '0', '--json', '--until-idle', '10'];
    const first = test.start(listen);
    await first.said(/"ready"/);
    const beside = test.start([...listen, '--name', 'beside']);
    await beside.said(/"ready"/);
    const waiting = test.start(listen);
    await waiting.said(/waiting up to 60 s for it to stop/);
    expect(waiting.out()).toBe('');
    // What frees the place is the end of the first, which takes no time of this clock but its own idle seconds.
    test.clock.advance(10_000);
    expect(await Promise.all([first.ended, beside.ended])).toMatchObject([{ exit: 0 }, { exit: 0 }]);
    await passing(test, waiting.ended);
    expect(await waiting.ended).toMatchObject({ exit: 0 });
    expect(waiting.out()).toContain('"ready"');
  });

  it.each([
    [['--expect', 'entity =='], '--expect'],
    [['--within', 'soon'], '--within must be a duration'],
    [['--forward-to', 'order'], '--forward-to must be a URL'],
    [['--forward-to', 'localhost:3000'], 'write http://localhost:3000'],
    [['--expect', 'entity['], 'the expression ends too early or something is left open'],
    [['--expect', 'a > 5'], 'a number stands in backquotes'],
    [['--forward-to', 'parcel=http://127.0.0.1:1/'], 'knows no entity parcel'],
    [['--forward-to', 'http://169.254.169.254/latest'], 'link-local or metadata'],
    [
      [
        '--forward-to',
        'http://127.0.0.1:1/a?x=1',
        '--forward-to',
        'http://127.0.0.1:1/b',
        '--target-name',
        'a',
        '--target-name',
        'a',
      ],
      'tell two targets apart',
    ],
    [['--register', '--public-url', 'http://example.com/'], '--public-url must be an https URL'],
  ])('refuses %j before it begins', async (words, reason) => {
    const { run } = await world();
    const ended = await run(['webhooks', 'listen', '--port', '0', ...words]);
    expect([ended.exit, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain(reason);
  });
});

it('the status of a webhook that is well again does not tell what went wrong before', async () => {
  const test = await world();
  let answer = 'not ok';
  const receiver = await listeningReceiver((response) => response.end(answer));
  await test.post('shop.Webhook/CreateWebhook', { url: receiver.url, entities: ['customer_group'] }, test.shop.apiKey);
  makeGroups(test, 'one');
  await advance(test, '5s');
  const failing = await test.run(['webhooks', 'status', '-o', 'json']);
  expect(failing).toMatchObject({ exit: 9, stderr: expect.stringContaining('exactly ok') });
  expect(JSON.parse(failing.stdout)).toMatchObject([
    { state: 'retry', last_error: expect.stringContaining('unexpected') },
  ]);
  answer = 'ok';
  await advance(test, '30s');
  const well = await test.run(['webhooks', 'status', '-o', 'json']);
  expect(well).toMatchObject({ exit: 0, stderr: '' });
  expect(JSON.parse(well.stdout)).toMatchObject([{ state: 'ok', last_error: null }]);
});

it('is healthy while a listener runs and nothing is broken, and otherwise shows only what is', async () => {
  const test = await world();
  const health = async () => {
    const { exit, stdout } = await test.run(['webhooks', 'status', '--health', '-o', 'json']);
    const rows: { kind: string; name: string; state: string }[] = JSON.parse(stdout);
    return [
      exit,
      ...rows.map(({ kind, name, state }) => (kind === 'listener' ? `${name} ${state}` : `${kind} ${state}`)),
    ];
  };
  expect(await health()).toEqual([9, 'shop ended']);
  const running = test.start([...listen, '--keep', '--name', 'lane']);
  await running.said(/"ready"/);
  expect(await health()).toEqual([0]);
  const receiver = await listeningReceiver((response) => response.end('not ok'));
  await test.post('shop.Webhook/CreateWebhook', { url: receiver.url, entities: ['customer_group'] }, test.shop.apiKey);
  makeGroups(test, 'one');
  await advance(test, '5s');
  expect(await health()).toEqual([9, 'webhook retry']);
  await running.stop();
  // In a database a name may run on several machines: nobody knows whether one does.
  const ended = newWorkspaces.areFiles ? ['lane ended'] : [];
  expect(await health()).toEqual([9, ...ended, 'webhook retry']);
});

describe('after an absence of 50 hours, with 500 changes meanwhile', () => {
  const absence = async () => {
    const test = await world();
    const first = test.start([...listen, '--keep']);
    await first.said(/"ready"/);
    const { url, hooks } = rowsOf(first.out())[0];
    makeGroups(test, 'before');
    await advance(test, '6s');
    await first.said(/before/);
    await first.stop();
    for (let number = 0; number < 500; number += 1) makeGroups(test, `missed ${number}`);
    await advance(test, '50h');
    expect(await test.webhooks()).toMatchObject([{ states: { state: 'stop' } }]);
    return { ...test, old: String(hooks[0].id), port: new URL(url).port };
  };
  const stopped = /has stopped webhook \d+: changes since 2026-01-31T08:00:00Z are missing/;
  const missing =
    /changes between 2026-01-31(?: 15:00 \(GMT\+7\)|T08:00:00Z) and 2026-02-02(?: 17:00|T10:00:06Z) are missing/;

  it('the status says that it was stopped, and the next listener from when to when something is missing', async () => {
    const test = await absence();
    const status = await test.run(['webhooks', 'status', '-o', 'json']);
    expect(status.exit).toBe(9);
    expect(JSON.parse(status.stdout)).toMatchObject([
      {
        kind: 'webhook',
        name: test.old,
        state: 'stop',
        listener: 'shop',
        missing: [{ from: '2026-01-31T08:00:00Z', to: null, closed_at: null }],
      },
    ]);
    expect(status.stderr).toMatch(stopped);
    const again = test.start(['webhooks', 'listen', '--register', '--json', '--port', test.port]);
    await again.said(/"ready"/);
    await again.said(missing);
    const [webhook, ...others] = await test.webhooks();
    expect([webhook.states.state, others]).toEqual(['ok', []]);
    expect(webhook.id).not.toBe(test.old);
    makeGroups(test, 'after');
    await advance(test, '6s');
    await again.said(/"after"/);
    const after = await test.run(['webhooks', 'status', '-o', 'json']);
    expect(after.exit).toBe(0);
    expect(after.stderr).toMatch(missing);
    expect(JSON.parse(after.stdout)[0].missing).toEqual([
      { from: '2026-01-31T08:00:00Z', to: '2026-02-02T10:00:06Z', closed_at: null },
    ]);
    await test.run(['webhooks', 'status', '--ack', '--dry-run']);
    expect((await test.run(['webhooks', 'status', '--ack'])).stderr).toMatch(missing);
    expect((await test.run(['webhooks', 'status'])).stderr).not.toMatch(/changes between/);
  });

  it('a listener that does not register says it too, once, and goes on', async () => {
    const test = await absence();
    const words = ['webhooks', 'listen', '--json', '--poll', '1m', '--port', test.port];
    const listening = test.start(words);
    await listening.said(/"ready"/);
    await listening.said(stopped);
    const { url } = rowsOf(listening.out())[0];
    for (let minute = 0; minute < 5; minute += 1) {
      test.clock.advance(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await test.webhooks()).toMatchObject([{ id: test.old, url, states: { state: 'stop' } }]);
    const { stderr, exit } = await listening.stop();
    expect([exit, stderr.match(new RegExp(stopped, 'g'))]).toEqual([0, [expect.anything()]]);
  });

  it('recover in a dry run says what it would replace, and asks the service nothing', async () => {
    const test = await absence();
    const before = await test.webhooks();
    for (const [words, recover] of [
      [[], 'stopped webhooks of listeners in this workspace'],
      [['--all'], 'every stopped webhook of the account'],
    ] as const) {
      const { exit, stdout, stderr } = await test.run(['webhooks', 'recover', '--dry-run', ...words]);
      expect([exit, stderr]).toEqual([0, expect.stringContaining('nothing was done')]);
      const operations = ['GetWebhooks', 'CreateWebhook', 'DeleteWebhook'].map((name) => `shop.Webhook/${name}`);
      expect(JSON.parse(stdout)).toEqual({ recover, operations });
    }
    expect(await test.webhooks()).toEqual(before);
  });

  it('recover creates it anew and deletes the old one', async () => {
    const test = await absence();
    const recovered = await test.run(['webhooks', 'recover', '-o', 'json']);
    expect(recovered.exit).toBe(0);
    expect(recovered.stderr).toMatch(missing);
    const [row] = JSON.parse(recovered.stdout);
    expect(row.old_id).toBe(test.old);
    expect(await test.webhooks()).toMatchObject([{ id: row.new_id, states: { state: 'ok' } }]);
    expect(recovered.stdout).not.toMatch(/[\w-]{22}/);
    expect(JSON.parse((await test.run(['webhooks', 'recover', '-o', 'json'])).stdout)).toEqual([]);
  });

  it('recover elsewhere leaves it stopped, which is a failure, and names the command that takes it as well', async () => {
    const test = await absence();
    const env = { SHOPCTL_WORKSPACE: join(test.directory, 'elsewhere.db') };
    const left = await test.run(['webhooks', 'recover'], { env });
    expect([left.exit, left.stderr]).toEqual([9, expect.stringContaining('1 stopped webhook belongs to no listener')]);
    const [, all = ''] = /`shopctl (webhooks recover [^`]*)`/.exec(left.stderr) ?? [];
    expect((await test.run(shellWords(all), { env })).exit).toBe(0);
    expect(await test.webhooks()).toMatchObject([{ states: { state: 'ok' } }]);
  });

  it('a listener that runs sees at its next look that its webhook is gone, and registers it anew', async () => {
    const test = await world();
    const listening = test.start([...listen, '--poll', '1m']);
    await listening.said(/"ready"/);
    const [{ id }] = await test.webhooks();
    await test.post('shop.Webhook/DeleteWebhook', { id }, test.shop.apiKey);
    const registered = listening.said(/stopped or removed: registered/);
    await passing(test, registered);
    await registered;
    expect(await test.webhooks()).toHaveLength(1);
  });
});

/** Waits until a listener has written facts of this name into the mirror. */
async function untilMirrored(test: Awaited<ReturnType<typeof world>>, name: string): Promise<void> {
  const sql = `select count(*) as n from mirror_facts where name like '${name} %'`;
  const count = async () => JSON.parse((await test.run(['mirror', 'sql', sql, '-o', 'json'])).stdout)[0].n;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  while (Number(await count()) === 0) {
    test.clock.advance(10_000);
    for (let turns = 0; turns < 50; turns += 1) await turn();
  }
}

it('does not say that a poll stored what was missing before the first one, which begins with the present', async () => {
  const test = await world();
  const first = test.start([...listen, '--keep']);
  await first.said(/"ready"/);
  const { url } = rowsOf(first.out())[0];
  await first.stop();
  makeGroups(test, 'missed');
  await advance(test, '50h');
  expect(await test.webhooks()).toMatchObject([{ states: { state: 'stop' } }]);
  expect((await test.run(['mirror', 'sync'])).exit).toBe(0);
  const again = test.start(['webhooks', 'listen', '--register', '--json', '--port', new URL(url).port]);
  await untilMirrored(test, 'poll began');
  expect((await test.run(['events', 'list', '-o', 'json'])).stdout).toBe('[]\n');
  const { stderr } = await test.run(['webhooks', 'status']);
  expect(stderr).toMatch(/changes between \S+ 15:00 \(GMT\+7\) and \S+ 17:00 are missing/);
  expect(stderr).not.toContain('has stored the present state');
  await again.stop();
});

it('with a mirror, a listener stores what it missed in two days once each, and recognises what comes late', async () => {
  const test = await world();
  const { apiKey } = test.shop;
  const groups = async () => {
    const { body } = await test.post('shop.CustomerGroup/ListGroups', { include_deleted: true }, apiKey);
    return body.customer_groups as { id: string; name?: string; deleted: boolean }[];
  };
  const update = (id: string, name: string) => test.post('shop.CustomerGroup/UpdateGroup', { id, name }, apiKey);
  makeGroups(test, 'mirrored before');
  expect((await test.run(['mirror', 'sync'])).exit).toBe(0);
  const first = test.start([...listen, '--keep']);
  await first.said(/"ready"/);
  const { url } = rowsOf(first.out())[0];
  makeGroups(test, 'delivered', 'deleted later', 'changed later');
  await advance(test, '6s');
  await first.said(/changed later/);
  // The first poll is over: what follows it is news.
  await untilMirrored(test, 'news');
  await first.stop();
  // What the service sends while nobody listens, and gives up after 24 hours.
  const delivered = changeCount(test);
  makeGroups(test, ...Array.from({ length: 12 }, (_, number) => `missed ${number}`));
  const named = async (name: string) => (await groups()).find((group) => group.name === name)?.id ?? '';
  await update(await named('changed later'), 'changed once');
  await update(await named('changed once'), 'changed twice');
  await test.post('shop.CustomerGroup/DeleteGroup', { id: await named('deleted later') }, apiKey);
  await advance(test, '50h');
  expect(await test.webhooks()).toMatchObject([{ states: { state: 'stop' } }]);

  const again = test.start(['webhooks', 'listen', '--register', '--json', '--port', new URL(url).port]);
  // Groups do not say when they changed: the new webhook might still deliver them until the next poll.
  const closed = again.said(/A poll found 14 records whose present state no webhook had delivered/);
  await passing(test, closed);
  await closed;
  const events = async () => {
    const { stdout } = await test.run(['events', 'list', '--entity', 'customer_group', '--limit', '500', '-o', 'json']);
    return JSON.parse(stdout) as {
      source: string;
      change_type: string;
      record_id: string;
      change: { latest: never };
    }[];
  };
  const all = await events();
  const tellingOf = (id: string, name: string | undefined, isDeleted: boolean) =>
    all.filter(({ record_id, change_type, change }) => {
      if (record_id !== id) return false;
      const { name: then } = (change.latest as Record<string, { name?: string }>).customer_group ?? {};
      return isDeleted ? change_type === 'delete' : then === name;
    });
  const present = (await groups()).filter(({ name }) => name !== 'mirrored before');
  expect(present).toHaveLength(15);
  expect(present.filter(({ id, name, deleted }) => tellingOf(id, name, deleted).length !== 1)).toEqual([]);
  const types = (source: string) => all.filter((event) => event.source === source).map((event) => event.change_type);
  expect(types('webhook')).toEqual(['create', 'create', 'create']);
  expect(types('poll').filter((type) => type === 'create')).toHaveLength(12);
  expect(new Set(types('poll'))).toEqual(new Set(['create', 'update', 'delete']));
  const status = await test.run(['webhooks', 'status', '-o', 'json']);
  expect(status.exit).toBe(0);
  expect(status.stderr).toContain('14 changes were found by polls');
  expect(status.stderr).toMatch(/a poll at \S+Z has stored the present state of every record that changed/);
  const { missing: gaps } = JSON.parse(status.stdout)[0];
  expect(gaps).toMatchObject([{ closed_at: expect.stringMatching(/Z$/) }]);

  // The service repeats late what it had not delivered: each is known, or was on the way to what is known.
  const late = recordedChanges(test).slice(delivered);
  const creates = late.filter(({ change_type }) => change_type !== 'update');
  const answer = await fetch(rowsOf(again.out())[0].url, {
    method: 'POST',
    body: JSON.stringify({ id: '1', changes: creates }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, 'ok']);
  expect(await events()).toHaveLength(all.length);
});

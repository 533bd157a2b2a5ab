import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { testMachine } from '../support/context.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { errorAnswer, scripted } from '../support/scripted-transport.ts';
import { baseUrl } from '../support/signed-in-world.ts';
import { errorOf } from '../support/stderr-lines.ts';

async function world() {
  const service = await openTestSandbox();
  const machine = testMachine(service.sandbox.handle);
  const add = (kind: 'partner' | 'shop', key: string, ...more: readonly string[]) =>
    machine.run(['profiles', 'add', 'live', '--base-url', baseUrl, '--kind', kind, '--api-key-stdin', ...more], {
      stdin: `${key}\n`,
    });
  return { ...machine, service, add };
}

describe('a key is tried before it is saved', () => {
  it('keeps one that the service accepts, with the name of its shop', async () => {
    const { add, service, settings } = await world();
    const { exit, stdout, stderr } = await add('shop', service.shop.apiKey, '--json');
    expect([exit, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'shop', shop_name: 'Demo Shop', shop_names: ['Demo Shop'] });
    expect((await settings()).profiles.live).toMatchObject({
      api_key: service.shop.apiKey,
      shop_names: { [service.shop.id]: 'Demo Shop' },
    });
  });

  it('refuses a wrong one in words, with exit 4, and saves nothing', async () => {
    const { add, service, settings, run } = await world();
    const wrong = `${service.partner.id}:not-the-secret-of-this-one`;
    const { exit, stderr } = await add('partner', wrong);
    expect(exit).toBe(4);
    expect(stderr).toContain('the service does not accept the key');
    expect(stderr).toContain('nothing was saved');
    expect(stderr).not.toContain('not-the-secret');
    expect((await settings()).profiles).toEqual({});
    const asJson = await add('partner', wrong, '-o', 'json');
    expect(errorOf(asJson)).toMatchObject({
      code: 'key_refused',
      exit_code: 4,
      outcome: 'not_applied',
    });
    expect((await add('partner', service.partner.apiKey)).exit).toBe(0);
    const set = await run(['profiles', 'set-key', 'live', '--api-key-stdin'], { stdin: wrong });
    expect(set.exit).toBe(4);
    expect((await settings()).profiles.live?.api_key).toBe(service.partner.apiKey);
  });

  it('says when the key is one of the other kind', async () => {
    const { add, service } = await world();
    const { exit, stderr } = await add('partner', service.shop.apiKey);
    expect([exit, stderr]).toEqual([4, expect.stringContaining('--kind shop')]);
  });

  it('saves it untried with --no-check, and sends nothing as a dry run', async () => {
    const { transport, requests } = scripted();
    const machine = testMachine(transport);
    const words = ['profiles', 'add', 'live', '--base-url', baseUrl, '--api-key-stdin'];
    const dry = await machine.run([...words, '--dry-run'], { stdin: '1:a-key-untried' });
    expect([dry.exit, (await machine.settings()).profiles]).toEqual([0, {}]);
    expect(JSON.parse(dry.stdout)).toMatchObject({ profile: 'live', base_url: baseUrl, checks_key: true });
    expect(dry.stdout).not.toContain('a-key-untried');
    expect((await machine.run([...words, '--no-check'], { stdin: '1:a-key-untried' })).exit).toBe(0);
    expect((await machine.settings()).profiles.live?.api_key).toBe('1:a-key-untried');
    expect(requests).toEqual([]);
  });

  it('says how to give a key to a profile that was added without one', async () => {
    const machine = testMachine(scripted().transport);
    const add = (name: string, ...more: string[]) =>
      machine.run(['profiles', 'add', name, '--base-url', baseUrl, '--no-check', ...more], {
        stdin: '1:a-key-untried',
      });
    const { exit, stderr } = await add('live', '--no-input');
    expect([exit, stderr]).toEqual([
      0,
      'the profile has no key: give it one with `shopctl profiles set-key live`, or set SHOPCTL_API_KEY\n',
    ]);
    expect((await add('other', '--api-key-stdin')).stderr).toBe('');
  });

  it.each([
    ['cannot be reached', new TransportError('refused', 'no', 'connection refused'), 7],
    ['fails', errorAnswer(503, 'unavailable'), 13],
    ['is none', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }, 13],
    ['is at another address', errorAnswer(404, 'bad_route'), 13],
  ] as const)('says that nothing was saved where the service %s', async (_, answer, code) => {
    const machine = testMachine(scripted(answer).transport);
    const words = ['profiles', 'add', 'live', '--base-url', baseUrl, '--api-key-stdin', '--max-retries', '0'];
    const { exit, stderr } = await machine.run(words, { stdin: '1:a-key-untried' });
    expect(exit).toBe(code);
    expect(stderr).toContain('the key could not be tried');
    expect(stderr).toContain('--no-check');
    expect((await machine.settings()).profiles).toEqual({});
  });

  it('asks a person again for a wrong one, and whether to keep one that could not be tried', async () => {
    const { run, service, settings } = await world();
    const words = ['profiles', 'add', 'live', '--base-url', baseUrl];
    const answers = ['1:not-a-key-of-this-service', service.partner.apiKey];
    const { exit, stderr } = await run(words, { terminal: true, answers });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('does not accept the key')]);
    expect((await settings()).profiles.live?.api_key).toBe(service.partner.apiKey);

    const refused = () => new TransportError('refused', 'no', 'connection refused');
    const untried = testMachine(scripted(refused(), refused()).transport);
    const offline = [...words, '--max-retries', '0'];
    const no = await untried.run(offline, { terminal: true, answers: ['1:a-key-untried', false] });
    expect([no.exit, (await untried.settings()).profiles]).toEqual([7, {}]);
    const yes = await untried.run(offline, { terminal: true, answers: ['1:a-key-untried', true] });
    expect([yes.exit, (await untried.settings()).profiles.live?.api_key]).toEqual([0, '1:a-key-untried']);
  });
});

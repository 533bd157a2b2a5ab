import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { testMachine } from '../support/context.ts';
import { errorAnswer, json, scripted } from '../support/scripted-transport.ts';
import { baseUrl } from '../support/signed-in-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { errorOf } from '../support/stderr-lines.ts';

const refused = () => new TransportError('refused', 'no', 'connection refused');
const unauthenticated = () => errorAnswer(401, 'unauthenticated');

/** The hint of a run with one profile in force. */
async function hintOf(
  profile: Readonly<Record<string, unknown>>,
  answer: ReturnType<typeof json> | Error | undefined,
  words: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly others?: object } = {},
) {
  const machine = testMachine(scripted(...(answer === undefined ? [] : [answer])).transport);
  const stored = { base_url: baseUrl, ...profile } as never;
  await machine.save({ version: 1, current_profile: 'mine', profiles: { mine: stored, ...options.others } });
  const { stderr } = await machine.run([...words, '--json', '--max-retries', '0'], { env: options.env ?? {} });
  return errorOf(stderr).hint;
}

const shop = { kind: 'shop', api_key: '7:key-of-a-shop' };
const partner = { kind: 'partner', api_key: '1:key-of-a-partner' };
const signedIn = { ...partner, shops: { '7': { shop_key: 'shop7:key-of-it' } } };

it('names the status of what fails there, and not of what is refused', async () => {
  const textOf = async (status: number, code: string) => {
    const machine = testMachine(scripted(errorAnswer(status, code)).transport);
    const stored = { base_url: baseUrl, kind: 'shop', api_key: '7:key-of-a-shop' } as never;
    await machine.save({ version: 1, current_profile: 'mine', profiles: { mine: stored } });
    return (await machine.run(['account', 'show', '--max-retries', '0'])).stderr;
  };
  expect(await textOf(503, 'unavailable')).toContain('(unavailable, HTTP 503)');
  expect(await textOf(404, 'not_found')).toContain('(not_found)');
});

describe('a hint fits the profile in force', () => {
  it('starts the sandbox that does not run', async () => {
    const words = ['orders', 'list'];
    expect(await hintOf({ ...shop, sandbox: 'default' }, refused(), words)).toContain('`shopctl sandbox start`');
    expect(await hintOf({ ...shop, sandbox: 'two' }, refused(), words)).toContain('`shopctl sandbox start --name two`');
    expect(await hintOf(shop, refused(), words)).not.toContain('sandbox');
    const elsewhere = [...words, '--base-url', 'http://127.0.0.1:1'];
    const env = { SHOPCTL_API_KEY: '7:key-for-elsewhere' };
    expect(await hintOf({ ...shop, sandbox: 'default' }, refused(), elsewhere, { env })).not.toContain('sandbox start');
  });

  it.each([
    ['of a shop', shop, ['orders', 'list'], 'shopctl profiles set-key mine'],
    ['of a partner', partner, ['webhooks', 'list'], 'shopctl profiles set-key mine'],
    ['of a sandbox', { ...partner, sandbox: 'default' }, ['webhooks', 'list'], 'shopctl sandbox start'],
    ['that a partner has for a shop', signedIn, ['shipping', 'get', '1'], 'shopctl auth login --shop-id 7'],
  ])('replaces a key that is refused: the one %s', async (_, profile, words, hint) => {
    expect(await hintOf(profile, unauthenticated(), words)).toContain(hint);
  });

  it('names what begins with a shop signed in, where a sandbox has none', async () => {
    const hint = await hintOf({ ...partner, sandbox: 'default' }, undefined, ['shipping', 'get', '1']);
    expect(hint).toContain('shopctl sandbox exec --signed-in -- COMMAND');
    expect(await hintOf(partner, undefined, ['shipping', 'get', '1'])).not.toContain('sandbox');
  });

  it('names the variable that holds a key which is refused', async () => {
    const env = { SHOPCTL_API_KEY: '7:another-key' };
    expect(await hintOf(shop, unauthenticated(), ['account', 'show'], { env })).toContain('SHOPCTL_API_KEY holds');
  });

  it('names the variable that holds a key with a line break, as from a file', async () => {
    const env = { SHOPCTL_API_KEY: '7:a-key\n' };
    expect(await hintOf(shop, undefined, ['account', 'show'], { env })).toBe(
      'SHOPCTL_API_KEY holds it: set it to the key alone, a single word without a line break',
    );
  });

  it('tells how long a service asks to wait that is not waited for', async () => {
    for (const [status, code] of [
      [429, 'resource_exhausted'],
      [503, 'unavailable'],
    ] as const) {
      const answer = errorAnswer(status, code, undefined, { 'retry-after': '1000' });
      expect(await hintOf(shop, answer, ['account', 'show'])).toBe(
        'the service asks to wait 1000 s before the next attempt',
      );
    }
  });

  it('gets a key of the other kind: from the profile that has one, or by adding one', async () => {
    expect(await hintOf(partner, undefined, ['orders', 'list'])).toContain('profiles add NAME --kind shop');
    const others = { theirs: { ...shop, base_url: baseUrl } };
    expect(await hintOf(partner, undefined, ['orders', 'list'], { others })).toContain('--profile theirs');
    expect(await hintOf(partner, undefined, ['shipping', 'get', '1'])).toContain('shopctl auth login');
    const unknown = ['shipping', 'get', '1', '--shop', 'Nowhere'];
    expect(await hintOf(signedIn, undefined, unknown)).toContain('the shops are: ');
  });
});

it('shows the illustration of the contract where a service does not implement it, and says that it is one', async () => {
  const machine = testMachine(scripted(errorAnswer(501, 'unimplemented')).transport);
  await machine.save({
    version: 1,
    current_profile: 'mine',
    profiles: { mine: { ...shop, base_url: baseUrl } as never },
  });
  const { exit, stdout, stderr } = await machine.run(['history', 'changes', '--json']);
  expect(exit).toBe(0);
  const { changes } = JSON.parse(stdout);
  expect(changes).toMatchObject([{ change_type: 'create' }, { change_type: 'update', entity: 'customer_group' }]);
  expect(stderr).toContain('this is an illustration');
});

describe('a wait that the service asked for', () => {
  async function waited(...flags: readonly string[]) {
    const busy = errorAnswer(429, 'resource_exhausted', undefined, { 'retry-after': '7' });
    const machine = testMachine(scripted(busy, json(200, { id: '7', name: 'Tea', type: 'shop' })).transport);
    await machine.save({
      version: 1,
      current_profile: 'mine',
      profiles: { mine: { ...shop, base_url: baseUrl } as never },
    });
    const clock = { ...standingClock(), wait: async () => {} };
    return machine.run(['account', 'show', '-o', 'name', ...flags], { clock });
  }

  it('is told where nobody sits at a terminal too, and not with --quiet', async () => {
    const { exit, stdout, stderr } = await waited();
    expect([exit, stdout, stderr]).toEqual([0, '7\n', 'the service asks to wait 7 s before the next attempt\n']);
    expect((await waited('--quiet')).stderr).toBe('');
  });
});

it('says how a name is given where it was typed without its flag', async () => {
  const { run } = testMachine(scripted().transport);
  for (const command of ['stop', 'start', 'status']) {
    const { exit, stderr } = await run(['sandbox', command, 'my shop']);
    const named = stderr.includes(`give a name with --name: \`shopctl sandbox ${command} --name 'my shop'\``);
    expect([command, exit, named]).toEqual([command, 2, command !== 'status']);
  }
});

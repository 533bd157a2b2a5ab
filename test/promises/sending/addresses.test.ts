/* One service is one account, whichever of its addresses a write goes to. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Transport, TransportError, type WireResponse } from '../../../src/platform/http/transport.ts';
import { testMachine } from '../../support/context.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { quotedOrder } from '../../support/sandbox-order.ts';
import { errorAnswer, json } from '../../support/scripted-transport.ts';
import { errorOf } from '../../support/stderr-lines.ts';

const A = 'http://127.0.0.1:4010';

/** What answers at an address: whether it says which sandbox it is, what is refused, and whether answers are lost. */
interface Service {
  readonly service: TestSandbox;
  readonly isSilent?: boolean;
  readonly fails?: string;
  /** What it answers when it is asked which one it is. */
  readonly version?: WireResponse;
  isLost?: boolean;
}

/**
 * A machine without settings, and what answers at each of these addresses: a sandbox that says which one it is, or through
 * a gateway that does not.
 */
async function machineAt(services: Readonly<Record<string, Service>>) {
  const asked: string[] = [];
  const at = (url: string) => services[new URL(url).origin.replace(/localhost|\[::1\]/, '127.0.0.1')];
  const transport: Transport = async (request) => {
    const there = at(request.url);
    if (there === undefined) throw new Error(`nothing listens at ${request.url}`);
    if (there.fails !== undefined && request.url.endsWith(there.fails))
      throw new TransportError('refused', 'no', 'refused');
    asked.push(new URL(request.url).pathname.replace('/v1/', ''));
    if (there.isSilent === true && request.url.endsWith('/VersionInfo')) {
      return { status: 200, headers: {}, body: '{"service":"shop","version":"v1"}' };
    }
    if (there.version !== undefined && request.url.endsWith('/VersionInfo')) return there.version;
    const answer = await there.service.sandbox.handle(request);
    if (there.isLost === true) throw new TransportError('closed', 'maybe', 'the connection closed');
    return answer;
  };
  const machine = testMachine(transport);
  const [first] = Object.values(services);
  if (first === undefined) throw new Error('there is a service');
  const { shipping: _, ...order } = await quotedOrder(first.service);
  const file = (name: string, content: unknown) => {
    writeFileSync(join(machine.directory, name), JSON.stringify(content));
    return join(machine.directory, name);
  };
  const run = (words: readonly string[], address = Object.keys(services)[0] ?? '') => {
    const { apiKey } = at(address)?.service.shop ?? first.service.shop;
    const env = { SHOPCTL_BASE_URL: address, SHOPCTL_API_KEY: apiKey, SHOPCTL_AS: 'shop' };
    return machine.run([...words, '-o', 'json'], { env });
  };
  return {
    ...machine,
    asked,
    file,
    run,
    order,
    address: (...words: string[]) => run(['workspace', 'address', ...words, '--yes']),
    command: (address: string, content: object = order, ...more: string[]) =>
      run(['orders', 'create', '--input', file('order.json', content), '--yes', ...more], address),
    sheet: (address: string, ...rows: object[]) =>
      run(['batch', 'run', file('rows.json', rows), '--do', 'orders create', '--yes'], address),
  };
}

async function live({ post, shop }: TestSandbox): Promise<number> {
  const { body } = await post('shop.Order/ListOrders', {}, shop.apiKey);
  return body.orders.filter(({ status }: { status: string }) => status !== 'N').length;
}

describe('localhost, 127.0.0.1 and [::1] with one port', () => {
  it.each(['http://localhost:4010', 'http://[::1]:4010'])('a command at %s knows what was sent', async (other) => {
    const service = await openTestSandbox();
    for (const isSilent of [false, true]) {
      const { command, order } = await machineAt({ [A]: { service, isSilent } });
      const content = { ...order, order_note: `silent ${isSilent}` };
      expect((await command(A, content)).exit).toBe(0);
      expect((await command(other, content)).exit).toBe(5);
    }
    expect(await live(service)).toBe(2);
  });

  it('a sheet, its batch and its names are those of one account', async () => {
    const service = await openTestSandbox();
    const { sheet, run, order, command } = await machineAt({ [A]: { service } });
    const { exit, stdout } = await sheet('http://localhost:4010', order, { ...order, order_note: 'other' });
    expect(exit).toBe(0);
    expect((await sheet(A, { ...order, order_note: 'other' }, order)).exit).toBe(0);
    expect(await live(service)).toBe(2);
    expect((await command(A, order)).exit).toBe(5);
    const { batch } = JSON.parse(stdout);
    expect(JSON.parse((await run(['batch', 'list'])).stdout)).toHaveLength(1);
    expect((await run(['batch', 'undo', batch, '--yes'])).exit).toBe(0);
    expect(await live(service)).toBe(0);
    expect((await sheet(A, order)).exit).toBe(0);
    expect(await live(service)).toBe(0);
    expect(
      (await run(['batch', 'run', 'rows.json', '--do', 'orders create', '--resend-ended', 'undone', '--yes'])).exit,
    ).toBe(0);
    expect(await live(service)).toBe(1);
  });
});

describe('a sandbox is known by its instance', () => {
  const durable = () => {
    const data = mkdtempSync(join(tmpdir(), 'shopctl-instance-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    return data;
  };

  it('restarted at another port it is the same account', async () => {
    const data = durable();
    const first = await openTestSandbox({ data });
    const [one, two] = ['http://127.0.0.1:4010', 'http://127.0.0.1:4020'];
    const services: Record<string, { service: TestSandbox }> = { [one]: { service: first } };
    const { command, sheet, order } = await machineAt(services);
    expect((await command(one)).exit).toBe(0);
    await first.sandbox.close();
    const service = await openTestSandbox({ data });
    services[two] = { service };
    expect((await command(two)).exit).toBe(5);
    expect((await sheet(two, { ...order, total_items: undefined })).exit).toBe(9);
    expect(await live(service)).toBe(1);
  });

  it('is asked once for an address, before the first write', async () => {
    const service = await openTestSandbox();
    const { command, run, order, sheet, asked } = await machineAt({ [A]: { service } });
    const versions = () => asked.filter((name) => name.endsWith('/VersionInfo')).length;
    await run(['orders', 'list']);
    await run(['orders', 'create', '--input', '-', '--dry-run']);
    expect(versions()).toBe(0);
    expect((await command(A)).exit).toBe(0);
    expect(asked.findIndex((name) => name.endsWith('/VersionInfo'))).toBeLessThan(
      asked.findIndex((name) => name.endsWith('/CreateOrder')),
    );
    await command('http://localhost:4010', { ...order, order_note: 'second' });
    await sheet(A, { ...order, order_note: 'third' });
    expect([versions(), await live(service)]).toEqual([1, 3]);
  });

  it('nothing is sent where it cannot be asked', async () => {
    const service = await openTestSandbox();
    const { command } = await machineAt({ [A]: { service, fails: '/VersionInfo' } });
    const { exit, stderr } = await command(A, undefined, '--max-retries', '0');
    expect([exit, errorOf(stderr).outcome, await live(service)]).toEqual([7, 'not_applied', 0]);
  });

  it.each([
    ['refuses to be asked', errorAnswer(404, 'not_found')],
    ['answers with what nobody can read', { ...json(200, {}), body: '<html>' }],
    ['sends the call elsewhere', { ...json(302, {}), headers: { location: 'http://127.0.0.1:9/' } }],
  ])('is none where a service %s: it is written to', async (_, answer) => {
    const service = await openTestSandbox();
    const { command, asked } = await machineAt({ [A]: { service, version: answer } });
    const { exit, stderr } = await command(A);
    expect([exit, stderr, await live(service)]).toEqual([0, expect.not.stringContaining('VersionInfo'), 1]);
    expect(asked.filter((name) => name.endsWith('/VersionInfo'))).toHaveLength(1);
  });

  it('another one at its port is another account, as its profile says', async () => {
    const [first, second] = [await openTestSandbox(), await openTestSandbox()];
    const services = { [A]: { service: first } };
    const machine = await machineAt(services);
    const by = async (service: TestSandbox) => {
      services[A] = { service };
      const { apiKey: api_key } = service.shop;
      const sandbox_instance = service.sandbox.instance;
      const profile = { kind: 'shop', base_url: A, api_key, sandbox: 'sandbox', sandbox_instance } as const;
      const { ledgers = {} } = await machine.settings();
      await machine.save({ version: 1, current_profile: 'shop', profiles: { shop: profile }, ledgers });
      return (await machine.run(['orders', 'create', '--input', machine.file('order.json', machine.order), '--yes']))
        .exit;
    };
    expect([await by(first), await by(second), await by(second), await by(first)]).toEqual([0, 0, 5, 5]);
    expect([await live(first), await live(second)]).toEqual([1, 1]);
    expect(machine.asked.filter((name) => name.endsWith('/VersionInfo'))).toEqual([]);
    // Without a profile, the one that was there last is meant.
    expect((await machine.command(A)).exit).toBe(5);
  });
});

describe.each([
  ['on this machine', A, 'http://127.0.0.2:4010', 'http://127.0.0.3:4010'],
  ['elsewhere', 'https://one.example', 'https://two.example:8443', 'https://three.example'],
])('a second address of a known shop, %s', (where, A, B, C) => {
  /** The shop was written to at A; B leads to the same service, and says nothing of itself. */
  async function second() {
    const service = await openTestSandbox();
    const atB: Service = { service, isSilent: true };
    const machine = await machineAt({
      [A]: { service },
      [B]: atB,
      [C]: { service, isSilent: true },
    });
    expect((await machine.command(A)).exit).toBe(0);
    return { ...machine, service, atB, live: () => live(service) };
  }

  it('is refused to a command and to a sheet, before anything is sent, with both answers', async () => {
    const { command, sheet, order, live, asked } = await second();
    asked.length = 0;
    for (const refused of [await command(B), await sheet(B, order)]) {
      const error = errorOf(refused.stderr);
      expect([refused.exit, error.code, error.outcome]).toEqual([12, 'other_address', 'not_applied']);
      for (const address of [A, B]) expect(error.message).toContain(address);
      expect(error.hint).toContain(`shopctl workspace address same ${A} ${B}`);
      expect(error.hint).toContain(`shopctl workspace address separate ${A} ${B}`);
    }
    expect([await live(), asked.filter((name) => /Create|Confirm|Cancel/.test(name))]).toEqual([1, []]);
    expect((await command(A, { ...order, order_note: 'goes on' })).exit).toBe(0);
  });

  it('is the same account once it was said: equal orders, names, batches, undo and retries', async () => {
    const { command, sheet, order, live, address, run } = await second();
    expect((await address('same', A, B)).exit).toBe(0);
    expect([(await command(B)).exit, await live()]).toEqual([5, 1]);
    const named = { ...order, external_id: 'SO-1' };
    expect((await command(B, named)).exit).toBe(0);
    expect((await command(A, named)).exit).toBe(0);
    expect((await command(A, { ...named, order_note: 'else' })).exit).toBe(5);
    expect(await live()).toBe(2);
    const rows = [
      { ...order, order_note: 'row 1' },
      { ...order, order_note: 'row 2' },
    ];
    const { batch } = JSON.parse((await sheet(B, ...rows)).stdout);
    expect((await sheet(A, ...rows)).exit).toBe(0);
    expect(await live()).toBe(4);
    expect((await run(['batch', 'retry', batch, '--yes'], A)).exit).toBe(0);
    // A name that was derived at B, copied into a file.
    const [made] = JSON.parse((await run(['batch', 'rows', batch], B)).stdout);
    expect((await command(A, { ...order, order_note: 'copied', external_id: made.external_id })).exit).toBe(2);
    expect((await run(['batch', 'undo', batch, '--yes'], A)).exit).toBe(0);
    expect(await live()).toBe(2);
    expect((await sheet(A, ...rows)).exit).toBe(0);
    expect(await live()).toBe(2);
    const again = ['batch', 'run', 'rows.json', '--do', 'orders create', '--resend-ended', 'undone', '--yes'];
    expect((await run(again, A)).exit).toBe(0);
    expect(await live()).toBe(4);
  });

  it('has a ledger of its own once that was said', async () => {
    const { command, sheet, order, live, address } = await second();
    expect((await address('separate', A, B)).exit).toBe(0);
    expect([(await command(B)).exit, await live()]).toEqual([0, 2]);
    expect((await command(B)).exit).toBe(5);
    expect((await command(A)).exit).toBe(5);
    expect((await sheet(B, { ...order, order_note: 'row' })).exit).toBe(0);
    // A third address may be either of them.
    expect(errorOf((await command(C)).stderr).code).toBe('other_address');
    expect((await address('same', C, B)).exit).toBe(0);
    expect((await command(C)).exit).toBe(5);
  });

  it('joins what was sent to both of them before it was said', async () => {
    const { command, sheet, order, live, address, run } = await second();
    expect((await address('separate', A, B)).exit).toBe(0);
    const row = { ...order, order_note: 'row' };
    const { batch } = JSON.parse((await sheet(B, row)).stdout);
    expect((await command(B, { ...order, external_id: 'SO-B' })).exit).toBe(0);
    expect((await address('same', A, B)).exit).toBe(0);
    expect(await live()).toBe(3);
    expect((await command(A, { ...order, external_id: 'SO-B' })).exit).toBe(0);
    expect((await command(A, row)).exit).toBe(5);
    expect((await sheet(A, row)).exit).toBe(0);
    expect(await live()).toBe(3);
    expect((await run(['batch', 'undo', batch, '--yes'], A)).exit).toBe(0);
    expect(await live()).toBe(2);
  });

  it('settles what was lost at one of them before it was said', async () => {
    const { command, order, live, address, atB, run } = await second();
    expect((await address('separate', A, B)).exit).toBe(0);
    const lost = { ...order, order_note: 'lost' };
    atB.isLost = true;
    expect((await command(B, lost, '--max-retries', '0')).exit).toBe(10);
    atB.isLost = false;
    expect((await address('same', A, B)).exit).toBe(0);
    expect([(await command(A, lost)).exit, await live()]).toEqual([0, 2]);
    expect(JSON.parse((await run(['ledger', 'list'])).stdout)).toEqual([]);
    expect([(await command(B, lost)).exit, await live()]).toEqual([5, 2]);
  });

  it('keeps what was sent on both sides where what was one is separate after all', async () => {
    const { command, live, address } = await second();
    await address('same', A, B);
    expect((await address('separate', A, B)).exit).toBe(0);
    expect([(await command(A)).exit, (await command(B)).exit, await live()]).toEqual([5, 5, 1]);
  });

  it.each(['same', 'separate'])('is not answered by a dry run of %s', async (answer) => {
    const { command, address } = await second();
    expect((await address(answer, A, B, '--dry-run')).exit).toBe(0);
    expect(errorOf((await command(B)).stderr).code).toBe('other_address');
  });

  it('is refused to a dry run and a plan as well, which leave nothing', async () => {
    const { command, run, file, order } = await second();
    // Here it might be a sandbox, which is not asked in a dry run of a single command.
    expect((await command(B, order, '--dry-run')).exit).toBe(where === 'elsewhere' ? 12 : 0);
    expect((await run(['batch', 'plan', file('rows.json', [order]), '--do', 'orders create'], B)).exit).toBe(12);
  });

  it.each([
    ['no address', 'nowhere', B],
    ['one address twice', A, `${A}/path`],
  ])('takes %s for a mistake', async (_, one, other) => {
    const { address } = await second();
    expect((await address('same', one, other)).exit).toBe(2);
  });
});

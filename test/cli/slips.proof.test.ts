import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manyOrders } from '../batch/batch-world.ts';
import { openStage } from '../promises/stage.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';

const canRead = spawnSync('pdftotext', ['-v']).error === undefined;

const canScan = canRead && spawnSync('zbarimg', ['--version']).error === undefined;
const example = resolve('examples/order.json');

const pages = (path: string) =>
  readFileSync(path)
    .toString('latin1')
    .match(/\/Type \/Page\b/g)?.length ?? 0;

const textOf = (path: string) => execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' });

/** A machine that has shipped so many orders by a batch; their ids. */
async function shipped(count: number): Promise<{ world: ShopWorld; ids: string[]; batch: string; pdf: string }> {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(count));
  const { stdout } = await world.run(['batch', 'run', 'orders.csv', '--yes', '--json']);
  const { batch } = JSON.parse(stdout);
  const rows = await world.run(['batch', 'rows', batch, '-o', 'jsonl']);
  const ids = rows.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  return { world, ids, batch, pdf: join(world.directory, 'slips.pdf') };
}

const cancel = (world: ShopWorld, id: string | undefined) =>
  world.service.post('shop.Order/CancelOrder', { id, cancel_reason: 'test' }, world.service.shop.apiKey);

describe('slips', () => {
  it.each([['by id'], ['by external id'], ['by code']])('are made of orders that are named %s', async (how) => {
    const { world, ids, batch, pdf } = await shipped(2);
    const rows = await world.run(['batch', 'rows', batch, '-o', 'jsonl']);
    const codes = rows.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).code);
    const names = how === 'by id' ? ids : how === 'by code' ? codes : ['SO-1', 'SO-2'];
    const { exit, stdout, stderr } = await world.run(['slips', ...names, '--to', 'slips.pdf', '--json']);
    expect([exit, stderr]).toEqual([0, expect.any(String)]);
    expect(JSON.parse(stdout)).toEqual({ file: 'slips.pdf', slips: 2, printed_before: 0, left_out: [] });
    expect(pages(pdf)).toBe(2);
    expect(statSync(pdf).mode & 0o777).toBe(0o600);
    const again = await world.run(['slips', ...names, '--to', 'slips.pdf', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ slips: 2, printed_before: 2 });
  });

  it('are remembered once they are written, by account, and not before', async () => {
    const { world, ids, batch, pdf } = await shipped(3);
    const unprinted = ['slips', '--batch', batch, '--unprinted', '--to', 'slips.pdf', '--json'];
    mkdirSync(pdf);
    expect((await world.run(unprinted)).exit).not.toBe(0);
    rmdirSync(pdf);
    expect(JSON.parse((await world.run([...unprinted, '--pick-list'])).stdout).slips).toBe(3);
    expect(JSON.parse((await world.run(unprinted)).stdout).slips).toBe(3);
    const again = await world.run(unprinted);
    expect(JSON.parse(again.stdout)).toEqual({ file: null, slips: 0, printed_before: 3, left_out: [] });
    expect(again.exit).toBe(0);
    const other = await world.run([
      'slips',
      String(ids[0]),
      '--profile',
      'shop',
      '--unprinted',
      '--to',
      'own.pdf',
      '--json',
    ]);
    expect(JSON.parse(other.stdout).slips).toBe(1);
  });

  it('are not made of orders that are cancelled or not there, which is told', async () => {
    const { world, ids, pdf } = await shipped(3);
    await cancel(world, ids[1]);
    const { exit, stdout } = await world.run(['slips', ...ids, 'SO-9', '--to', 'slips.pdf', '--json']);
    expect(exit).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({
      slips: 2,
      left_out: [
        { order: ids[1], reason: 'it is cancelled' },
        { order: 'SO-9', reason: 'no such order' },
      ],
    });
    expect(pages(pdf)).toBe(2);
  });

  it('of a batch or a day pass cancelled orders over, by their codes, and count what was printed', async () => {
    const { world, ids, batch } = await shipped(3);
    const words = ['slips', '--batch', batch, '--to', 'slips.pdf', '--json'];
    expect(JSON.parse((await world.run(words)).stdout)).toMatchObject({ slips: 3, printed_before: 0 });
    await cancel(world, ids[1]);
    const again = await world.run(words);
    expect(again.exit).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      slips: 2,
      printed_before: 3,
      left_out: [{ order: expect.stringMatching(/^DH\d{6}$/), reason: 'it is cancelled' }],
    });
  });

  it('of a batch or a day leave out what was picked up, in one line, and print it where it is named itself', async () => {
    const { world, ids, batch, pdf } = await shipped(4);
    const { service } = world;
    for (const id of ids.slice(0, 2)) {
      const { body } = await service.post('shop.Order/GetOrder', { id }, service.shop.apiKey);
      const [{ id: parcel }] = body.fulfillments;
      await service.sandbox.control.advance(parcel, { to: 'holding' });
    }
    for (const words of [['--batch', batch], ['--today'], ['--batch', batch, '--pick-list']]) {
      const { exit, stdout, stderr } = await world.run(['slips', ...words, '--to', 'slips.pdf', '--json']);
      const code = expect.stringMatching(/^DH\d{6}$/);
      const reason = 'its parcel was picked up already';
      expect([exit, JSON.parse(stdout)]).toMatchObject([
        0,
        {
          slips: 2,
          left_out: [
            { order: code, reason },
            { order: code, reason },
          ],
        },
      ]);
      expect(stderr.split('\n').filter((line) => line.includes('picked up'))).toEqual([
        expect.stringContaining('2 orders are left out: their parcels were picked up already; an order that is named'),
      ]);
    }
    const named = await world.run(['slips', ...ids, '--to', 'slips.pdf', '--json']);
    expect([JSON.parse(named.stdout), pages(pdf)]).toMatchObject([{ slips: 4, left_out: [] }, 4]);
  });

  it('of today are those that a partner’s machine has shipped, and all that a shop has', async () => {
    const { world, pdf } = await shipped(2);
    const partner = await world.run(['slips', '--today', '--to', 'slips.pdf', '--json']);
    expect(JSON.parse(partner.stdout).slips).toBe(2);
    const own = await world.run(['slips', '--today', '--profile', 'shop', '--to', 'slips.pdf', '--json']);
    expect(JSON.parse(own.stdout).slips).toBe(2);
    expect(pages(pdf)).toBe(2);
    const clock = standingClock();
    clock.advance(36 * 3_600_000);
    for (const profile of ['test', 'shop']) {
      const words = ['slips', '--today', '--profile', profile, '--to', 'slips.pdf', '--json'];
      expect(JSON.parse((await world.run(words, { clock })).stdout)).toMatchObject({ file: null, slips: 0 });
    }
  });

  it('of today are those of single orders too, which a partner’s machine knows by its drafts', async () => {
    const { world, pdf } = await shipped(1);
    const sent = await world.run(['ship', '--input', example, '--pick', 'cheapest', '--yes', '--json']);
    expect([sent.exit, sent.exit === 0 || sent.stderr]).toEqual([0, true]);
    const today = await world.run(['slips', '--today', '--to', 'slips.pdf', '--json']);
    expect(JSON.parse(today.stdout)).toMatchObject({ slips: 2, left_out: [] });
    expect(pages(pdf)).toBe(2);
    if (canRead) expect(textOf(pdf)).toContain('WEB-2026-000117');
    const { service } = world;
    const { body } = await service.post('shop.Order/ListOrders', {}, service.shop.apiKey);
    const own = body.orders.find(({ external_id }: { external_id: string }) => external_id === 'WEB-2026-000117');
    await cancel(world, own.id);
    const after = await world.run(['slips', '--today', '--to', 'slips.pdf', '--json']);
    expect(JSON.parse(after.stdout).slips).toBe(1);
  });

  it('of an order without a shipment say what is packed and to whom, and have no code to scan', async () => {
    const world = await shopWorld();
    const draft = JSON.parse(readFileSync(example, 'utf8'));
    const file = join(world.directory, 'order.json');
    writeFileSync(file, JSON.stringify({ ...draft, external_id: 'PLAIN-1' }));
    const words = ['batch', 'run', file, '--do', 'orders create', '--yes', '--profile', 'shop', '--json'];
    const made = await world.run(words);
    expect([made.exit, made.exit === 0 || made.stderr]).toEqual([0, true]);
    const slips = ['slips', 'PLAIN-1', '--to', 'slips.pdf', '--profile', 'shop', '--json'];
    const { exit, stdout } = await world.run(slips);
    expect([exit, JSON.parse(stdout).slips]).toEqual([0, 1]);
    const pdf = join(world.directory, 'slips.pdf');
    if (canRead) {
      const text = textOf(pdf).normalize('NFC');
      for (const { product_name } of draft.lines) expect(text).toContain(product_name);
      expect(text).toContain(draft.shipping_address.full_name);
    }
    if (!canScan) return;
    execFileSync('pdftoppm', ['-png', '-r', '200', pdf, join(world.directory, 'page')]);
    const scanned = readdirSync(world.directory)
      .filter((name) => name.endsWith('.png'))
      .map((name) => spawnSync('zbarimg', ['-q', '--raw', join(world.directory, name)], { encoding: 'utf8' }).stdout);
    expect(scanned).toEqual(['']);
  });

  it.runIf(canRead)('tell what to fetch for all orders', async () => {
    const { world, batch, pdf } = await shipped(3);
    await world.run(['slips', '--batch', batch, '--pick-list', '--to', 'slips.pdf']);
    const text = textOf(pdf).normalize('NFC');
    expect(text).toContain('6 sản phẩm, 3 đơn');
    for (const number of [1, 2, 3]) expect(text).toMatch(new RegExp(`2 ×\\s+Áo ${number}\\s+1 đơn`));
  });

  it('are not printed where there is no lp: they do not count as printed, and a file is offered instead', async () => {
    const { world, pdf } = await shipped(1);
    const env = { PATH: join(world.directory, 'nothing here') };
    const { exit, stderr } = await world.run(['slips', 'SO-1', '--print'], { env });
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/there is no program lp: .*\nhint: .*--to FILE/)]);
    const offered = await world.run(['slips', 'SO-1', '--to', 'slips.pdf', '--json']);
    expect([JSON.parse(offered.stdout).printed_before, pages(pdf)]).toEqual([0, 1]);
  });

  it('have to be said of which orders, and where they go', async () => {
    const { world } = await shipped(1);
    const unsaid = await world.run(['slips', '--to', 'slips.pdf']);
    expect([unsaid.exit, unsaid.stderr]).toEqual([2, expect.stringContaining('give --today, or --batch')]);
    const nowhere = await world.run(['slips', 'SO-1']);
    expect([nowhere.exit, nowhere.stderr]).toEqual([2, expect.stringContaining('--to FILE, or --print')]);
  });
});

describe('the installed program', () => {
  let program: BuiltProgram;
  beforeAll(async () => {
    program = await buildProgram();
  });
  afterAll(() => program.remove());

  it('finds its fonts, and hands a file to lp without a shell between', async () => {
    const stage = await openStage(program);
    const machine = await stage.machine();
    const orders = join(machine.directory, 'orders.csv');
    writeFileSync(orders, manyOrders(2));
    const batch = await machine.run(['batch', 'run', orders, '--yes']);
    expect([batch.code, batch.stderr]).toEqual([0, expect.any(String)]);
    const bin = join(machine.directory, 'bin');
    mkdirSync(bin);
    const heard = join(machine.directory, 'heard');
    writeFileSync(
      join(bin, 'lp'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > '${heard}'\nfor last; do :; done\ncp "$last" '${heard}.pdf'\necho request id is 1\nexit "\${LP_EXIT:-0}"\n`,
    );
    chmodSync(join(bin, 'lp'), 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const printer = 'Kho 1; touch owned $(id)';
    const words = ['slips', 'SO-1', 'SO-2', '--unprinted', '--print', printer, '--size', '80mm', '--json'];
    const refused = await machine.run(words, { env: { ...env, LP_EXIT: '1' } });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('do not count as printed')]);
    const ran = await machine.run(words, { env });
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([0, { file: null, slips: 2, printed_before: 0, left_out: [] }]);
    expect(ran.stderr).toContain('request id is 1');
    const [flag, name, file = ''] = readFileSync(heard, 'utf8').trim().split('\n');
    expect([flag, name]).toEqual(['-d', printer]);
    expect(existsSync(file)).toBe(false);
    expect(pages(`${heard}.pdf`)).toBe(2);
    if (canRead) expect(textOf(`${heard}.pdf`).normalize('NFC')).toMatch(/Khách 1[\s\S]*Khách 2/);
    expect(JSON.parse((await machine.run(words, { env })).stdout)).toMatchObject({ slips: 0, printed_before: 2 });
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manyOrders } from '../batch/batch-world.ts';
import { pseudoLanguage } from '../support/pseudo.ts';
import { shopWorld } from '../support/shop-world.ts';

/** A machine that has shipped three orders: the first has a name that no font prints in part, the third is cancelled. */
async function shipped() {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(3).replace('Khách 1', 'Khách 漢'));
  await world.run(['batch', 'run', 'orders.csv', '--pick', 'cheapest', '--yes']);
  const { order } = JSON.parse((await world.run(['orders', 'get', 'SO-3', '--json'])).stdout);
  await world.service.post('shop.Order/CancelOrder', { id: order.id, cancel_reason: 'x' }, world.service.shop.apiKey);
  return world;
}

const known =
  /^(?:shopctl|error|file|slips|printed_before|left_out|order|reason|pdf|txt|xlsx|SO|DH|nowhere|orders|csv)$/;

it('says everything of slips in a catalogue', async () => {
  const world = await shipped();
  const screens = [
    ['SO-1', 'SO-2', 'SO-3', 'nowhere', '--to', 'slips.pdf'],
    ['--today', '--unprinted', '--to', 'slips.pdf'],
    ['--batch', '--to', 'slips.pdf'],
    ['SO-1', '--to', 'slips.xlsx'],
    ['SO-1'],
    ['--to', 'slips.pdf'],
    ['SO-1', '--today', '--to', 'slips.pdf'],
  ];
  const left: unknown[] = [];
  for (const words of screens) {
    const { stdout, stderr } = await world.run(['slips', ...words], { spoken: pseudoLanguage });
    const own = stderr.split('\n').filter((line) => !/^(?:hint|⟦Usage):? /.test(line));
    const text = [stdout, ...own].join('\n').replaceAll(/⟦[^⟦⟧]*⟧|`[^`]*`|\d{8}-\w{5}/g, ' ');
    const found = (text.match(/[\p{Script=Latin}_]{2,}/gu) ?? []).filter((word) => !known.test(word));
    if (found.length > 0) left.push([words, found]);
  }
  expect(left).toEqual([]);
});

it.each([[['--batch']], [['--batch', 'last']], [['--batch', 'latest']]])(
  'prints with %j the slips of the latest batch that made orders, and says which it is',
  async (words) => {
    const world = await shipped();
    writeFileSync(join(world.directory, 'more.csv'), manyOrders(5).split('\n').toSpliced(1, 3).join('\n'));
    await world.run(['batch', 'run', 'more.csv', '--pick', 'cheapest', '--yes']);
    writeFileSync(join(world.directory, 'khach.csv'), 'full_name,phone\nLan,0901234561\n');
    await world.run(['batch', 'run', 'khach.csv', '--do', 'customers create', '--yes']);
    const { exit, stdout, stderr } = await world.run(['slips', ...words, '--to', 'slips.pdf', '--json']);
    expect([exit, exit === 0 || stderr]).toEqual([0, true]);
    expect(JSON.parse(stdout)).toMatchObject({ slips: 2, left_out: [] });
    expect(stderr).toMatch(/the latest batch is \S+, of more\.csv/);
  },
);

it('says in Vietnamese what has no slip, and what a slip lacks', async () => {
  const world = await shipped();
  const words = ['slips', 'SO-1', 'SO-2', 'SO-3', 'nowhere', '--to', 'slips.pdf'];
  const { exit, stderr } = await world.run(words, { env: { SHOPCTL_LANG: 'vi' } });
  expect([exit, stderr.replaceAll(/DH\d+/g, 'DH')]).toEqual([
    9,
    `đơn SO-3 không có phiếu: đơn đã hủy
đơn nowhere không có phiếu: không có đơn này
đơn DH: in ▢ thay cho 漢 (U+6F22) ở phần người nhận: viết tay lên phiếu
`,
  ]);
  const json = [...words, '-o', 'json'];
  const [english, vietnamese] = [await world.run(json), await world.run(json, { env: { SHOPCTL_LANG: 'vi' } })];
  expect(vietnamese).toMatchObject({ exit: 9, stdout: english.stdout, stderr: english.stderr });
});

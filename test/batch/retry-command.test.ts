import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Between, shopWorld } from '../support/shop-world.ts';
import { noticeText } from '../support/stderr-lines.ts';
import { manyOrders } from './batch-world.ts';

const header = 'Số,Ai,Máy,Ở đâu,T,Q,P,Hàng,SL,Tiền,Nặng';
const line = (number: number, phone: string) =>
  `S-${number},Lan ${number},${phone},12 ngõ 5,Hà Nội,Cầu Giấy,Dịch Vọng,Áo thun,1,${number}50000,500`;
const mapping = `columns:
  Số: external_id
  Ai: shipping_address.full_name
  Máy: shipping_address.phone
  Ở đâu: shipping_address.address1
  T: shipping_address.province
  Q: shipping_address.district
  P: shipping_address.ward
  Hàng: lines.product_name
  SL: lines.quantity
  Tiền: lines.retail_price
  Nặng: shipping.gross_weight
`;
const constants = `constants:
  shipping.try_on: none
  shipping.pickup_address.full_name: Kho
  shipping.pickup_address.phone: '0905123456'
  shipping.pickup_address.province: Đà Nẵng
  shipping.pickup_address.district: Liên Chiểu
  shipping.pickup_address.ward: Hòa Khánh Nam
  shipping.pickup_address.address1: Lô 7
`;

async function worldWith(files: Readonly<Record<string, string>>, between?: Between) {
  const world = await shopWorld(between);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(world.directory, name), text);
  const run = async (...words: string[]) => {
    const { exit, stdout, stderr } = await world.run([...words, '--json']);
    return { exit, stderr, summary: JSON.parse(stdout === '' ? '{}' : stdout) };
  };
  return { run };
}

it('reads the corrected file with the mapping of the batch, which nobody saved', async () => {
  const bad = [header, line(1, '0901234561'), line(2, '09'), ''].join('\n');
  const corrected = bad.replace(',09,', ',0901234562,');
  const { run } = await worldWith({ 'bad.csv': bad, 'corrected.csv': corrected, 'mine.yaml': mapping + constants });
  const first = await run('batch', 'run', 'bad.csv', '--map', 'mine.yaml', '--skip-bad', '--yes');
  expect([first.exit, first.summary.counts]).toMatchObject([9, { done: 1, skipped: 1 }]);
  const retried = await run('batch', 'retry', first.summary.batch, 'corrected.csv', '--yes');
  expect([retried.exit, retried.stderr, retried.summary.counts]).toMatchObject([0, expect.any(String), { done: 2 }]);
  // The result of a batch is such a file, too.
  await run('batch', 'result', first.summary.batch, '--to', 'result.csv');
  const again = await run('batch', 'retry', first.summary.batch, 'result.csv', '--yes');
  expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('no row has failed')]);
});

it('adds the constants of the batch to columns that need no mapping', async () => {
  const own = mapping.match(/(?<=: )\S+/g)?.join(',') ?? '';
  const bad = [own, line(1, '0901234561'), line(2, '09'), ''].join('\n');
  const { run } = await worldWith({
    'bad.csv': bad,
    'corrected.csv': bad.replace(',09,', ',0901234562,'),
    c: constants,
  });
  const first = await run('batch', 'run', 'bad.csv', '--map', './c', '--skip-bad', '--yes');
  expect(first.summary.counts).toMatchObject({ done: 1, skipped: 1 });
  const retried = await run('batch', 'retry', first.summary.batch, 'corrected.csv', '--yes');
  expect([retried.exit, retried.summary.counts]).toMatchObject([0, { done: 2 }]);
});

it('raises the limits that refused rows, and keeps them', async () => {
  const { run } = await worldWith({ 'orders.csv': manyOrders(3) });
  const first = await run('batch', 'run', 'orders.csv', '--max-fee', '1000', '--skip-bad', '--yes');
  expect([first.exit, first.summary.counts]).toMatchObject([9, { done: 0, skipped: 3 }]);
  const { batch } = first.summary;
  expect(first.stderr).toContain(`shopctl batch retry ${batch} --max-fee AMOUNT`);
  expect(first.stderr).not.toContain('fixed in the file');
  const same = await run('batch', 'retry', batch, '--yes');
  expect(same.summary.counts).toMatchObject({ done: 0, failed: 3 });
  const higher = await run('batch', 'retry', batch, '--max-fee', '1000000', '--max-total', '60000', '--yes');
  expect([higher.exit, higher.summary.counts.left]).toEqual([9, 0]);
  const { done } = higher.summary.counts;
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(3);
  const lower = await run('batch', 'retry', batch, '--max-total', '1', '--yes');
  expect([lower.exit, lower.stderr]).toEqual([2, expect.stringContaining('has spent')]);
  // What is spent is no more than itself: the limit is kept, and leaves no room.
  const [, spent = ''] = /has spent ([\d,]+) already/.exec(lower.stderr) ?? [];
  const exact = await run('batch', 'retry', batch, '--max-total', spent.replaceAll(',', ''), '--yes');
  expect([exact.exit, exact.summary.counts]).toMatchObject([9, { done, failed: 3 - done }]);
  const all = await run('batch', 'retry', batch, '--max-total', '1000000', '--yes');
  expect([all.exit, all.summary.counts]).toMatchObject([0, { done: 3, failed: 0 }]);
  const nothing = await run('batch', 'retry', batch, '--yes');
  expect([nothing.exit, nothing.stderr]).toEqual([0, expect.stringContaining('no row has failed')]);
});

it('says that cells are still invalid where nothing else has failed', async () => {
  const bad = manyOrders(2).replace('0910000002', '09');
  const { run } = await worldWith({ 'bad.csv': bad });
  const first = await run('batch', 'run', 'bad.csv', '--skip-bad', '--yes');
  const retried = await run('batch', 'retry', first.summary.batch, '--yes');
  expect(retried.stderr).toContain('1 row has invalid cells; fix them in the file, and add it');
});

it('names the column of the sheet that the service refused', async () => {
  const files = { 'orders.csv': [header, line(1, '0901234561'), ''].join('\n'), 'mine.yaml': mapping + constants };
  const msg = 'shipping_address.ward is not served';
  const { run } = await worldWith(files, (transport) => async (request) => {
    if (!request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
    return { status: 400, headers: {}, body: JSON.stringify({ code: 'invalid_argument', msg }) };
  });
  const first = await run('batch', 'run', 'orders.csv', '--map', 'mine.yaml', '--yes');
  expect([first.exit, noticeText(first)]).toEqual([9, expect.stringContaining(`1 row (line 2): ${msg} (column "P")`)]);
  const rows = await run('batch', 'rows');
  expect(rows.summary).toMatchObject([{ error: { message: `${msg} (column "P")` } }]);
});

it('asks before orders are sent again, with what they collect and cost, and leaves all as it was for a no', async () => {
  let isRefused = true;
  const world = await shopWorld((transport) => async (request) => {
    if (!isRefused || !request.url.endsWith('/CreateAndConfirmOrder')) return transport(request);
    return { status: 412, headers: {}, body: JSON.stringify({ code: 'failed_precondition', msg: 'no credit' }) };
  });
  writeFileSync(join(world.directory, 'orders.csv'), manyOrders(2));
  const first = await world.run(['batch', 'run', 'orders.csv', '--pick', 'cheapest', '--yes', '--json']);
  const { batch } = JSON.parse(first.stdout);
  isRefused = false;
  const retry = ['batch', 'retry', batch];
  const script = await world.run(retry);
  expect([script.exit, script.stderr]).toEqual([2, expect.stringContaining('add --yes')]);
  const terminal = { terminal: true, env: { TERM: 'xterm' } };
  const no = await world.run(retry, { ...terminal, answers: [false] });
  expect(no.prompter.asked.join()).toMatch(/Send 2 rows of batch \S+ again: collect [\d,]+, pay [\d,]+ for delivery\?/);
  const counts = async () => JSON.parse((await world.run(['batch', 'show', batch, '--json'])).stdout).counts;
  expect(await counts()).toMatchObject({ done: 0, failed: 2 });
  const yes = await world.run(retry, { ...terminal, answers: [true] });
  expect([yes.exit, yes.exit === 0 || yes.stderr]).toEqual([0, true]);
  expect(await counts()).toMatchObject({ done: 2, failed: 0 });
});

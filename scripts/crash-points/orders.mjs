import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, run } from './machine.mjs';

const place = {
  address1: '12 Hai Bà Trưng',
  province: 'Hà Nội',
  district: 'Quận Hoàn Kiếm',
  ward: 'Phường Tràng Tiền',
};

/** An order that is told from others by its phone. */
const order = (phone) => ({
  customer_address: { full_name: 'Khách', phone, ...place },
  shipping_address: { full_name: 'Khách', phone, ...place },
  lines: [{ product_name: 'Hàng', quantity: 1, list_price: 90_000, retail_price: 90_000, payment_price: 90_000 }],
  shipping: {
    pickup_address: { full_name: 'Kho', phone: '0900000000', ...place },
    ...{ gross_weight: 500, length: 10, width: 10, height: 10, cod_amount: 90_000, try_on: 'open' },
  },
});

const newPhones = (many) => Array.from({ length: many }, (_, index) => `09${String(10_000_000 + index)}`);

/** The ids of the live orders of each phone, as the service has them. */
async function liveOrders({ call }, phones) {
  const live = new Map(phones.map((phone) => [phone, []]));
  for (let after = '.'; ; ) {
    const { orders, paging } = await call('shop.Order/ListOrders', { paging: { after, limit: 100 } });
    for (const { id, status, shipping_address } of orders) {
      if (status !== 'N') live.get(shipping_address.phone)?.push(id);
    }
    if (orders.length === 0 || !paging.next) return live;
    after = paging.next;
  }
}

/** The value that a run printed; undefined if it was killed before it had printed all of it. */
export const jsonIn = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The id of the order that a run printed; on a line of stderr where stdout could not be written. */
const orderIn = ({ stdout, stderr }) =>
  (jsonIn(stdout) ?? jsonIn(stderr.split('\n').find((line) => line.startsWith('{"order"')) ?? ''))?.order?.id;

/** What a run said of its outcome, if it ended with an error: `applied`, `not_applied` or `unknown`. */
export function outcomeIn(stderr) {
  const line = stderr.split('\n').findLast((text) => text.startsWith('{"error"'));
  return line === undefined ? undefined : jsonIn(line)?.error.outcome;
}

/** Internal errors and stack traces are no answers, whatever the disk did; that the output is full is one. */
export function unexplained(name, { exit, stderr }) {
  const isTold = /^shopctl: error: the output could not be written: .+\n$/.test(stderr);
  const isOdd = (exit === 1 && !isTold) || stderr.includes('"internal"');
  return isOdd ? [`${name} ended with ${exit}: ${stderr.slice(-400)}`] : [];
}

const ship = (home) => ['ship', '--input', join(home, 'order.json'), '--pick', 'cheapest', '--yes', '-o', 'json'];
const [phone] = newPhones(1);

/** The first order on a machine where nothing was ever sent. */
export const single = {
  prepare: ({ home }) => writeFileSync(join(home, 'order.json'), JSON.stringify(order(phone))),
  words: ({ home }) => ship(home),
  async judge(world, first) {
    const told = orderIn(first);
    const before = (await liveOrders(world.service, [phone])).get(phone);
    const again = await run(world.home, ship(world.home), world);
    const printed = jsonIn(again.stdout)?.order?.id;
    const live = (await liveOrders(world.service, [phone])).get(phone);
    const outcome = outcomeIn(first.stderr);
    const wrong = [...unexplained('the command', first), ...unexplained('the second one', again)];
    if (live.length !== 1) wrong.push(`${live.length} orders are live`);
    if (told !== undefined && before[0] !== told) wrong.push(`printed ${told}, and ${before} was live`);
    if (first.exit === 0 && told === undefined) wrong.push('succeeded, and printed no order');
    if (outcome === 'not_applied' && before.length > 0) wrong.push('not applied, it said, and the order was live');
    if (outcome === 'applied' && before.length === 0) wrong.push('applied, it said, and no order was live');
    if (printed !== undefined && printed !== live[0]) wrong.push(`the second one printed ${printed}`);
    // An order that was reported is not sent again, and that is all that a second run may refuse.
    const isOver = again.exit === 0 ? printed !== undefined : again.exit === 5 && told !== undefined;
    if (!isOver) wrong.push(`the second one ended with ${again.exit}: ${again.stderr.slice(-400)}`);
    return { wrong, again: again.exit };
  },
};

const rowsOf = (home, phones) => {
  const path = join(home, 'rows.json');
  writeFileSync(path, JSON.stringify(phones.map(order)));
  return path;
};
const batchRun = (home) => ['batch', 'run', join(home, 'rows.json'), '--do', 'ship', '--yes', '-o', 'json'];

/** Sends one order before, so that the machine has a ledger. */
export async function used({ home, ...world }) {
  writeFileSync(join(home, 'order.json'), JSON.stringify(order('0987654321')));
  await ask(home, ship(home).slice(0, -2), world);
}

const batchPhones = newPhones(20);

/** Twenty rows of a sheet. */
export const batch = {
  async prepare(world) {
    await used(world);
    rowsOf(world.home, batchPhones);
  },
  words: ({ home }) => batchRun(home),
  async judge(world, first, when) {
    const { home } = world;
    const before = await liveOrders(world.service, batchPhones);
    const stored = await ask(home, ['batch', 'list'], world);
    // What people type after a crash: the same once more, or what the message says.
    const resumes = stored.length > 0 && when % 2 === 0;
    const words = resumes ? ['batch', 'resume', stored[0].batch, '--yes', '-o', 'json'] : batchRun(home);
    const again = await run(home, words, world);
    const live = await liveOrders(world.service, batchPhones);
    const wrong = [...unexplained('the batch', first), ...unexplained('the second one', again)];
    for (const [of, ids] of live) if (ids.length !== 1) wrong.push(`${ids.length} orders of ${of} are live`);
    const done = jsonIn(first.stdout)?.counts?.done ?? 0;
    const were = [...before.values()].filter((ids) => ids.length > 0).length;
    if (were < done) wrong.push(`it said ${done} done, and ${were} were live`);
    if (again.exit !== 0) wrong.push(`the second one ended with ${again.exit}: ${again.stderr.slice(-400)}`);
    const [{ batch: name } = {}] = await ask(home, ['batch', 'list'], world);
    const rows = name === undefined ? [] : await ask(home, ['batch', 'rows', name], world);
    for (const { state, id, sheet } of rows) {
      const [known] = live.get(sheet.shipping_address.phone);
      if (!['done', 'existed'].includes(state) || id !== known) wrong.push(`a row is ${state} as ${id}, not ${known}`);
    }
    if (rows.length !== batchPhones.length) wrong.push(`the batch has ${rows.length} rows`);
    return { wrong, again: again.exit };
  },
};

const undonePhones = newPhones(5);

/** Five rows of a batch, undone. */
export const undo = {
  async prepare(world) {
    await used(world);
    rowsOf(world.home, undonePhones);
    const { batch: name } = await ask(world.home, batchRun(world.home).slice(0, -2), world);
    return { batch: name };
  },
  words: (_, { batch: name }) => ['batch', 'undo', name, '--yes', '-o', 'json'],
  async judge(world, first, _, { batch: name }) {
    const before = await liveOrders(world.service, undonePhones);
    const again = await run(world.home, ['batch', 'undo', name, '--yes', '-o', 'json'], world);
    const live = await liveOrders(world.service, undonePhones);
    const wrong = [...unexplained('the undo', first), ...unexplained('the second one', again)];
    for (const [of, ids] of live) if (ids.length > 0) wrong.push(`the order of ${of} is still live`);
    const done = jsonIn(first.stdout)?.counts?.done ?? 0;
    const were = [...before.values()].filter((ids) => ids.length === 0).length;
    if (were < done) wrong.push(`it said ${done} undone, and ${were} were`);
    // What was undone wholly has nothing to undo.
    const isOver = again.exit === 0 || (again.exit === 2 && again.stderr.includes('nothing that still exists'));
    if (!isOver) wrong.push(`the second one ended with ${again.exit}: ${again.stderr.slice(-400)}`);
    const rows = await ask(world.home, ['batch', 'rows', name], world);
    const states = rows.map(({ state }) => state).filter((state) => state !== 'undone');
    if (states.length > 0) wrong.push(`rows are ${states}`);
    return { wrong, again: again.exit };
  },
};

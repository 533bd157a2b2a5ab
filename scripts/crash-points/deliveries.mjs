import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, run } from './machine.mjs';
import { jsonIn, outcomeIn, unexplained, used } from './orders.mjs';

const person = { full_name: 'Trần Thị Mai', phone: '0912345678' };
const delivery = {
  pickup_address: {
    ...person,
    ...{ province: 'Hà Nội', district: 'Cầu Giấy', ward: 'Dịch Vọng', address: '12 ngõ 5' },
    coordinates: { latitude: 21.0363, longitude: 105.7906 },
  },
  delivery_points: [
    {
      shipping_address: {
        ...person,
        ...{ province: 'Hà Nội', district: 'Quận Ba Đình', address: '1 Kim Mã' },
        coordinates: { latitude: 21.0313, longitude: 105.8121 },
      },
      ...{ gross_weight: 800, cod_amount: 150_000, basket_value: 150_000 },
    },
  ],
  shipping_note: 'crash points',
};

const create = (home) => ['shipnow', 'create', '--input', join(home, 'delivery.json'), '--yes', '-o', 'json'];

const operation = 'shop.Shipnow/CreateShipnowFulfillment';

/** The ids of the deliveries that were made since: nothing lists them, and nothing here cancels one. */
async function deliveriesSince({ control }, since) {
  const { entries } = await control('log', { operation, status: '200', since, limit: 100 });
  return entries.map(({ response }) => response.id);
}

/** Does as the message of exit 10 says: looks at the service, records what is there, and runs the command once more. */
async function settle(world, since) {
  const [write] = await ask(world.home, ['ledger', 'list'], world);
  const isDone = (await deliveriesSince(world.service, since)).length > 0;
  await ask(world.home, ['ledger', 'settle', write.id, isDone ? '--done' : '--not-done', '--yes'], world);
  return isDone ? undefined : run(world.home, create(world.home), world);
}

/** A driver is called: the service keeps no name of it unique, so that the ledger alone guards it. */
export const shipnow = {
  async prepare(world) {
    await used(world);
    const { services } = await world.service.call('shop.Shipnow/GetShipnowServices', delivery);
    const [{ code, fee }] = services;
    const request = { ...delivery, shipping_service_code: code, shipping_service_fee: fee };
    writeFileSync(join(world.home, 'delivery.json'), JSON.stringify(request));
    return {};
  },
  words: ({ home }) => create(home),
  async drive(world, data, { under }) {
    data.since = (await world.service.control('log', { limit: 1 })).next;
    return run(world.home, create(world.home), { ...world, under });
  },
  async judge(world, first, _, { since }) {
    const told = jsonIn(first.stdout)?.id;
    const outcome = outcomeIn(first.stderr);
    const before = await deliveriesSince(world.service, since);
    const again = await run(world.home, create(world.home), world);
    const wrong = [...unexplained('the command', first), ...unexplained('the second one', again)];
    const settled = again.exit === 10 ? await settle(world, since) : undefined;
    if (settled !== undefined && settled.exit !== 0) wrong.push(`once settled, it ended with ${settled.exit}`);
    const live = await deliveriesSince(world.service, since);
    // Once the first was printed, an equal one is another order of theirs.
    const most = told === undefined ? 1 : 2;
    if (live.length < 1 || live.length > most) wrong.push(`${live.length} deliveries are live`);
    const printed = [first, again, settled]
      .map((ran) => jsonIn(ran?.stdout ?? '')?.id)
      .filter((id) => id !== undefined);
    if (most === 2 && live.some((id) => !printed.includes(id))) wrong.push(`printed ${printed}, and ${live} are live`);
    if (printed.some((id) => !live.includes(id))) wrong.push(`printed ${printed}, and ${live} are live`);
    if (told !== undefined && !before.includes(told)) wrong.push(`printed ${told}, and ${before} was live`);
    if (outcome === 'not_applied' && before.length > 0) wrong.push('not applied, it said, and the delivery was live');
    if (outcome === 'applied' && before.length === 0) wrong.push('applied, it said, and no delivery was live');
    const isOver = [0, 10].includes(again.exit) || (again.exit === 5 && told !== undefined);
    if (!isOver) wrong.push(`the second one ended with ${again.exit}: ${again.stderr.slice(-400)}`);
    return { wrong, again: again.exit };
  },
};

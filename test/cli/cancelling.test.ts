/* A cancellation looks first: nothing stops a parcel that was picked up, and its cash is collected all the same. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { openedConsole } from '../console/opened-console.ts';
import { orderFields, quotedOrder } from '../support/sandbox-order.ts';
import { json } from '../support/scripted-transport.ts';
import { type Between, type ShopWorld, shopWorld } from '../support/shop-world.ts';
import { steppedClock } from '../support/stepped-clock.ts';

const terminal = { terminal: true, env: { TERM: 'xterm' } } as const;

/** The states from which no parcel comes back by a cancellation, each with what is said of it. */
const said = {
  holding: 'the carrier has it, and nothing stops it any more',
  delivering: 'the carrier has it, and nothing stops it any more',
  delivered: 'the buyer has it, 1,280,000 in cash was collected, and the service takes no request for a return',
  returning: 'it comes back to the shop by itself',
  returned: 'the shop has it back, and there is nothing to stop',
  undeliverable: 'the carrier has given it up, and knows where it is',
} as const;
const pickedUp = Object.entries(said);

const commands = [
  ['shipping', 'cancel'],
  ['shipping', 'cancel', '--profile', 'shop'],
  ['orders', 'cancel', '--profile', 'shop'],
] as readonly (readonly string[])[];

/** A shop with one shipped order; `sent` has the operations that have been called since, but for our own. */
async function shipped(between: Between = (transport) => transport, changes = {}) {
  const sent: string[] = [];
  const world = await shopWorld((transport) => {
    const next = between(transport);
    return async (wire) => {
      sent.push(wire.url.split('/').at(-1) ?? '');
      return next(wire);
    };
  });
  const { post, shopKey, sandbox } = world.service;
  const order = { ...(await quotedOrder(world.service)), external_id: 'WEB-7', ...changes };
  const made = await post('partner.Shipping/CreateAndConfirmOrder', order, shopKey);
  const { id, code } = made.body.order;
  const [{ shipping_code: parcel }] = made.body.fulfillments;
  sent.splice(0);
  return {
    world,
    sent,
    id,
    code,
    parcel,
    advance: (to: string) => sandbox.control.advance(id, { to }),
    statusNow: async () => (await post('partner.Shipping/GetOrder', { id }, shopKey)).body.order.status,
  };
}

const cancel = ({ run }: ShopWorld, words: readonly string[], ...more: readonly string[]) =>
  run([...words, ...more, '--cancel-reason', 'x', '--yes']);

describe('an order whose parcel was picked up', () => {
  it.each(pickedUp)('is not cancelled by any command without --order-only: %s', async (state, standing) => {
    const { world, sent, id, advance, statusNow } = await shipped();
    await advance(state);
    const before = await statusNow();
    for (const words of commands) {
      const { exit, stderr } = await cancel(world, words, id, '-o', 'json');
      const { error } = JSON.parse(stderr);
      expect([words, exit, error.code, error.outcome]).toEqual([words, 5, 'picked_up', 'not_applied']);
      expect([error.message, error.hint]).toEqual([
        expect.stringMatching(new RegExp(`is ${state}: ${standing}$`)),
        expect.stringContaining('--order-only'),
      ]);
    }
    expect(sent).not.toContain('CancelOrder');
    expect(await statusNow()).toBe(before);
  });

  it.each(commands)('is cancelled with --order-only, and told that parcel and cash go on: %s %s', async (...words) => {
    const { world, id, code, parcel, advance, statusNow } = await shipped();
    await advance('delivering');
    const { exit, stderr } = await cancel(world, words, id, '--order-only');
    expect([exit, stderr]).toEqual([
      0,
      `order ${code} is cancelled, but its parcel ${parcel} is delivering and goes on, with 1,280,000 in cash to collect\n`,
    ]);
    expect(await statusNow()).toBe('N');
  });

  it('is no question at a terminal either, and --yes alone implies nothing', async () => {
    const { world, sent, id, advance } = await shipped();
    await advance('delivering');
    const { exit, prompter } = await world.run(['shipping', 'cancel', id, '--cancel-reason', 'x'], terminal);
    expect([exit, prompter.asked]).toEqual([5, []]);
    expect(sent).not.toContain('CancelOrder');
  });

  it('counts as picked up in a state that nobody knows', async () => {
    const { world, sent, id } = await shipped((transport) => async (wire) => {
      const answer = await transport(wire);
      if (!wire.url.endsWith('/GetOrder')) return answer;
      return { ...answer, body: answer.body.replace('"shipping_state":"created"', '"shipping_state":"at_customs"') };
    });
    const { exit, stderr } = await cancel(world, ['shipping', 'cancel'], id);
    expect([exit, stderr]).toEqual([5, expect.stringContaining('is at_customs')]);
    expect(sent).not.toContain('CancelOrder');
  });
});

describe('the question before a cancellation', () => {
  it('names the order, its state, its cash and what will happen to it and its parcel', async () => {
    const { world, id, code, parcel, statusNow } = await shipped();
    const asked = async (words: readonly string[], answers: readonly boolean[]) => {
      const { prompter, exit } = await world.run([...words, id, '--cancel-reason', 'x'], { ...terminal, answers });
      return [exit, prompter.asked];
    };
    for (const words of commands) {
      expect(await asked(words, [false])).toEqual([
        2,
        [
          `Cancel an order and its shipments: order ${code} for ${orderFields.shipping_address.full_name}: in progress, 1,280,000, parcel ${parcel} created with 1,280,000 in cash (id ${id}, cancel_reason x); the order is cancelled, and so is its parcel ${parcel} — are you sure?`,
        ],
      ]);
    }
    expect(await statusNow()).toBe('S');
    expect((await asked(['shipping', 'cancel'], [true]))[0]).toBe(0);
    expect(await statusNow()).toBe('N');
  });

  it('says with --order-only what goes on, and of a delivered order that nothing comes back', async () => {
    const { world, id, parcel, advance } = await shipped();
    const question = async () => {
      const words = ['shipping', 'cancel', id, '--cancel-reason', 'x', '--order-only'];
      return (await world.run(words, { ...terminal, answers: [false] })).prompter.asked[0];
    };
    await advance('holding');
    expect(await question()).toContain(
      `; the order is cancelled; its parcel ${parcel} is holding and goes on, with 1,280,000 in cash to collect — are you sure?`,
    );
    await advance('delivered');
    expect(await question()).toContain(
      `; the order is cancelled; its parcel ${parcel} is delivered, and 1,280,000 in cash was collected: that brings back neither goods nor money — are you sure?`,
    );
  });

  it('is answered for a person by code and states alone, and for a program by the whole order', async () => {
    const { world, id, code, parcel } = await shipped();
    const { stdout } = await cancel(world, ['shipping', 'cancel'], id);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      ['code', code],
      ['status', 'N cancelled'],
      ['parcel', parcel],
      ['parcel_state', 'cancelled'],
    ]);
    const other = await shipped();
    const { order } = JSON.parse((await cancel(other.world, ['shipping', 'cancel'], other.id, '--json')).stdout);
    expect(order.shipping_address.full_name).toBe(orderFields.shipping_address.full_name);
  });

  it('is made in a dry run too: nothing is sent, and what would be refused is refused', async () => {
    const { world, sent, id, code, parcel, advance } = await shipped();
    for (const words of commands) {
      const looked = await cancel(world, words, id, '--dry-run');
      expect([looked.exit, looked.stderr]).toEqual([0, expect.stringContaining('dry run: nothing was sent')]);
      expect(looked.stderr).toContain(`order ${code} for `);
      expect(looked.stderr).toContain(`the order is cancelled, and so is its parcel ${parcel}`);
    }
    await advance('delivered');
    for (const words of commands) {
      const refused = await cancel(world, words, id, '--dry-run');
      expect([refused.exit, refused.stderr]).toEqual([5, expect.stringContaining('1,280,000 in cash was collected')]);
      const only = await cancel(world, words, id, '--dry-run', '--order-only');
      expect([only.exit, only.stderr]).toEqual([0, expect.stringContaining('brings back neither goods nor money')]);
    }
    expect(sent).not.toContain('CancelOrder');
  });

  it('is refused with --order-only where nothing was picked up: the parcel would be cancelled too', async () => {
    const { world, sent, id, code, parcel, statusNow } = await shipped();
    for (const words of commands) {
      for (const how of [['--yes'], ['--dry-run']]) {
        const only = [...words, id, '--cancel-reason', 'x', '--order-only', ...how];
        const { exit, stderr } = await world.run(only);
        expect([exit, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
          5,
          expect.stringContaining(
            `order ${code} is not cancelled alone: its parcel ${parcel} is not picked up, and would be cancelled with it hint: without --order-only`,
          ),
        ]);
      }
    }
    expect([await statusNow(), sent.includes('CancelOrder')]).toEqual(['S', false]);
  });

  it('is asked by the console with the same facts, and refused there too', async () => {
    const { world, id, parcel, advance, sent } = await shipped();
    const { run } = await openedConsole(world, ['--profile', 'shop']);
    const input = { id, cancel_reason: 'x' };
    const { question } = await run('shop.Order/CancelOrder', { input });
    expect(question).toContain(`parcel ${parcel} created with 1,280,000 in cash`);
    await advance('delivering');
    // What was agreed to does not hold any more.
    expect(await run('shop.Order/CancelOrder', { input, agreed: [question] })).toMatchObject({
      kind: 'error',
      error: { code: 'picked_up', exitCode: 5, outcome: 'not_applied' },
    });
    expect(sent).not.toContain('CancelOrder');
    const only = { input: { ...input, order_only: true } };
    const asked = await run('shop.Order/CancelOrder', only);
    expect(asked.question).toContain('goes on, with 1,280,000 in cash to collect');
    const done = await run('shop.Order/CancelOrder', { ...only, agreed: [asked.question] });
    expect(done).toMatchObject({ kind: 'record', notices: [expect.stringContaining('goes on')] });
  });
});

describe('a look that tells nothing', () => {
  it.each([
    [503, 'unavailable', 13],
    [403, 'permission_denied', 4],
    [404, 'not_found', 3],
  ])('sends nothing, and ends by its cause: %s', async (status, code, exit) => {
    const { world, sent, id, statusNow } = await shipped((transport) => async (wire) => {
      if (wire.url.endsWith('/GetOrder')) return json(status, { code, msg: 'no', meta: {} });
      return transport(wire);
    });
    for (const words of commands) {
      const ended = await cancel(world, words, id, '--max-retries', '0', '-o', 'json');
      expect([words, ended.exit, JSON.parse(ended.stderr).error]).toMatchObject([
        words,
        exit,
        { outcome: 'not_applied' },
      ]);
      const asked = await world.run([...words, id, '--cancel-reason', 'x', '--max-retries', '0'], terminal);
      expect([asked.exit, asked.prompter.asked]).toEqual([exit, []]);
    }
    expect(sent).not.toContain('CancelOrder');
    expect(await statusNow()).toBe('S');
  });
});

describe('a cancellation whose request was lost on its way', () => {
  /** The first cancellation does not arrive, and nobody knows that. */
  const losing = () => {
    let isLost = false;
    return shipped((transport) => async (wire) => {
      if (isLost || !wire.url.endsWith('/CancelOrder')) return transport(wire);
      isLost = true;
      throw new TransportError('closed', 'maybe', 'cut off');
    });
  };
  const sentOf = (sent: readonly string[]) => sent.filter((name) => name === 'CancelOrder').length;

  it.each(commands)('looks again before it is sent again: %s %s', async (...words) => {
    const { world, sent, id, advance, statusNow } = await losing();
    expect((await cancel(world, words, id, '--max-retries', '0')).exit).toBe(10);
    await advance('delivering');
    const again = await cancel(world, words, id, '-o', 'json');
    expect([again.exit, JSON.parse(again.stderr).error.code, sentOf(sent)]).toEqual([5, 'picked_up', 1]);
    expect(await statusNow()).toBe('S');
    const only = await cancel(world, words, id, '--order-only');
    expect([only.exit, await statusNow(), sentOf(sent)]).toEqual([0, 'N', 2]);
  });

  it('stays unknown while it cannot be looked at', async () => {
    let isAway = false;
    let isLost = false;
    const { world, id, statusNow } = await shipped((transport) => async (wire) => {
      if (isAway && wire.url.endsWith('/GetOrder')) throw new TransportError('refused', 'no', 'no connection');
      if (isLost || !wire.url.endsWith('/CancelOrder')) return transport(wire);
      isLost = true;
      throw new TransportError('closed', 'maybe', 'cut off');
    });
    const words = ['shipping', 'cancel'];
    expect((await cancel(world, words, id, '--max-retries', '0')).exit).toBe(10);
    isAway = true;
    expect((await cancel(world, words, id, '--max-retries', '0')).exit).toBe(10);
    isAway = false;
    expect((await cancel(world, words, id)).exit).toBe(0);
    expect(await statusNow()).toBe('N');
  });

  it('is left unknown by a row whose parcel is picked up in that moment', async () => {
    let advance: (to: string) => unknown = () => {};
    const moved = await shipped((transport) => async (wire) => {
      if (!wire.url.endsWith('/CancelOrder')) return transport(wire);
      await advance('delivering');
      throw new TransportError('closed', 'maybe', 'cut off');
    });
    advance = moved.advance;
    const { world, sent, id, statusNow } = moved;
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify([{ id, cancel_reason: 'x' }]));
    const words = ['batch', 'run', path, '--do', 'orders cancel', '--profile', 'shop', '--yes', '-o', 'json'];
    const ran = await world.run(words, { clock: steppedClock() });
    expect([ran.exit, JSON.parse(ran.stdout).counts, sentOf(sent)]).toMatchObject([10, { unclear: 1 }, 1]);
    expect(await statusNow()).toBe('S');
  });
});

/** Answers about an order that leave out what the look is for; `none` where a list says that no parcel was picked up. */
const unsaid: readonly (readonly [string, (answer: Record<string, unknown>) => unknown])[] = [
  ['nothing', () => ({})],
  ['null', () => null],
  ['no order', (answer) => ({ ...answer, order: null })],
  ['an order without an id', (answer) => ({ ...answer, order: { ...Object(answer.order), id: undefined } })],
  ['no list of parcels', ({ fulfillments: _, ...answer }) => answer],
  ['null as the list of parcels', (answer) => ({ ...answer, fulfillments: null })],
  ['a parcel that is null', (answer) => ({ ...answer, fulfillments: [null] })],
  ['a parcel without a state', (answer) => ({ ...answer, fulfillments: [{ id: '7', shipping_code: 'X' }] })],
  [
    'a parcel in the state unknown',
    (answer) => ({ ...answer, fulfillments: [{ id: '7', shipping_state: 'unknown' }] }),
  ],
  ['a list of no parcels beside a status of one on its way', (answer) => ({ ...answer, fulfillments: [] })],
];

describe('an answer to the look that does not say what it is asked for', () => {
  const answering = (change: (answer: Record<string, unknown>) => unknown) =>
    shipped((transport) => async (wire) => {
      const answer = await transport(wire);
      const isRead = wire.url.endsWith('/GetOrder') && answer.status === 200;
      return isRead ? { ...answer, body: JSON.stringify(change(JSON.parse(answer.body))) } : answer;
    });

  it.each(unsaid)('sends nothing, by no command and no row: %s', async (what, change) => {
    const { world, sent, id, code, advance } = await answering(change);
    await advance('delivering');
    const exit = what.startsWith('a list of no parcels') ? 5 : 13;
    for (const words of commands) {
      for (const named of [[id], ['--external-id', 'WEB-7'], ['--code', code], ['WEB-7']]) {
        // Only who made an order finds it by its external_id.
        if (words.includes('shop') && named.includes('WEB-7')) continue;
        const ended = await cancel(world, words, ...named, '--max-retries', '0', '-o', 'json');
        const { error } = JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '');
        expect([words, named, ended.exit, error.outcome]).toEqual([words, named, exit, 'not_applied']);
      }
      const asked = await world.run([...words, id, '--cancel-reason', 'x', '--max-retries', '0'], terminal);
      expect([asked.exit, asked.prompter.asked]).toEqual([exit, []]);
    }
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify([{ id, cancel_reason: 'x' }]));
    const words = ['batch', 'run', path, '--do', 'orders cancel', '--profile', 'shop', '--yes', '-o', 'json'];
    expect((await world.run(words)).exit).not.toBe(0);
    expect(sent).not.toContain('CancelOrder');
  });

  it('is asked for once more, and a second one that says it counts', async () => {
    let asked = 0;
    const { world, sent, id } = await answering((answer) => {
      asked += 1;
      return asked === 1 ? {} : answer;
    });
    expect((await cancel(world, ['shipping', 'cancel'], id)).exit).toBe(0);
    expect(sent.filter((name) => name === 'GetOrder').length).toBe(2);
  });

  it('cancels where the status says that nothing was picked up, though the list is not set', async () => {
    for (const change of [
      (answer: Record<string, unknown>) => ({ ...answer, fulfillments: null }),
      ({ fulfillments: _, ...answer }: Record<string, unknown>) => answer,
    ]) {
      const { world, id, statusNow } = await answering(change);
      expect((await cancel(world, ['shipping', 'cancel'], id)).exit).toBe(0);
      expect(await statusNow()).toBeDefined();
    }
  });

  it('leaves an order as it is that a batch has made and is to undo', async () => {
    let isAway = false;
    const { world, sent } = await answering(({ fulfillments, ...answer }) =>
      isAway ? answer : { ...answer, fulfillments },
    );
    const { run, service, directory } = world;
    const path = join(directory, 'order.json');
    writeFileSync(path, JSON.stringify([{ ...(await quotedOrder(service)), external_id: 'R-1' }]));
    const ran = JSON.parse((await run(['batch', 'run', path, '--yes', '-o', 'json'])).stdout);
    const [row] = JSON.parse((await run(['batch', 'rows', ran.batch, '-o', 'json'])).stdout);
    await service.sandbox.control.advance(row.id, { to: 'delivering' });
    isAway = true;
    const undone = await run(['batch', 'undo', ran.batch, '--yes', '-o', 'json']);
    expect([undone.exit, JSON.parse(undone.stdout).counts]).toMatchObject([9, { failed: 1, done: 0 }]);
    expect(sent).not.toContain('CancelOrder');
  });
});

describe('a parcel that is picked up between the look and the answer', () => {
  it.each(commands)('is told first and alone, with exit 9: %s %s', async (...words) => {
    let advance: (to: string) => unknown = () => {};
    const moved = await shipped((transport) => async (wire) => {
      if (wire.url.endsWith('/CancelOrder')) await advance('delivering');
      return transport(wire);
    });
    advance = moved.advance;
    const { world, id, code, parcel, statusNow } = moved;
    const { exit, stdout, stderr } = await cancel(world, words, id, '--quiet');
    const sentence = `order ${code} is cancelled, but its parcel ${parcel} is delivering and goes on, with 1,280,000 in cash to collect\n`;
    expect([exit, stdout, stderr]).toEqual([9, '', sentence]);
    expect(await statusNow()).toBe('N');
  });

  it('is told to a program beside the record', async () => {
    let advance: (to: string) => unknown = () => {};
    const moved = await shipped((transport) => async (wire) => {
      if (wire.url.endsWith('/CancelOrder')) await advance('delivered');
      return transport(wire);
    });
    advance = moved.advance;
    const { exit, stdout, stderr } = await cancel(moved.world, ['shipping', 'cancel'], moved.id, '-o', 'json');
    expect([exit, stderr]).toEqual([9, expect.stringContaining('brings back neither goods nor money')]);
    expect(JSON.parse(stdout)).toMatchObject({
      order: { status: 'N' },
      fulfillments: [{ shipping_state: 'delivered' }],
      fulfillment_errors: [{ code: 'failed_precondition' }],
    });
  });
});

describe('rows that cancel', () => {
  it('leave an order whose parcel was picked up as it is, and the batch ends with 9', async () => {
    const { world, sent, id, advance, statusNow } = await shipped();
    await advance('delivering');
    const path = join(world.directory, 'rows.json');
    writeFileSync(path, JSON.stringify([{ id, cancel_reason: 'x' }]));
    const words = ['batch', 'run', path, '--do', 'orders cancel', '--profile', 'shop', '--yes', '-o', 'json'];
    const ran = await world.run(words);
    expect([ran.exit, JSON.parse(ran.stdout).counts]).toMatchObject([9, { skipped: 1, done: 0, failed: 0 }]);
    const { batch } = JSON.parse(ran.stdout);
    const rows = JSON.parse((await world.run(['batch', 'rows', batch, '--profile', 'shop', '-o', 'json'])).stdout);
    expect(rows).toMatchObject([
      { state: 'skipped', error: { code: 'picked_up', message: expect.stringContaining('delivering') } },
    ]);
    expect(sent).not.toContain('CancelOrder');
    expect(await statusNow()).toBe('S');
  });
});

/* A record that nobody was told of, and that a cancellation without an answer may have ended meanwhile. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import { errorAnswer } from '../../support/scripted-transport.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { steppedClock } from '../../support/stepped-clock.ts';

const kinds = [
  ['ship', ['ship', '--pick', 'cheapest'], { ...orderFields, shipping: shippingFields }],
  ['orders create', ['orders', 'create', '--profile', 'shop'], orderFields],
] as const;

const gone = {
  onStdout: () => {
    throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  },
};

const idIn = (stdout: string) => {
  const answer = JSON.parse(stdout);
  return (answer.order ?? answer).id;
};

/** A world with an order that nobody was told of, and a cancellation of it without an answer; it `arrives` or does not. */
async function cancelledWorld(words: readonly string[], content: object, arrives: boolean) {
  const state = { notFound: 0, isLost: false };
  const world = await shopWorld((transport) => async (wire) => {
    const operation = wire.url.split('/').at(-1) ?? '';
    if (operation === 'GetOrder' && state.notFound > 0) {
      state.notFound -= 1;
      return errorAnswer(404, 'not_found');
    }
    const isLost = operation === 'CancelOrder' && state.isLost;
    if (!isLost || arrives) {
      const answer = await transport(wire);
      if (!isLost) return answer;
    }
    throw new TransportError('closed', 'maybe', 'the connection was closed');
  });
  const clock = () => steppedClock(world.service.clock.now());
  const path = join(world.directory, 'input.json');
  const create = (given: object, options = {}, ...more: readonly string[]) => {
    writeFileSync(path, JSON.stringify({ ...content, ...given }));
    return world.run([...words, '--input', path, ...more, '--yes', '-o', 'json'], { clock: clock(), ...options });
  };
  const live = async (): Promise<readonly { readonly id: string }[]> => {
    const { post, shop } = world.service;
    const { body } = await post('shop.Order/ListOrders', {}, shop.apiKey);
    return body.orders.filter(({ status }: { status: string }) => status !== 'N');
  };
  const cancel = async (id: string) => {
    state.isLost = true;
    const words = ['orders', 'cancel', id, '--cancel-reason', 'wrong', '--profile', 'shop', '--yes', '-o', 'json'];
    const { exit } = await world.run(words, { clock: clock() });
    state.isLost = false;
    return exit;
  };
  return { state, create, live, cancel };
}

describe.each(kinds)('%s after a cancellation without an answer', (_, words, content) => {
  it.each([
    [{}, []],
    [{}, ['--again']],
    [{ external_id: 'N-1' }, []],
    [{ external_id: 'N-1' }, ['--again']],
  ])('does not tell as made what has ended, but makes another one: %j %j', async (given, more) => {
    const { create, live, cancel } = await cancelledWorld(words, content, true);
    await create(given, gone);
    const [first] = await live();
    expect([await cancel(first?.id ?? ''), await live()]).toEqual([10, []]);
    const again = await create(given, {}, ...more);
    expect(again.exit, again.stderr).toBe(0);
    expect((await live()).map(({ id }) => id)).toEqual([idIn(again.stdout)]);
    expect(idIn(again.stdout)).not.toBe(first?.id);
  });

  it.each([
    [{}, []],
    [{ external_id: 'N-1' }, ['--again']],
  ])('tells what stands, although a single look does not find it: %j %j', async (given, more) => {
    const { state, create, live, cancel } = await cancelledWorld(words, content, false);
    await create(given, gone);
    const [first] = await live();
    expect(await cancel(first?.id ?? '')).toBe(10);
    state.notFound = 1;
    const again = await create(given, {}, ...more);
    expect([again.exit, idIn(again.stdout)], again.stderr).toEqual([0, first?.id]);
    expect([await live(), state.notFound]).toEqual([[first], 0]);
  });
});

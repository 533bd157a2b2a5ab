import { expect, it } from 'vitest';
import { testMachine } from '../../support/context.ts';
import { shopWorld } from '../../support/shop-world.ts';

const ENTER = '\u001b[?1049h';
const LEAVE = '\u001b[?25h\u001b[?1049l';

it('draws again only the lines that changed, and gives the terminal back', async () => {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  const order = async () => {
    const lines = [{ product_name: 'Trà sen', quantity: 2, retail_price: 1000, payment_price: 1000 }];
    const body = { lines, total_items: 2, basket_value: 2000, total_amount: 2000, payment_method: 'cod' };
    await world.service.post('shop.Order/CreateOrder', body, world.service.shop.apiKey);
    expect((await world.run(['mirror', 'sync'])).exit).toBe(0);
  };
  await order();
  const ending = new AbortController();
  const writes: string[] = [];
  let likeness = 0;
  const clock = {
    now: () => Date.parse('2026-01-31T08:00:00Z'),
    async wait() {
      likeness += 1;
      // After the first look there is another order; then nothing happens; then Ctrl-C.
      if (likeness === 1) await order();
      if (likeness === 3) ending.abort('SIGINT');
    },
  };
  const { exit } = await world.run(['day', '--watch'], {
    terminal: true,
    clock,
    signal: ending.signal,
    onStdout: (text) => void writes.push(text),
  });
  expect(exit).toBe(130);
  const [first = '', second = '', third = ''] = writes;
  expect(first.startsWith(ENTER)).toBe(true);
  expect(first).toContain('new orders');
  // The two figures that the order changes, and nothing else of the page.
  const lines = [...second.matchAll(/\u001b\[(\d+);1H([^\u001b]*)\u001b\[K/g)].map(([, , text = '']) => text);
  expect(lines.map((text) => text.trim().split(/ {2,}/)[0])).toEqual(['new orders', 'revenue']);
  expect(third).toBe(LEAVE);
});

it('prints one plain page where there is no terminal', async () => {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  await world.run(['mirror', 'sync']);
  const { exit, stdout } = await world.run(['day', '--watch']);
  expect([exit, stdout.includes('\u001b'), stdout.match(/new orders/g)?.length]).toEqual([0, false, 1]);
});

it('says what is missing before it shows anything', async () => {
  const machine = testMachine(async () => ({ status: 200, headers: {}, body: '{"id":"5"}' }));
  const env = { SHOPCTL_AS: 'shop', SHOPCTL_API_KEY: '8:a-key-of-its-own', SHOPCTL_BASE_URL: 'http://127.0.0.1:4010' };
  const { exit, stdout, stderr } = await machine.run(['day'], { env });
  expect([exit, stdout]).toEqual([3, '']);
  expect(stderr).toContain('shopctl mirror sync');
});

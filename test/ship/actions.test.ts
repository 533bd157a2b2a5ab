import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Refusal } from '../../src/client/refusal.ts';
import { shipOrder } from '../../src/ship/actions.ts';
import { type Answering, actionsContext } from '../support/actions-context.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { baseUrl } from '../support/signed-in-world.ts';

/** A sandbox, and the profile of a partner whose shop is signed in to it. */
async function serviceAndProfile() {
  const { sandbox, partner, shop, shopKey, post } = await openTestSandbox();
  const profile = {
    kind: 'partner',
    base_url: baseUrl,
    api_key: partner.apiKey,
    shops: { [shop.id]: { name: shop.name, shop_key: shopKey } },
    current_shop: shop.id,
  } as const;
  /** The orders that the service has, as it says itself. */
  const orders = async () =>
    (await post('shop.Order/ListOrders', {}, shop.apiKey)).body.orders as readonly {
      readonly external_id: string;
      readonly total_amount: number;
    }[];
  return { transport: sandbox.handle, profile, orders };
}

const order = JSON.parse(readFileSync('examples/order.json', 'utf8'));

/** What is typed into a search, by the name of its question. */
const searched: Readonly<Record<string, string>> = {
  'pickup.place': 'lien chieu da nang',
  'pickup.ward': 'hoa khanh nam',
  'recipient.place': 'p dich vong cau giay hn',
  parcel: '1200 30x25x20',
};

const typed: Readonly<Record<string, string>> = {
  'pickup.full_name': 'Kho Liên Chiểu',
  'pickup.phone': '0905123456',
  'pickup.address1': 'Lô 7 KCN',
  'recipient.full_name': 'Nguyễn Thị Lan',
  'recipient.phone': '0901234567',
  'recipient.address1': '12 ngõ 5',
  'lines[0].product_name': 'Áo khoác',
  'lines[0].quantity': '2',
  'lines[0].retail_price': '450000',
  'lines[0].payment_price': '400000',
};

/** Answers each question by its name; where nothing is known of it, with the first choice or what is proposed. */
const answers: Answering = ({ name, initial, search, offered }) => {
  if (name === 'another') return false;
  if (search !== undefined) return search(searched[name] ?? '')[0]?.value;
  return typed[name] ?? initial ?? offered[0]?.value ?? '0';
};

it('ships an order from nothing for a front without a command line, by questions with schemas and proposals', async () => {
  const { transport, profile, orders } = await serviceAndProfile();
  const context = await actionsContext({ transport, profile, answers });
  // Of several orders each is given at once; the last answer says that there is no other one.
  expect(await shipOrder.run({}, context.ports)).toBe(undefined);
  const [made, ...others] = await orders();
  expect(others).toEqual([]);
  expect(context.results).toMatchObject([{ order: { external_id: made?.external_id, total_amount: 800_000 } }]);
  expect(context.asked.slice(0, 2)).toEqual(['pickup.full_name', 'pickup.phone']);
  expect(context.asked.slice(-3)).toEqual(['service', 'review', 'another']);
});

it('ships a given order without a question, and another front finds it where it is asked for again', async () => {
  const { transport, profile, orders } = await serviceAndProfile();
  const context = await actionsContext({ transport, profile, hasAgreed: true });
  const answer = await shipOrder.run({ order, pick: 'cheapest' }, context.ports);
  expect(answer).toMatchObject({ order: { external_id: order.external_id } });
  expect(await shipOrder.run({ order, pick: 'cheapest' }, context.ports)).toMatchObject({
    order: { id: answer?.order?.id },
  });
  expect([context.asked, (await orders()).length]).toEqual([[], 1]);
});

it('refuses in words of no command line, and sends nothing', async () => {
  const { transport, profile, orders } = await serviceAndProfile();
  for (const input of [{}, { order }, { order, resume: '' }]) {
    const context = await actionsContext({ transport, profile });
    const refusal = (await Promise.resolve(shipOrder.run(input, context.ports)).catch(
      (error: unknown) => error,
    )) as Refusal;
    expect(refusal.name).toBe('Refusal');
    expect([refusal.message, ...context.said].join('\n')).not.toMatch(/--[a-z]|shopctl /);
  }
  expect(await orders()).toEqual([]);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/platform/http/transport.ts';
import { PromptEnded } from '../../../src/platform/terminal/prompter.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import type { ScriptedAnswer } from '../../support/scripted-prompter.ts';
import { type Between, type ShopWorld, shopWorld } from '../../support/shop-world.ts';

const terminal = { terminal: true, env: { TERM: 'xterm' } } as const;

const pickup: ScriptedAnswer[] = [
  ...['Kho Liên Chiểu', '0905123456', { typed: 'p hoa khanh nam lien chieu da nang' }, 'Lô 7 KCN'],
];
const recipient: ScriptedAnswer[] = [
  ...['Nguyễn Thị Lan', '0901234567', { typed: 'p dich vong cau giay hn' }, '12 ngõ 5'],
];
const lines: ScriptedAnswer[] = ['Trà', '2', '100000', '90000', 'that is all'];
const parcel: ScriptedAnswer[] = ['0', '0', '0', { typed: '1200' }, '180000', 'yes, insured', 'nothing'];
const typedOrder = [...pickup, ...recipient, ...lines, ...parcel];

/** A world that counts and keeps what is sent, by the operation's name. */
async function watchedWorld(between: Between = (transport) => transport) {
  const sent: { readonly name: string; readonly body: string }[] = [];
  const world = await shopWorld((transport) => {
    const inner = between(transport);
    return (request) => {
      sent.push({ name: request.url.split('/').at(-1) ?? '', body: request.body });
      return inner(request);
    };
  });
  const bodiesOf = (name: string) => sent.filter((each) => each.name === name).map(({ body }) => JSON.parse(body));
  return { ...world, bodiesOf, ordersSent: () => bodiesOf('CreateAndConfirmOrder') };
}

const draftIn = (text: string) => /--resume ([0-9a-f]{10})/.exec(text)?.[1] ?? '';

/** A customer with an address, and a product with two variants, in the shop of the profile `shop`. */
async function stockedShop(world: ShopWorld): Promise<{ variantId: string; productId: string }> {
  const { post, shop } = world.service;
  const { body: customer } = await post(
    'shop.Customer/CreateCustomer',
    { full_name: 'Đỗ Hữu Phước', phone: '0910000822' },
    shop.apiKey,
  );
  const { phone: _, ...place } = orderFields.shipping_address;
  await post(
    'shop.CustomerAddress/CreateAddress',
    { ...place, phone: '0910000999', full_name: 'Anh Phước', customer_id: customer.id },
    shop.apiKey,
  );
  const { body: product } = await post(
    'shop.Product/CreateProduct',
    { name: 'Áo mưa', retail_price: 90000, code: 'AM' },
    shop.apiKey,
  );
  const variant = (code: string, value: string, retail_price: number) =>
    post(
      'shop.Variant/CreateVariant',
      { product_id: product.id, name: `Áo mưa, ${value}`, code, retail_price, attributes: [{ name: 'Cỡ', value }] },
      shop.apiKey,
    );
  await variant('AM-S', 'S', 95000);
  const { body } = await variant('AM-M', 'M', 99000);
  return { variantId: body.id, productId: product.id };
}

describe('a place', () => {
  it('is looked for when its names are typed: the nearest are told, and typed again it is taken', async () => {
    const world = await watchedWorld();
    const { prompter } = await world.run(['ship'], {
      ...terminal,
      answers: [
        ...['Kho', '0905123456', { typed: 'nowhere at all', taken: 'none of these: type the names' }],
        ...[{ insisted: 'da nangg' }, '<', 'tp da nang', { insisted: 'lien chiu' }, '<', 'q. lien chieu'],
        ...[{ insisted: 'Thạc Gián' }, new PromptEnded()],
      ],
    });
    expect(prompter.doubts).toEqual([
      expect.stringMatching(/is no province of the list; did you mean Thành phố Đà Nẵng\? \(Enter again keeps it\)/),
      expect.stringContaining('is no district of the list; did you mean Quận Liên Chiểu'),
      expect.stringContaining('lies in Quận Thanh Khê'),
    ]);
    const [{ id }] = JSON.parse((await world.run(['ship', 'drafts', 'list', '--json'])).stdout);
    const { order } = JSON.parse((await world.run(['ship', 'drafts', 'show', id, '--json'])).stdout);
    expect(order).toEqual({});
    expect(prompter.left()).toBe(0);
  });

  it('that is typed is gone back from at once: what goes back is not a name to be doubted', async () => {
    const world = await watchedWorld();
    const { prompter } = await world.run(['ship'], {
      ...terminal,
      answers: [
        'Kho',
        '0905123456',
        { typed: 'nowhere', taken: 'none of these: type the names' },
        '<',
        new PromptEnded(),
      ],
    });
    expect(prompter.asked.slice(-2)).toEqual(['Pickup: province', expect.stringMatching(/^Pickup: place/)]);
  });

  it('pasted as a whole address proposes its street as well, and the name of a pickup that holds one is doubted', async () => {
    const world = await watchedWorld();
    const pasted = '12 Nguyễn Huệ, P. Bến Nghé, Q.1, TP.HCM, Việt Nam';
    const { exit, prompter } = await world.run(['ship', '--pick', 'cheapest'], {
      ...terminal,
      answers: [
        { insisted: `Kho 0905123456, ${pasted}` },
        '<',
        ...pickup,
        ...['Nguyễn Thị Lan', '0901234567', { typed: pasted }],
        ({ initial }) => String(initial),
        ...lines,
        ...parcel,
        ...['send it', false],
      ] as ScriptedAnswer[],
    });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(prompter.doubts).toEqual([expect.stringContaining('looks like a whole address')]);
    expect(world.ordersSent().map(({ shipping_address: to }) => [to.address1, to.ward, to.district])).toEqual([
      ['12 Nguyễn Huệ', 'Phường Bến Nghé', 'Quận 1'],
    ]);
  });

  it('that the service refuses at the end is asked for again at once, and then it ships', async () => {
    const world = await watchedWorld();
    const wrong: ScriptedAnswer[] = [
      ...['Nguyễn Thị Lan', '0901234567', { typed: 'x y z', taken: 'none of these: type the names' }],
      ...['Hà Nội', { insisted: 'Cầu Giấyy Mới' }, 'Dịch Vọng', '12 ngõ 5'],
    ];
    const { exit, prompter, stderr } = await world.run(['ship', '--pick', 'cheapest'], {
      ...terminal,
      answers: [...pickup, ...wrong, ...lines, ...parcel, { typed: 'p dich vong cau giay hn' }, 'send it', false],
    });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(stderr).toMatch(/refused: .*the recipient's district/);
    expect(stderr).not.toContain('shipping_address');
    const asked = prompter.asked.filter((message) => message.startsWith('Recipient: place'));
    expect(asked.at(-1)).toContain('is not in the list');
    const [order] = world.ordersSent();
    expect(order.shipping_address).toMatchObject({ district: 'Quận Cầu Giấy', address1: '12 ngõ 5' });
    expect(world.ordersSent()).toHaveLength(1);
  });

  it('whose ward lies in another district is told of before it is sent, and where the service changed it', async () => {
    const world = await watchedWorld();
    const address = { ...orderFields.shipping_address, district: 'Quận Ba Đình' };
    const input = plainOrder(world, { shipping_address: address });
    const words = ['ship', '--input', input, '--pick', 'cheapest'];
    const { stderr } = await world.run(words, { ...terminal, answers: ['save it as a draft and quit'] });
    expect(stderr.replace(/\n +/g, ' ')).toContain('Phường Dịch Vọng lies in Quận Cầu Giấy, not in Quận Ba Đình');
    const sent = await world.run([...words, '--yes']);
    expect([sent.exit, sent.stderr]).toEqual([
      0,
      expect.stringContaining('shipping_address: the service changed Quận Ba Đình to Quận Cầu Giấy'),
    ]);
    const right = plainOrder(world, { external_id: 'RIGHT-1' }, 'right.json');
    expect((await world.run(['ship', '--input', right, '--pick', 'cheapest', '--yes'])).stderr).not.toContain(
      'changed',
    );
  });
});

it('a phone from a file that can be none is refused before anything is asked of the service, and asked for at once', async () => {
  const world = await watchedWorld();
  const input = plainOrder(world, { shipping_address: { ...orderFields.shipping_address, phone: '12' } });
  const { exit, prompter, stderr } = await world.run(['ship', '--input', input, '--pick', 'cheapest'], {
    ...terminal,
    answers: ['0901234567', 'send it'],
  });
  expect(stderr).toMatch(/refused: .*shipping_address\.phone is not a phone number/);
  expect([exit, prompter.left()]).toEqual([0, 0]);
  expect(world.bodiesOf('GetShippingServices').length).toBeGreaterThan(0);
  expect(world.ordersSent().map(({ shipping_address }) => shipping_address.phone)).toEqual(['0901234567']);
});

describe('what is unusual', () => {
  it('is told where it is typed: phones, and more cash than the order comes to, which the review repeats', async () => {
    const world = await watchedWorld();
    const { stdout, stderr, prompter, exit } = await world.run(['ship', '--pick', 'cheapest'], {
      ...terminal,
      answers: [
        ...pickup,
        ...['Nguyễn Thị Lan', { insisted: '901234567' }, { typed: 'p dich vong cau giay hn' }, '12 ngõ 5'],
        ...lines,
        ...['0', '0', '0', { typed: '1200' }, { insisted: '1800000' }, 'yes, insured', 'nothing'],
        ...['send it', false],
      ] as ScriptedAnswer[],
    });
    expect([exit, prompter.left(), stdout.includes('1,800,000')]).toEqual([0, 0, true]);
    expect(prompter.doubts).toEqual([
      expect.stringContaining('was 0901234567 meant?'),
      expect.stringContaining('is 1,620,000 more than the total of the order, 180,000'),
    ]);
    expect(stderr).toContain("warning: the recipient's phone ");
    expect(stderr).not.toContain('shipping_address');
    expect(stderr).toContain('WARNING: 1,620,000 more than the total of 180,000');
  });

  it('is told before an amount in thousands is taken: of a price, a fee and the cash', async () => {
    const world = await watchedWorld();
    const { stderr, prompter, exit } = await world.run(['ship', '--pick', 'cheapest'], {
      ...terminal,
      answers: [
        ...pickup,
        ...['Nguyễn Thị Lan', '0901234567', { typed: 'p dich vong cau giay hn' }, '12 ngõ 5'],
        ...['Áo', '1', '450000', { insisted: '430' }, 'that is all', { insisted: '30' }, '0', '0', { typed: '1200' }],
        ...[{ insisted: '460' }, 'yes, insured', 'nothing', new PromptEnded()],
      ] as ScriptedAnswer[],
    });
    expect([exit, prompter.doubts.map((doubt) => doubt.split(' meant')[0])]).toEqual([
      130,
      ['is 430 or 430,000', 'is 30 or 30,000', 'is 460 or 460,000'],
    ]);
    expect(stderr).toContain('saved as draft');
  });

  it('says which shop it ships for, what /DAY means, and services by their names', async () => {
    const world = await watchedWorld();
    const { stderr, prompter } = await world.run(['ship'], {
      ...terminal,
      answers: [...typedOrder, ({ message }) => `${message}`.length.toString(), new PromptEnded()],
    });
    expect(prompter.asked.at(-1)).toBe('Service: which one?');
    expect(stderr).toContain('/DAY: the extra fee for each day that it arrives before the cheapest offer');
    const narrow = await world.run(['ship', '--resume'], {
      ...terminal,
      columns: 50,
      answers: ['continue', new PromptEnded()],
    });
    expect(narrow.stderr).toMatch(/FEE +CARRIER +SERVICE/);
    expect(narrow.stderr).not.toContain('/DAY');
    const review = await world.run(['ship', '--resume', '--pick', 'cheapest'], {
      ...terminal,
      answers: ['continue', new PromptEnded()],
    });
    expect(review.stderr).toContain(`shop   ${world.service.shop.name}\n`);
    expect(review.prompter.asked.at(-1)).toMatch(/^Send it with [A-Z][\w ]+ (?:Saver|Economy|Standard) for [\d,]+\?$/);
  });
});

it('a text pasted from a sheet has plain spaces, and a line without a price yet is no free one', async () => {
  const world = await watchedWorld();
  const { stderr } = await world.run(['ship'], {
    ...terminal,
    answers: [
      ...['Kho\tLiên Chiểu', '0905123456', { typed: 'p hoa khanh nam lien chieu da nang' }, 'Lô 7\u00a0 KCN'],
      ...[...recipient, 'Áo\tmưa', '2', new PromptEnded()],
    ] as ScriptedAnswer[],
  });
  expect(stderr).toContain('saved as draft');
  const resumed = await world.run(['ship', '--resume'], { ...terminal, answers: ['leave it as it is'] });
  expect(resumed.stderr).toMatch(/from {3}Kho Liên Chiểu, 0905123456, Lô 7 KCN,/);
  expect(resumed.stderr).toContain('lines  2 x Áo mưa at ?');
});

it('who cannot reach the service was not refused anything', async () => {
  const world = await watchedWorld((transport) => async (request) => {
    if (request.url.endsWith('/GetShippingServices'))
      throw new TransportError('refused', 'no', 'no connection to 127.0.0.1:4010 (ECONNREFUSED)');

    return transport(request);
  });
  const { stderr } = await world.run(['ship', '--max-retries', '0'], {
    ...terminal,
    answers: [...typedOrder, 'save it as a draft and quit'],
  });
  expect(stderr).toContain('ECONNREFUSED');
  expect(stderr).not.toContain('refused: ');
});

describe('a draft that is gone on with', () => {
  it('comes to the same order at whichever question it was left', async () => {
    const orders: unknown[] = [];
    const questions = [...typedOrder.keys(), typedOrder.length].slice(1);
    // One of each group of questions: pickup, recipient, goods, parcel, and behind the last one.
    const left = questions.filter((count) => count % 4 === 1 || count === typedOrder.length);
    for (const count of left) {
      const world = await watchedWorld();
      const ended = await world.run(['ship'], {
        ...terminal,
        answers: [...typedOrder.slice(0, count), new PromptEnded()],
      });
      expect([count, ended.exit, ended.stderr]).toEqual([count, 130, expect.stringContaining('saved as draft')]);
      const asked = ended.prompter.asked.at(-1);
      const sent = await world.run(['ship', '--resume', draftIn(ended.stderr), '--pick', 'cheapest'], {
        ...terminal,
        answers: [
          count === typedOrder.length ? 'continue' : `continue: ${asked}`,
          ...[...typedOrder.slice(count), 'send it', false],
        ],
      });
      expect([count, sent.exit, sent.prompter.left()]).toEqual([count, 0, 0]);
      const [{ external_id: _, shipping, ...order }, ...more] = world.ordersSent();
      expect(more).toEqual([]);
      // Each shop has service codes of its own.
      orders.push({ ...order, shipping: { ...shipping, shipping_service_code: '' } });
    }
    expect(orders.length).toBe(left.length);
    for (const order of orders) expect(order).toEqual(orders[0]);
  });

  it('gives way to the order of its name that is given with other content', async () => {
    const world = await watchedWorld();
    const run = (address1: string, answers: readonly ScriptedAnswer[]) => {
      const shipping_address = { ...orderFields.shipping_address, address1 };
      const input = plainOrder(world, { external_id: 'N-1', shipping_address });
      return world.run(['ship', '--input', input, '--pick', 'cheapest'], { ...terminal, answers: [...answers] });
    };
    const left = await run('5 ngõ 0', [new PromptEnded()]);
    expect([left.exit, left.stderr]).toEqual([130, expect.stringContaining('saved as draft')]);
    const again = await run('5 ngõ 0', [new PromptEnded()]);
    expect(draftIn(again.stderr)).toBe(draftIn(left.stderr));
    const corrected = await run('7 ngõ 1', ['send it']);
    expect([corrected.exit, corrected.stderr]).toEqual([0, expect.stringContaining('7 ngõ 1')]);
    expect(world.ordersSent()).toMatchObject([{ external_id: 'N-1', shipping_address: { address1: '7 ngõ 1' } }]);
  });

  it('lets any answer be changed, asks only for that, and offers the review again after it was kept', async () => {
    const world = await watchedWorld();
    const left = await world.run(['ship'], { ...terminal, answers: [...pickup, ...recipient, new PromptEnded()] });
    const changed = await world.run(['ship', '--resume', draftIn(left.stderr), '--pick', 'cheapest'], {
      ...terminal,
      answers: [
        ...['change: pickup', 'Kho Mới', '0905123456', { typed: 'p hoa khanh nam lien chieu da nang' }, 'Lô 8'],
        ...lines,
        ...parcel,
        'save it as a draft and quit',
      ] as ScriptedAnswer[],
    });
    expect([changed.exit, changed.prompter.left()]).toEqual([0, 0]);
    expect(changed.stderr).toContain(`saved as draft ${draftIn(left.stderr)}: continue with`);
    const sent = await world.run(['ship', '--resume'], { ...terminal, answers: ['send it', false] });
    expect([sent.exit, sent.prompter.left()]).toEqual([0, 0]);
    const [order] = world.ordersSent();
    expect(order).toMatchObject({
      shipping_address: { full_name: 'Nguyễn Thị Lan' },
      shipping: { pickup_address: { full_name: 'Kho Mới', address1: 'Lô 8' } },
    });
  });

  it('is found by the id that was told when it was left, after it was sent as well', async () => {
    const world = await watchedWorld();
    const left = await world.run(['ship'], { ...terminal, answers: [...pickup, ...recipient, new PromptEnded()] });
    const id = draftIn(left.stderr);
    const listed = await world.run(['ship', 'drafts', 'list'], terminal);
    expect(listed.stderr).toBe(`1 open\ncontinue with \`shopctl ship --resume ${id} --profile test\`\n`);
    const sent = await world.run(['ship', '--resume', id, '--pick', 'cheapest'], {
      ...terminal,
      answers: ['continue: Line 1: product name', ...lines, ...parcel, 'send it', false],
    });
    expect([sent.exit, world.ordersSent().length]).toEqual([0, 1]);
    const shown = await world.run(['ship', 'drafts', 'show', id, '--json']);
    expect([shown.exit, shown.stderr]).toEqual([0, '']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'done', order_id: expect.stringMatching(/^\d+$/) });
    const again = await world.run(['ship', '--resume', id], { ...terminal, answers: [false] });
    expect([again.exit, world.ordersSent().length]).toEqual([0, 1]);
    expect((await world.run(['ship', 'drafts', 'list'])).stderr).toBe('there are no unfinished drafts\n');
  });

  it.each(['send it', 'change: recipient'])(
    'is sent as a new order, with all that was typed, where its order was cancelled: %s',
    async (choice) => {
      const world = await watchedWorld();
      await world.run(['ship', '--pick', 'cheapest'], { ...terminal, answers: [...typedOrder, 'send it', false] });
      const [{ id = '', order_id = '' }] = JSON.parse(
        (await world.run(['ship', 'drafts', 'list', '--all', '--json'])).stdout,
      );
      await world.run(['shipping', 'cancel', order_id, '--cancel-reason', 'x', '--yes']);
      const changes = choice === 'send it' ? [] : [choice, 'Trần Văn Bình', ...recipient.slice(1)];
      const answers = [...changes, 'send it', false] as ScriptedAnswer[];
      const resumed = await world.run(['ship', '--resume', id], { ...terminal, answers });
      expect([resumed.exit, resumed.exit === 0 || resumed.stderr]).toEqual([0, true]);
      expect(resumed.stderr).toMatch(/Order \w+ of this draft was cancelled: what you send now is a new order\.$/m);
      const [first, second, ...others] = world.ordersSent();
      expect([second.lines, others]).toEqual([first.lines, []]);
      expect(second.external_id).not.toBe(first.external_id);
      const name = choice === 'send it' ? 'Nguyễn Thị Lan' : 'Trần Văn Bình';
      expect(second.shipping_address.full_name).toBe(name);
      const drafts = JSON.parse((await world.run(['ship', 'drafts', 'list', '--all', '--json'])).stdout);
      expect(drafts.map(({ state }: { state: string }) => state).sort()).toEqual(['done', 'undone']);
    },
  );

  it('is named whatever ended the questions, and a service that does not answer can be tried again', async () => {
    let down = true;
    const world = await watchedWorld((transport) => async (request) => {
      if (down && request.url.endsWith('/GetShippingServices')) {
        return { status: 503, headers: {}, body: '{"code":"unavailable","msg":"down for now"}' } as never;
      }
      return transport(request);
    });
    const again = async () => {
      down = false;
      return 'try again';
    };
    const { exit, stderr, prompter } = await world.run(['ship', '--max-retries', '0', '--pick', 'cheapest'], {
      ...terminal,
      answers: [...typedOrder, again, 'send it', false],
    });
    expect([exit, prompter.left(), prompter.asked.includes('What now?')]).toEqual([0, 0, true]);
    expect(stderr).toContain('refused: down for now');
    down = true;
    const kept = await world.run(['ship', '--max-retries', '0'], {
      ...terminal,
      answers: ['another address', ...typedOrder, 'save it as a draft and quit'],
    });
    expect([kept.exit, kept.stderr]).toEqual([0, expect.stringMatching(/saved as draft .*--resume/)]);
    const key = await world.settings();
    const account = key.profiles.test;
    await world.save({
      ...key,
      profiles: {
        ...key.profiles,
        test: {
          ...account,
          shops: { [world.service.shop.id]: { name: 'x', shop_key: `shop${world.service.shop.id}:wrong` } },
        } as never,
      },
    });
    down = false;
    const refused = await world.run(['ship', '--resume'], { ...terminal, answers: ['continue'] });
    expect([refused.exit, refused.stderr]).toEqual([4, expect.stringContaining(`--resume ${draftIn(kept.stderr)}`)]);
  });

  it('is followed by another order where somebody has one', async () => {
    const world = await watchedWorld();
    const { exit, stdout, prompter } = await world.run(['ship', '--pick', 'cheapest'], {
      ...terminal,
      answers: [
        ...[...typedOrder, 'send it', true],
        ...[...recipient, ...lines, { typed: '1200' }, '180000', 'send it', true, false],
      ],
    });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(stdout).toContain('DH000001');
    expect(stdout).toContain('DH000002');
    const names = world.ordersSent().map(({ external_id }) => external_id);
    expect(new Set(names).size).toBe(2);
  });
});

describe("the shop's own lists", () => {
  const chosen: ScriptedAnswer[] = [
    { typed: 'phuoc 0910' },
    'Anh Phước, 0910000999, 12 ngõ 5, Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội',
    { typed: 'ao mua m', taken: 'Áo mưa, M, AM-M – 99,000' },
    ...['2', '99000', 'that is all'],
  ];

  it('are offered where the key can list them: customers, their addresses, products and variants', async () => {
    const world = await watchedWorld();
    const { variantId, productId } = await stockedShop(world);
    const { exit, prompter, stderr } = await world.run(['ship', '--profile', 'shop', '--pick', 'cheapest'], {
      ...terminal,
      answers: [...pickup, ...chosen, ...parcel.slice(0, 4), '198000', 'yes, insured', 'nothing', 'send it', false],
    });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(stderr).toContain(`shop   ${world.service.shop.name}\n`);
    const [order] = world.ordersSent();
    expect(order.shipping_address).toMatchObject({
      full_name: 'Anh Phước',
      phone: '0910000999',
      ward: 'Phường Dịch Vọng',
    });
    expect(order.lines).toEqual([
      {
        ...{ product_name: 'Áo mưa, M', product_id: productId, variant_id: variantId, quantity: 2 },
        ...{ retail_price: 99000, payment_price: 99000, attributes: [{ name: 'Cỡ', value: 'M' }] },
      },
    ]);
  });

  it('are no more needed once something was chosen: a draft, and its answers in a file, say it all', async () => {
    const world = await watchedWorld();
    await stockedShop(world);
    const left = await world.run(['ship', '--profile', 'shop'], {
      ...terminal,
      answers: [...pickup, ...chosen.slice(0, 3), new PromptEnded()],
    });
    const id = draftIn(left.stderr);
    const listed = () =>
      ['ListCustomers', 'ListProducts', 'ListAddresses'].flatMap((name) => world.bodiesOf(name)).length;
    const before = listed();
    expect(before).toBeGreaterThan(2);
    const rest: ScriptedAnswer[] = ['continue: Line 1: how many', ...chosen.slice(3), ...parcel.slice(0, 4)];
    const sent = await world.run(['ship', '--profile', 'shop', '--resume', id, '--pick', 'cheapest'], {
      ...terminal,
      answers: [...rest, '198000', 'yes, insured', 'nothing', 'send it', false],
    });
    expect([sent.exit, sent.prompter.left(), listed()]).toEqual([0, 0, before]);

    const file = join(world.directory, 'answers.json');
    const [{ id: sentId }] = JSON.parse((await world.run(['ship', 'drafts', 'list', '--all', '--json'])).stdout);
    writeFileSync(file, (await world.run(['ship', 'drafts', 'show', sentId, '--json'])).stdout);
    const again = await world.run(['ship', '--profile', 'shop', '--answers', file, '--json', '--again']);
    expect([again.exit, listed()]).toEqual([0, before]);
    const [one, other] = world.ordersSent();
    expect({ ...other, external_id: one.external_id }).toEqual(one);
  });

  it('take a name or a phone that is in none of them as it was typed', async () => {
    const world = await watchedWorld();
    await stockedShop(world);
    const { prompter } = await world.run(['ship', '--profile', 'shop'], {
      ...terminal,
      answers: [
        ...pickup,
        { typed: 'Lê Văn Mới', taken: 'somebody else: Lê Văn Mới' },
        ...['0901234567', { typed: 'p dich vong cau giay hn' }, '12 ngõ 5'],
        ...[{ typed: 'Bánh', taken: 'something else: Bánh' }, '1', new PromptEnded()],
      ] as ScriptedAnswer[],
    });
    expect(prompter.asked.slice(-4)).toEqual([
      ...['Recipient: street and number', 'Line 1: name or code of a product'],
      ...['Line 1: how many', 'Line 1: price of one, before discount'],
    ]);
    expect(prompter.asked).not.toContainEqual(expect.stringMatching(/^Recipient: full name/));
  });

  it('have a phone that is in none of them looked at: what is unusual is proposed, and asked for again', async () => {
    const world = await watchedWorld();
    await stockedShop(world);
    const wrong = '+84 912 345 6789';
    const { prompter } = await world.run(['ship', '--profile', 'shop'], {
      ...terminal,
      answers: [
        ...pickup,
        { typed: wrong, taken: `somebody else: ${wrong}` },
        ...['Trần Văn Bảy', { insisted: wrong }, { typed: '<', taken: '< go back' }],
        async ({ kind, message }) => {
          expect([kind, message]).toEqual(['text', 'Recipient: phone']);
          return '0912345678';
        },
        new PromptEnded(),
      ] as ScriptedAnswer[],
    });
    expect(prompter.doubts).toEqual([expect.stringContaining('is unusual for a number that begins with +84')]);
    expect(prompter.asked.slice(-4, -1)).toEqual([
      'Recipient: phone',
      expect.stringMatching(/place/),
      'Recipient: phone',
    ]);
  });

  it('are not asked for by a partner, whose key can list nothing', async () => {
    const world = await watchedWorld();
    await stockedShop(world);
    const { prompter } = await world.run(['ship'], { ...terminal, answers: [...pickup, new PromptEnded()] });
    expect(prompter.asked.at(-1)).toMatch(/^Recipient: full name/);
    expect(world.bodiesOf('ListCustomers')).toEqual([]);
  });
});

it('names all that is missing in one message where nobody can be asked', async () => {
  const world = await watchedWorld();
  const { exit, stderr } = await world.run(['ship']);
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/--input FILE, --pick WHICH .*, --yes are missing/)]);
  const given = await world.run([
    'ship',
    '--input',
    plainOrder(world, { shipping: { ...shippingFields, try_on: undefined } }),
  ]);
  expect(given.stderr).toMatch(/shipping\.try_on/);
  expect(given.stderr).toMatch(/--pick/);
  expect(given.stderr).toMatch(/--yes/);
});

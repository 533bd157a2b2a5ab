import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { PromptEnded } from '../../../src/platform/terminal/prompter.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import type { ScriptedAnswer } from '../../support/scripted-prompter.ts';
import { shopWorld } from '../../support/shop-world.ts';

const terminal = { terminal: true, env: { TERM: 'xterm' } } as const;
const message = 'Chị Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, 2 áo thun, thu 350k';

const pickup: ScriptedAnswer[] = ['Kho', '0905123456', { typed: 'p hoa khanh nam lien chieu da nang' }, 'Lô 7 KCN'];
/** The fees, the parcel, insurance, inspection. */
const usual: ScriptedAnswer[] = ['0', '0', '0', { typed: '500' }, 'yes, insured', 'nothing'];
/** The price that a message does not say, and the rest. */
const rest: ScriptedAnswer[] = ['175k', ...usual];

/** The world and what its orders look like at the service. */
async function world() {
  const made = await shopWorld();
  const orders = async () => {
    const { body } = await made.service.post('shop.Order/ListOrders', {}, made.service.shop.apiKey);
    return body.orders;
  };
  return { ...made, orders };
}

const lan = {
  full_name: 'Chị Lan',
  phone: '0901234567',
  address1: '12/3 Lê Lợi',
  ward: 'Phường Bến Nghé',
  district: 'Quận 1',
  province: 'Thành phố Hồ Chí Minh',
};

/** As phones copy a chat: a line for each thing. */
const chat = 'Chị Lan\n0901234567\n12/3 Lê Lợi p.Bến Nghé q1 hcm\n2 áo thun\nthu 350k';

it.each<[string, string[], ScriptedAnswer]>([
  ['the name of the recipient', [], chat],
  ['a customer', ['--profile', 'shop'], { typed: chat }],
])('takes a message of several lines for %s', async (_, profile, answer) => {
  const { run } = await world();
  await run(['customers', 'create', '--full-name', 'Mai', '--phone', '0912345678', '--profile', 'shop']);
  const answers = [...pickup, answer, new PromptEnded()];
  const { stderr } = await run(['ship', ...profile], { ...terminal, answers });
  for (const read of ['phone   0901234567', 'street  12/3 Lê Lợi', 'goods   2 × áo thun', 'cash    350,000'])
    expect(stderr).toContain(read);
});

it('reads the same of lines whether they are pasted for a customer or for the name, and with empty lines between', async () => {
  const { run } = await world();
  await run(['customers', 'create', '--full-name', 'Mai', '--phone', '0912345678', '--profile', 'shop']);
  const text =
    'shop ơi e đổi địa chỉ nha đừng gửi về quê nữa\ngửi về công ty: Công ty TNHH An Phát, tầng 5 số 72 Lê Thánh Tôn, Bến Nghé, Q1, hcm\nThu Hà 0944 777 111';
  const readOf = async (profile: string[], answer: ScriptedAnswer, words: string[] = []) => {
    const answers = words.length > 0 ? [answer, ...pickup] : [...pickup, answer];
    const { stderr } = await run(['ship', ...words, ...profile], {
      ...terminal,
      answers: [...answers, new PromptEnded()],
    });
    return stderr.split('\n').filter((line) => /^ {2}(?:name|phone|street|place|not \w+:) /.test(line));
  };
  const read = await readOf([], text);
  expect(read).toContain('  street  Công ty TNHH An Phát, tầng 5 số 72 Lê Thánh Tôn');
  expect(await readOf(['--profile', 'shop'], { typed: text })).toEqual(read);
  expect(await readOf([], text.replaceAll('\n', '\n\n'), ['--paste'])).toEqual(read);
});

it('offers the addresses of a known buyer whose message names none, by the phone in it', async () => {
  const { run, service } = await world();
  const post = async (operation: string, body: object) =>
    (await service.post(`shop.${operation}`, body, service.shop.apiKey)).body;
  const { id: customer_id } = await post('Customer/CreateCustomer', { full_name: 'Lan', phone: '+84 901 234 567' });
  for (const address1 of ['12/3 Lê Lợi', 'tầng 5, 72 Lê Thánh Tôn'])
    await post('CustomerAddress/CreateAddress', { ...lan, customer_id, address1, country: 'Việt Nam' });
  const second = Object.values({ ...lan })
    .slice(0, 3)
    .concat(lan.ward, lan.district, lan.province)
    .join(', ');
  const text = 'Chị Lan 0901234567 lấy 2 áo thun, thu 350k';
  const answers = [...pickup, { typed: text }, 'use it', second, '175k', new PromptEnded()];
  const { stderr, prompter } = await run(['ship', '--profile', 'shop'], { ...terminal, answers });
  expect([prompter.left(), prompter.left() === 0 || stderr]).toEqual([0, true]);
  expect(prompter.asked).toContain('Recipient: which address?');
});

it('asks which phone of a message is the one, and keeps the other in the note', async () => {
  const { run, orders } = await world();
  const questions: string[] = [];
  const phone: ScriptedAnswer = ({ message: asked }) => {
    questions.push(asked);
    return '0938 222 333';
  };
  const text = message.replace('0901234567', '0938 222 333, so phu 0977.111.222,');
  const answers = [...pickup, text, 'use it', phone, ...rest, 'send it', false];
  const { exit, prompter } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, prompter.left()]).toEqual([0, 0]);
  expect(questions).toEqual(['Recipient: phone (0938222333 or 0977111222; what is not it goes into the note)']);
  expect(await orders()).toMatchObject([{ shipping: { shipping_note: 'SĐT khác: 0977111222' } }]);
});

it('takes a whole message for the name, and shows it as a card before anything of it is used', async () => {
  const { run, orders } = await world();
  const answers = [...pickup, message, 'use it', ...rest, 'send it', false];
  const { prompter, stderr } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect(stderr).toContain('street  12/3 Lê Lợi');
  expect(stderr).toContain('cash    350,000');
  // Code and cash are what stands last, above the next question.
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/sent: order DH\w+, parcel \S+, 350,000 ₫ to collect$/);
  expect(await orders()).toMatchObject([
    { shipping_address: lan, lines: [{ product_name: 'áo thun', quantity: 2 }], shipping: { cod_amount: 350_000 } },
  ]);
  expect(prompter.left()).toBe(0);
});

it.each(['khách hủy', 'hủy giúp em', 'để tuần sau', 'Ghi chú: khoan gửi'])(
  'Enter alone discards a message that says "%s"',
  async (held) => {
    const { run } = await world();
    const choices: string[] = [];
    const look: ScriptedAnswer = ({ message: asked, initial }) => {
      choices.push(asked, initial ?? '');
      return 'discard it';
    };
    const answers = [...pickup, `${message}\n${held}`, look, new PromptEnded()];
    const { stderr } = await run(['ship'], { ...terminal, answers });
    expect(stderr).toContain(`speaks against sending it: ${held.replace('Ghi chú: ', '')}`);
    expect(choices).toEqual(['The message speaks against sending it: use it?', 'discard it']);
  },
);

it('corrects one part of the card, and leaves out another', async () => {
  const { run } = await world();
  const drafted = async (answers: ScriptedAnswer[]) => {
    await run(['ship'], { ...terminal, answers: [...answers, new PromptEnded()] });
    const [{ id }] = JSON.parse((await run(['ship', 'drafts', 'list', '--json'])).stdout);
    const { stdout } = await run(['ship', 'drafts', 'show', id, '--json']);
    await run(['ship', 'drafts', 'remove', id, '--yes']);
    return JSON.parse(stdout).answers.slice(-2);
  };
  expect(await drafted([...pickup, message, 'use it, but change the phone', '0907654321'])).toEqual([
    { question: 'recipient.card', answer: 'change phone' },
    { question: 'recipient.phone', answer: '0907654321' },
  ]);
  expect(await drafted([...pickup, message, 'use it, but change the goods', 'Áo len'])).toEqual([
    { question: 'recipient.card', answer: 'change goods' },
    { question: 'lines[0].product_name', answer: 'Áo len' },
  ]);
  expect(await drafted([...pickup, message, 'use it, but change the cash', '300k'])).toEqual([
    { question: 'recipient.card', answer: 'change cash' },
    { question: 'cod', answer: '300k' },
  ]);
  expect(await drafted([...pickup, message, 'discard it', 'Chị Mai'])).toEqual([
    { question: 'recipient.card', answer: 'none' },
    { question: 'recipient.full_name', answer: 'Chị Mai' },
  ]);
});

it.each([
  ['for one line that makes the cash', message, ['175k'], 175_000],
  [
    'for several lines, once they make the cash',
    `${message}, 1 quần`.replace('thu 350k', 'thu 450k'),
    ['175k', '175k', '100k'],
    100_000,
  ],
  ['but after a discount where it makes more', message, ['200k', '175k'], 175_000],
])('asks for the price that a message does not say once %s', async (_, text, prices, last) => {
  const { run, orders } = await world();
  const answers = [...pickup, text, 'use it', ...prices, ...usual, 'send it', false];
  const { prompter } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([prompter.left(), (await orders())[0].lines.at(-1).payment_price]).toEqual([0, last]);
});

it.each([
  ['what the cash leaves over, which is asked for behind a parcel without a fee', '0', 'thu 380k', ['30000'], 380_000],
  ['nothing where the goods make the cash, whatever the last buyer paid', '30k', 'thu 350k', ['0'], 350_000],
  ['none where nothing was to pay before and the goods make the cash', '0', 'thu 350k', [], 350_000],
])('proposes as the delivery fee %s', async (_, last, cash, asked, total) => {
  const { run, orders } = await world();
  const fees: string[] = [];
  const enter: ScriptedAnswer = ({ kind, message: words, initial = '' }) => {
    if (words.startsWith('Fees')) fees.push(initial);
    return kind === 'confirm' ? initial === 'true' : initial;
  };
  const next = message.replace('0901234567', '0987654321').replace('thu 350k', cash);
  const first = [
    ...pickup,
    message.replace('thu 350k', 'thu 380k'),
    'use it',
    '175k',
    last,
    ...usual.slice(1),
    'send it',
  ];
  const fee = asked.map(() => enter);
  const answers = [...first, enter, next, 'use it', '175k', ...fee, { typed: '500' }, 'send it', false];
  const { exit, prompter } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, prompter.left(), fees]).toEqual([0, 0, asked]);
  const sent = (await orders()).find(
    (one: { shipping_address: { phone: string } }) => one.shipping_address.phone === '0987654321',
  );
  expect(sent).toMatchObject({ total_amount: total, shipping: { cod_amount: total } });
});

it('proposes the price of a single line that makes the cash, also of the first message', async () => {
  const { run } = await world();
  let proposed: unknown;
  const see: ScriptedAnswer = ({ initial }) => {
    proposed = initial;
    return '175k';
  };
  await run(['ship'], { ...terminal, answers: [...pickup, message, 'use it', see, new PromptEnded()] });
  expect(proposed).toBe('175000');
});

it('asks for no discount where a message says that all is paid', async () => {
  const { run, orders } = await world();
  const paid = message.replace('thu 350k', 'ck rồi nha');
  const answers = [...pickup, paid, 'use it', ...rest, 'send it', false];
  const { prompter } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([prompter.left(), await orders()]).toMatchObject([
    0,
    [{ total_amount: 350_000, shipping: { cod_amount: 0 } }],
  ]);
});

it('collects the corrected cash, whatever the prices that are asked after it', async () => {
  const { run, orders } = await world();
  const answers = [...pickup, message, 'use it, but change the cash', '0', '175k', '175k', ...usual, 'send it', false];
  const { exit, prompter } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, prompter.left()]).toEqual([0, 0]);
  expect(await orders()).toMatchObject([{ total_amount: 350_000, shipping: { cod_amount: 0 } }]);
});

it.each([
  ['street', 'Recipient: street and number'],
  ['goods', 'Line 1: product name'],
  ['cash', 'Cash to collect from the buyer'],
])('asks first for the %s of a card where that is wrong, also if its name is missing', async (part, asked) => {
  const { run } = await world();
  const nameless = '0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, 2 áo thun, đã ck đủ r nha';
  const answers = [...pickup, nameless, `use it, but change the ${part}`, new PromptEnded()];
  const { prompter, stderr } = await run(['ship'], { ...terminal, answers });
  expect(prompter.asked.at(-1)).toContain(asked);
  expect(stderr).toContain('nothing to collect ("đã ck đủ r")');
});

it('proposes no cash where a message says that something is paid', async () => {
  const { run } = await world();
  const partly = message.replace('thu 350k', 'đã ck 100k');
  let asked: unknown;
  const see: ScriptedAnswer = ({ message: words, initial }) => {
    asked = [words, initial];
    return '250k';
  };
  const answers = [...pickup, partly, 'use it', '175k', '175k', ...usual.slice(0, -2), see, new PromptEnded()];
  await run(['ship'], { ...terminal, answers });
  expect(asked).toEqual([expect.stringContaining('the message says "đã ck 100k"'), undefined]);
});

it.each([
  ['what a terminal marks as pasted, with an empty line in it', [chat.replace('\n2 áo', '\n\n2 áo')]],
  ['lines up to two empty ones', [...chat.replace('\n2 áo', '\n\n2 áo').split('\n'), '', '']],
])('reads %s as one message', async (_, message) => {
  const { run, orders } = await world();
  const answers = [...message, ...pickup, 'use it', ...rest, 'send it', false];
  const { stderr } = await run(['ship', '--paste', '--pick', 'cheapest'], { ...terminal, answers });
  expect(await orders()).toMatchObject([{ shipping_address: lan, shipping: { cod_amount: 350_000 } }]);
  expect(stderr).toMatch(/Paste the message, and press Enter\. .*\s.*Enter or Ctrl-D ends it/);
});

it('ends the message with Ctrl-D as with two empty lines, but not with Ctrl-C', async () => {
  const { run, orders } = await world();
  const lines = ['Chị Lan 0901234567', '12/3 Lê Lợi p.Bến Nghé q1 hcm', '2 áo thun', 'thu 350k'];
  const stopped = [...lines, new PromptEnded(), ...pickup, 'use it', ...rest, 'send it'];
  await run(['ship', '--paste', '--pick', 'cheapest'], { ...terminal, answers: stopped });
  expect(await orders()).toEqual([]);
  const ended = [...lines, new PromptEnded({ isEndOfInput: true }), ...pickup, 'use it', ...rest, 'send it', false];
  await run(['ship', '--paste', '--pick', 'cheapest'], { ...terminal, answers: ended });
  expect(await orders()).toMatchObject([{ shipping_address: lan, shipping: { cod_amount: 350_000 } }]);
});

it('shows in a dry run what it read of a message on stdin, and what is missing besides', async () => {
  const { run, orders } = await world();
  const { exit, stderr } = await run(['ship', '--paste', '--dry-run'], { stdin: message });
  expect([exit, await orders()]).toEqual([2, []]);
  expect(stderr).toMatch(/name\s+Chị Lan[\s\S]*phone\s+0901234567[\s\S]*cash\s+350,000/);
  expect(stderr).not.toContain('shipping_address is required');
  expect(stderr).toContain('shipping.pickup_address is required');
});

it('uses nothing of a message on stdin that nobody was shown', async () => {
  const { run, orders } = await world();
  const { exit, stderr } = await run(['ship', '--paste', '--yes', '--pick', 'cheapest'], { stdin: message });
  expect([exit, await orders()]).toEqual([2, []]);
  expect(stderr).toContain('pickup');
  const empty = await run(['ship', '--paste'], { stdin: '\n' });
  expect([empty.exit, empty.stderr]).toEqual([2, expect.stringContaining('there is no message to read')]);
});

it('takes no message for an order that says itself where it goes', async () => {
  const { run, orders } = await world();
  const words = ['ship', '--input', resolve('examples/order.json'), '--pick', 'cheapest', '--yes'];
  const { exit, stderr } = await run([...words, '--paste'], { stdin: message });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('shipping_address and --paste cannot be given together')]);
  expect(await orders()).toEqual([]);
});

/** What every parcel of a shop has in common, as an input file. */
function commonInput(directory: string, extra: object = {}): string {
  const pickup_address = { ...orderFields.shipping_address, full_name: 'Kho', phone: '0905123456' };
  const shipping = { pickup_address, try_on: 'none', include_insurance: false, gross_weight: 500, ...extra };
  const file = join(directory, 'usual.json');
  writeFileSync(file, JSON.stringify({ shipping }));
  return file;
}

it('compares the finished orders of one input file: another buyer is nobody to ask about, the same one is', async () => {
  const { run, orders, directory } = await world();
  const input = commonInput(directory);
  const send = (text: string, ...last: ScriptedAnswer[]) => {
    const answers = [text, '', '', 'use it', '175k', 'send it', ...last];
    return run(['ship', '--paste', '--input', input, '--pick', 'cheapest'], { ...terminal, answers });
  };
  await send(message);
  const other = await send(message.replace('0901234567', '0901234568').replace('Chị Lan', 'Chị Mai'));
  expect([other.exit, other.prompter.left(), (await orders()).length]).toEqual([0, 0, 2]);
  const same = await send(message, false);
  expect([same.exit, same.prompter.left(), (await orders()).length]).toEqual([5, 0, 2]);
  expect(same.prompter.asked.at(-1)).toMatch(/^The same order was sent at .*Send another one like it\?/);
});

it.each<[string, ScriptedAnswer[], RegExp]>([
  ['the same', ['175k', { typed: '500' }], /^The same order was sent/],
  ['a like', ['175k', { typed: '600' }], /^The same goods went to this phone/],
])('leaves %s parcel unsent that is not wanted twice, and goes on to the next', async (_, like, question) => {
  const { run, orders } = await world();
  const next = 'Anh Minh 0987654321 12 ngõ 5, p. Dịch Vọng, q. Cầu Giấy, hn, 3 áo khoác, thu 900k';
  const answers = [
    ...[...pickup, message, 'use it', ...rest, 'send it', true],
    ...[message, 'use it', ...like, 'send it', false, 'do not send it', true],
    ...[next, 'use it', '300k', { typed: '500' }, 'send it', false],
  ] as ScriptedAnswer[];
  const { exit, prompter, stderr } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, prompter.left()]).toEqual([0, 0]);
  expect(prompter.asked.filter((asked) => question.test(asked)).length).toBe(1);
  expect(stderr).toMatch(/this order was not sent\n.*saved as draft \w+/);
  const sent = (await orders()).map((order: { shipping_address: object }) => order.shipping_address);
  expect(sent).toMatchObject([{ full_name: 'Chị Lan' }, { full_name: 'Anh Minh' }]);
});

it('takes the prices, the delivery fee and the cash of a message that adds them up, and asks for none of them', async () => {
  const { run, orders } = await world();
  const text = message.replace('2 áo thun, thu 350k', '2 áo thun x 125k + ship 25k = 275k');
  const answers = [...pickup, text, 'use it', '0', '0', ...usual.slice(3), 'send it', false];
  const { exit, prompter, stderr } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, prompter.left(), exit === 0 || stderr]).toEqual([0, 0, true]);
  for (const read of ['goods   2 × áo thun at 125,000', 'cash    275,000', 'fees    delivery 25,000'])
    expect(stderr).toContain(read);
  expect(await orders()).toMatchObject([
    {
      lines: [{ product_name: 'áo thun', quantity: 2, retail_price: 125_000, payment_price: 125_000 }],
      fee_lines: [{ type: 'shipping', amount: 25_000 }],
      total_amount: 275_000,
      shipping: { cod_amount: 275_000 },
    },
  ]);
});

it('lets a person correct what was read of a parcel that looks sent already', async () => {
  const { run, orders } = await world();
  const answers = [
    ...[...pickup, message, 'use it', ...rest, 'send it', true],
    ...[message, 'use it', '175k', { typed: '500' }, 'send it', false, 'change: recipient'],
    ...['Chị Mai', '0901234599', { typed: '' }, '12/3 Lê Lợi', 'send it', false],
  ] as ScriptedAnswer[];
  const { exit, prompter, stderr } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, prompter.left(), prompter.left() === 0 || stderr]).toEqual([0, 0, true]);
  const sent = (await orders()).map((order: { shipping_address: object }) => order.shipping_address);
  expect(sent).toMatchObject([{ full_name: 'Chị Lan' }, { full_name: 'Chị Mai', phone: '0901234599' }]);
});

it('asks about a parcel with the same cash that a sheet sent to this phone, whatever its goods are called', async () => {
  const { run, orders, directory } = await world();
  const to = { ...orderFields.shipping_address, ...lan, phone: '0901234567' };
  const line = { product_name: 'Áo phông', quantity: 2, retail_price: 175_000, payment_price: 175_000 };
  const shipping = { ...shippingFields, cod_amount: 350_000 };
  const row = { external_id: 'S-1', shipping_address: to, lines: [line], shipping };
  writeFileSync(join(directory, 'sheet.jsonl'), JSON.stringify(row));
  expect((await run(['batch', 'run', 'sheet.jsonl', '--pick', 'cheapest', '--yes'])).exit).toBe(0);
  const answers = [message, '', '', 'use it', '175k', 'send it', false];
  const words = ['ship', '--paste', '--input', commonInput(directory), '--pick', 'cheapest'];
  const { prompter } = await run(words, { ...terminal, answers });
  expect([prompter.left(), (await orders()).length]).toEqual([0, 1]);
  expect(prompter.asked.at(-1)).toMatch(
    /^A parcel with 350,000 ₫ to collect went to this phone at .*, as order \w+\. Send this as well\?$/,
  );
});

it('begins a message anew beside the draft of another one that was left with the same input file', async () => {
  const { run, orders, directory } = await world();
  const words = ['ship', '--paste', '--input', commonInput(directory), '--pick', 'cheapest'];
  const left = [message, '', '', 'use it', '175k', new PromptEnded()];
  await run(words, { ...terminal, answers: left });
  const next = 'Anh Minh 0987654321 12 ngõ 5, p. Dịch Vọng, q. Cầu Giấy, hn, 3 áo khoác, thu 900k';
  const answers = [next, '', '', 'use it', '300k', 'send it'];
  const { exit, prompter } = await run(words, { ...terminal, answers });
  expect([exit, prompter.left()]).toEqual([0, 0]);
  expect(await orders()).toMatchObject([{ lines: [{ product_name: 'áo khoác', quantity: 3 }] }]);
  expect(JSON.parse((await run(['ship', 'drafts', 'list', '--json'])).stdout)).toHaveLength(1);
});

it.each([
  [[], [...pickup, message]],
  [['--paste'], [message, '', '', ...pickup]],
])(
  'ships the next message behind ship %j with at most 12 keys: what parcels share is that of the last one',
  async (paste, before) => {
    const { run, orders } = await world();
    let keys = 0;
    const pressing = (count: number, answer: string): ScriptedAnswer => {
      return () => {
        keys += count;
        return answer;
      };
    };
    const enter: ScriptedAnswer = ({ kind, initial = '' }) => {
      keys += 1;
      return kind === 'confirm' ? initial === 'true' : initial;
    };
    const next = 'Anh Minh 0987654321 12 ngõ 5, p. Dịch Vọng, q. Cầu Giấy, hn, 2 áo khoác, thu 700k';
    const ofNext = [enter, pressing(2, next), pressing(1, 'use it'), enter];
    const answers = [
      ...[...before, 'use it', ...rest, 'send it'],
      ...[...ofNext, { typed: '600' }, pressing(1, 'send it'), false],
    ];
    const { prompter, exit } = await run(['ship', ...paste, '--pick', 'cheapest'], { ...terminal, answers });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    // The weight, and the service that --pick answers here.
    expect(keys + '600'.length + 1 + 1).toBeLessThanOrEqual(12);
    const sent = (await orders()).find(
      (one: { shipping_address: { phone: string } }) => one.shipping_address.phone === '0987654321',
    );
    expect(sent).toMatchObject({
      lines: [{ quantity: 2, payment_price: 350_000 }],
      shipping: { cod_amount: 700_000, include_insurance: true, try_on: 'none', pickup_address: { full_name: 'Kho' } },
    });
  },
);

it('asks for a fee again that the last buyer paid, and proposes none of it; takes a message that says freeship by its word', async () => {
  const { run, orders } = await world();
  const proposed: [string, string][] = [];
  const enter: ScriptedAnswer = ({ kind, message: asked, initial = '' }) => {
    if (asked.startsWith('Fees')) proposed.push([asked, initial]);
    return kind === 'confirm' ? initial === 'true' : initial;
  };
  const to = (phone: string) => `Anh Minh ${phone} 12 ngõ 5, p. Dịch Vọng, q. Cầu Giấy, hn, 1 áo khoác`;
  const shared: ScriptedAnswer[] = ['0', '0', { typed: '500' }, '210000', 'yes, insured', 'nothing', 'send it'];
  const answers = [
    ...[...pickup, to('0987654321'), 'use it', '180k', '180k', '30k', ...shared],
    ...[enter, to('0987654322'), 'use it', '180k', '180k', enter, { typed: '500' }, enter, 'send it'],
    ...[
      enter,
      `${to('0987654323')}, freeship nha`,
      'use it',
      '180k',
      '180k',
      { typed: '500' },
      enter,
      'send it',
      false,
    ],
  ];
  const { prompter, exit, stderr } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, prompter.left()]).toEqual([0, 0]);
  expect(proposed).toEqual([['Fees: delivery fee that the buyer pays (0 for none)', '0']]);
  expect(stderr).toContain('fees    the buyer pays no delivery ("freeship")');
  const sent: { shipping_address: { phone: string }; total_amount: number; shipping: { cod_amount: number } }[] =
    await orders();
  const cash = sent.map(({ shipping_address: { phone }, total_amount, shipping }) => [
    ...[phone, total_amount, shipping.cod_amount],
  ]);
  expect(cash.toSorted()).toEqual([
    ['0987654321', 210_000, 210_000],
    ['0987654322', 180_000, 180_000],
    ['0987654323', 180_000, 180_000],
  ]);
});

it('takes the next message at once behind a draft that was resumed', async () => {
  const { run, orders } = await world();
  const left = [...pickup, message, 'use it', ...rest, new PromptEnded()];
  await run(['ship', '--pick', 'cheapest'], { ...terminal, answers: left });
  const next = 'Anh Minh 0987654321 12 ngõ 5, p. Dịch Vọng, q. Cầu Giấy, hn, 2 áo khoác, thu 700k';
  const answers = ['send it', true, next, 'use it', '350k', { typed: '600' }, 'send it', false];
  const { exit, prompter } = await run(['ship', '--resume', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, prompter.left()]).toEqual([0, 0]);
  const sent: { shipping_address: { phone: string } }[] = await orders();
  expect(sent.map(({ shipping_address: { phone } }) => phone).toSorted()).toEqual(['0901234567', '0987654321']);
});

it('proposes insurance and inspection as the last parcel had them, also in another run', async () => {
  const { run } = await world();
  const until = (text: string, insurance: ScriptedAnswer, inspection: ScriptedAnswer) => [
    ...[text, '', '', ...pickup, 'use it', ...rest.slice(0, -2), insurance, inspection],
  ];
  const paste = (answers: ScriptedAnswer[]) => run(['ship', '--paste', '--pick', 'cheapest'], { ...terminal, answers });
  expect((await paste([...until(message, 'no insurance', 'nothing'), 'send it', false])).exit).toBe(0);
  const proposed: unknown[] = [];
  const enter: ScriptedAnswer = ({ initial = '' }) => {
    proposed.push(initial);
    return initial;
  };
  const [text, ...others] = until(message.replace('0901234567', '0901234568'), enter, enter);
  const [first, second] = others;
  const again = others.slice(2 + pickup.length);
  const remembered: ScriptedAnswer =
    'Kho, 0905123456, Lô 7 KCN, Phường Hòa Khánh Nam, Quận Liên Chiểu, Thành phố Đà Nẵng';
  const { prompter } = await paste([text, first, second, remembered, ...again, new PromptEnded()] as ScriptedAnswer[]);
  expect([proposed, prompter.left()]).toEqual([['no insurance', 'nothing'], 0]);
});

it('proposes where the last parcel of the same phone and street went', async () => {
  const { run, orders } = await world();
  const text = 'Chị Lan 0901234567 12 Nguyễn Tuân, phường Thanh Xuân, Hà Nội';
  const place: ScriptedAnswer = { typed: '', taken: 'Phường Thanh Xuân Trung, Quận Thanh Xuân, Thành phố Hà Nội' };
  const answers: ScriptedAnswer[] = [
    ...[...pickup, `${text}, 2 áo thun, thu 350k`, 'use it', place, ...rest, 'send it', true],
    ...[`${text}, 1 quần jean, thu 200k`, 'use it', { typed: '' }, '200k', { typed: '500' }, 'send it', true, false],
  ];
  const { exit, stderr } = await run(['ship', '--pick', 'cheapest'], { ...terminal, answers });
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  const wards = (await orders()).map((order: typeof orderFields) => order.shipping_address.ward);
  expect(wards).toEqual(['Phường Thanh Xuân Trung', 'Phường Thanh Xuân Trung']);
});

it('lists a draft that was left at the card with the name and the cash that were read', async () => {
  const { run } = await world();
  await run(['ship'], { ...terminal, answers: [...pickup, message, new PromptEnded()] });
  const listed = await run(['ship', 'drafts', 'list', '--json']);
  expect(JSON.parse(listed.stdout)).toMatchObject([{ recipient: 'Chị Lan', cod_amount: 350_000, total_amount: null }]);
});

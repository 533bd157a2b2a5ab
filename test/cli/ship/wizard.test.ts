import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PromptEnded } from '../../../src/platform/terminal/prompter.ts';
import { plainOrder } from '../../support/plain-order.ts';
import { orderFields, shippingFields } from '../../support/sandbox-order.ts';
import type { ScriptedAnswer } from '../../support/scripted-prompter.ts';
import { type Between, type ShopWorld, shopWorld } from '../../support/shop-world.ts';
import { errorOf } from '../../support/stderr-lines.ts';

const isCreate = ({ url }: { url: string }) => url.endsWith('/CreateAndConfirmOrder');
const terminal = { terminal: true, env: { TERM: 'xterm' } } as const;

const pickup: ScriptedAnswer[] = [
  'Kho Liên Chiểu',
  '0905123456',
  { typed: 'lien chieu da nang', taken: 'Quận Liên Chiểu, Thành phố Đà Nẵng' },
  { typed: 'hoa khanh nam', taken: 'Phường Hòa Khánh Nam' },
  'Lô 7 KCN',
];
const recipient: ScriptedAnswer[] = ['Nguyễn Thị Lan', '0901234567', { typed: 'p dich vong cau giay hn' }, '12 ngõ 5'];
const lines: ScriptedAnswer[] = [
  ...['Áo khoác', '2', '450.000', '400000', 'add a line'],
  ...['Áo khoác', '1', '450000', '450000', 'that is all'],
];
const fees: ScriptedAnswer[] = ['30000', '0', '0'];
const parcel: ScriptedAnswer[] = [{ typed: '1200 30x25x20' }, '1280000', 'yes, insured', 'open the parcel and look'];

/** A world whose requests that create an order are kept as they were sent. */
async function watchedWorld(between: Between = (transport) => transport) {
  const sent: string[] = [];
  const world = await shopWorld((transport) => {
    const inner = between(transport);
    return (request) => {
      if (isCreate(request)) sent.push(request.body);
      return inner(request);
    };
  });
  return { ...world, sent };
}

/** The choice's name of the cheapest offer for `orderFields`. */
async function cheapestOf(world: ShopWorld): Promise<{ code: string; fee: number; name: string }> {
  const words = ['quote', '--order', plainOrder(world, {}, 'probe.json'), '--pick', 'cheapest', '--json'];
  const [{ code, fee, carrier_info, name, marks }] = JSON.parse((await world.run(words)).stdout);
  const shown = marks.map((mark: string) => mark.replace('_', ' ')).join(', ');
  return { code, fee, name: `${fee.toLocaleString('en').padStart(9)}  ${carrier_info.name} ${name} (${shown})` };
}

describe('a terminal', () => {
  it('is told how to leave before the first question, and not where nothing is asked', async () => {
    const world = await watchedWorld();
    const introduction = 'Ctrl-C saves your answers as a draft; < goes back one question.';
    const given = ['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes'];
    const unasked = await world.run(given, { ...terminal, answers: [] });
    expect([unasked.exit, world.sent.length]).toEqual([0, 1]);
    expect(unasked.stderr).not.toContain(introduction);
    const asked = await world.run(['ship'], { ...terminal, answers: [...pickup.slice(0, 2), new PromptEnded()] });
    expect(asked.stderr.split(introduction)).toHaveLength(2);
  });
});

describe('the wizard', () => {
  it('ships from nothing, with the sums in view, and ends with a command that sends the same bytes', async () => {
    const world = await watchedWorld();
    const cheapest = await cheapestOf(world);
    const answers = [...pickup, ...recipient, ...lines, ...fees, ...parcel, cheapest.name, 'send it', false];
    const { exit, stdout, stderr, prompter } = await world.run(['ship'], { ...terminal, answers });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(stdout).toContain('DH000001');
    expect(stderr).toContain('3 items 1,350,000 - 100,000 off + 30,000 fees = 1,280,000; 3,000 g; COD 1,280,000');
    const order = JSON.parse(world.sent[0] ?? '');
    expect(order).toMatchObject({
      total_amount: 1280000,
      fee_lines: [{ type: 'shipping', name: 'Delivery', amount: 30000 }],
      customer_address: { full_name: 'Nguyễn Thị Lan', ward: 'Phường Dịch Vọng', district: 'Quận Cầu Giấy' },
      shipping: { pickup_address: { ward: 'Phường Hòa Khánh Nam' }, chargeable_weight: 3000, cod_amount: 1280000 },
    });

    const [, command = ''] = /^ {2}shopctl (ship --input .* --yes --profile test)$/m.exec(stderr) ?? [];
    const words = command.split(' ');
    expect(words.slice(3)).toEqual([
      '--pick',
      cheapest.code,
      '--max-fee',
      String(cheapest.fee),
      '--yes',
      '--profile',
      'test',
    ]);
    expect(statSync(words[2] ?? '').mode & 0o777).toBe(0o600);
    const script = await watchedWorld();
    const again = await script.run(words);
    expect([again.exit, script.sent]).toEqual([0, world.sent]);

    // Where it was sent already, the same command answers the order that there is.
    const here = await world.run([...words, '--json']);
    expect([here.exit, world.sent.length]).toEqual([0, 1]);
    expect(JSON.parse(here.stdout).order.external_id).toBe(order.external_id);
  });

  it('takes the answers of a file as they are written there, and guesses no number whose decimals could be thousands', async () => {
    const world = await watchedWorld();
    const { cod_amount: _, ...shipping } = shippingFields;
    const input = plainOrder(world, { shipping });
    const answering = (name: string, text: string) => {
      const file = join(world.directory, name);
      writeFileSync(file, text);
      return world.run(['ship', '--input', input, '--answers', file, '--pick', 'cheapest', '--yes', '--json']);
    };
    const bare = await answering('bare.yaml', '- question: cod\n  answer: 350.000\n');
    const formula = await answering('formula.json', '[{"question":"cod","answer":12.345}]');
    expect([bare.exit, bare.stderr]).toEqual([
      2,
      expect.stringContaining(
        '[0].answer is written 350.000, which may be 350,000 or 350: put what is meant in quotes',
      ),
    ]);
    expect([formula.exit, formula.stderr]).toEqual([2, expect.stringContaining('may be 12,345 or 12.345')]);
    expect(world.sent).toEqual([]);
    const { exit, stderr } = await answering('answers.yaml', "- question: cod\n  answer: '350.000'\n");
    expect([exit, exit === 0 || stderr]).toEqual([0, true]);
    expect(JSON.parse(world.sent[0] ?? '').shipping.cod_amount).toBe(350_000);
  });

  it('takes a phone of a file of answers with the zero that it is written with', async () => {
    const world = await watchedWorld();
    const { phone: _, ...address } = orderFields.shipping_address;
    const input = plainOrder(world, {
      shipping: shippingFields,
      shipping_address: address,
      customer_address: undefined,
    });
    const file = join(world.directory, 'answers.yaml');
    writeFileSync(file, '- question: recipient.phone\n  answer: 0912345678\n');
    const words = ['ship', '--input', input, '--answers', file, '--pick', 'cheapest', '--yes', '--json'];
    const { exit, stderr } = await world.run(words);
    expect([exit, exit === 0 || stderr]).toEqual([0, true]);
    expect(JSON.parse(world.sent[0] ?? '').shipping_address.phone).toBe('0912345678');
  });

  it('takes the answers of a draft from a file, and sends the same but for its name', async () => {
    const world = await watchedWorld();
    const cheapest = await cheapestOf(world);
    const answers = [...pickup, ...recipient, ...lines, ...fees, ...parcel, cheapest.name, 'send it', false];
    await world.run(['ship'], { ...terminal, answers });
    const [{ id }] = JSON.parse((await world.run(['ship', 'drafts', 'list', '--all', '--json'])).stdout);
    const file = join(world.directory, 'answers.json');
    writeFileSync(file, (await world.run(['ship', 'drafts', 'show', id, '--json'])).stdout);
    const replay = await watchedWorld();
    const { exit, stderr } = await replay.run(['ship', '--answers', file, '--json']);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('the same without questions')]);
    const nameless = (body = '') => ({ ...JSON.parse(body), external_id: '' });
    expect(nameless(replay.sent[0])).toEqual(nameless(world.sent[0]));

    const short = JSON.parse(readFileSync(file, 'utf8')).answers.slice(0, 5);
    writeFileSync(file, JSON.stringify(short));
    const ended = await replay.run(['ship', '--answers', file, '--json']);
    expect([ended.exit, errorOf(ended).message]).toEqual([
      2,
      expect.stringContaining('there is no answer to recipient.full_name'),
    ]);
  });

  it('goes back, keeps a draft at Ctrl-C, and goes on with it where it was', async () => {
    const world = await watchedWorld();
    const cheapest = await cheapestOf(world);
    const left = await world.run(['ship'], {
      ...terminal,
      answers: [...pickup, 'Nguyễn Thị Lam', '<', 'Nguyễn Thị Lan', '0901234567', new PromptEnded()],
    });
    expect(left.exit).toBe(130);
    const [, id = ''] = /continue with `shopctl ship --resume ([0-9a-f]{10})/.exec(left.stderr) ?? [];
    expect(left.prompter.asked.filter((message) => message.startsWith('Recipient: full name'))).toHaveLength(2);
    const rest = [...recipient.slice(2), ...lines, ...fees, ...parcel, cheapest.name];
    const kept = await world.run(['ship', '--resume'], {
      ...terminal,
      answers: ['continue: Recipient: place (like q2 hcm)', ...rest, 'save it as a draft and quit'],
    });
    expect([kept.exit, kept.stdout, world.sent]).toEqual([0, '', []]);
    const shown = JSON.parse((await world.run(['ship', 'drafts', 'show', id, '--json'])).stdout);
    expect(shown).toMatchObject({ state: 'open', recipient: 'Nguyễn Thị Lan', total_amount: 1280000 });
  });

  it('changes any step at the review, and asks for the cash again when the total that it was has changed', async () => {
    const world = await watchedWorld();
    const { exit, prompter, stderr } = await world.run(['ship', '--pick', 'cheapest'], {
      ...terminal,
      answers: [
        ...[...pickup, ...recipient, ...lines, ...fees, ...parcel],
        ...['change: lines', 'remove 1 x Áo khoác at 450,000', 'that is all'],
        '830000',
        'change: recipient',
        ...['Nguyễn Thị Lan', '0909999999', { typed: 'q2 hcm' }, { typed: 'thao dien' }, '12 ngõ 5'],
        ...['send it', false],
      ],
    });
    expect(stderr).toContain('2 items 900,000 - 100,000 off + 30,000 fees = 830,000');
    expect([exit, prompter.left()]).toEqual([0, 0]);
    const order = JSON.parse(world.sent[0] ?? '');
    expect(order.lines).toHaveLength(1);
    expect(order.shipping_address).toMatchObject({ phone: '0909999999', ward: 'Phường Thảo Điền' });
    expect(order.customer_address).toEqual(order.shipping_address);
    expect(order.shipping.cod_amount).toBe(830000);
  });

  it('asks only for what a given order lacks, and proposes near names for a place that it does not know', async () => {
    const world = await watchedWorld();
    const { shipping_address } = orderFields;
    const input = plainOrder(world, { shipping_address: { ...shipping_address, district: 'Cau Giayy' } });
    const { exit, prompter } = await world.run(['ship', '--input', input, '--pick', 'fastest', '--yes'], {
      ...terminal,
      answers: [{ typed: '', taken: 'Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội' }],
    });
    expect([exit, prompter.asked]).toEqual([0, [expect.stringContaining('Cau Giayy, ha noi is not in the list')]]);
    expect(JSON.parse(world.sent[0] ?? '').shipping_address.district).toBe('Quận Cầu Giấy');
  });

  it.each([
    ['of a file', (input: string) => ['--input', input]],
    ['without one', () => []],
  ])('says that nothing was sent to somebody who leaves at the first question, %s', async (_, wordsWith) => {
    const world = await watchedWorld();
    const left = await world.run(['ship', ...wordsWith(plainOrder(world))], {
      ...terminal,
      answers: [new PromptEnded()],
    });
    expect([left.exit, left.stdout, world.sent]).toEqual([130, '', []]);
    expect(left.stderr).toMatch(
      /the order was not sent, and no question was answered yet: run the same command to start over\n$/,
    );
  });

  it('remembers pickup addresses, for their owner alone', async () => {
    const world = await watchedWorld();
    const input = plainOrder(world);
    expect((await world.run(['ship', '--input', input, '--pick', 'fastest', '--yes'], terminal)).exit).toBe(0);
    expect(statSync(join(world.directory, 'state', 'pickups.json')).mode & 0o777).toBe(0o600);
    const name = 'Kho Liên Chiểu, 0905123456, Lô 7 KCN, Phường Hòa Khánh Nam, Quận Liên Chiểu, Đà Nẵng';
    const { prompter } = await world.run(['ship'], { ...terminal, answers: [name, 'Lan', new PromptEnded()] });
    expect(prompter.asked.slice(0, 2)).toEqual([
      'Pickup: from where?',
      'Recipient: full name, or paste the whole message',
    ]);
  });

  it('asks when the fee has changed since it was agreed to, and lets the service be chosen again', async () => {
    let quotes = 0;
    const world = await watchedWorld((transport) => async (request) => {
      const answer = await transport(request);
      if (!request.url.endsWith('/GetShippingServices')) return answer;
      quotes += 1;
      const { services } = JSON.parse(answer.body);
      const dearer = services.map((service: { fee: number }) => ({ ...service, fee: service.fee - 500 }));
      return quotes === 1 ? { ...answer, body: JSON.stringify({ services: dearer }) } : answer;
    });
    const input = plainOrder(world);
    const { exit, prompter, stderr } = await world.run(['ship', '--input', input, '--pick', 'cheapest'], {
      ...terminal,
      answers: ['send it', false, new PromptEnded()],
    });
    expect(prompter.asked[1]).toMatch(/^The fee of \w+ has changed from [\d,]+ to [\d,]+\. Send it anyway\?$/);
    expect(stderr).toContain('was agreed to');
    expect([exit, world.sent]).toEqual([130, []]);
    expect(prompter.asked[2]).toBe('Service: which one?');
  });

  it('asks before the same goods go to the same phone once more, whatever the parcel weighs', async () => {
    const world = await watchedWorld();
    const weighing = (gross_weight: number, name: string) =>
      plainOrder(world, { shipping: { ...shippingFields, gross_weight, chargeable_weight: undefined } }, name);
    const ship = (input: string, ...answers: ScriptedAnswer[]) =>
      world.run(['ship', '--input', input, '--pick', 'cheapest'], { ...terminal, answers });
    expect((await ship(weighing(600, 'first.json'), 'send it')).exit).toBe(0);
    const kept = await ship(weighing(500, 'second.json'), 'send it', false);
    expect(kept.prompter.asked.at(-1)).toMatch(
      /^The same goods went to this phone at 2026-\d\d-\d\d \d\d:\d\d \(GMT\+7\), as order DH\d+\. Send this as well\?$/,
    );
    expect(world.sent).toHaveLength(1);
    expect((await ship(weighing(500, 'second.json'), 'send it', true)).exit).toBe(0);
    expect(world.sent).toHaveLength(2);
    const again = await ship(weighing(600, 'third.json'), 'send it', false);
    expect(again.prompter.asked.at(-1)).toMatch(
      /^The same (?:order was sent|goods went to this phone) at 2026-\d\d-\d\d \d\d:\d\d \(GMT\+7\), as order DH\d+\. Send /,
    );
  });

  it('refuses at the prompt what nobody can sum or send', async () => {
    const world = await watchedWorld();
    const upTo = [...pickup, ...recipient, 'Trà'];
    const refusing = async (...typed: string[]) =>
      (await world.run(['ship'], { ...terminal, columns: 200, answers: [...upTo, ...typed] })).stderr;
    expect(await refusing('0')).toContain('does not take 0: must be at least 1');
    expect(await refusing('2', '12,5')).toContain('can be read in more than one way');
    expect(await refusing('2', '5000', '6000')).toContain('is more than the price before discount, 5,000');
    expect(await refusing('2', '9007199254740991')).toContain('adds up to more than');
  });
});

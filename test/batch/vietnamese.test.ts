import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { faultInWords } from '../../src/batch/store/row.ts';
import { vietnamese as spoken } from '../../src/cli/vietnamese.ts';
import { speak } from '../../src/domain/language.ts';
import { leftOver, pseudoLanguage } from '../support/pseudo.ts';
import type { ScriptedAnswer } from '../support/scripted-prompter.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';
import { steppedClock } from '../support/stepped-clock.ts';
import { rowsIn } from '../support/stored-files.ts';
import { orderCells, orderHeader, orderSheet } from './batch-world.ts';

/** The rows of a sheet with these cells in place of others. */
const rowWith = (number: number, changes: Readonly<Record<string, string>> = {}): string[] =>
  orderHeader.map((name, at) => changes[name] ?? orderCells(number)[at] ?? '');

const bad = { 'shipping_address.phone': '12', 'lines.quantity': '0', 'shipping_address.full_name': '' };

/** A shop, and files of it. */
async function world() {
  const { run, directory, service } = await shopWorld();
  const file = (name: string, content: string) => {
    writeFileSync(join(directory, name), content);
    return name;
  };
  return { run, directory, service, file };
}

type World = Awaited<ReturnType<typeof world>>;

/** A morning: whatever a person meets of batches that can be had cheaply, in the order in which it comes. */
async function morning({ run, file }: World, options: Parameters<World['run']>[1]) {
  const said: { readonly words: readonly string[]; readonly text: string }[] = [];
  const play = async (words: readonly string[], ...answers: readonly ScriptedAnswer[]) => {
    const terminal = answers.length > 0 ? { terminal: true, answers } : {};
    const { stdout, stderr, prompter } = await run(words, { ...options, ...terminal });
    said.push({ words, text: [stderr, ...prompter.asked, stdout].join('\n') });
    return stdout;
  };
  const good = file('good.csv', orderSheet([rowWith(1), rowWith(2), rowWith(3)]));
  const wrong = file('wrong.csv', orderSheet([rowWith(4), rowWith(5, bad)]));
  const noPickup = file('no-pickup.csv', orderSheet([orderCells(6).slice(0, 13)], orderHeader.slice(0, 13)));
  const unknown = file('unknown.csv', 'Mã đơn,Ghi chú riêng\nA1,gì đó\n');
  await play(['batch', 'show']);
  await play(['batch', 'plan', good, '--pick', 'cheapest']);
  await play(['batch', 'plan', wrong]);
  await play(['batch', 'plan', wrong, '--skip-bad', '--max-total', '1']);
  await play(['batch', 'plan', noPickup]);
  await play(['batch', 'plan', good, '--save', 'plan.json', '--to', 'plan.md']);
  await play(['batch', 'plan', good, '--to', 'plan.pdf']);
  await play(['batch', 'map', unknown]);
  await play(['batch', 'map', unknown, '--save', 'no name']);
  await play(['batch', 'run', good], false);
  await play(['batch', 'run', good, '--max-total', '1', '--yes']);
  await play(['batch', 'run', good, '--concurrency', '99', '--yes']);
  await play(['batch', 'run', good, '--do', 'orders crate']);
  await play(['batch', 'run', '--yes']);
  await play(['batch', 'run', good], true);
  await play(['batch', 'run', good, '--yes']);
  await play(['batch', 'run', wrong, '--skip-bad', '--yes']);
  await play(['batch', 'run', wrong, '--skip-bad', '--pick', 'fastest', '--yes']);
  await play(['batch', 'plan', good]);
  await play(['batch', 'show']);
  await play(['batch', 'list']);
  await play(['batch', 'rows']);
  await play(['batch', 'find', 'SO-1']);
  await play(['batch', 'find', 'nothing']);
  await play(['batch', 'resume']);
  await play(['batch', 'show', 'none-such']);
  const [, newest = '']: string[] = JSON.parse((await run(['batch', 'list', '-o', 'json'], options)).stdout).map(
    ({ batch }: { batch: string }) => batch,
  );
  await play(['batch', 'retry', newest]);
  await play(['batch', 'retry', newest, good]);
  await play(['batch', 'settle', newest, '1']);
  await play(['batch', 'settle', newest, '1', '--done']);
  await play(['batch', 'result', newest, '--to', 'result.pdf']);
  await play(['batch', 'result', newest, '--to', 'result.csv']);
  await play(['batch', 'undo', newest, '--row', 'none']);
  await play(['batch', 'undo', newest, '--row', 'SO-1'], true);
  await play(['batch', 'undo', newest], false);
  await play(['batch', 'undo', newest, '--yes']);
  await play(['batch', 'undo', newest, '--yes']);
  await play(['batch', 'plan', good]);
  await play(['batch', 'run', good], 'skip', false);
  await play(['batch', 'run', good, '--resend-ended', 'travelling']);
  await play(['batch', 'forget', newest]);
  await play(['ledger', 'list']);
  await play(['ledger', 'show', 'none']);
  await play(['ledger', 'settle', 'none']);
  return said;
}

/** What is typed, and what the service or the shop calls something: it stands outside of texts in any language. */
const typed = new Set(
  [
    // Commands, and how a program is named.
    'shopctl batch plan run map rows show undo retry forget ship do cancel orders create ledger shipping finished',
    // Columns and states, which the labels have in their words.
    'row order recipient phone where what cash fee carrier delivery cell external id state code error fees',
    'done existed ended failed unclear skipped left undone file name batch started columns next lines resource since',
    'planned unfinished created',
    // Options and their values.
    'pick fastest skip send',
    // What the sheets and the shop have.
    'SO Demo Shop greenmile GMT Ho Chi Minh Asia csv json md pdf good wrong no pickup unknown plan',
    'full try on address none such nothing Ghi test result crate',
    // How places of a file are called, which are typed, and stored with their rows.
    'line column',
  ].flatMap((words) => words.toLowerCase().split(' ')),
);

/** What the command line adds: how errors begin, usage, and its advice. */
const ofCommandLine = [
  /\berror: /g,
  /^hint: .*$/gm,
  /^ +shopctl .*\[options\].*$/gm,
  /`shopctl [^`]*` (?:lists them; once they are fixed in the file,|sends them)/g,
];

/** What stands in no brackets, also where a text has others within. */
function outside(text: string): string {
  const rest = leftOver(text);
  return rest === text ? rest : outside(rest);
}

/** The words of a text that are in no catalogue, and neither typed nor data. */
function englishIn(text: string): readonly string[] {
  const others = ofCommandLine.reduce((rest, of) => rest.replaceAll(of, ' '), outside(text));
  const own = others.replaceAll(/`[^`]*`|--[a-z-]+|\u001B\[\w+/g, ' ');
  const words = own.match(/(?<![\p{L}\d/._-])[a-z]{2,}(?![\p{L}\d])/giu) ?? [];
  return words.filter((word) => !typed.has(word.toLowerCase()));
}

it('says everything in the language of the run', async () => {
  const said = await morning(await world(), { spoken: pseudoLanguage });
  const left = said.flatMap(({ words, text }) => englishIn(text).map((word) => `${words.join(' ')}: ${word}`));
  expect(left).toEqual([]);
  expect(said.filter(({ text }) => text.includes('⟦')).length).toBeGreaterThan(35);
});

it('has the words of the service in quotes behind a sentence of ours, and our own in Vietnamese', () => {
  speak(spoken, 0);
  onTestFinished(() => speak(undefined, 0));
  expect(faultInWords('invalid_argument', 'the offer is gone')).toBe('hệ thống từ chối: "the offer is gone"');
  expect(faultInWords('outcome_unknown', 'recorded by hand as not done')).not.toMatch(/by hand|"/);
});

/** A run of a Vietnamese-speaking packer. */
const vietnamese = { env: { SHOPCTL_LANG: 'vi' } };

it('plans, asks and sends in Vietnamese', async () => {
  const { run, file } = await world();
  const good = file('good.csv', orderSheet([rowWith(1), rowWith(2), rowWith(2, { external_id: 'SO-9' })]));
  const asked = await run(['batch', 'run', good], { ...vietnamese, terminal: true, columns: 80, answers: [true] });
  expect(asked.prompter.asked).toEqual([
    'Thu hộ 2.700.000\u00A0₫, phí giao hàng 103.500\u00A0₫. Gửi 3 đơn này (1 đơn có thể trùng)?',
  ]);
  const planned = await run(['batch', 'plan', file('more.csv', orderSheet([rowWith(1), rowWith(7)]))], vietnamese);
  expect(
    planned.stderr,
  ).toBe(`tự điền: tổng số lượng ở 2 dòng, giá trị hàng hóa ở 2 dòng, tổng giảm giá ở 2 dòng, tổng phí ở 2 dòng, tổng tiền ở 2 dòng, địa chỉ khách ở 2 dòng
2 đơn: 1 sẽ gửi, 1 đã có
thu hộ 900.000\u00A0₫
1 đơn mua bảo hiểm, giá trị hàng hóa 900.000\u00A0₫
phí giao hàng 34.500\u00A0₫: greenmile 34.500
`);
  const repeated = await run(['batch', 'run', good, '--yes'], vietnamese);
  expect(repeated.stderr).toMatch(
    /^file này đã chạy ở đợt gửi \S+\. Lần này không gửi gì\.\nphí giao hàng 103\.500\u00A0₫: greenmile 103\.500\n$/,
  );
});

it('names what is wrong in Vietnamese, and stores it in English', async () => {
  const { run, file } = await world();
  const wrong = file('wrong.csv', orderSheet([rowWith(4, { external_id: '7' }), rowWith(5)]));
  const refused = await run(['batch', 'run', wrong, '--yes'], vietnamese);
  const fault = 'không phải mã đơn (2 đến 100 ký tự): nếu cột là số thứ tự thì bỏ qua cột này';
  const [first, second] = refused.stderr.split('\n');
  expect(first).toBe(`dòng 2, cột external_id: "7" ${fault}`);
  expect(second).toMatch(/1 ô không dùng được\. Chưa gửi gì\.$/);
  const ran = await run(['batch', 'run', wrong, '--skip-bad', '--yes'], vietnamese);
  expect(ran.stderr.split('\n')).toContain(`1 dòng: dòng 2, cột external_id: ${fault}`);
  const rows = await run(['batch', 'rows', '--state', 'skipped', '-o', 'json'], vietnamese);
  const message = 'is no code, which has 2 to 100 characters: if the column is a running number, leave it out';
  const place = 'line 2, column external_id';
  expect(JSON.parse(rows.stdout)[0].error).toEqual({
    code: 'bad_cells',
    message: `${place}: ${message}`,
    field_errors: [{ path: place, message }],
  });
});

it('says in Vietnamese what was stored in English', async () => {
  const { run, file } = await world();
  const wrong = file('wrong.csv', orderSheet([rowWith(4), rowWith(5, bad), rowWith(6, { 'lines.retail_price': 'x' })]));
  await run(['batch', 'run', wrong, '--skip-bad', '--yes']);
  await run(['batch', 'run', file('dear.csv', orderSheet([rowWith(7)])), '--max-fee', '1000', '--skip-bad', '--yes']);
  const stored = ['batch', 'rows', '--state', 'skipped', '--fields', 'error.message'];
  expect((await run(stored, vietnamese)).stdout.split('\n')[1]).toMatch(
    /^dịch vụ \w+ có phí 34\.500\u00A0₫; mức tối đa là 1\.000\u00A0₫$/,
  );
  const [, wrongs] = JSON.parse((await run(['batch', 'list', '-o', 'json'])).stdout);
  const { stdout } = await run([...stored, wrongs.batch], vietnamese);
  expect(stdout.trim().split('\n').slice(1)).toEqual([
    // How many digits it has is not stored.
    'dòng 3, cột shipping_address.full_name: còn thiếu; dòng 3, cột shipping_address.phone: is not a phone number: it has fewer than 7 digits; dòng 3, cột lines.quantity: phải ít nhất là 1 cái',
    'dòng 4, cột lines.retail_price: không phải số tiền: ghi như 1350000, 1.350.000 hoặc 1,350,000',
  ]);
});

it('undoes in Vietnamese, and says afterwards what is not sent again', async () => {
  const { run, file } = await world();
  const good = file('good.csv', orderSheet([rowWith(1), rowWith(2)]));
  await run(['batch', 'run', good, '--yes'], vietnamese);
  const [{ batch }] = JSON.parse((await run(['batch', 'list', '-o', 'json'], vietnamese)).stdout);
  const undone = await run(['batch', 'undo', batch, '--row', 'SO-1'], {
    ...vietnamese,
    terminal: true,
    answers: [true],
  });
  expect(undone.prompter.asked).toEqual([
    expect.stringMatching(/^Hoàn tác 1 đơn \(dòng 2 \(SO-1\), .*\) của đợt gửi \S+ bằng "shipping cancel"\?$/),
  ]);
  const again = await run(['batch', 'plan', good], vietnamese);
  const ofUndo = 'đã hoàn tác lúc 15:00 ngày 31/01 (GMT+7): hoàn tác đợt gửi';
  expect(again.stderr.split('\n').slice(1, 4)).toEqual([
    `dòng 2 (SO-1): không gửi lại: ${ofUndo} ${batch}`,
    expect.stringMatching(/^Muốn gửi lại: /),
    '2 đơn: 1 đã có, 1 đã kết thúc (1 đã hoàn tác)',
  ]);
});

/** Names of batches and workers, which are made at random, and digests of them. */
const RANDOM = /\b20\d{6}-[a-z\d]{5}\b|\b[\da-f]{32}\b|\b[\da-f]{64}\b/g;

it('stores what it stores in English, whatever was said: rows, their ledger, a plan', async () => {
  const inLanguage = async (language: string) => {
    const { run, file, directory } = await world();
    const good = file('good.csv', orderSheet([rowWith(1), rowWith(2)]));
    const dear = file(
      'dear.csv',
      orderSheet([rowWith(3), rowWith(4, bad), rowWith(5, { 'shipping.cod_amount': '1.35' })]),
    );
    const other = file('other.csv', orderSheet([rowWith(1, { 'lines.retail_price': '990000' }), rowWith(2)]));
    const said: string[] = [];
    for (const words of [
      ['plan', dear, '--max-fee', '1000', '--skip-bad', '--save', 'dear.json'],
      ['run', dear, '--max-fee', '1000', '--skip-bad', '--yes'],
      ['run', good, '--yes'],
      ['run', other, '--yes'],
      ['undo', '--row', 'SO-1', '--yes'],
    ])
      said.push((await run(['batch', ...words], { env: { SHOPCTL_LANG: language } })).stderr);
    const rows = await rowsIn(join(directory, 'state', 'workspace.db'));
    const kept = [...Object.values(rows), readFileSync(join(directory, 'dear.json'), 'utf8')].join('\n');
    return { said: said.join('\n'), kept: kept.replaceAll(directory, '').replaceAll(RANDOM, '…').split('\n') };
  };
  const [vietnamese, english] = [await inLanguage('vi'), await inLanguage('en')];
  expect(vietnamese.said).toContain('mức tối đa là 1.000\u00A0₫');
  const text = english.kept.join('\n');
  expect(text).toContain('costs 34,500; the limit is 1,000');
  expect(text).toContain('retail_price (450,000 → 990,000)');
  expect(vietnamese.kept.filter((line, at) => line !== english.kept[at])).toEqual([]);
  expect(vietnamese.kept.length).toBe(english.kept.length);
});

it('stores in English what became of writes that were lost, refused or given up', async () => {
  const inLanguage = async (language: string) => {
    const { run, file, directory, service } = await world();
    const fault = (every: number, what: string) =>
      service.sandbox.control.faults.add({ operation: 'partner.Shipping/CreateAndConfirmOrder', every, do: what });
    await fault(2, 'drop-before');
    await fault(3, 'status=412,code=failed_precondition');
    await fault(5, 'half-answer');
    const orders = file('orders.csv', orderSheet([1, 2, 3, 4, 5, 6].map((number) => rowWith(number))));
    const clock = { ...standingClock(), ...steppedClock() };
    const say = async (...words: string[]) =>
      (await run(['batch', ...words], { env: { SHOPCTL_LANG: language }, clock })).stderr;
    const begun = await say('run', orders, '--yes', '--concurrency', '1');
    const [batch = ''] = RANDOM.exec(begun) ?? [];
    RANDOM.lastIndex = 0;
    const said = [begun, await say('resume', batch), await say('retry', batch), await say('undo', batch, '--yes')];
    const rows = await rowsIn(join(directory, 'state', 'workspace.db'));
    const kept = Object.values(rows).join('\n').replaceAll(directory, '').replaceAll(RANDOM, '…').split('\n');
    return { said: said.join('\n'), kept };
  };
  const [vietnamese, english] = [await inLanguage('vi'), await inLanguage('en')];
  expect(vietnamese.said).not.toBe(english.said);
  expect(vietnamese.kept.filter((line, at) => line !== english.kept[at])).toEqual([]);
  expect(vietnamese.kept.length).toBe(english.kept.length);
  const text = english.kept.join('\n');
  expect(text).toContain('its answer was lost: when sent again it was refused: fault 2 of the sandbox');
  expect(text.match(/"state": "undone"/g)?.length).toBeGreaterThan(1);
});

it('prints for programs what it prints in English', async () => {
  const inLanguage = async (language: string) => {
    const at = await world();
    const said = await morning(at, { env: { SHOPCTL_LANG: language, SHOPCTL_OUTPUT: 'json' } });
    const texts = said.map(({ text }) => text.replaceAll(at.directory, ''));
    return [
      ...texts,
      readFileSync(join(at.directory, 'result.csv'), 'utf8'),
      readFileSync(join(at.directory, 'plan.json'), 'utf8'),
    ];
  };
  expect(await inLanguage('vi')).toEqual(await inLanguage('en'));
});

it.each([
  ['vi', /đã hoàn tác lúc \d\d:\d\d ngày \d\d\/\d\d/],
  ['en', /undone on \d{4}-\d\d-\d\d \d\d:\d\d/],
])('shows when a row ended as the clocks show it: %s', async (language, moment) => {
  const { run, file } = await world();
  const path = file('good.csv', orderSheet([rowWith(1)]));
  const { stdout: batch } = await run(['batch', 'run', path, '--yes', '-o', 'name']);
  await run(['batch', 'undo', batch.trim(), '--yes']);
  await run(['batch', 'run', path, '--yes']);
  const { stdout } = await run(['batch', 'rows'], { env: { SHOPCTL_LANG: language } });
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toMatch(moment);
  expect(text).not.toMatch(/\dT\d\d:/);
});

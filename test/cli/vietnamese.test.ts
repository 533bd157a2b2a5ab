import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { actionTexts } from '../../src/action/texts.ts';
import { adviceWordings } from '../../src/cli/errors/advice.ts';
import { advised, hintFor, hints } from '../../src/cli/errors/hints.ts';
import { refusalWordings } from '../../src/cli/report/refusal-words.ts';
import { groups } from '../../src/cli/tree/groups.ts';
import { speak } from '../../src/domain/language.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { say as ofPlatform } from '../../src/platform/terminal/texts.ts';
import { testMachine } from '../support/context.ts';
import { leftWords } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { pseudoLanguage } from '../support/pseudo.ts';
import { quotedOrder } from '../support/sandbox-order.ts';
import { shopWorld } from '../support/shop-world.ts';

const terminal = { terminal: true, env: { TERM: 'xterm' } } as const;
const inTests = { ...terminal, columns: 500, spoken: pseudoLanguage };
const inVietnamese = { env: { SHOPCTL_LANG: 'vi' } };
const asVietnamese = { ...terminal, columns: 80, env: { TERM: 'xterm', SHOPCTL_LANG: 'vi' } };

/** A shop with one shipped order, and further customers. */
async function shipped() {
  const world = await shopWorld();
  const { post, shopKey, sandbox } = world.service;
  const made = await post('partner.Shipping/CreateAndConfirmOrder', await quotedOrder(world.service), shopKey);
  const { id, code } = made.body.order;
  for (const name of ['Mai', 'Hoa', 'Cúc'])
    await world.run(['customers', 'create', '--full-name', name, '--phone', '0912345678', '--profile', 'shop']);
  return { ...world, id, code, advance: (to: string) => sandbox.control.advance(id, { to }) };
}

/** Names of fields and of values, which are typed; data. */
const given = [
  ...['Nguyễn Thị Lan', 'Mai', 'Hoa', 'Cúc', 'Demo Shop', 'GR', 'DH', 'shop', 'test', 'nothing', 'nowhere', 'none'],
  ...[
    'id',
    'cancel_reason',
    'external_id',
    'external_code',
    'code',
    'full_name',
    'phone',
    'limit',
    'lines',
    'TERM',
    'fee_lines',
    'fulfillment_errors',
    'partner.Shipping/CancelOrder',
    'shop.Order/GetOrder',
  ],
  ...['SHOPCTL_SHOP_KEY', 'flag'],
  // States, as they are asked for.
  'new done in progress cancelled returned undelivered default created confirmed processing picking holding',
  'delivering delivered undeliverable returning unknown fulfillments',
  // What the service or the machine says.
  ...[
    'not_found',
    'not found',
    'order not found',
    'connection refused',
    'ENOENT',
    'unauthenticated',
    'bad_route',
    'no operation at',
    'invalid_argument',
    'is missing field',
  ],
  // The names and descriptions of fields that have no name of their own here: they are those of the help.
  'full name Full phone number Phone',
  // The name of a column.
  /^.*\b(?:FULL_NAME|NAME)\b.*$/gm,
];

/** Command lines, each with what was answered at the terminal. */
const lines: readonly (readonly [words: readonly string[], answers?: readonly (string | boolean)[]])[] = [
  [['shipping', 'cancel', 'ID', '--cancel-reason', 'x'], [false]],
  [['customers', 'delete', 'CUSTOMER', '--profile', 'shop'], [false]],
  [
    ['customers', 'create', '--profile', 'shop'],
    ['Lan', '0912345678'],
  ],
  [['customers', 'list', '--limit', '1', '--profile', 'shop']],
  [['customers', 'list', '--match', 'mai', '--profile', 'shop']],
  [['customers', 'list', '--match', '!', '--profile', 'shop']],
  [['customers', 'list', '--fields', 'nam', '--profile', 'shop']],
  [['customers', 'list', '--query', '[?a=b]', '--profile', 'shop']],
  [['customers', 'list', '--query', 'nothing(a)', '--profile', 'shop']],
  [['customers', 'list', '--status', 'gone', '--profile', 'shop']],
  [['customers', 'list', '--to', 'a.txt', '--profile', 'shop']],
  [['orders', 'list', '--status', 'delivered', '--profile', 'shop']],
  [['orders', 'get', 'nowhere', '--profile', 'shop']],
  [['orders', 'get', 'CODE', '--profile', 'shop', '--fields', 'code']],
  [['shipping', 'get', '99', '--dry-run']],
  [['shipping', 'get', '99', '--curl']],
  [['shipping', 'cancel', 'ID', '--cancel-reason', 'x', '--read-only']],
  [['shipping', 'cancel', 'ID', '--cancel-reason', '', '--yes']],
  [['shipping', 'create', '--shop', 'nowhere', '--skeleton']],
  [['customers', 'get', 'x y', '--profile', 'shop', '--as', 'partner']],
  [['api', 'nothing/at/all']],
  [['api', 'shop.Order/GetOrdr', '--profile', 'shop']],
  [['api', 'shop.Order/GetOrder', '-o', 'table', '--profile', 'shop']],
  [['schema', 'orders', 'lst']],
  [['ship', '--resume', 'nothing']],
];

describe('no English is left', () => {
  it('in questions, refusals, hints and notices of everyday commands', async () => {
    const { id, code, ...world } = await shipped();
    const [customer] = JSON.parse((await world.run(['customers', 'list', '--profile', 'shop', '--json'])).stdout);
    const names: Readonly<Record<string, string>> = { ID: id, CODE: code, CUSTOMER: customer.id };
    const left: Record<string, readonly string[]> = {};
    for (const [words, answers = []] of lines) {
      const typed = words.map((word) => names[word] ?? word);
      const { stderr, prompter } = await world.run(typed, { ...inTests, answers });
      const said = [stderr, ...prompter.asked].flatMap((text) => leftWords(text, [...given, ...typed]));
      if (said.length > 0) left[typed.join(' ')] = said;
    }
    expect(left).toEqual({});
  });

  it('in what nobody is asked, and in what a service that is away leaves', async () => {
    const { id, run } = await shipped();
    const unasked = { spoken: pseudoLanguage };
    for (const words of [
      ['shipping', 'cancel', id, '--cancel-reason', 'x'],
      ['customers', 'delete', '1', '--profile', 'shop'],
      ['customers', 'create', '--profile', 'shop'],
      ['ship'],
    ]) {
      const { exit, stderr } = await run(words, unasked);
      expect([exit, leftWords(stderr, [...given, 'FILE', 'WHICH', ...words])]).toEqual([2, []]);
    }
    const away = await shopWorld(() => async () => {
      throw new TransportError('refused', 'no', 'connection refused');
    });
    // The failure itself is told by the client.
    const { stderr } = await away.run(['orders', 'list', '--profile', 'shop', '--max-retries', '0'], unasked);
    expect(stderr).toMatch(/^⟦shopctl: error: ⟧.*\n⟦hint: ⟧⟦.*⟧\n?/);
  });

  it('in anything that is advised', () => {
    speak(pseudoLanguage, 0);
    onTestFinished(() => speak(undefined, 0));
    const facts = new Proxy({}, { get: (_, name) => (String(name).endsWith('s') ? ['A1', 'A2'] : 'A1') });
    const texts = [
      ...Object.values(adviceWordings).flatMap((worded) => [worded(facts), worded({ batch: 'A1', skipped: true })]),
      ...Object.values(advised).map((worded) => worded({ draft: 'A1' })),
      ...Object.values(refusalWordings).flatMap(({ message, hint }) =>
        [facts, {}].flatMap((one) => [message?.(one, (path) => path), hint?.(one, (path) => path)]),
      ),
      ...Object.keys(hints).flatMap((code) => [hintFor(code, { facts, meta: facts }), hintFor(code, {})]),
    ];
    const said = texts.filter((text) => text !== undefined);
    const names = ['A1', 'A2', 'undefined', 'ID', 'NAME', 'FILE', 'SESSION', 'URL', 'shopctl', 'sudo', 'chown', 'un'];
    const typed = [...names, 'npm_config_nodedir', 'npm', 'install', 'rebuild', 'better', 'sqlite', 'agreement'];
    expect(said.flatMap((text) => leftWords(text, [...typed, ...given])).filter((word) => word !== 'batch')).toEqual(
      [],
    );
    expect(said.length).toBeGreaterThan(250);
  });
});

it('asks before a removal in the words of the command', async () => {
  const loaded = await Promise.all(groups.map((group) => group.load()));
  const removing = loaded
    .flatMap(({ commands }) => commands.flatMap((command) => command.actions))
    .filter(({ destructive }) => destructive === true);
  const summaries = removing.map(({ words, summary }) => [words.join(' '), summary] as const);
  expect(Object.fromEntries(summaries)).toEqual(actionTexts.removals);
});

describe('in Vietnamese', () => {
  it('a cancellation is asked for, and nothing is done without an answer', async () => {
    const { id, code, run, advance } = await shipped();
    const asked = await run(['shipping', 'cancel', id, '--cancel-reason', 'x'], { ...asVietnamese, answers: [false] });
    const amount = '1.280.000\u00a0₫';
    expect(asked.prompter.asked).toEqual([
      `Hủy đơn hàng và các vận đơn của đơn: đơn ${code} của Nguyễn Thị Lan: đang xử lý, ${amount}, vận đơn PL000001 chờ lấy hàng, thu hộ ${amount} (id ${id}, cancel_reason x); đơn bị hủy, cùng với vận đơn PL000001. Chắc chắn?`,
    ]);
    expect(asked.stderr).toBe('shopctl: lỗi: chưa xác nhận, chưa gửi gì\n');
    await advance('delivering');
    const refused = await run(['shipping', 'cancel', id, '--cancel-reason', 'x'], asVietnamese);
    expect(refused.exit).toBe(5);
    expect(refused.stderr.split('\n')).toEqual([
      `shopctl: lỗi: không hủy đơn ${code}: vận đơn PL000001 đang giao: đơn vị vận`,
      '  chuyển đang giữ hàng, không dừng được nữa',
      'gợi ý: chỉ hủy đơn hàng: thêm --order-only; kiện hàng đã lấy thì giữ nguyên',
      '',
    ]);
    const unasked = await run(['shipping', 'cancel', id, '--cancel-reason', 'x'], inVietnamese);
    expect(unasked.stderr).toBe('shopctl: lỗi: shipping cancel không hoàn tác được: thêm --yes để xác nhận\n');
  });

  it('what is missing is asked for, and what goes on is told', async () => {
    const { run } = await shipped();
    const created = await run(['customers', 'create', '--profile', 'shop'], {
      ...asVietnamese,
      answers: ['Lan', '0912345678'],
    });
    expect([created.exit, created.prompter.asked]).toEqual([0, ['họ tên', 'số điện thoại']]);
    const some = await run(['customers', 'list', '--limit', '1', '--profile', 'shop'], {
      ...asVietnamese,
      columns: 200,
    });
    expect(some.stderr).toMatch(
      /^có thể còn nữa: lấy tất cả bằng --all, hoặc tiếp tục bằng --sort=-created_at --after /,
    );
    const looked = await run(['customers', 'list', '--match', 'mai', '--profile', 'shop'], inVietnamese);
    expect(looked.stderr).toBe('đã xem 5 bản ghi, hiện 1\n');
    const dry = await run(['shipping', 'get', '99', '--dry-run', '-o', 'table'], inVietnamese);
    expect(dry.stderr).toBe('chạy thử: chưa gửi gì\n');
  });

  it('errors have their hint', async () => {
    const { run } = await shipped();
    const errorOf = async (...words: string[]) => (await run(words, inVietnamese)).stderr;
    expect(await errorOf('customers', 'list', '--fields', 'ful_name', '--profile', 'shop')).toContain(
      'shopctl: lỗi: --fields có trường không biết: ful_name\ngợi ý: có phải full_name không?\n',
    );
    expect(await errorOf('orders', 'get', 'nowhere', '--profile', 'shop')).toBe(
      'shopctl: lỗi: không có gì tên là "nowhere": không phải id, mã, external_id hay mã vận đơn, cũng không phải external_code của 1.000 đơn mới nhất\n' +
        'gợi ý: tìm theo tên, số điện thoại và mã: `shopctl orders list --match nowhere --profile shop`\n',
    );
    expect(await errorOf('orders', 'get', '99', '--profile', 'shop')).toMatch(
      /^shopctl: lỗi: hệ thống không tìm thấy: ".+" \(not_found\)\n/,
    );
    expect(await errorOf('shipping', 'create', '--input', 'x.json', '--read-only')).toContain(
      'chỉ được phép đọc (flag)\ngợi ý: chưa gửi gì; bỏ --read-only để ghi\n',
    );
  });
});

describe('before the settings are read', () => {
  const nobody = () => {
    throw new Error('nothing is to be sent');
  };
  const ofNobody = { kind: 'partner', base_url: 'https://shop.example' } as const;

  it('a line that cannot be read is refused in the language of the flag, the variable, the settings or the locale', async () => {
    const machine = testMachine(nobody);
    const said = async (words: readonly string[], options: Parameters<typeof machine.run>[1] = {}) =>
      (await machine.run(words, options)).stderr;
    const words = ['orders', 'lst'];
    const [vietnamese, english] = ["shopctl: lỗi: không có lệnh 'lst'\n", "shopctl: error: unknown command 'lst'\n"];
    const hint = 'gợi ý: có phải `shopctl orders list` không?\n';
    expect(await said([...words, '--lang', 'vi'])).toBe(vietnamese + hint);
    expect(await said(words, inVietnamese)).toBe(vietnamese + hint);
    const locale = { LC_ALL: 'vi_VN.UTF-8' };
    expect(await said(words, { env: locale, terminal: true })).toContain(vietnamese);
    expect(await said(words, { env: locale })).toContain(english);
    expect(await said(words, { env: { SHOPCTL_LANG: 'vi', SHOPCTL_OUTPUT: 'json' } })).toContain(
      "unknown command 'lst'",
    );
    await machine.save({ version: 1, profiles: { test: ofNobody }, current_profile: 'test', settings: { lang: 'vi' } });
    expect(await said(words)).toContain(vietnamese);
    expect(await said(words, { env: { SHOPCTL_LANG: 'en' } })).toContain(english);
    expect(await said(['orders', 'list', '--limit', '1', '--timeout', 'x'])).toContain('--timeout cần là một số giây');
  });

  it('settings that are damaged are so in that language, too', async () => {
    const machine = testMachine(nobody);
    await machine.save({ version: 1, profiles: { test: ofNobody }, settings: { lang: 'vi' } });
    const path = join(machine.directory, 'config.json');
    writeFileSync(path, '{"version":1,"profiles":{"test":{"kind":"x"}}}');
    const { exit, stderr } = await machine.run(['orders', 'list'], inVietnamese);
    expect([exit, stderr]).toEqual([
      14,
      `shopctl: lỗi: ${path} bị hỏng: profiles.test.kind cần là "partner" hoặc "shop"\ngợi ý: tự sửa file, hoặc chuyển file đi chỗ khác để bắt đầu lại\n`,
    ]);
    expect((await machine.run(['orders', 'list'])).stderr).toContain('must be "partner" or "shop"');
    const checked = await machine.run(['doctor'], { ...asVietnamese, columns: 200 });
    expect(checked.stdout).toContain('cần là "partner" hoặc "shop"');
    expect(checked.stdout).not.toContain('CHECK');
    expect((await machine.run(['doctor'], { ...terminal, columns: 200 })).stdout).toContain(
      'must be "partner" or "shop"',
    );
  });

  it('no English is left of a line, of files and of a service that is away', async () => {
    const { run, directory } = await shopWorld(() => async () => {
      throw new TransportError(
        'refused',
        'no',
        ofPlatform().network.refused({ host: 'a.example', code: 'ECONNREFUSED' }),
      );
    });
    writeFileSync(join(directory, 'two.yaml'), 'a: 1\n---\na: 2\n');
    writeFileSync(join(directory, 'no.json'), '[1]');
    writeFileSync(join(directory, 'keys.yaml'), 'name: a\n1: b\n"1": c\n');
    writeFileSync(join(directory, 'list.yaml'), '? [a]\n: b\n');
    const names =
      'list get create cancel confirm story table json jsonl csv yaml name two.yaml no.json nowhere.json keys.yaml list.yaml';
    const typed = [names, 'stdin', 'a.example', 'ECONNREFUSED', 'test shop', 'none'];
    const left: Record<string, readonly string[]> = {};
    const lines = [
      ['orders', 'lst'],
      ['orders', 'list', '--limt', '1'],
      ['orders', 'list', '--limit'],
      ['orders', 'list', 'a'],
      ['orders', 'list', '--format', 'json'],
      ['orders', 'update', '1'],
      ['orders'],
      ['nothing'],
      ['help', 'nothing'],
      ['help', 'output', 'nothing'],
      ['orders', 'list', '--sort', 'a', '--sort', 'b'],
      ['orders', 'list', '--all', '--no-all'],
      ['orders', 'list', '--profile', 'none'],
      ['orders', 'list', '--timeout', 'none'],
      ['orders', 'list', '--output', 'none'],
      ['orders', 'list', '--base-url', 'none'],
      ['orders', 'list', '--max-retries', '0'],
      ['orders', 'list', '--shop', 'none'],
      ['orders', 'list', '--as', 'shop', '--profile', 'test'],
      ['totals', 'check', 'nowhere.json'],
      ['totals', 'check', 'no.json'],
      ['totals', 'check', '.'],
      ['shipping', 'create', '--input', 'two.yaml'],
      ['shipping', 'create', '--input', 'no.json'],
      ['shipping', 'create', '--input', 'keys.yaml'],
      ['shipping', 'create', '--input', 'list.yaml'],
      ['shipping', 'create', '--shipping', 'weight'],
      ['shipping', 'create', '--shipping', 'none=1'],
      ['shipping', 'create', '--shipping', '{"a":1.0}'],
      ['shipping', 'create', '--shipping', '{"a"}'],
      ['shipping', 'create', '--note', '@nowhere.json'],
    ];
    for (const words of lines) {
      const { exit, stderr } = await run(words, { spoken: pseudoLanguage });
      expect([words, exit === 0]).toEqual([words, false]);
      // Where fields are listed, they are those of the API.
      const said = leftWords(stderr, [...given, ...typed, ...words, /^.*\bpickup_address\b.*$/gm]);
      if (said.length > 0) left[words.join(' ')] = said;
    }
    expect(left).toEqual({});
  });
});

it('changes nothing that a program reads', async () => {
  // The random parts of names, and where the test is.
  const masked = (text: string) => text.replaceAll(/shopctl-s1-[0-9a-f]{20}|\/\S*shopctl-test-\w+/g, '…');
  const outcomes = async (lang: string) => {
    const { id, run, ...world } = await shipped();
    const file = plainOrder(world);
    const ended: unknown[] = [];
    for (const words of [
      ['shipping', 'cancel', id, '--cancel-reason', 'x'],
      ['shipping', 'cancel', id, '--cancel-reason', 'x', '--dry-run'],
      ['customers', 'list', '--limit', '1', '--profile', 'shop'],
      ['customers', 'list', '--match', 'mai', '--profile', 'shop'],
      ['orders', 'get', 'nowhere', '--profile', 'shop'],
      ['orders', 'list', '--profile', 'nowhere'],
      ['shipping', 'create', '--input', file],
      ['api', 'shop.Order/GetOrdr', '--profile', 'shop'],
      ['shipping', 'cancel', id, '--cancel-reason', 'x', '--yes'],
    ]) {
      for (const format of ['json', 'csv']) {
        const { exit, stdout, stderr } = await run([...words, '-o', format], { env: { SHOPCTL_LANG: lang } });
        ended.push([words.slice(0, 2), exit, masked(stdout), masked(stderr)]);
      }
    }
    return ended;
  };
  expect(await outcomes('vi')).toEqual(await outcomes('en'));
});

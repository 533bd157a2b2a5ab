import { describe, expect, it } from 'vitest';
import { PromptEnded } from '../../src/platform/terminal/prompter.ts';
import { leftWords } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { pseudoLanguage } from '../support/pseudo.ts';
import type { ScriptedAnswer } from '../support/scripted-prompter.ts';
import { type ShopWorld, shopWorld } from '../support/shop-world.ts';

const terminal = { terminal: true, columns: 80, env: { TERM: 'xterm' } } as const;
const inTests = { ...terminal, columns: 500, spoken: pseudoLanguage };
const inVietnamese = { ...terminal, env: { TERM: 'xterm', SHOPCTL_LANG: 'vi' } };

const pickup: ScriptedAnswer[] = [
  'Kho Liên Chiểu',
  '0905123456',
  { typed: 'p hoa khanh nam lien chieu da nang' },
  'Lô 7 KCN',
];
const message = 'Chị Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, 2 áo thun, thu 350k, mai giao nha 20k';

/** A text of a catalogue as the tests' own language has it. */
const b = (text: string) => `⟦${text}⟧`;

/** The choice's name of the cheapest offer for an input. */
async function cheapestOf({ run }: ShopWorld, file: string) {
  const { stdout } = await run(['quote', '--order', file, '--json']);
  const offers: { fee: number; name: string; carrier_info: { name: string }; marks: string[] }[] = JSON.parse(stdout);
  const [cheapest] = offers;
  const data = offers.flatMap(({ name, carrier_info }) => [name, carrier_info.name]);
  return { cheapest, data };
}

/** What was given, came from the service or from our list of places, or is typed. */
const given = [
  ...['Kho Liên Chiểu, Lô 7 KCN, Nguyễn Thị Lan, 12 ngõ 5, Áo khoác', message, 'Demo Shop', 'SĐT'],
  ...['Phường Hòa Khánh Nam, Quận Liên Chiểu, Thành phố Đà Nẵng, Phường Dịch Vọng, Quận Cầu Giấy, Thành phố Hà Nội'],
  ...['Phường Bến Nghé, Quận 1, Thành phố Hồ Chí Minh, Thị xã Điện Bàn, Tỉnh Quảng Nam, Bắc, Hậu'],
  ...['external_id', 'order_discount', 'FILE', 'WHICH', 'GMT'],
  // The names of columns, and the usage: the former are labels, the latter is help.
  /^.*\b(?:FEE|STATE)\b.*$/gm,
];

describe('ship leaves no English', () => {
  it('in the questions and choices of the wizard, from the first to the last', async () => {
    const world = await shopWorld();
    const { cheapest, data } = await cheapestOf(world, plainOrder(world));
    const answers: ScriptedAnswer[] = [
      ...pickup,
      ...['Nguyễn Thị Lan', '0901234567'],
      { typed: 'p dich vong cau giay hn' },
      '12 ngõ 5',
      ...['Áo khoác', '2', '450000', '400000', b('add a line'), 'Áo khoác', '1', '450000', '450000', b('that is all')],
      ...['30000', '0', '0', { typed: '1200 30x25x20' }, '1280000', b('yes, insured'), b('open the parcel and look')],
      ({ message: asked }) => {
        expect(asked).toBe(b('Service: which one?'));
        const { fee, name, carrier_info, marks } = cheapest ?? {
          fee: 0,
          name: '',
          carrier_info: { name: '' },
          marks: [],
        };
        const called = marks.map((mark) => b(mark.replace('_', ' '))).join(', ');
        return `${fee.toLocaleString('en').padStart(9)}  ${carrier_info.name} ${name} (${called})`;
      },
      b('send it'),
      false,
    ];
    const { exit, stderr, prompter } = await world.run(['ship'], { ...inTests, answers });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    const known = [...given, ...data];
    // What stands before the answer of the service, which is a sheet of its fields.
    expect(prompter.asked.flatMap((asked) => leftWords(asked, known))).toEqual([]);
    expect(prompter.offered.flatMap((choice) => leftWords(choice, known))).toEqual([]);
    expect(leftWords(stderr, known)).toEqual([]);
    expect(prompter.asked.length).toBeGreaterThan(25);
  });

  it('in the card of a message, whatever it says, and in what is done with it', async () => {
    const world = await shopWorld();
    const texts = [
      message,
      'Lan 0901234567 hoặc 0977111222, 12/3 Lê Lợi, Bến Nghé, q1, hcm, 2 áo thun, freeship, đã ck 100k',
      'Chị Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm\n2 áo thun\nthu 350k\nkhoan gửi nhé',
      'Chị Lan 0901234567 12/3 Lê Lợi p.Bến Nghé q1 hcm, thu 350k hoặc 400k',
    ];
    for (const text of texts) {
      const answers = [...pickup, text, new PromptEnded()];
      const { stderr, prompter } = await world.run(['ship'], { ...inTests, answers });
      // Each line has its label and perhaps a sentence about the words of the message, which stand outside.
      const words = [...text.matchAll(/[\p{L}\d]+/gu)].map(([word]) => word);
      const known = [...given, ...words];
      expect(leftWords(stderr, known), text).toEqual([]);
      expect(prompter.asked.at(-1)).toMatch(/^⟦.*⟧$/);
    }
  });

  it('in what it refuses and in what becomes of a draft', async () => {
    const world = await shopWorld();
    const wrong = await world.run(['ship', '--input', plainOrder(world, { order_discount: -1 })], {
      ...inTests,
      terminal: false,
    });
    expect(wrong.exit).toBe(2);
    expect(leftWords(wrong.stderr, given)).toEqual([]);
    const nothing = await world.run(['ship'], { ...inTests, terminal: false });
    expect(leftWords(nothing.stderr, given)).toEqual([]);
    await world.run(['ship'], { ...inTests, answers: [...pickup, new PromptEnded()] });
    const left = await world.run(['ship'], { ...inTests, answers: [...pickup.slice(0, 1), new PromptEnded()] });
    expect(leftWords(left.stderr, given)).toEqual([]);
    const list = await world.run(['ship', 'drafts', 'list'], inTests);
    expect(leftWords(list.stderr, given)).toEqual([]);
    const [id = ''] = /\b[0-9a-f]{10}\b/.exec(list.stdout) ?? [];
    const removed = await world.run(['ship', 'drafts', 'remove', id], inTests);
    expect(leftWords(removed.stderr, given)).toEqual([]);
    expect(removed.stderr).toContain(id);
  });
});

describe('ship in Vietnamese', () => {
  it('asks all its questions, and shows what is about to be sent', async () => {
    const world = await shopWorld();
    const answers: ScriptedAnswer[] = [
      ...pickup,
      ...['Nguyễn Thị Lan', '0901234567', { typed: 'p dich vong cau giay hn' }, '12 ngõ 5'],
      ...['Áo khoác', '2', '450000', '400000', 'đủ rồi', '30000', '0', '0', { typed: '1200 30x25x20' }],
      ...['830000', 'có bảo hiểm', 'cho xem hàng, không thử', 'gửi', false],
    ];
    const { exit, stderr, prompter } = await world.run(['ship', '--pick', 'cheapest'], { ...inVietnamese, answers });
    expect([exit, prompter.left()]).toEqual([0, 0]);
    expect(prompter.asked).toEqual(
      [
        'Nơi lấy hàng: họ tên',
        'Nơi lấy hàng: số điện thoại',
        'Nơi lấy hàng: khu vực (ví dụ q2 hcm)',
        'Nơi lấy hàng: số nhà, tên đường',
        'Người nhận: họ tên, hoặc dán cả tin nhắn',
        'Người nhận: số điện thoại',
        'Người nhận: khu vực (ví dụ q2 hcm)',
        'Người nhận: số nhà, tên đường',
        'Dòng 1: tên sản phẩm',
        'Dòng 1: số lượng',
        'Dòng 1: đơn giá trước giảm giá',
        'Dòng 1: đơn giá sau giảm giá',
        'Còn sản phẩm nào nữa?',
        'Phí: phí giao hàng tính cho khách (0 nếu không có)',
        'Phí: phí khác tính cho khách (0 nếu không có)',
        'Phí: giảm giá cho cả đơn (0 nếu không có)',
        'Kiện hàng: khối lượng g, cạnh cm (ví dụ 1200 30x25x20)',
        'Tiền thu hộ (0 nếu khách đã trả)',
        'Bảo hiểm hàng hóa, giá trị 900.000 ₫?',
        'Khách được làm gì trước khi trả tiền?',
        expect.stringMatching(/^Gửi bằng .+, phí \d\d\.\d\d\d\u00a0₫\?$/),
        'Gửi thêm đơn khác?',
      ].map((asked) => (typeof asked === 'string' ? asked.replaceAll(/(?<=\d) ₫/g, '\u00a0₫') : asked)),
    );
    expect(prompter.offered.slice(-13)).toEqual([
      'gửi',
      'sửa: nơi lấy hàng',
      'sửa: người nhận',
      'sửa: hàng',
      'sửa: phí và giảm giá',
      'sửa: kiện hàng',
      'sửa: tiền thu hộ',
      'sửa: bảo hiểm',
      'sửa: xem hàng',
      'sửa: ghi chú',
      'sửa: dịch vụ giao hàng',
      'lưu thành bản nháp và thoát',
      '< quay lại',
    ]);
    expect(stderr).toContain('2 SP 900.000 - giảm 100.000 + phí 30.000 = 830.000; 3.000 g; COD 830.000');
    for (const line of [
      '  Ctrl-C lưu các câu trả lời thành bản nháp; < quay lại một câu.',
      '  từ     Kho Liên Chiểu, 0905123456, Lô 7 KCN, Phường Hòa Khánh Nam, Quận Liên',
      '  hàng   2 x Áo khoác, 400.000\u00a0₫',
      '  kiện   1.200 g, 30x25x20 cm, tính phí 3.000 g',
      '  thu hộ 830.000\u00a0₫; có bảo hiểm; cho xem hàng, không thử',
      'làm lại như vậy mà không cần hỏi:',
    ])
      expect(stderr.split('\n')).toContain(line);
  });

  it('shows the card of a message', async () => {
    const world = await shopWorld();
    const answers = [...pickup, message, new PromptEnded()];
    const { stderr, prompter } = await world.run(['ship'], { ...inVietnamese, answers });
    const card = stderr.split('\n').slice(1, 8);
    expect(card).toEqual([
      '  tên     Chị Lan',
      '  SĐT     0901234567',
      '  đường   12/3 Lê Lợi',
      '  khu vực Phường Bến Nghé, Quận 1, Thành phố Hồ Chí Minh',
      '  hàng    2 × áo thun',
      '  thu hộ  350.000',
      '  có lời bảo chưa gửi: mai giao',
    ]);
    expect(prompter.asked.at(-1)).toBe('Tin nhắn có lời bảo chưa gửi: vẫn dùng?');
  });

  it('marks offers, judges sums and tells the state of a draft in its words, which programs read by their names', async () => {
    const world = await shopWorld();
    const file = plainOrder(world);
    const shown = async (words: readonly string[]) => (await world.run(words, inVietnamese)).stdout;
    const quoted = await shown(['quote', '--order', file]);
    expect([quoted.includes('rẻ nhất'), quoted.includes('nhanh nhất'), quoted.includes('đáng tiền nhất')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(quoted).not.toMatch(/cheapest|fastest|best_value/);
    expect(await shown(['quote', '--order', file, '-o', 'csv'])).toContain('cheapest');
    const checked = await shown(['totals', 'check', plainOrder(world, { total_amount: 1 }, 'wrong.json'), '--explain']);
    expect(checked).toMatch(/total_amount .*không khớp/);
    expect(checked).toContain('ít nhất MAX(');
    expect(checked).not.toMatch(/\b(?:different|ok|at least)\b/);
    await world.run(['ship'], { ...inVietnamese, answers: [...pickup, new PromptEnded()] });
    expect(await shown(['ship', 'drafts', 'list'])).toMatch(/ chưa gửi /);
  });

  it('changes nothing that a program reads, nor what is sent or stored', async () => {
    // The random parts of names.
    const masked = (text: string) => text.replaceAll(/shopctl-s1-[0-9a-f]{20}|\b[0-9a-f]{10}\b/g, '…');
    const outcomes = async (lang: string) => {
      const world = await shopWorld();
      const env = { SHOPCTL_LANG: lang };
      const file = plainOrder(world);
      const lines = [
        ['quote', '--order', file, '-o', 'json'],
        ['quote', '--order', file, '--pick', 'none', '-o', 'json'],
        ['totals', 'check', plainOrder(world, { total_amount: 1 }, 'wrong.json'), '--explain', '-o', 'csv'],
        ['ship', '--input', plainOrder(world, { lines: [] }, 'lacking.json'), '-o', 'json'],
        ['ship', '--input', file, '--pick', 'cheapest', '--yes', '-o', 'json'],
        ['ship', 'drafts', 'list', '--all', '-o', 'jsonl'],
        ['ship', '--resume', 'nothing', '-o', 'json'],
      ];
      const ended: unknown[] = [];
      for (const words of lines) {
        const { exit, stdout, stderr } = await world.run(words, { env });
        ended.push([words[0], exit, masked(stdout), masked(stderr.replaceAll(world.directory, ''))]);
      }
      // What a Vietnamese run has stored.
      await world.run(['ship'], {
        ...terminal,
        env: { ...terminal.env, ...env },
        answers: [...pickup, new PromptEnded()],
      });
      ended.push(masked((await world.run(['ship', 'drafts', 'list', '-o', 'json'])).stdout));
      return ended;
    };
    expect(await outcomes('vi')).toEqual(await outcomes('en'));
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { actions } from '../../src/cod/actions/actions.ts';
import type { Column } from '../../src/contract/view.ts';
import { paidWorld, parcel } from '../cli/cod/paid-world.ts';
import { inVietnamese } from '../support/left-words.ts';
import { pseudoLanguage } from '../support/pseudo.ts';
import type { ScriptedAnswer } from '../support/scripted-prompter.ts';
import { rowsIn } from '../support/stored-files.ts';

const header =
  'STT,Mã đơn hàng,Mã đơn hàng shop,Thông tin khách hàng,Tổng tiền thu hộ,Shop trả trước,Phí bảo hiểm,Phí dịch vụ,Phí đồng kiểm,Phí chuyển hoàn,Khuyến mãi,Phí thay đổi địa chỉ giao,Tạm thu,Thanh toán,Ngày tạo,Ngày hoàn thành';

/** A row as GHTK writes it; each of its cells can be another one. */
function row(number: number, cells: Readonly<Record<number, string | number>> = {}): string {
  const day = '"08:00, 16-01-2026"';
  const usual = [number, `S1.SPX${number}`, '', 'Lan', 350_000, 0, 0, 22_000, 0, 0, 0, 0, 0, 328_000, day, day];
  return usual.map((cell, index) => cells[index] ?? cell).join(',');
}

/** A file with a fault of each kind, a line each. */
const faulty = [
  'BẢNG ĐỐI SOÁT',
  header,
  row(1),
  row(1),
  row(2, { 4: 330_000, 13: 300_000 }),
  row(3, { 1: '', 4: 100_000, 13: 78_000 }),
  row(4, { 4: '', 13: '' }),
  row(6, { 15: 'hôm nay' }),
  row(7, { 7: -5_000, 13: 100_000 }),
  row(8, { 1: 'S1.***' }),
  row(9, { 1: '', 3: 'Công nợ kỳ trước', 4: 0, 7: 0, 13: -120_000 }),
  row(10, { 1: 'Phí đóng gói', 4: 10_000, 13: -12_000 }),
  `Tổng cộng,,,,9000000,0,0,22000,0,0,0,0,0,100000,,`,
].join('\n');

/** The names of columns: their words are the labels of all subjects. */
const headings = (columns: readonly Column[] = []): readonly string[] =>
  columns.flatMap(({ path, header, each }) => [header ?? path, ...headings(each)]);
const views = actions.map(({ view }) => (typeof view === 'function' ? view({}) : view));

/** What stands in no brackets: the data of these files, and words that are typed. */
const known = new Set(
  `${faulty.replaceAll(/[^\p{L}]+/gu, ' ')}
  ${views
    .flatMap((view) => headings(view?.columns))
    .join(' ')
    .replaceAll('.', ' ')} faulty csv same week json sheet ghtk ghn spx vtp paid file
  shopctl save name close undo error hint see list import map report cod by has that day profile shop replaces adds session since grace closed_by
  shipping_code fulfillment_id delivered_on net cod delivery return insurance discount address_change provisional other
  DD MM YYYY JSON Asia Ho Chi Minh GMT Ho_Chi_Minh 1 nobody nowhere Lan SPX xlsx tsv output`
    .split(/\s+/)
    .map((word) => word.toLowerCase()),
);

/** A text with the space before ₫ that no line ends at. */
const held = (text: string) => text.replaceAll(' ₫', '\u00a0₫');

/** The words in no brackets that are neither data nor typed; what another subject says behind ours is its own. */
function untold(text: string): readonly string[] {
  const own = text
    .split('\n')
    .filter((line) => !/^(?:hint|⟦Usage|note):? /.test(line))
    .join('\n');
  const words =
    own
      .replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
      .replaceAll(/`[^`]*`/g, ' ')
      .match(/(?<![\p{L}\d_])[\p{L}_]{3,}(?![\p{L}\d_])/gu) ?? [];
  return [...new Set(words.filter((word) => !known.has(word.toLowerCase())))];
}

const shipments = [
  parcel(1, 350_000),
  parcel(2, 350_000),
  parcel(3, 150_000, { shipping_state: 'returned' }),
  parcel(4, 150_000, { platform_payment_status: 'P' }),
];

it('says everything of payments in a catalogue', async () => {
  const world = await paidWorld(shipments);
  const run = (words: readonly string[], answers?: readonly ScriptedAnswer[]) =>
    world.run(['cod', ...words], { spoken: pseudoLanguage, ...(answers && { answers, terminal: true }) });
  writeFileSync(join(world.directory, 'faulty.csv'), faulty);
  writeFileSync(join(world.directory, 'same.csv'), [header, row(1, { 4: 340_000, 13: 318_000 }), row(2)].join('\n'));
  writeFileSync(join(world.directory, 'nowhere.csv'), 'a,b\n1,2\n');
  const screens = [
    await run(['import', 'faulty.csv', '--session', 'week']),
    await run(['import', 'faulty.csv', '--session', 'other']),
    await run(['import', 'same.csv', '--session', 'week', '--adds']),
    await run(['import', 'nowhere.csv']),
    await run(['list']),
    await run(['show', 'faulty.csv']),
    await run(['show', 'nobody']),
    await run(['reconcile']),
    await run(['reconcile', '--session', 'week', '--received', '1000', '--to', 'file.xlsx']),
    await run(['reconcile', '--received', '1000']),
    await run(['reconcile', '--since', 'nowhere']),
    await run(['reconcile', '--grace', 'nowhere']),
    await run(['reconcile', '--to', 'file.csv']),
    await run(['close', 'week', '--by', 'Lan']),
    await run(['close', 'week', '--by', 'Lan']),
    await run(['close', 'nobody']),
    await run(['forget', 'faulty.csv', '--yes']),
    await run(['forget', 'nobody', '--yes']),
    await run(['map', 'nowhere.csv']),
    await run(['import', 'same.csv', 'faulty.csv', '--replaces', 'week']),
  ];
  const seen = screens.map(({ stdout, stderr }, index) => ({ index, words: untold(`${stdout}\n${stderr}`) }));
  expect(seen.filter(({ words }) => words.length > 0)).toEqual([]);
  expect(screens.map(({ stderr }) => stderr).join('')).toContain('⟦does not follow from the row');
});

it('stores what is wrong in a file in English, and says it in the language of the run', async () => {
  const world = await paidWorld(shipments);
  const env = { SHOPCTL_LANG: 'vi' };
  writeFileSync(join(world.directory, 'faulty.csv'), [header, row(2, { 4: 330_000, 13: 300_000 })].join('\n'));
  const words = ['cod', 'import', 'faulty.csv', '--session', 'week'];
  const first = await world.run(words, { env });
  const gap = held(
    'faulty.csv: N2 "300000": Thanh toán không khớp dòng: các khoản cộng lại được 308.000 ₫, nhiều hơn ô này 8.000 ₫; các khoản vẫn được tính, chênh lệch ghi là chưa rõ',
  );
  expect(first.stderr.split('\n')).toEqual([
    gap,
    held('faulty.csv: 1 dòng, 3 khoản, tổng 300.000 ₫ (thu hộ 330.000, phí giao hàng -22.000, chưa rõ -8.000)'),
    '',
  ]);
  expect(first.stdout).toBe(
    'FILE        MẪU   DÒNG  CHƯA ĐỌC  KHOẢN  LẶP LẠI  SỐ TIỀN\nfaulty.csv  ghtk     1         0      3        0  300.000\n',
  );
  const again = await world.run(words, { env });
  expect(again.stderr).toContain(gap);
  expect(again.stderr).toContain('faulty.csv: đã nhập trước đây với tên faulty.csv: không thay đổi gì');
  const english = await world.run(words);
  expect(english.stderr).toContain(
    'N2 "300000": Thanh toán does not follow from the row: its amounts give 308,000, 8,000 more; they are counted as given, and the difference as unexplained',
  );
});

it('stores of a file with faults of every kind what it stores in English, byte for byte', async () => {
  const inLanguage = async (language: string) => {
    const { directory, run } = await paidWorld(shipments);
    writeFileSync(join(directory, 'faulty.csv'), [faulty, row(11, { 13: '(22.000)' })].join('\n'));
    const env = { SHOPCTL_LANG: language };
    const { stderr } = await run(['cod', 'import', 'faulty.csv', '--session', 'week'], { env });
    await run(['cod', 'close', 'week', '--by', 'Lan'], { env });
    const rows = await rowsIn(join(directory, 'state', 'workspace.db'));
    return {
      stderr,
      kept: Object.values(rows)
        .join('\n')
        .replaceAll(directory, '')
        .replace(/"version": \d+/, '')
        .split('\n'),
    };
  };
  const [vietnamese, english] = [await inLanguage('vi'), await inLanguage('en')];
  expect(vietnamese.stderr).not.toBe(english.stderr);
  expect(vietnamese.kept.filter((line, at) => line !== english.kept[at])).toEqual([]);
  expect(english.kept.join('\n')).toMatch(/\d,\d{3}/);
});

it('shows a reconciliation in Vietnamese', async () => {
  const world = await paidWorld(shipments);
  await world.pay('week.csv', [
    ['SPX1', 's47', 'Thu hộ', 330_000],
    ['SPX9', 's47', 'Thu hộ', 150_000],
  ]);
  const clock = { now: () => Date.parse('2026-01-31T08:00:00Z'), wait: async () => {} };
  const words = ['cod', 'reconcile', '--session', 's47', '--received', '470000'];
  const { exit, stdout, stderr } = await world.run(words, { env: { SHOPCTL_LANG: 'vi' }, clock });
  expect(exit).toBe(11);
  expect(stderr.replace(/`shopctl.*/, '…')).toBe(
    held(`s47: tiền thu hộ 480.000 ₫
s47: phải nhận 480.000 ₫, ngân hàng nhận 470.000 ₫: thiếu 10.000 ₫
Dữ liệu vận đơn đầy đủ đến 31/01 14:59 (Asia/Ho_Chi_Minh), cập nhật vừa xong
bị bỏ sót: 1 vận đơn đã giao, phải trả 350.000 ₫, chưa phiên nào trả (SPX2: phiên s47)
2/2 vận đơn có chênh lệch: đã trả 480.000 ₫, phải trả 350.000 ₫
"đã trả" là số tiền trong các file đối soát đã nhập; nền tảng đã tự thanh toán 0 ₫ trong số 350.000 ₫ phải trả; xem theo ngày: …
phiên s47 đang mở
`),
  );
  // The names of columns are those of every table.
  const rows = stdout.split('\n').map((line) => line.trim().replaceAll(/ {2,}/g, ' · '));
  expect(rows.filter((line) => /^(?:đơn lạ|trả thiếu|spx|SPX)/.test(line))).toEqual([
    'đơn lạ · 1 · 0 · 150.000 · 150.000 · ĐVVC ghi một vận đơn mà shop không có',
    'trả thiếu · 1 · 350.000 · 330.000 · -20.000 · trả ít hơn số phải trả',
    'spx · s47 · trả thiếu · 1 · 350.000 · 330.000 · -20.000',
    'spx · s47 · đơn lạ · 1 · 0 · 150.000 · 150.000',
    'SPX2 · spx · s47 · 16/01 10:00 · 350.000',
    'SPX1 · trả thiếu · 350.000 · 330.000 · -20.000 · 22.000 · 0',
    'SPX9 · đơn lạ · 0 · 150.000 · 150.000 · 0',
  ]);
});

it('gives programs the same whatever a person speaks', async () => {
  const world = await paidWorld(shipments);
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 330_000]]);
  for (const words of [['list'], ['show', 'week.csv'], ['reconcile'], ['import', 'week.csv']])
    for (const format of ['json', 'csv']) {
      const layout = words[0] === 'import' ? ['--layout', 'examples/payments/spx.yaml'] : [];
      const run = (lang: string) =>
        world.run(['cod', ...words, ...layout, '-o', format], { env: { SHOPCTL_LANG: lang } });
      const { exit, stdout, stderr } = await run('en');
      expect(await run('vi')).toMatchObject({ exit, stdout, stderr });
    }
});

it('has each sum of a reconciliation on one line of 80 columns, in both languages', async () => {
  const world = await paidWorld(shipments);
  await world.pay('week.csv', [
    ['SPX1', 'week-48-2026', 'Thu hộ', 28_330_000],
    ['SPX9', 'week-48-2026', 'Thu hộ', 11_150_000],
  ]);
  const clock = { now: () => Date.parse('2026-01-31T08:00:00Z'), wait: async () => {} };
  for (const lang of ['vi', 'en']) {
    const env = { SHOPCTL_LANG: lang };
    const { lines, tooWide } = await inVietnamese(world, ['cod', 'reconcile'], { clock, env });
    const sums = lines.filter((line) => /^ +spx +week-48-2026/.test(line));
    expect([sums.length, tooWide]).toEqual([2, []]);
    // Parcels, what is due, what was paid, and the difference.
    for (const line of sums) expect(line).toMatch(/(?: +-?[\d.,]+){4}$/);
  }
});

it('closes a session in the name of the user of the machine, and says when that was agreed to', async () => {
  const world = await paidWorld([parcel(1, 350_000)]);
  await world.pay('week.csv', [['SPX1', 'week', 'COD', 350_000]]);
  const closed = await world.run(['cod', 'close', 'week', '-o', 'table', '--lang', 'vi']);
  expect(closed.stdout).toMatch(/^chốt lúc +\S/m);
  expect(closed.stdout).toMatch(/^người chốt +lan$/m);
});

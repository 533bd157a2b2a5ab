import { expect, it } from 'vitest';
import { TransportError } from '../../src/platform/http/transport.ts';
import { inVietnamese, leftBy } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { shopWorld } from '../support/shop-world.ts';

/**
 * What stands in no brackets: names of profiles, files and operations, typed words, data, what a transport says, what a check
 * is called that is called so everywhere, and usage, which is help.
 */
const given = [
  'shop test PROFILE profile proxy json db better sqlite http used webhook file csv',
  'connection refused flag partner nobody SHOPCTL_TZ not found nothing nowhere Lan order Demo Shop',
  'id code external_id external_code full_name phone orders customers get list new done in progress cancelled returned',
  /\*{3}\S+|\/\S+/g,
  /^Usage: .*$/gm,
];

it('says everything of doctor in a catalogue, and shows it in Vietnamese', async () => {
  const world = await shopWorld();
  const away = await shopWorld(() => async () => {
    throw new TransportError('refused', 'no', 'connection refused');
  });
  expect(
    await leftBy(
      world,
      [
        [['doctor']],
        [['doctor', '--profile', 'shop']],
        [['doctor', '--dry-run']],
        [['doctor'], { env: { SHOPCTL_TZ: '' } }],
      ],
      given,
    ),
  ).toEqual({});
  expect(await leftBy(away, [[['doctor']]], given)).toEqual({});
  const shown = await inVietnamese(world, ['doctor', '--profile', 'shop']);
  const rows = shown.lines.map((line) => line.replace(/\/\S+$/, '/…').replaceAll(/\d[\d.]*(?= (?:ms|MiB))/g, '…'));
  expect([shown.exit, shown.tooWide]).toEqual([0, []]);
  // They come as they end, and which database there is depends on the machine.
  expect(rows.filter((line) => !line.includes('cơ sở dữ liệu') && /^\p{L}+ .* {2}/u.test(line)).toSorted()).toEqual([
    `API key          tốt       ***${world.service.shop.apiKey.slice(-4)} được chấp nhận`,
    'KIỂM TRA         KẾT QUẢ   CHI TIẾT',
    'bộ nhận          tốt       chưa có',
    'cài đặt          tốt       /…',
    'hệ thống         tốt       trả lời sau … ms',
    'lệnh ghi         tốt       chưa có',
    'nơi lưu dữ liệu  tốt       /…',
    'phiên bản        tốt       shop v1',
    'profile          tốt       shop, của shop (từ cờ lệnh)',
    'proxy            tốt       không dùng',
    'quyền truy cập   tốt       chỉ bạn đọc được cài đặt',
    'webhook          tốt       chưa có webhook nào',
    'địa chỉ          tốt       http://127.0.0.1:4010/ (từ profile)',
    'đồng hồ          tốt       lệch không quá 0 giây so với hệ thống',
    'đợt gửi          tốt       chưa có',
    'ổ đĩa            tốt       còn trống … MiB',
  ]);
});

it('says everything of records and of raw calls in a catalogue', async () => {
  const world = await shopWorld();
  await world.run(['ship', '--input', plainOrder(world), '--pick', 'cheapest', '--yes']);
  const shop = ['--profile', 'shop'];
  expect(
    await leftBy(
      world,
      [
        [['orders', 'get', 'nothing', ...shop]],
        [['customers', 'get', 'nobody', ...shop]],
        [['orders', 'list', '--status', 'nowhere', ...shop]],
        [['orders', 'list', '--limit', '-1', ...shop]],
        [['orders', 'list', '--to', 'a.doc', ...shop]],
        [['orders', 'list', '--since', 'x', ...shop]],
        [['customers', 'list', '--match', '-', ...shop]],
        [['api', 'nothing']],
        [['api', 'shop.Misc/VersionInfo', '-o', 'table', ...shop]],
      ],
      given,
    ),
  ).toEqual({});
  const refused = await inVietnamese(world, ['orders', 'list', '--since', 'x', ...shop]);
  expect([refused.exit, refused.lines.slice(0, 3), refused.tooWide]).toEqual([
    2,
    [
      'shopctl: lỗi: --since: cần là một ngày như 15/11/2026, 2026-02-03, today,',
      '  yesterday hoặc last-week, một giờ như 2026-02-03T12:00Z, hoặc bao lâu trước:',
      '  7d, 12h, 30m',
    ],
    [],
  ]);
});

it('gives programs the same of accounts, stored data and plans whatever a person speaks', async () => {
  const world = await shopWorld();
  await world.run(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop']);
  for (const words of [
    ['auth', 'status', '--offline'],
    ['profiles', 'list'],
    ['profiles', 'show', 'nobody'],
    ['workspace', 'check'],
    ['workspace', 'show', '--paths'],
    ['ledger', 'list'],
    ['ledger', 'show', 'nobody'],
    ['mirror', 'status', '--profile', 'shop'],
    ['events', 'list', '--since', 'x'],
    ['webhooks', 'status', '--health', '--profile', 'shop'],
    ['approve', '--list'],
  ])
    for (const format of ['json', 'csv']) {
      const run = (lang: string) => world.run([...words, '-o', format], { env: { SHOPCTL_LANG: lang } });
      const { exit, stdout, stderr } = await run('en');
      expect(await run('vi')).toMatchObject({ exit, stdout, stderr });
    }
});

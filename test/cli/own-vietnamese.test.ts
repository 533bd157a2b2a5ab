import { expect, it } from 'vitest';
import { vietnamese } from '../../src/cli/vietnamese.ts';
import { allOperations } from '../../src/contract/areas.ts';
import { labelTexts } from '../../src/contract/labels.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { TransportError } from '../../src/platform/http/transport.ts';
import { inVietnamese, leftBy } from '../support/left-words.ts';
import { plainOrder } from '../support/plain-order.ts';
import { shopWorld } from '../support/shop-world.ts';
import { standingClock } from '../support/standing-clock.ts';

/**
 * What stands in no brackets: names of profiles, files and operations, typed words, data, what a transport says, what a check
 * is called that is called so everywhere, and usage, which is help.
 */
const given = [
  'shop test PROFILE profile proxy json db better sqlite http used webhook file csv',
  'connection refused flag partner nobody SHOPCTL_TZ not found nothing nowhere Lan order Demo Shop',
  'id code external_id external_code full_name phone orders customers get list new done in progress cancelled returned',
  /\*{3}\S+|\/\S+/g,
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

it('leaves out of a day the year that it is in the zone of the run', async () => {
  const world = await shopWorld();
  await world.run(['customers', 'create', '--full-name', 'Lan', '--phone', '0901234567', '--profile', 'shop']);
  const clock = standingClock(Date.parse('2026-12-31T18:30:00Z'));
  const shownIn = async (zone: string) => {
    const words = ['customers', 'list', '--profile', 'shop', '--fields', 'created_at'];
    const { lines } = await inVietnamese(world, words, { clock, env: { SHOPCTL_TZ: zone } });
    return /31\/01\S*/.exec(lines[1] ?? '')?.[0];
  };
  expect([await shownIn('UTC'), await shownIn('Asia/Ho_Chi_Minh')]).toEqual(['31/01', '31/01/2026']);
});

it('has every field of a request to fill in in Vietnamese, and what is said of it', async () => {
  const world = await shopWorld();
  const { sentence } = vietnamese.textsOf('label', labelTexts);
  const described = ({ description, properties = {}, items }: JsonSchema): readonly string[] => [
    ...(description === undefined || description === '' ? [] : [description]),
    ...[...Object.values(properties), ...(items === undefined ? [] : [items])].flatMap(described),
  ];
  const operations = await allOperations();
  const told = operations.flatMap(({ request }) =>
    Object.values(jsonSchema(request).properties ?? {}).flatMap(described),
  );
  const isFormula = (text: string) => /^[a-z_]+(?: [-+] [a-z_]+)+$/.test(text);
  expect([...new Set(told.filter((text) => sentence(text) === text && !isFormula(text)))]).toEqual([]);
  const shown = await inVietnamese(world, ['shipping', 'create', '--skeleton']);
  expect(shown.lines.slice(1, 3)).toEqual(['customer_address: # Địa chỉ khách hàng', '  full_name: # Họ tên đầy đủ']);
  expect(shown.lines[0]).toContain(': điền các trường để trống.');
  const ofJson = await world.run(['shipping', 'create', '--skeleton', '-o', 'json'], { env: { SHOPCTL_LANG: 'vi' } });
  expect(ofJson.stdout).not.toContain('#');
  const origins = await inVietnamese(world, ['config', 'list', '--show-origin']);
  expect(origins.lines.map((line) => line.split(/ {2,}/).at(-1)).slice(0, 4)).toEqual([
    'NGUỒN',
    'profile',
    'profile',
    'profile',
  ]);
  expect(origins.lines.join('\n')).toMatch(/^lang .*biến môi trường$/m);
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

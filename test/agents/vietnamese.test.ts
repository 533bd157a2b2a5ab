import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fieldsIn } from '../../src/domain/json/values.ts';
import { inVietnamese, leftBy } from '../support/left-words.ts';
import { agentOf, countedWorld, orderNamed } from './agent-world.ts';

/** What stands in no brackets: data of the orders, names of files, fields and commands, and the events of the log, which is English. */
const given = [
  'test PROFILE nobody agents yaml version allow approve command ship CI must be such as file verson',
  'Nguyễn Thị Lan ngõ dich vong cau giay ha noi Áo khoác Kho Liên Chiểu Lô KCN Phường Hòa Khánh Nam Quận Đà Nẵng',
  'retail list shipping Giao hàng Economy greenmile open customer type http',
  'denied approved policy_accepted planned plan record records stopped',
  // What the parser of YAML says, in quotes.
  /Flow sequence[^⟦]*/g,
  /\b[0-9a-f]{6,16}\b|\/\S+/g,
];

it('says everything of plans and of the policy in a catalogue', async () => {
  const world = await countedWorld();
  const agent = await agentOf(world);
  const planned = async (...rows: object[]) => (await agent.call('plan', { command: 'ship', rows })).result;
  const [one, three] = [await planned(orderNamed('A-1'), orderNamed('A-2')), await planned(orderNamed('C-1'))];
  const [plan, denied] = [String(one.plan), String(three.plan)];
  const totalOf = ({ fees }: { fees?: unknown }) => String(fieldsIn(fees).total);
  const file = (text: string) => writeFileSync(join(world.directory, 'agents.yaml'), text, { mode: 0o600 });
  file('version: 1\nallow: []\napprove:\n  - command: ship\n');
  const left = [
    await leftBy(
      world,
      [
        [['approve', '--list']],
        [['approve']],
        [['approve', 'nobody']],
        [['approve', plan], { env: { CI: '1' } }],
        [['approve', plan, '--yes']],
        [['approve', plan], { terminal: false }],
        [['approve', plan, '--profile', 'shop']],
        [['agents', 'policy', 'check']],
        [['agents', 'policy', 'accept'], { answers: [false] }],
        [['agents', 'policy', 'accept'], { answers: [true] }],
        [['approve', plan], { answers: [totalOf(one)] }],
        [['approve', '--deny', denied]],
        [['approve', denied], { answers: [totalOf(three)] }],
        [['agents', 'log']],
        [['agents', 'log', '--limit', '-1']],
        [['agents', 'policy', 'edit'], { answers: [true], env: { EDITOR: 'false' } }],
        [['agents', 'stop']],
      ],
      given,
    ),
  ];
  for (const text of [
    'version: 2\n',
    'verson: 1\n',
    'version: 1\nallow: [{ command: "" }]\n',
    'a: [',
    '---\n1\n---\n2\n',
  ]) {
    file(text);
    left.push(await leftBy(world, [[['agents', 'policy', 'accept'], { answers: [false] }]], given));
  }
  expect(left).toEqual([{}, {}, {}, {}, {}, {}]);
});

it('shows a plan to whoever approves it in Vietnamese, and answers agents in English', async () => {
  const world = await countedWorld();
  const agent = await agentOf(world, { env: { SHOPCTL_LANG: 'vi' } });
  const { result } = await agent.call('plan', { command: 'ship', rows: [orderNamed('A-1')] });
  expect(result).toMatchObject({ why: 'there is no policy' });
  const plan = String(result.plan);
  const shown = await inVietnamese(world, ['approve', plan], { answers: ['52650'] });
  expect([shown.exit, shown.asked, shown.tooWide]).toEqual([0, ['Gõ tổng phí để duyệt (Ctrl-C để thoát):'], []]);
  expect(shown.lines.map((line) => line.replace(/(?<=mã kiểm tra )\w+/, '…'))).toEqual([
    'BẢNG DỰ KIẾN  LỆNH  PROFILE  BẢN GHI     PHÍ     THU HỘ  TRẠNG THÁI  HẾT HẠN LÚC',
    `${plan}  ship  test           1  52.650  1.280.000  đã duyệt    31/01 15:15`,
    `  bảng dự kiến ${plan}: ship, 1 bản ghi`,
    `  profile test, shop ${world.service.shop.id} ở http://127.0.0.1:4010`,
    '  1. A-1; Nguyễn Thị Lan; 12 ngõ 5, p. dich vong, cau giay, ha noi; 0901234567;',
    '     2 × Áo khoác giá 400.000 (giá trước giảm 450.000, giá niêm yết 500.000), 1',
    '     × Áo khoác giá 450.000 (giá niêm yết 500.000); từ Kho Liên Chiểu,',
    '     0905123456, Lô 7 KCN, Phường Hòa Khánh Nam, Quận Liên Chiểu, Đà Nẵng; các',
    '     khoản phí · 0 · loại: shipping; các khoản phí · 0 · tên: Giao hàng; các',
    '     khoản phí · 0 · số tiền: 30.000; giảm giá đơn: 0; giao hàng · khối lượng',
    '     (g): 1.200; giao hàng · dài (cm): 30; giao hàng · rộng (cm): 25; giao hàng',
    '     · cao (cm): 20; giao hàng · xem hàng: open; giao hàng · khối lượng tính phí',
    '     (g): 3.000; giao hàng · id kết nối: 1900000000000000503; giao hàng · mã',
    '     dịch vụ giao hàng: 7C643C430D; giao hàng · dịch vụ giao hàng: Economy;',
    '     greenmile; phí 52.650 ₫; thu hộ 1.280.000 ₫',
    '  tổng phí 52.650 ₫',
    '  tổng thu hộ 1.280.000 ₫',
    '  mã kiểm tra …, đến 15:15 ngày 31/01 (GMT+7)',
  ]);
});

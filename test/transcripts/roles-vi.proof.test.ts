import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Role, role, type Step } from '../pty/role.ts';
import { hasTmux } from '../pty/terminal.ts';
import { type BuiltProgram, buildProgram } from '../support/built-program.ts';
import { leftWords } from '../support/left-words.ts';

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program?.remove());

const inVietnamese = { SHOPCTL_LANG: 'vi' };
const asShop = { ...inVietnamese, SHOPCTL_PROFILE: 'sandbox-shop' };

/** Letters without marks in an order that Vietnamese has: a word of others is none of its words. */
const syllable = /^(?:ngh?|[cgknpt]h|gi|qu|tr|[bcdghklmnprstvx])?[aeiouy]{1,3}(?:ch|n[gh]|[cmnpt])?$/i;

const isForeign = (word: string) => /^[a-z_]+$/i.test(word) && !syllable.test(word);

/** What is no Vietnamese and stays so. */
const stays = [
  // Words that the glossary keeps, and codes of what is paid, counted or in which state.
  'shop shopctl COD API key sandbox file FILE profile id ID UTC GMT GHTK ghtk ghn vtp SP NS email token webhook cm kg DD YYYY File session',
  // The sandbox: its shops, its carriers and their services, two of its products, and where it answers.
  'Demo Shop Tortoise Post Green Mile Blue Whale Platform Delivery Red Kite Night Owl Standard Express Economy Saver Overnight',
  // Abbreviations of the sheet that is sent.
  'SL HCM HN',
  // What people call the fee of a delivery.
  /tiền ship/g,
  'tortoise greenmile bluewhale platform redkite nightowl short kaki linen cotton http request auth_token sign',
  // Fields, values and commands, as they are typed: in a saved mapping, in what is asked about, in the columns of a file.
  /\b(?:shipping|shipping_address|lines)(?:\.\w+)+|(?<=try_on +)none|(?<=include_insurance +)yes|\bcancel_reason|\bsigned_in\b|\bretail_price\b/g,
  /(?<=^thao tác +)(?:undo )?(?:ship|variants update)$|"(?:shipping cancel|variants update)"/gm,
  /(?<=\()(?:shipping_code|cod|delivery)(?=\))|(?<=^(?:các cột)? +(?:\p{Lu}[\p{L} ]+ )?)(?:shipping_code|cod|delivery|delivered_on|period|orders|items|revenue|average)\b/gmu,
  /không đủ chỗ cho \d+ cột: [^;]*;|\bexternal_(?:id|code)\b|"(?:shipping_code|fulfillment_id)"/g,
  // What is cut at the end of a cell.
  /\p{L}+…/gu,
  // Names of files and of batches, and what a run takes from the machine.
  /[\w./~-]+\.(?:csv|yaml|xlsx|pdf|json)\b|\b\d{8}-\w{5}\b|\b[\dA-F]{10}\b|shopctl [^\n`]*|\/\S+/g,
];

/** The screens of a role: no line is wider than the terminal but what is copied whole, and no English word is left. */
function told(screens: readonly string[]): void {
  const lines = screens.flatMap((screen) => screen.split('\n'));
  const copied = /^ *`?shopctl |https?:|^Đơn \S+ .*mã vận đơn|shopctl-role-/;
  expect(lines.filter((line) => line.length > 80 && !copied.test(line))).toEqual([]);
  expect(leftWords(lines.join('\n'), stays).filter(isForeign)).toEqual([]);
}

/** A role whose every screen is kept, those that are recorded and those that differ from day to day. */
async function living(own: Readonly<Record<string, string>>) {
  const lived = await role(program, own);
  const screens: string[] = [];
  const kept =
    (look: Role['run']): Role['run'] =>
    async (line, ...steps) => {
      const text = await look(line, ...steps);
      screens.push(text);
      return text;
    };
  return { ...lived, run: kept(lived.run), look: kept(lived.look), screens };
}

/** Stops the sandbox's clock in the summer of this year: no parcel of it arrives in the next one. */
const inSummer = ({ elsewhere }: Role) =>
  elsewhere(`shopctl sandbox clock freeze && shopctl sandbox clock set ${new Date().getUTCFullYear()}-06-15T02:00:00Z`);

const sheet = (price: string) =>
  [
    'Mã đơn,Tên khách,SĐT,Địa chỉ,Sản phẩm,Màu,SL,Đơn giá,Thu hộ,Cân nặng (kg),Trạng thái',
    'S-1,Trần Văn Bình,912345678,"45 Nguyễn Huệ, P. Bến Nghé, Q1, HCM",Váy hoa,Đỏ,1,350k,380000,"0,5",Mới',
    'S-2,Lê Hồng Nhung,0938111222,"8 ngõ 120 Hoàng Quốc Việt, P. Nghĩa Tân, Q. Cầu Giấy, HN",Áo thun,Trắng,2,175k,350000,"0,4",Mới',
    `S-3,Phạm Minh Tuấn,0977333444,"Thôn 3, Xã Hòa Tiến, Huyện Hòa Vang, Đà Nẵng",Quần short,Đen,1,${price},190000,"0,3",Mới`,
    'S-4,Võ Thị Mai,0934567890,"45 Võ Văn Ngân, P. Linh Chiểu, Q. Thủ Đức, TP.HCM",Túi xách,Nâu,1,420k,420000,"0,6",Đã hủy',
    '',
  ].join('\n');

const pickup: readonly Step[] = [
  ['Nơi lấy hàng: họ tên', 'Kho Hoa Sen'],
  ['Nơi lấy hàng: số điện thoại', '0901112223'],
];

describe.skipIf(!hasTmux() && !process.env.CI)('a role that reads Vietnamese at a terminal of 80 columns', () => {
  it('is a packer: a message, a sheet with a wrong cell, and the parcels of it', async () => {
    const packer = await living(asShop);
    const { run, look, text, file, screens } = packer;
    await inSummer(packer);
    await run(
      'shopctl ship --paste',
      ['? Tin nhắn', 'Chị Lan 0987 654 321, 12 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội, 2 áo thun cổ tròn, thu 300k'],
      ...pickup,
      ['Nơi lấy hàng: khu vực', 'thao dien q2'],
      ['số nhà, tên đường', '5 Thảo Điền'],
      ['❯ dùng', ''],
      ['đơn giá trước giảm giá', '150.000'],
      ['phí giao hàng tính cho khách', ''],
      ['phí khác', ''],
      ['giảm giá cho cả đơn', ''],
      ['Kiện hàng: khối lượng', '500'],
      ['❯ có bảo hiểm', ''],
      ['❯ cho xem hàng', ''],
      ['Dịch vụ giao hàng nào?', ''],
      ['❯ gửi', ''],
      ['Gửi thêm đơn khác?', 'khong'],
    );
    file('sang.csv', sheet('19O000'));
    await run(
      'shopctl batch map sang.csv --save sang',
      ['❯ sau tên sản phẩm', ''],
      ['Đơn có "Mới"', ''],
      ['Đơn có "Đã hủy"', ''],
      ['Lấy hàng của file này ở đâu?', ''],
      ['❯ Không cho xem hàng', ''],
      ['Mua bảo hiểm', ''],
    );
    await run('shopctl batch plan sang.csv --map sang');
    file('sang.csv', sheet('190000'));
    await run('shopctl batch run sang.csv --map sang', ['Gửi 3 đơn này', 'có']);
    await run('shopctl batch rows');
    await run('shopctl batch run sang.csv --map sang');
    expect(await look('shopctl slips --today --to phieu.pdf')).toMatch(/^phiếu +\d+$/m);
    await expect(text()).toMatchFileSnapshot('stories/roles/vi-a-packer.txt');
    told(screens);
  });

  it('is support: what has become of an order, a sentence for its buyer, and what can be cancelled', async () => {
    const support = await living(asShop);
    const { run, look, text, elsewhere, screens } = support;
    await look('shopctl batch run examples/orders.csv --yes -q > /dev/null');
    await elsewhere('shopctl sandbox advance SO-1001 --to delivering');
    await run('shopctl orders list --match 0901234567 --limit 1 -q');
    // What happened within one second has no order.
    expect(await look('shopctl orders story SO-1001')).toMatch(/^ +tạo đơn cho Nguyễn Thị Lan, 1\.020\.000\s₫/m);
    await run('shopctl orders story SO-1002 --for-buyer -q');
    await run("shopctl orders cancel SO-1001 --cancel-reason 'khách đổi ý'");
    await run("shopctl orders cancel SO-1002 --cancel-reason 'khách đổi ý'", ['Chắc chắn?', '']);
    await run("shopctl orders cancel SO-1002 --cancel-reason 'khách đổi ý'", ['Chắc chắn?', 'co']);
    await run('shopctl batch undo "$(shopctl batch list -o name | head -n 1)"', ['Hoàn tác', 'c']);
    await run('shopctl orders get SO-9999');
    await expect(text()).toMatchFileSnapshot('stories/roles/vi-support.txt');
    told(screens);
  });

  it('is an accountant: a payment file, what is missing, and a session that is closed', async () => {
    const accountant = await living(asShop);
    const { run, look, text, file, elsewhere, screens } = accountant;
    await look('shopctl batch run examples/orders.csv --yes -q > /dev/null');
    await elsewhere('shopctl sandbox advance SO-1001 --to delivered; shopctl mirror sync -q');
    const { out: code } = await elsewhere("shopctl batch rows --json --query '[0].shipping_code' -q | tr -d '\"'");
    const paid = [`${code},1000000,38500`, 'GR999999,150000,22000'];
    file('tra.csv', ['Mã vận đơn,Tiền thu hộ,Phí giao hàng', ...paid, ''].join('\n'));
    await run('shopctl cod import tra.csv --session T1');
    await run('shopctl cod map tra.csv --save tra', ['❯ đúng hết', '']);
    await run('shopctl cod import tra.csv --session T1 --carrier greenmile');
    await run('shopctl cod import tra.csv --session T1 --carrier greenmile');
    // What else was delivered depends on the hour.
    const reconciled = await look('shopctl cod reconcile --session T1 --received 500000 --to khieu-nai.xlsx');
    expect(reconciled).toMatch(/^ngân hàng nhận +500\.000$/m);
    await run(`shopctl cod show ${code}`);
    await look('shopctl cod close T1 --by Lan', ['Vẫn chốt phiên T1, với', 'c']);
    await run('shopctl cod forget tra.csv --yes');
    await expect(text()).toMatchFileSnapshot('stories/roles/vi-an-accountant.txt');
    told(screens);
  });

  it('is an owner: a sign-in, the day, what is late, and prices that were wrong', async () => {
    const owner = await living(inVietnamese);
    const { run, look, text, file, terminal, elsewhere, screens } = owner;
    await run('shopctl orders list --limit 3');
    const signedIn = run('shopctl auth login --no-browser');
    await terminal.until('Đang chờ shop');
    const [, token] = /auth_token=(request%3A[\w-]{43})/.exec(await terminal.unbroken()) ?? [];
    await elsewhere(`shopctl sandbox sign-in '${decodeURIComponent(token ?? '')}' --shop 'Demo Shop'`);
    const { out: id } = await elsewhere(
      `shopctl sandbox credentials --json --query "shops[?name=='Demo Shop'].id | [0]" | tr -d '"'`,
    );
    await terminal.type(id);
    await terminal.press('Enter');
    await signedIn;
    await look('export SHOPCTL_PROFILE=sandbox-shop');
    // Which parcels these are depends on the hour.
    const day = await look('shopctl mirror sync -q > /dev/null; shopctl day');
    expect(day).toMatch(/^Chờ lấy hàng +\d+ +vận đơn$/m);
    expect(await look('shopctl day --list in-delivery')).toMatch(/^MÃ VẬN ĐƠN +NGƯỜI NHẬN +SĐT /m);
    expect(await look('shopctl report late')).toMatch(/^Trễ +\d/m);
    expect(await look('shopctl report late --list')).toMatch(/^MÃ VẬN ĐƠN +NGƯỜI NHẬN +SĐT /m);
    await look('shopctl report products --since today');
    file('gia.csv', 'code,retail_price\nAO01-1,165.000\nAO01-2,150.000\nAO17-2,480.000\n');
    await run('shopctl batch run gia.csv --do "variants update"', ['Gửi', 'y']);
    await run('shopctl batch undo "$(shopctl batch list -o name | head -n 1)"', ['Hoàn tác', 'có']);
    await run('shopctl report sales --explain');
    await expect(text()).toMatchFileSnapshot('stories/roles/vi-an-owner.txt');
    told(screens);
  });
});

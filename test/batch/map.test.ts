import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PromptEnded } from '../../src/platform/terminal/prompter.ts';
import type { ScriptedAnswer } from '../support/scripted-prompter.ts';
import { shellWords } from '../support/shell-words.ts';
import { shopWorld } from '../support/shop-world.ts';
import { errorOf, noticeText } from '../support/stderr-lines.ts';
import { orderCells, orderHeader, orderSheet } from './batch-world.ts';

const sheet = 'Tên khách hàng,Số điện thoại,Ghi chú,Cột lạ\nLan,0901234561,quen,x\nMai,0901234562,,y\n';
const shop = ['--profile', 'shop', '--do', 'customers create'];

it('proposes a mapping, saves it, and a run finds it by the headers and says so', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'khach.csv'), sheet);
  const mapped = await world.run(['batch', 'map', 'khach.csv', '--save', 'khach', '--json', ...shop]);
  expect([mapped.exit, mapped.stderr]).toEqual([0, expect.any(String)]);
  const { columns, rows, saved } = JSON.parse(mapped.stdout);
  expect(columns.map(({ field }: { field: string | null }) => field)).toEqual(['full_name', 'phone', 'note', null]);
  expect(rows.map(({ read }: { read: string }) => JSON.parse(read))).toEqual([
    { full_name: 'Lan', phone: '0901234561', note: 'quen' },
    { full_name: 'Mai', phone: '0901234562' },
  ]);
  expect(readFileSync(saved, 'utf8')).toContain('Tên khách hàng: full_name');
  const other = await world.run(['batch', 'plan', 'khach.csv', '--map', 'khach', '--json', ...shop]);
  expect([other.exit, JSON.parse(other.stdout).counts.left]).toEqual([0, 2]);
  const ran = await world.run(['batch', 'run', 'khach.csv', '--yes', '--json', ...shop]);
  expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining('read as mapping khach')]);
  expect(JSON.parse(ran.stdout).counts).toMatchObject({ rows: 2, done: 2 });
});

it.each([
  ['constants', 'constants:\n  shipping.cod_amount: 350.000\n', 'constants.shipping.cod_amount', '350,000 or 350'],
  [
    'a word',
    'columns:\n  COD: { field: shipping.cod_amount, words: { Có: 12.345 } }\n',
    'COD.words.Có',
    '12,345 or 12.345',
  ],
])(
  'never guesses what a number is whose decimals could be thousands, in %s of a mapping',
  async (_, mapping, at, both) => {
    const world = await shopWorld();
    const cells = orderCells(1).with(orderHeader.indexOf('shipping.cod_amount'), '');
    writeFileSync(join(world.directory, 'don.csv'), orderSheet([cells]));
    writeFileSync(join(world.directory, 'cash.yaml'), mapping);
    const { exit, stderr } = await world.run(['batch', 'plan', 'don.csv', '--map', 'cash.yaml']);
    expect([exit, stderr]).toEqual([expect.any(Number), expect.stringContaining(`${at} is written`)]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`which may be ${both}: put what is meant in quotes`)]);
  },
);

it('reads the amounts of a mapping in quotes as texts, and other numbers as they are written', async () => {
  const world = await shopWorld();
  const cells = orderCells(1).with(orderHeader.indexOf('shipping.cod_amount'), '');
  writeFileSync(join(world.directory, 'don.csv'), orderSheet([cells]));
  writeFileSync(
    join(world.directory, 'cash.yaml'),
    "constants:\n  shipping.cod_amount: '350.000'\n  order_note: 007\n",
  );
  const { stdout } = await world.run(['batch', 'plan', 'don.csv', '--map', 'cash.yaml', '-o', 'json']);
  expect(JSON.parse(stdout).rows).toMatchObject([{ cash: 350_000, payload: { order_note: '007' } }]);
});

it('is not taken for a file with other headers, nor for another command', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'khach.csv'), sheet);
  await world.run(['batch', 'map', 'khach.csv', '--save', 'khach', ...shop]);
  writeFileSync(join(world.directory, 'other.csv'), sheet.replace('Cột lạ', 'Cột khác'));
  expect((await world.run(['batch', 'run', 'other.csv', '--yes', ...shop])).exit).toBe(2);
  const words = ['batch', 'run', 'khach.csv', '--yes', '--profile', 'shop', '--do', 'customers update'];
  const ended = await world.run(words);
  expect([ended.exit, ended.stderr]).toEqual([
    2,
    expect.stringContaining('no column is a field of "customers update"'),
  ]);
});

const foreign = [
  'Mã đơn,Người nhận,SĐT,Địa chỉ,Tỉnh,Quận,Phường,Sản phẩm,SL,Đơn giá,Cân nặng,Cho xem hàng,Giữ tiền,Người bán',
  'M-1,Lan,0901234561,12 ngõ 5,Hà Nội,Cầu Giấy,Dịch Vọng,Áo,2,450,"0,5",được xem,có bảo hiểm,Hoa',
  'M-2,Mai,0901234562,13 ngõ 5,Hà Nội,Cầu Giấy,Dịch Vọng,Mũ,1,1200,"1,25",cho thử,không,Hoa',
  '',
].join('\n');

const create = ['--do', 'orders create'];

it('asks for unknown columns, units and words, and reads the sheet by the answers', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), foreign);
  const mapped = await world.run(['batch', 'map', 'san.csv', '--save', 'san', '--profile', 'shop', ...create], {
    terminal: true,
    answers: [
      'thousands of ₫',
      'kilograms',
      'open',
      'try',
      { typed: 'insurance', taken: 'shipping.include_insurance' },
      'yes',
      { typed: '', taken: 'leave it out' },
    ],
  });
  expect([mapped.exit, mapped.exit === 0 || mapped.stderr]).toEqual([0, true]);
  // What was answered is kept: nobody is asked again.
  const ran = await world.run(['batch', 'run', 'san.csv', '--yes', '--profile', 'shop', '--json', ...create]);
  expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining('read as mapping san')]);
  const { body } = await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey);
  const byName = (one: { external_id: string }, other: { external_id: string }) =>
    one.external_id < other.external_id ? -1 : 1;
  expect(body.orders.sort(byName)).toMatchObject([
    {
      external_id: 'M-1',
      lines: [{ quantity: 2, retail_price: 450_000 }],
      shipping: { gross_weight: 500, try_on: 'open', include_insurance: true },
    },
    {
      external_id: 'M-2',
      lines: [{ retail_price: 1_200_000 }],
      shipping: { gross_weight: 1250, try_on: 'try', include_insurance: false },
    },
  ]);
});

it('says where nobody can be asked what it would ask', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), foreign);
  const { stderr } = await world.run(['batch', 'map', 'san.csv', '--profile', 'shop', '--json']);
  expect(noticeText(stderr)).toContain('column "Cân nặng" is read in g: is that right?');
  expect(noticeText(stderr)).toContain('column "Cho xem hàng": the word "được xem" is not known');
});

const plain = [
  'Mã đơn,Người nhận,SĐT,Địa chỉ cụ thể,Tỉnh,Quận,Phường,Sản phẩm,SL,Giá gốc,Giá ưu đãi,KL,Lời nhắn,Lạ một,Lạ hai',
  'M-1,Lan,0901234561,12 ngõ 5,Hà Nội,Cầu Giấy,Dịch Vọng,Áo thun,2,450000,400000,500,gọi trước,,x',
  '',
].join('\n');

const pickup = ['Kho Liên Chiểu', '0905123456', { typed: 'hoa khanh nam lien chieu da nang' }, 'Lô 7'];
const out = { typed: '', taken: 'leave it out' };
const enter: ScriptedAnswer = ({ initial }) => initial ?? '';

it('knows Vietnamese names of fields, asks for pickup, try-on and insurance once, and names the next command', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), plain);
  const answers = [{ typed: 'bao hiem', taken: 'leave it out' }, out, ...pickup, 'none', 'no'];
  const mapped = await world.run(['batch', 'map', 'san.csv', '--save', 'san', '--fields', 'next'], {
    terminal: true,
    answers,
  });
  expect([mapped.exit, mapped.exit === 0 || mapped.stderr]).toEqual([0, true]);
  expect(mapped.stdout).toContain('shopctl batch plan san.csv');
  const planned = await world.run(['batch', 'plan', 'san.csv', '--json']);
  expect([planned.exit, planned.exit === 0 || planned.stderr]).toEqual([0, true]);
  expect(JSON.parse(planned.stdout)).toMatchObject({ counts: { rows: 1, left: 1 }, collect: { insured: 0 } });
  // The pickup is proposed for the next sheet.
  writeFileSync(join(world.directory, 'other.csv'), plain.replace('Lạ một', 'Lạ ba'));
  const again = [
    out,
    out,
    (question: { message: string }) => {
      expect(question.message).toBe('Where are the parcels of this sheet picked up?');
      return 'Kho Liên Chiểu, 0905123456, Lô 7, Phường Hòa Khánh Nam, Quận Liên Chiểu, Thành phố Đà Nẵng';
    },
    'none',
    'yes',
  ];
  const other = await world.run(['batch', 'map', 'other.csv', '--save', 'other'], {
    terminal: true,
    answers: again,
  });
  expect([other.exit, other.exit === 0 || other.stderr]).toEqual([0, true]);
});

it('asks what parcels weigh where no column says so, and once only where it is not known', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'nhe.csv'), plain.replace(',KL,', ',Lạ ba,').replace(',500,', ',,'));
  const map = async (answers: readonly ScriptedAnswer[]) => {
    const { exit, stderr, prompter } = await world.run(['batch', 'map', 'nhe.csv', '--save', 'nhe'], {
      terminal: true,
      answers,
    });
    expect([exit, exit === 0 || stderr]).toEqual([0, true]);
    return { asked: prompter.asked, yaml: readFileSync(join(world.directory, 'mappings', 'nhe.yaml'), 'utf8') };
  };
  const rest = [out, out, out, ...pickup];
  const first = await map([...rest, '', 'none', 'no']);
  expect([first.asked.filter((message) => message.includes('weigh')).length, first.yaml.includes('weight')]).toEqual([
    1,
    false,
  ]);
  const again = await map([true, 'all are right', true]);
  expect([again.asked.filter((message) => message.includes('weigh')), again.yaml.includes('weight')]).toEqual([
    [],
    false,
  ]);
  const blank = await world.run(['batch', 'plan', 'nhe.csv']);
  expect([blank.exit, blank.stderr.includes('without a weight')]).toEqual([0, true]);
  const known = await map([true, 'all are right', false, 'another address', ...pickup, '350', 'none', 'no']);
  expect(known.yaml).toContain('shipping.gross_weight: "350"');
  const planned = await world.run(['batch', 'plan', 'nhe.csv']);
  expect([planned.exit, planned.stderr.includes('without a weight')]).toEqual([0, false]);
});

it('offers the pickup of a saved mapping, though none was picked up from here before', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), plain);
  const saved = { full_name: 'Kho Liên Chiểu', phone: '0905123456', province: 'Đà Nẵng', district: 'Liên Chiểu' };
  const whole = Object.entries({ ...saved, ward: 'Hòa Khánh Nam', address1: 'Lô 7' });
  mkdirSync(join(world.directory, 'mappings'), { recursive: true });
  writeFileSync(
    join(world.directory, 'mappings', 'truoc.yaml'),
    `constants:\n${whole.map(([name, value]) => `  shipping.pickup_address.${name}: '${value}'\n`).join('')}`,
  );
  const label = 'Kho Liên Chiểu, 0905123456, Lô 7, Hòa Khánh Nam, Liên Chiểu, Đà Nẵng';
  const answers = [out, out, label, 'none', 'no'];
  const words = ['batch', 'map', 'san.csv', '--save', 'san'];
  const { exit, stderr } = await world.run(words, { terminal: true, answers });
  expect([exit, exit === 0 || stderr]).toEqual([0, true]);
  const yaml = readFileSync(join(world.directory, 'mappings', 'san.yaml'), 'utf8');
  expect(yaml).toContain('shipping.pickup_address.address1: Lô 7');
});

it('shows what the columns hold in the first rows, and what every row needs besides', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), plain);
  const { stdout, stderr } = await world.run(['batch', 'map', 'san.csv', '--json']);
  const { columns } = JSON.parse(stdout);
  const shown = columns.map(({ field, read }: { field: string; read: string }) => [field, read]);
  expect(shown).toEqual(
    expect.arrayContaining([
      ['shipping_address.address1', '12 ngõ 5'],
      ['lines.retail_price', '450000'],
      ['lines.payment_price', '400000'],
      ['shipping.gross_weight', '500'],
      ['shipping.shipping_note', 'gọi trước'],
      [null, ''],
    ]),
  );
  expect(stderr).toContain('no column has shipping.pickup_address, which every row needs');
  expect(stderr).toContain('no column has shipping.try_on, which every row needs');
  expect(stderr).toContain('no column has shipping.include_insurance: every parcel is insured, unless');
  const table = await world.run(['batch', 'map', 'san.csv']);
  expect(table.stdout).toContain('Áo thun');
  expect(table.stdout).not.toContain('{"');
});

const everyday = [
  'TT,Mã ĐH,Tên KH,ĐT,Đ/C,SP,Màu,Size,SL,Giá,Giảm giá,Phí ship,Đã cọc/CK,Thu khách,Trạng thái,HTTT,KL',
  '1,D-1,Lan,0901234561,"12 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội",Áo thun,Đỏ,M,2,150000,10000,30000,100000,210000,Mới,COD,500',
  '2,D-2,Mai,0901234562,"14 ngõ 5, Dịch Vọng, Cầu Giấy, Hà Nội",Áo thun,Đen,L,1,150000,,,,150000,Hủy,COD,500',
  '',
].join('\n');

it.each([
  ['behind the name of the product', { product_name: 'Áo thun - Đỏ - M' }],
  ['an attribute of the line', { product_name: 'Áo thun', attributes: [{ value: 'Đỏ / M' }] }],
])(
  'knows the everyday headers of a shop, and asks for traits (%s), discounts, fees and statuses',
  async (place, line) => {
    const world = await shopWorld();
    writeFileSync(join(world.directory, 'don.csv'), everyday);
    const words = ['batch', 'map', 'don.csv', '--save', 'don'];
    const amounts = ['a discount of each piece', 'a delivery fee that the buyer pays'];
    const answers = [place, ...amounts, 'ship them', 'leave them out', out, ...pickup, 'none', 'no'];
    const mapped = await world.run(words, { terminal: true, answers });
    expect([mapped.exit, mapped.exit === 0 || mapped.stderr]).toEqual([0, true]);
    const ran = await world.run(['batch', 'run', 'don.csv', '--pick', 'cheapest', '--yes', '--json']);
    expect([ran.exit, ran.exit === 0 || ran.stderr]).toEqual([0, true]);
    const { body } = await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey);
    expect(body.orders).toMatchObject([
      {
        external_id: 'D-1',
        shipping_address: { full_name: 'Lan', address1: '12 ngõ 5' },
        lines: [{ ...line, quantity: 2 }],
        order_discount: 20_000,
        total_amount: 310_000,
        shipping: { cod_amount: 210_000 },
      },
    ]);
  },
);

it('puts colour and size behind the name where nobody can be asked, and says what it leaves out', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'don.csv'), everyday);
  const { stdout, stderr } = await world.run(['batch', 'map', 'don.csv', '--ignore-columns', '--json']);
  const fields = JSON.parse(stdout).columns.map(({ field }: { field: string | null }) => field);
  expect(fields.slice(5, 8)).toEqual(Array(3).fill('lines.product_name'));
  expect(fields.slice(10, 16)).toEqual([null, null, 'deposit', 'shipping.cod_amount', null, null]);
  expect(noticeText(stderr)).toContain('column "Phí ship" is left out: map it to buyer_shipping_fee');
});

it('finds a field by Vietnamese words as they are typed', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'gia.csv'), 'Cột,Mã hàng\n120000,AO01-1\n');
  const words = ['batch', 'map', 'gia.csv', '--profile', 'shop', '--do', 'variants update'];
  const mapped = await world.run(words, {
    terminal: true,
    answers: [{ typed: 'giá bán', taken: 'retail_price' }, 'gia'],
  });
  expect([mapped.exit, mapped.exit === 0 || mapped.stderr]).toEqual([0, true]);
});

it('keeps the answers of somebody who leaves, for the same sheet only', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), plain);
  const words = ['batch', 'map', 'san.csv', '--save', 'san'];
  const left = await world.run(words, { terminal: true, answers: [out, new PromptEnded()] });
  expect([left.exit, left.stderr]).toEqual([130, expect.stringContaining('14 of 15 columns are stored')]);
  writeFileSync(join(world.directory, 'other.csv'), plain.replace('Lạ một', 'Lạ ba'));
  const other = await world.run(['batch', 'map', 'other.csv'], { terminal: true, answers: [new PromptEnded()] });
  expect(other.stderr).toContain('13 of 15');
  await world.run(words, { terminal: true, answers: [out, new PromptEnded()] });
  const ended = await world.run(words, { terminal: true, answers: [out, ...pickup, 'none', 'yes'] });
  expect([ended.exit, ended.exit === 0 || ended.stderr]).toEqual([0, true]);
});

it('asks a person for a name, and only for what is new where a saved mapping has the other columns', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'Đơn 30-11.csv'), plain);
  const map = async (answers: readonly ScriptedAnswer[], ...words: string[]) => {
    const ran = await world.run(['batch', 'map', 'Đơn 30-11.csv', ...words], { terminal: true, answers });
    return { ...ran, asked: ran.prompter.asked };
  };
  const first = await map([out, out, ...pickup, 'none', 'no', enter]);
  expect([first.exit, first.exit === 0 || first.stderr]).toEqual([0, true]);
  expect(readdirSync(join(world.directory, 'mappings'))).toEqual(['Đơn-30-11.yaml']);
  const next = () => shellWords(/shopctl batch plan .*$/m.exec(first.stdout)?.[0] ?? '').slice(1);
  const planned = await world.run([...next(), '--json']);
  expect([planned.exit, planned.exit === 0 || planned.stderr]).toEqual([0, true]);
  // One column more: nothing else is asked again, and what is the same in every row is kept.
  const [header = '', ...lines] = plain.split('\n');
  const wider = [`${header},Kho`, ...lines.map((line) => (line === '' ? '' : `${line},A`))].join('\n');
  writeFileSync(join(world.directory, 'Đơn 30-11.csv'), wider);
  const again = await map([true, out, 'all are right', true], '--save', 'Đơn-30-11');
  expect([again.exit, again.exit === 0 || again.stderr]).toEqual([0, true]);
  expect(again.asked.join()).toContain('The mapping Đơn-30-11 exists. Ask only what is new, and change it?');
  const yaml = readFileSync(join(world.directory, 'mappings', 'Đơn-30-11.yaml'), 'utf8');
  expect(yaml).toContain('Kho: null');
  expect(yaml).toContain('shipping.pickup_address.address1: Lô 7');
  // A person may say no, and may ask for everything that is the same in every row once more.
  expect(await map([false], '--save', 'Đơn-30-11')).toMatchObject({ exit: 2 });
  const moved = await map(['all are right', false, 'another address', ...pickup, 'open', 'no', enter]);
  expect([moved.exit, moved.exit === 0 || moved.stderr]).toEqual([0, true]);
  expect(readFileSync(join(world.directory, 'mappings', 'Đơn-30-11.yaml'), 'utf8')).toContain('try_on: open');
  // A program that has saved nothing is not sent to a plan that would be refused.
  writeFileSync(join(world.directory, 'khac.csv'), plain.replace('Lạ một', 'Lạ ba'));
  const silent = await world.run(['batch', 'map', 'khac.csv', '--ignore-columns', '--json']);
  expect(JSON.parse(silent.stdout).next).toMatch(/^shopctl batch map khac\.csv --save NAME /);
});

it('maps a sheet that nothing fits where it is run, and goes on', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), plain);
  const words = ['batch', 'run', 'san.csv', '--pick', 'cheapest'];
  const answers = [true, out, out, ...pickup, 'none', 'no', enter, true];
  const ran = await world.run(words, { terminal: true, answers });
  expect([ran.exit, ran.exit === 0 || ran.stderr]).toEqual([0, true]);
  expect(ran.prompter.asked.join()).toContain('Say now what its columns are?');
  expect((await world.service.post('shop.Order/ListOrders', {}, world.service.shop.apiKey)).body.orders).toHaveLength(
    1,
  );
  const other = { file: 'khac.csv' };
  writeFileSync(join(world.directory, other.file), plain.replace('Lạ một', 'Lạ ba'));
  const no = await world.run(['batch', 'plan', other.file], { terminal: true, answers: [false] });
  expect([no.exit, no.stderr]).toEqual([2, expect.stringContaining(`batch map ${other.file} --save NAME`)]);
  for (const how of [{}, { terminal: true }]) {
    const script = await world.run(['batch', 'run', other.file, '--yes'], how);
    expect([script.exit, script.stderr]).toEqual([2, expect.stringContaining(`batch map ${other.file} --save NAME`)]);
  }
});

it('finds the header below titles, as a batch does', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'san.csv'), `Danh sách đơn\n\n${plain}`);
  const { stdout } = await world.run(['batch', 'map', 'san.csv', '--json']);
  expect(JSON.parse(stdout).columns[0]).toMatchObject({ column: 'Mã đơn', field: 'external_id', read: 'M-1' });
});

it('reads a header of two lines: groups, and names below them or beside them', async () => {
  const world = await shopWorld();
  const columnsOf = async (lines: readonly string[], ...words: readonly string[]) => {
    writeFileSync(join(world.directory, 'hai.csv'), `${lines.join('\n')}\n`);
    const { stdout } = await world.run(['batch', 'map', 'hai.csv', '--json', ...words]);
    return JSON.parse(stdout).columns.map((one: Record<string, string>) => [one.column, one.field, one.read]);
  };
  const goods = 'A-1,Lan,0901234561,Áo,150000,150000';
  const read = [
    ['Mã đơn', 'external_id', 'A-1'],
    ['Họ tên', 'shipping_address.full_name', 'Lan'],
    ['SĐT', 'shipping_address.phone', '0901234561'],
    ['Sản phẩm', 'lines.product_name', 'Áo'],
    ['Đơn giá', 'lines.retail_price', '150000'],
    ['Thu hộ', 'shipping.cod_amount', '150000'],
  ];
  const beside = ['Mã đơn,Người nhận,,Hàng hóa,,Thu hộ', ',Họ tên,SĐT,Sản phẩm,Đơn giá,', goods];
  expect(await columnsOf(beside)).toEqual(read);
  expect(await columnsOf(['DANH SÁCH ĐƠN NGÀY 28/11', ...beside])).toEqual(read);
  // As a batch is resumed.
  expect(await columnsOf(beside, '--header-row', '2')).toEqual(read);
  const below = [',Người nhận,,Hàng hóa,,Thanh toán', 'Mã đơn,Họ tên,SĐT,Sản phẩm,Đơn giá,Thu hộ', goods];
  expect(await columnsOf(below)).toEqual(read);
  const twice = [
    'Mã đơn,Người gửi,,Người nhận,,',
    ',Họ tên,SĐT,Họ tên,SĐT,Thu hộ',
    'A-1,Kho,0988777666,Lan,0901234561,150000',
  ];
  expect(await columnsOf(twice)).toEqual([
    ['Mã đơn', 'external_id', 'A-1'],
    ['Họ tên Người gửi', null, ''],
    ['SĐT Người gửi', null, ''],
    ['Họ tên Người nhận', 'shipping_address.full_name', 'Lan'],
    ['SĐT Người nhận', 'shipping_address.phone', '0901234561'],
    ['Thu hộ', 'shipping.cod_amount', '150000'],
  ]);
  // A line of data names no columns.
  expect(await columnsOf(['Mã đơn,Họ tên,,SĐT', 'A-1,Ghi chú,x,0901234561'])).toHaveLength(4);
});

it('is named where no column is known, as is the command whose records a sheet has', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, "sàn's.csv"), 'Cột lạ,Cột khác\nx,y\n');
  const unknown = await world.run(['batch', 'plan', "sàn's.csv", '--json']);
  const error = errorOf(unknown);
  expect([unknown.exit, error.message]).toEqual([2, 'no column is a field of "ship": there are "Cột lạ", "Cột khác"']);
  expect(error.hint).toBe('`shopctl batch map "sàn\'s.csv" --save NAME --profile test` maps the columns to fields');
  expect((await world.run(['variants', 'list', '--to', 'v.csv', '--profile', 'shop'])).exit).toBe(0);
  const own = await world.run(['batch', 'plan', 'v.csv', '--profile', 'shop', '--json']);
  expect([own.exit, own.stderr]).toEqual([2, expect.stringContaining("add --do 'variants update'")]);
  const known = await world.run(['batch', 'plan', 'v.csv', '--profile', 'shop', '--json', '--do', 'variants update']);
  expect(known.exit).toBe(0);
});

it('names the command that a mapping was made for', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'khach.csv'), 'Tên,SĐT\nAn,0901234567\n');
  writeFileSync(
    join(world.directory, 'khach.yaml'),
    'command: customers create\ncolumns:\n  Tên: full_name\n  SĐT: phone\n',
  );
  const other = await world.run(['batch', 'plan', 'khach.csv', '--map', 'khach.yaml']);
  expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining("add --do 'customers create'")]);
  const own = await world.run([
    'batch',
    'plan',
    'khach.csv',
    '--map',
    'khach.yaml',
    '--do',
    'customers create',
    '--profile',
    'shop',
  ]);
  expect([own.exit, own.stderr]).toEqual([0, expect.not.stringContaining('not a field')]);
});

it('asks for nothing but what no column has where an export is known, and names the mapping in the next command', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'shopee.csv'), readFileSync('examples/exports/shopee.csv'));
  const refused = await world.run(['batch', 'plan', 'shopee.csv', '--json']);
  expect([refused.exit, refused.stderr]).toEqual([
    2,
    expect.stringContaining('shopctl batch map shopee.csv --save NAME'),
  ]);
  const words = ['batch', 'map', 'shopee.csv', '--save', 'kho'];
  const mapped = await world.run(words, { terminal: true, answers: [...pickup, 'none', 'no'] });
  expect([mapped.exit, mapped.exit === 0 || mapped.stderr]).toEqual([0, true]);
  const [next = ''] = /shopctl batch plan .*$/m.exec(mapped.stdout) ?? [];
  const planned = await world.run([...shellWords(next).slice(1), '--json']);
  expect([planned.exit, planned.exit === 0 || planned.stderr]).toEqual([0, true]);
});

it('asks what a filled column of dispatch means, and a plan without an answer is refused', async () => {
  const world = await shopWorld();
  const cells = (number: number, code: string) => [...orderCells(number), code, code === '' ? '' : 'x'];
  const lines = [cells(1, 'GHN-1'), cells(2, '')];
  writeFileSync(join(world.directory, 'o.csv'), orderSheet(lines, [...orderHeader, 'Mã vận đơn', 'Đã gửi']));
  const plan = async (...words: string[]) => {
    const ran = await world.run(['batch', 'plan', 'o.csv', '-o', 'json', ...words]);
    return { ...ran, ids: [...new Set(ran.stdout.match(/SO-\d+/g))] };
  };
  await world.run(['batch', 'map', 'o.csv', '--save', 'silent', '--json']);
  const refused = await plan('--map', 'silent');
  expect([refused.exit, errorOf(refused.stderr).message]).toEqual([
    2,
    expect.stringContaining('1 row is of orders with a tracking code, a day of dispatch or a mark that they were sent'),
  ]);
  expect(await plan('--map', 'silent', '--tracked', 'skip')).toMatchObject({ exit: 0, ids: ['SO-2'] });
  expect(await plan('--map', 'silent', '--tracked', 'ship')).toMatchObject({ exit: 0, ids: ['SO-1', 'SO-2'] });
  expect((await plan('--ignore-columns')).exit).toBe(2);
  const answers = ['it was sent already: leave it out', 'no'];
  const mapped = await world.run(['batch', 'map', 'o.csv', '--save', 'asked'], { terminal: true, answers });
  expect([mapped.exit, mapped.exit === 0 || mapped.stderr]).toEqual([0, true]);
  expect(await plan('--map', 'asked')).toMatchObject({ exit: 0, ids: ['SO-2'] });
});

it('knows more everyday headers, never takes a running number for a code, and refuses to leave out money in silence', async () => {
  const world = await shopWorld();
  const fields = async (header: string, line: string, ...words: string[]) => {
    writeFileSync(join(world.directory, 'm.csv'), `${header}\n${line}\n`);
    const ran = await world.run(['batch', 'map', 'm.csv', '--json', ...words]);
    const columns: { field: string | null }[] = ran.exit === 0 ? JSON.parse(ran.stdout).columns : [];
    return { ...ran, fields: columns.map(({ field }) => field) };
  };
  const cash = 'shipping.cod_amount';
  for (const header of ['Thu', 'Thu tiền', 'Còn thu', 'Khách phải trả', 'Tổng thu', 'còn lại'])
    expect((await fields(`STT,Mã,ng mua,${header}`, '1,D-1,Lan,350000')).fields).toEqual([
      null,
      'external_id',
      'shipping_address.full_name',
      cash,
    ]);
  const to = 'shipping_address';
  for (const [header, field] of [
    ['Giá sản phẩm', 'lines.retail_price'],
    ['Đơn giá VNĐ', 'lines.retail_price'],
    ['Phường xã nhận', `${to}.ward`],
    ['Xã/Phường', `${to}.ward`],
    ['Xã - Phường - Thị trấn (người nhận)', `${to}.ward`],
    ['Huyện/Quận', `${to}.district`],
    ['Quận huyện khách', `${to}.district`],
    ['Tỉnh thành người nhận', `${to}.province`],
    ['Thành phố/Tỉnh', `${to}.province`],
    ['Số ĐT người nhận', `${to}.phone`],
    ['Di động khách hàng', `${to}.phone`],
    ['Họ tên khách nhận', null],
    ['Khách nhận', null],
    ['Tên của khách', `${to}.full_name`],
    ['Tiền thu hộ COD (VND)', cash],
    ['Tiền thu hộ (đ)', cash],
    ['Tiền thu hộ VND', cash],
    ['Hàng gửi', 'lines.product_name'],
    ['Nặng', 'shipping.gross_weight'],
    ['Khối lượng gram', 'shipping.gross_weight'],
    ['Địa chỉ mới', `${to}.full`],
    ['Số ĐT người gửi', null],
    ['TT', null],
  ] as const)
    expect([header, (await fields(`Mã,${header}`, 'D-1,12', '--ignore-columns')).fields[1]]).toEqual([header, field]);
  expect((await fields('Đơn hàng,đc,Thứ', 'D-1,12 ngõ 5,2')).fields).toEqual([
    'external_id',
    'shipping_address.full',
    null,
  ]);
  expect((await fields('ID,"Số nhà, đường",Tỉnh', 'D-1,12 ngõ 5,Hà Nội')).fields).toEqual([
    'external_id',
    'shipping_address.address1',
    'shipping_address.province',
  ]);
  for (const [header, cell] of [
    ['Bù thêm', '25.000'],
    ['Tiền quà', '7k'],
    ['Còn nợ', '120000'],
    ['HTTT', 'đã CK'],
    ['Thanh toán', 'COD'],
  ] as const) {
    const refused = await fields(`Mã,${header}`, `D-1,${cell}`, '--save', 'm');
    expect([refused.exit, errorOf(refused.stderr).message]).toEqual([
      2,
      expect.stringContaining(
        `columns that nothing reads may say what is to be shipped, collected or paid ("${header}")`,
      ),
    ]);
    expect((await fields(`Mã,${header}`, `D-1,${cell}`, '--ignore-columns')).fields).toEqual(['external_id', null]);
  }
  const named = await fields('Mã,Nguồn', 'D-1,FB');
  expect([named.exit, noticeText(named.stderr)]).toEqual([
    0,
    expect.stringContaining('column "Nguồn" ("FB") is left out: no field is called so'),
  ]);
});

it('maps one of two columns with one header if only that has cells, and leaves none of two that differ out', async () => {
  const world = await shopWorld();
  const header = 'Tên khách hàng,Số điện thoại,Số điện thoại';
  const mapped = async (second: string, ...words: readonly string[]) => {
    writeFileSync(join(world.directory, 'k.csv'), `${header}\nLan,0901234561,${second}\nMai,0901234562,\n`);
    return world.run(['batch', 'map', 'k.csv', '--json', ...shop, ...words]);
  };
  const one = await mapped('', '--save', 'k');
  expect([one.exit, JSON.parse(one.stdout).columns.map(({ field }: { field: string | null }) => field)]).toEqual([
    0,
    ['full_name', 'phone'],
  ]);
  const plan = await world.run(['batch', 'plan', 'k.csv', '--json', ...shop]);
  expect([plan.exit, JSON.parse(plan.stdout).counts.left, noticeText(plan)]).toEqual([
    0,
    2,
    expect.stringContaining('read as mapping k'),
  ]);
  const two = await mapped('0987654321');
  expect([two.exit, two.stderr]).toEqual([2, expect.stringContaining('appears twice, in B and C')]);
});

it('finds a running number that is taken for a code in the plan', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'o.csv'), orderSheet([orderCells(1, '1'), orderCells(2, '2')]));
  const { exit, stderr } = await world.run(['batch', 'plan', 'o.csv']);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('is no code, which has 2 to 100 characters')]);
});

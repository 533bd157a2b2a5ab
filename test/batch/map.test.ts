import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shopWorld } from '../support/shop-world.ts';

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

it('is not taken for a file with other headers, nor for another command', async () => {
  const world = await shopWorld();
  writeFileSync(join(world.directory, 'khach.csv'), sheet);
  await world.run(['batch', 'map', 'khach.csv', '--save', 'khach', ...shop]);
  writeFileSync(join(world.directory, 'other.csv'), sheet.replace('Cột lạ', 'Cột khác'));
  expect((await world.run(['batch', 'run', 'other.csv', '--yes', ...shop])).exit).toBe(2);
  const words = ['batch', 'run', 'khach.csv', '--yes', '--profile', 'shop', '--do', 'customers update'];
  const ended = await world.run(words);
  expect([ended.exit, ended.stderr]).toEqual([2, expect.stringContaining('"Tên khách hàng" is not a field')]);
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
  expect(stderr).toContain('column "Cân nặng" is read in g: is that right?');
  expect(stderr).toContain('column "Cho xem hàng": the word "được xem" is not known');
});

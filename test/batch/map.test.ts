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
  expect([ended.exit, ended.stderr]).toEqual([2, expect.stringContaining('"Tên khách hàng" is no field')]);
});

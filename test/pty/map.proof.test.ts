import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { signedInTerminal } from './signed-in-terminal.ts';
import { hasTmux } from './terminal.ts';

describe.skipIf(!hasTmux() && !process.env.CI)('shopctl batch map and cod map in a terminal of 80 columns', () => {
  it('asks for what no header tells, and saves the answers', async () => {
    const { terminal, directory } = await signedInTerminal();
    const { type, press, until } = terminal;
    const columns = 'Mã đơn,Người nhận,SĐT,Địa chỉ,Sản phẩm,SL,Đơn giá,Cân nặng,Cho xem hàng,Giữ tiền,Người bán';
    const lines = [
      'M-1,Lan,0901234561,12 ngõ 5,Áo,2,450,"0,5",được xem,có,Hoa',
      'M-2,Mai,0901234562,13,Mũ,1,90,1,không,không,Hoa',
    ];
    writeFileSync(join(directory, 'san.csv'), `${[columns, ...lines].join('\n')}\n`);
    await until('$');
    await type(`cd ${directory} && clear && shopctl batch map san.csv --save san`);
    await press('Enter');
    // What is likely is proposed: Enter takes it.
    await until('What are the numbers of "Đơn giá"');
    await press('Enter');
    await until('What are the numbers of "Cân nặng"');
    await press('Enter');
    await until('What does "được xem" in column "Cho xem hàng" mean?');
    await press('Down', 'Enter');
    await until('What does "không" in column "Cho xem hàng" mean?');
    await press('Enter');
    await until('Which field is column "Giữ tiền"');
    await type('insur');
    await until('shipping.include_insurance');
    await press('Enter');
    await until('Which field is column "Người bán"');
    await until('leave it out');
    await press('Enter');
    // Who leaves answers only the rest.
    await until('Pickup: full name');
    await press('C-c');
    await until('11 of 11 columns are stored');
    await type('clear; shopctl batch map san.csv --save san');
    await press('Enter');
    await until('Pickup: full name');
    await type('Kho');
    await press('Enter');
    await until('Pickup: phone');
    await type('0905123456');
    await press('Enter');
    await until('Pickup: ward');
    await type('hoa khanh nam lien chieu da nang');
    await until('Phường Hòa Khánh Nam, Quận Liên Chiểu');
    await press('Enter');
    await until('Pickup: street');
    await type('Lô 7');
    await press('Enter');
    const shown = await until('shopctl batch plan san.csv');
    expect(shown.split('\n').every((line) => line.length <= 80)).toBe(true);
    const path = join(directory, 'config', 'mappings', 'san.yaml');
    const saved = parse(readFileSync(path, 'utf8'));
    expect(saved.columns).toMatchObject({
      'Mã đơn': 'external_id',
      'Đơn giá': { field: 'lines.retail_price', unit: 'thousand' },
      'Cân nặng': { field: 'shipping.gross_weight', unit: 'kg' },
      'Cho xem hàng': { field: 'shipping.try_on', words: { 'được xem': 'open', không: 'none' } },
      'Giữ tiền': 'shipping.include_insurance',
      'Người bán': null,
    });
    expect(saved.constants['shipping.pickup_address.ward']).toBe('Phường Hòa Khánh Nam');

    // A carrier's payment file is asked about in the same way.
    const paid = [
      'Đối soát',
      'Mã vận đơn,Tiền thu hộ,Phí XYZ,Kho,Ngày về',
      'B1,350,1,HN,20/11/2026',
      'B2,150,0,HN,21/11/2026',
    ];
    writeFileSync(join(directory, 'best.csv'), `${paid.join('\n')}\n`);
    await type('clear; shopctl cod map best.csv --save best');
    await press('Enter');
    await until('What are the numbers of "Tiền thu hộ"');
    await press('Enter');
    await until('Which field is column "Phí XYZ"');
    await type('insur');
    await until('insurance');
    await press('Enter');
    await until('What are the numbers of "Phí XYZ"');
    await press('Enter');
    await until('Which field is column "Kho"');
    await until('leave it out');
    await press('Enter');
    await until('Which field is column "Ngày về"');
    await type('delivered');
    await until('❯ day of delivery or return (delivered_on)');
    await press('Enter');
    // Its days have one reading: nothing is asked about them. One answer is corrected, and no other question comes again.
    await until('Are the columns right?');
    await press('Down', 'Down', 'Down');
    await until('❯ correct "Phí XYZ": read as insurance fee (insurance)');
    await press('Enter');
    await until('Which field is column "Phí XYZ"');
    await type('phu phi');
    await until('❯ other fee or deduction (other)');
    await press('Enter');
    await until('What are the numbers of "Phí XYZ"');
    await press('Enter');
    await until('correct "Phí XYZ": read as other fee or deduction (other)');
    await press('Enter');
    const read = await until(/best\.ya\s*ml/);
    expect(read).toMatch(/PLACE +SHIPPING_CODE +KIND +AMOUNT +DAY *\n +B3 +B1 +cod +350,000 +2026-11-20/);
    expect(read).not.toContain('{');
    expect(parse(readFileSync(join(directory, 'config', 'layouts', 'best.yaml'), 'utf8'))).toEqual({
      command: 'cod import',
      columns: {
        'Mã vận đơn': 'shipping_code',
        'Tiền thu hộ': { field: 'cod', unit: 'thousand' },
        'Phí XYZ': { field: 'other', unit: 'thousand' },
        Kho: null,
        'Ngày về': { field: 'delivered_on', dates: 'DD/MM/YYYY' },
      },
    });
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openedConsole } from '../../console/opened-console.ts';
import { shopWorld } from '../../support/shop-world.ts';
import { paidWorld, parcel } from './paid-world.ts';

const reconcile = ['cod', 'reconcile', '--json'];

it('compares a session with the bank, and explains the rest: held, carried over, debt', async () => {
  const world = await paidWorld([parcel(1, 350_000), parcel(2, 150_000)]);
  const imported = await world.pay('week.csv', [
    ['SPX1', 's47', 'Thu hộ', 350_000],
    ['SPX1', 's47', 'Phí giao hàng', -22_000],
    ['SPX2', 's47', 'Thu hộ', 150_000],
    ['SPX2', 's47', 'Tạm thu', -30_000],
    ['', 's47', 'Công nợ kỳ trước', -45_000],
    ['', 's47', 'Chuyển khoản', -403_000],
    ['SPX2', 's48', 'Hoàn tạm thu', 30_000],
  ]);
  expect(imported.stderr).toContain(
    'week.csv: 7 rows, 7 lines, 30,000 in all (cod 500,000, delivery -22,000, provisional -30,000, provisional_back 30,000, debt -45,000, transfer -403,000)',
  );
  const bank = async (session: string, received: number) => {
    const words = [...reconcile, '--session', session, '--received', String(received)];
    const { exit, stdout, stderr } = await world.run(words);
    return { exit, received: JSON.parse(stdout).received, stderr };
  };
  const whole = await bank('s47', 403_000);
  // A transfer is what was paid, not what is due.
  expect([whole.exit, whole.received]).toEqual([
    0,
    {
      session: 's47',
      expected: 403_000,
      received: 403_000,
      rest: 0,
      parts: expect.arrayContaining([
        { what: 'cash on delivery', amount: 500_000 },
        { what: 'delivery fees', amount: -22_000 },
        { what: 'held: provisional charges', amount: -30_000 },
        { what: 'carried over: debt of earlier sessions', amount: -45_000 },
        { what: 'transferred, as the file says', amount: -403_000 },
      ]),
    },
  ]);
  expect(whole.stderr).toContain('s47: 403,000 is due, the bank received 403,000: nothing is left');
  const less = await bank('s47', 400_000);
  expect([less.exit, less.received.rest]).toEqual([11, -3_000]);
  expect(less.stderr).toContain('s47: carried over: debt of earlier sessions -45,000');
  expect(less.stderr).toContain('the bank received 400,000: 3,000 is missing');
  const seen = await world.run(['cod', 'reconcile', '--session', 's47', '--received', '400000']);
  expect(seen.stdout).toMatch(/^received\.rest +-3,000$/m);
  expect(seen.stdout).toMatch(/^received\.parts +cash on delivery +500,000$/m);
  expect(seen.stdout).toMatch(/^classes +CLASS +PARCELS +DUE .*\n +paid +2 +500,000 /m);
  expect(seen.stdout).not.toContain('{');
  const lines = await world.run(['cod', 'show', 'week.csv']);
  expect(lines.stderr).toContain('7 lines, those that count add up to 30,000');
  const more = await bank('s48', 31_000);
  expect([more.exit, more.received]).toMatchObject([11, { expected: 30_000, rest: 1_000 }]);
  expect(more.stderr).toContain('1,000 is too much');
});

it('refuses an amount of the bank without a session, and for a session that no file has', async () => {
  const world = await paidWorld([parcel(1, 350_000)]);
  const without = await world.run([...reconcile, '--received', '1000']);
  expect([without.exit, without.stdout]).toEqual([2, '']);
  expect(without.stderr).toContain('--session');
  const unknown = await world.run([...reconcile, '--session', 's9', '--received', '1000']);
  expect([unknown.exit, unknown.stdout]).toEqual([3, '']);
  expect(unknown.stderr).toContain('no payment line belongs to a session s9');
});

it('takes the same parcel, kind and amount in two sessions for two payments, in one file and over files', async () => {
  const world = await paidWorld([parcel(1, 350_000)]);
  await world.pay('first.csv', [['SPX1', 's47', 'Thu hộ', 350_000]]);
  const second = await world.pay('second.csv', [
    ['SPX1', 's47', 'Thu hộ', 350_000],
    ['SPX1', 's48', 'Thu hộ', 350_000],
    ['SPX1', 's49', 'Thu hộ', 350_000],
    ['SPX1', 's49', 'Thu hộ', 350_000],
  ]);
  // The first repeats a line of the other file, the last one the line above it.
  expect(JSON.parse(second.stdout)).toMatchObject([
    { lines: 2, repeated: 2, amount: 700_000, problems: [{ cell: 'D2' }, { cell: 'D5' }] },
  ]);
  const third = await world.pay('third.csv', [['SPX1', 's50', 'Thu hộ', 0]]);
  expect(JSON.parse(third.stdout)).toMatchObject([{ lines: 1, repeated: 0 }]);
  const fourth = await world.pay('fourth.csv', [['SPX1', 's51', 'Thu hộ', 0]]);
  expect(JSON.parse(fourth.stdout)).toMatchObject([{ lines: 1, repeated: 0 }]);
  // Each file has its own sessions, lines and sum.
  expect((await world.run(['cod', 'close', 's48', '--by', 'Lan'])).exit).toBe(0);
  const files = JSON.parse((await world.run(['cod', 'list', '--json'])).stdout);
  expect(
    files.map((one: Record<string, unknown>) => [one.file, one.sessions, one.closed, one.lines, one.amount]),
  ).toEqual([
    ['fourth.csv', ['s51'], [], 1, 0],
    ['third.csv', ['s50'], [], 1, 0],
    ['second.csv', ['s48', 's49'], ['s48'], 2, 700_000],
    ['first.csv', ['s47'], [], 1, 350_000],
  ]);
  const { exit, stdout } = await world.run(reconcile);
  expect([exit, JSON.parse(stdout).parcels]).toMatchObject([
    11,
    [{ class: 'over', also: ['doubled'], due: 350_000, paid: 1_050_000, difference: 700_000 }],
  ]);
  expect(JSON.parse(stdout).classes).toMatchObject({ over: { parcels: 1, due: 350_000, paid: 1_050_000 } });
});

it('reconciles while the service is unreachable, and says how old the shipments are', async () => {
  const world = await paidWorld([parcel(1, 350_000)]);
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 350_000]]);
  world.ends();
  const clock = { now: () => Date.parse('2026-02-02T08:00:00Z'), wait: async () => {} };
  const { exit, stdout, stderr } = await world.run(reconcile, { clock });
  expect([exit, JSON.parse(stdout).parcels]).toMatchObject([0, [{ class: 'paid' }]]);
  expect(stderr).toMatch(/Shipments complete up to 2026-01-31 1[45]:\d\d \(Asia\/Ho_Chi_Minh\), copied 2 days ago/);
});

it('keeps files and closed sessions in the workspace and its backup, whatever happens to the mirror', async () => {
  const world = await paidWorld([parcel(1, 350_000)]);
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 330_000]]);
  await world.run(['cod', 'close', 's47', '--by', 'Lan']);
  const looked = async (env = {}) => {
    const [files, differing, lines] = [
      await world.run(['cod', 'list', '--json'], { env }),
      await world.run([...reconcile, '--differing'], { env }),
      await world.run(['mirror', 'sql', 'select session, kind, amount from payment_lines', '--json'], { env }),
    ];
    return {
      files: JSON.parse(files.stdout).map(({ file, closed, amount }: Record<string, unknown>) => [
        file,
        closed,
        amount,
      ]),
      parcels: JSON.parse(differing.stdout).parcels.map((one: { class: string; difference: number }) => [
        one.class,
        one.difference,
      ]),
      lines: JSON.parse(lines.stdout),
    };
  };
  const before = await looked();
  expect(before).toEqual({
    files: [['week.csv', ['s47'], 330_000]],
    parcels: [['short', -20_000]],
    lines: [{ session: 's47', kind: 'cod', amount: 330_000 }],
  });
  expect((await world.run(['mirror', 'forget', '--yes'])).exit).toBe(0);
  // A sync copies the lines again, before anything asks for them.
  await world.run(['mirror', 'sync', '--area', 'fulfillments']);
  const copied = await world.run(['mirror', 'sql', 'select count(*) as lines from payment_lines', '--json']);
  expect(JSON.parse(copied.stdout)).toEqual([{ lines: 1 }]);
  expect(await looked()).toEqual(before);
  const backup = join(world.directory, 'backup.db');
  expect((await world.run(['workspace', 'backup', backup])).exit).toBe(0);
  expect(await looked({ SHOPCTL_WORKSPACE: backup })).toEqual(before);
});

it('has what carriers owe from before as a line of the session, so that its sum is what the bank received', async () => {
  const world = await paidWorld([parcel(1, 350_000), parcel(2, 150_000)]);
  const layout = join(world.directory, 'own.yaml');
  const columns = ['Mã phiếu gửi: shipping_code', 'Thu hộ: cod', 'Phụ phí: other', 'Thực trả: net'];
  writeFileSync(layout, `columns:\n${columns.map((line) => `  ${line}\n`).join('')}`);
  const importing = async (name: string, ...rows: readonly string[]) => {
    const head = 'Mã phiếu gửi,Thu hộ,Phụ phí,Thực trả,Ghi chú';
    writeFileSync(join(world.directory, name), `${[head, ...rows].join('\n')}\n`);
    const { exit, stdout } = await world.run(['cod', 'import', name, '--layout', layout, '--json']);
    return { exit, ...JSON.parse(stdout)[0] };
  };
  const rows = ['SPX1,350000,10000,340000,', 'SPX2,150000,0,150000,'];
  // Named in a column of its own, or where the parcel would be.
  for (const [name, debt] of [
    ['note.csv', ',,,-120000,Công nợ kỳ trước'],
    ['code.csv', 'Cấn trừ công nợ,0,120000,-120000,'],
    // "Công" is no "Cộng", however alike they are without accents.
    ['last.csv', 'Công nợ kỳ trước,0,0,-120000,'],
    ['month.csv', 'Công nợ tháng 10,,,-120000,'],
    ['folded.csv', 'CONG NO KY TRUOC,0,0,-120000,'],
  ] as const) {
    expect([name, await importing(name, ...rows, debt)]).toMatchObject([
      name,
      { exit: 0, unread: 0, amount: 370_000, kinds: { cod: 500_000, other: -10_000, debt: -120_000 } },
    ]);
    const session = name.replace('.csv', '');
    const ran = await world.run(['cod', 'reconcile', '--session', session, '--received', '370000', '--json']);
    const { received, parcels } = JSON.parse(ran.stdout);
    expect(received).toMatchObject({ expected: 370_000, rest: 0 });
    expect(parcels.map((one: { shipping_code: string }) => one.shipping_code)).toEqual(['SPX1', 'SPX2']);
    await world.run(['cod', 'forget', name, '--yes']);
  }
  // A charge for work is none either; a sum in words is compared, and one of debts that fits no row is told.
  const packed = await importing(
    'packed.csv',
    ...rows,
    'Công đóng gói,0,10000,-10000,',
    'Cộng trang 1,500000,20000,480000,',
  );
  expect(packed).toMatchObject({ exit: 0, unread: 0, amount: 480_000, kinds: { other: -20_000 } });
  await world.run(['cod', 'forget', 'packed.csv', '--yes']);
  const owed = await importing('owed.csv', ...rows, 'Tổng nợ,0,0,-120000,');
  expect(owed).toMatchObject({
    exit: 9,
    amount: 490_000,
    problems: expect.arrayContaining([expect.objectContaining({ cell: 'D4' })]),
  });
  await world.run(['cod', 'forget', 'owed.csv', '--yes']);
  // The headers are known by the words of carriers; the hint of a file that no layout knows is a command as it is typed.
  const mapped = JSON.parse((await world.run(['cod', 'map', 'note.csv', '--json'])).stdout);
  expect(mapped.columns.map(({ field }: { field: string | null }) => field)).toEqual([
    'shipping_code',
    'cod',
    'other',
    'net',
    null,
  ]);
  writeFileSync(join(world.directory, 'ky 2.csv'), 'Mã phiếu gửi,Kỳ thanh toán,Thực trả,Cấn trừ\nA,K1,1000,0\n');
  const other = JSON.parse((await world.run(['cod', 'map', 'ky 2.csv', '--json'])).stdout);
  expect(other.columns.map(({ field }: { field: string | null }) => field)).toEqual([
    'shipping_code',
    'session',
    'net',
    'debt',
  ]);
  const unknown = await world.run(['cod', 'import', 'ky 2.csv']);
  expect([unknown.exit, unknown.stderr]).toEqual([
    2,
    expect.stringContaining("`shopctl cod map 'ky 2.csv' --save NAME"),
  ]);
  // Cash above zero that is called a debt may be either's: nothing is guessed.
  const doubtful = await importing('doubtful.csv', ...rows, ',120000,,,Công nợ kỳ trước');
  expect(doubtful).toMatchObject({ exit: 9, unread: 1, amount: 490_000 });
});

it('maps days as all of a column are written, and never takes small fees beside whole amounts for thousands', async () => {
  const world = await shopWorld();
  const write = (name: string, ...rows: readonly string[]) =>
    writeFileSync(join(world.directory, name), `${rows.join('\n')}\n`);
  // Days that begin with the month, as GHN writes them: the second one cannot begin with the day.
  const days = [
    'Mã vận đơn,Ngày giao hàng,COD,Cước phí',
    'A1,12/09/24 07:09,340000,5500',
    'A2,12/31/24 09:00,205000,5500',
  ];
  write('month.csv', ...days);
  const { exit, stdout, stderr } = await world.run(['cod', 'map', 'month.csv', '--save', 'month', '--json']);
  expect([exit, stderr]).toEqual([0, '']);
  const { rows } = JSON.parse(stdout);
  expect(rows.map(({ day }: { day: string }) => day)).toEqual(['2024-12-09', '2024-12-09', '2024-12-31']);
  expect(readFileSync(join(world.directory, 'layouts', 'month.yaml'), 'utf8')).toMatch(/dates: MM\/DD\/YY\n/);
  // On a terminal neither is asked: only whether all is right.
  const asked = await world.run(['cod', 'map', 'month.csv'], { terminal: true, answers: ['all are right'] });
  expect([asked.exit, asked.prompter.asked.length]).toEqual([0, 1]);
  // Where they can be read in two ways, that is said and asked.
  write('both.csv', ...days.slice(0, 2));
  const both = await world.run(['cod', 'map', 'both.csv']);
  expect(both.stderr).toContain('column "Ngày giao hàng" has dates that are not written like 2026-01-31');
  // What a carrier keeps is below zero, and no thousands either; where nothing is large, it is asked.
  write('below.csv', 'Mã vận đơn,Cước phí', 'A1,-22000', 'A2,-31000');
  expect((await world.run(['cod', 'map', 'below.csv'])).stderr).not.toContain('is that right');
  write('small.csv', 'Mã vận đơn,COD,Cước phí', 'A1,340,22', 'A2,205,31');
  expect((await world.run(['cod', 'map', 'small.csv'])).stderr).toContain('are they in thousands');
});

it('takes a day without payments for one, and asks for the parcel of a row before its cash', async () => {
  const world = await shopWorld();
  const importing = async (...rows: readonly string[]) => {
    const header = 'Mã vận đơn,Tiền thu hộ,Cước phí,Thực trả,Ghi chú';
    writeFileSync(join(world.directory, 'day.csv'), `${[header, ...rows].join('\n')}\n`);
    const { exit, stdout } = await world.run(['cod', 'import', 'day.csv', '--layout', 'days', '--json']);
    return [exit, ...(stdout === '' ? [] : JSON.parse(stdout))];
  };
  await importing('SPX1,350000,10000,340000,');
  await world.run(['cod', 'map', 'day.csv', '--save', 'days']);
  const none = { rows: 0, lines: 0, amount: 0, problems: [] };
  expect(await importing('Tổng cộng,0,0,0,')).toMatchObject([0, none]);
  expect(await importing()).toMatchObject([0, none]);
  // Sums of something, and rows that say nothing that is known, are no such day.
  expect(await importing('Tổng cộng,350000,0,350000,')).toEqual([2]);
  expect(await importing(',,,,Xem trang 2')).toEqual([2]);
  const [exit, moved] = await importing('SPX2,90000,0,90000,', 'Chuyển khoản ngày 29,,,-90000,');
  expect([exit, moved]).toMatchObject([9, { unread: 1, amount: 90_000 }]);
  const [{ problem }] = moved.problems;
  expect(problem).toContain('is no code of a parcel, but the row has Thực trả -90,000: which parcel is it for?');
});

it('maps a ledger whose kept amounts are below zero, and takes the very name of a field before those that it fits', async () => {
  const world = await shopWorld();
  const proposed = ({ initial = '' }) => initial;
  const mapped = async (name: string, ...rows: readonly string[]) => {
    writeFileSync(
      join(world.directory, `${name}.csv`),
      `Mã phiếu gửi,Kỳ thanh toán,Nội dung,Giá trị\n${rows.join('\n')}\n`,
    );
    const answers = [
      { typed: 'kind' },
      // What the words are called as headers is proposed.
      ...[proposed, proposed, 'provisional charge given back (provisional_back)'],
      { typed: 'amount' },
      'all are right',
    ];
    const { exit } = await world.run(['cod', 'map', `${name}.csv`, '--save', name], { terminal: true, answers });
    expect(exit).toBe(0);
    const [done] = JSON.parse((await world.run(['cod', 'import', `${name}.csv`, '--layout', name, '--json'])).stdout);
    return [done.unread, done.kinds];
  };
  const back = 'B2,K1,Hoàn tạm giữ,15000';
  const kinds = { cod: 180_000, delivery: -26_355, provisional_back: 15_000 };
  // What the carrier keeps is below zero, and what it gives is not: the amounts are written as they count.
  const kept = await mapped('ledger', 'B1,K1,Thu hộ,180000', 'B1,K1,Cước,-26355', back);
  expect(kept).toEqual([0, kinds]);
  // A charge above zero is one as usual; of both, none is guessed.
  expect(await mapped('usual', 'B3,K2,Thu hộ,180000', 'B3,K2,Cước,26355', 'B4,K2,Hoàn tạm giữ,15000')).toEqual([
    0,
    kinds,
  ]);
  const [unread] = await mapped(
    'mixed',
    'B5,K3,Thu hộ,180000',
    'B5,K3,Cước,-26355',
    'B6,K3,Cước,22000',
    'B7,K3,Hoàn tạm giữ,1000',
  );
  expect(unread).toBe(1);
});

it.each([
  ['Số VĐ,Khách,Tiền hàng đã thu,Tiền ship'],
  ['Mã vận đơn,Khách,COD thu được,Trừ'],
  ['Mã VĐ,Khách,COD,Trừ'],
  ['Vận đơn,Khách,COD,Trừ'],
  ['Mã kiện,Khách,COD,Trừ'],
  ['Số bill,Khách,COD,Trừ'],
])('maps a table whose headers are plain to a person, whatever they are called: %s', async (header) => {
  const world = await shopWorld();
  const table = `Công ty Xe Ôm Xanh\nBảng kê ngày 4,,,\n${header}\nXX1,Lan,350000,22000\nXX2,Minh,150000,18000\n`;
  writeFileSync(join(world.directory, 'xanh.csv'), table);
  const columns = header.split(',');
  const { prompter, stderr } = await world.run(['cod', 'map', 'xanh.csv'], { terminal: true, answers: [] });
  expect(stderr).not.toContain('no row of');
  expect(columns.some((column) => prompter.asked[0]?.includes(`"${column}"`))).toBe(true);
});

it('asks which row names the columns where that is unsure', async () => {
  const world = await shopWorld();
  const write = (name: string, text: string) => writeFileSync(join(world.directory, name), text);
  write('two.csv', 'Đợt,Ngày\nA,4\nSố VĐ,Tiền hàng đã thu\nXX1,350000\nXX2,150000\n');
  const refused = await world.run(['cod', 'map', 'two.csv']);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--header-row says which row')]);
  const row = '3: Số VĐ | Tiền hàng đã thu';
  const rest = [{ typed: 'shipping_code' }, { typed: 'cod' }, 'all are right'];
  const given = await world.run(['cod', 'map', 'two.csv', '--header-row', '3'], { terminal: true, answers: rest });
  expect([given.exit, given.prompter.left()]).toEqual([0, 0]);
  const answers = [row, { typed: 'shipping_code' }, { typed: 'cod' }, 'all are right'];
  const asked = await world.run(['cod', 'map', 'two.csv', '--save', 'two'], { terminal: true, answers });
  expect([asked.exit, asked.prompter.asked[0]]).toEqual([0, 'Which row names the columns?']);
  expect((await world.run(['cod', 'import', 'two.csv', '--layout', 'two', '--json'])).exit).toBe(0);
});

it('says in words what a column can be, and finds it by them', async () => {
  const world = await shopWorld();
  writeFileSync(
    join(world.directory, 'xanh.csv'),
    'Mã vận đơn,Tiền thu hộ,Cột A,Cột B,Cột C\nXX1,350000,22000,10000,5000\n',
  );
  const answers = [{ typed: 'ship' }, { typed: 'khác' }, { typed: 'hoàn tạm' }, 'đúng hết'];
  const env = { SHOPCTL_LANG: 'vi' };
  const { exit, stdout, stderr } = await world.run(['cod', 'map', 'xanh.csv'], {
    terminal: true,
    answers,
    env,
    columns: 120,
  });
  expect(exit, stderr).toBe(0);
  expect(stdout).toMatch(/Cột A +phí giao hàng.*\n.*Cột B +phí khác.*\n.*Cột C +hoàn tạm thu/);
  const english = await world.run(['cod', 'map', 'xanh.csv'], {
    terminal: true,
    answers: [{ typed: 'ship' }, { typed: 'deduction' }, { typed: 'given back' }, 'all are right'],
    columns: 120,
  });
  expect(english.stdout).toMatch(/Cột A +delivery fee.*\n.*Cột B +other fee.*\n.*Cột C +provisional charge given back/);
});

it('asks about the one word of a column that a person corrects, and about nothing else once more', async () => {
  const world = await shopWorld();
  const rows = ['Mã phiếu gửi,Kỳ thanh toán,Nội dung,Giá trị', 'B1,K1,Thu hộ,180000', 'B1,K1,Cước,26355'];
  writeFileSync(join(world.directory, 'ledger.csv'), `${rows.join('\n')}\n`);
  const delivery = 'delivery fee, ship (delivery)';
  const answers = [
    ...[{ typed: 'kind' }, delivery, delivery, { typed: 'amount' }],
    ...[`correct "Thu hộ" in "Nội dung": ${delivery}`, 'cash on delivery (cod)', 'all are right'],
  ];
  const { exit, prompter } = await world.run(['cod', 'map', 'ledger.csv', '--save', 'ledger'], {
    terminal: true,
    answers,
  });
  expect([exit, prompter.left()]).toEqual([0, 0]);
  const [right, word, again] = prompter.asked.slice(-3);
  expect([right, again]).toEqual(['Are the columns right?', 'Are the columns right?']);
  expect(word).toContain('"Thu hộ"');
  const saved = readFileSync(join(world.directory, 'layouts', 'ledger.yaml'), 'utf8');
  expect(saved).toContain('Thu hộ: cod\n');
  expect(saved).toContain('Cước: delivery\n');
});

it('says what of a session still differs before it is closed, and asks a person', async () => {
  const world = await paidWorld([parcel(1, 350_000), parcel(2, 150_000), parcel(3, 90_000)]);
  await world.pay('week.csv', [
    ['SPX1', 's47', 'Thu hộ', 330_000],
    ['SPX2', 's47', 'Thu hộ', 150_000],
    ['SPX3', 's48', 'Thu hộ', 90_000],
  ]);
  const closed = async () => {
    const files = JSON.parse((await world.run(['cod', 'list', '--json'])).stdout);
    return files.flatMap((one: { closed: string[] }) => one.closed);
  };
  const person = { terminal: true, columns: 80 };
  const open = '1 parcel of s47 still differs: short 1 (-20,000)';
  const kept = await world.run(['cod', 'close', 's47', '--by', 'Lan'], { ...person, answers: [false] });
  expect([kept.stderr, kept.prompter.asked]).toEqual([
    expect.stringContaining(open),
    ['Close s47 as it is, with 480,000?'],
  ]);
  expect(await closed()).toEqual([]);
  const vietnamese = { ...person, answers: [false], env: { SHOPCTL_LANG: 'vi' } };
  const inVietnamese = await world.run(['cod', 'close', 's47'], vietnamese);
  expect(inVietnamese.prompter.asked).toEqual(['Vẫn chốt phiên s47, với số tiền 480.000\u00A0₫?']);
  expect(inVietnamese.stderr).toContain('phiên s47 còn 1 vận đơn có chênh lệch: trả thiếu 1 (-20.000\u00A0₫)');
  // A session in which nothing differs is closed without a question, and a script is told.
  const agreed = await world.run(['cod', 'close', 's48', '--by', 'Lan'], person);
  expect([agreed.exit, agreed.prompter.asked]).toEqual([0, []]);
  const told = await world.run(['cod', 'close', 's47', '--by', 'Lan']);
  expect([told.exit, told.stderr]).toEqual([0, `${open}\n`]);
  expect((await closed()).sort()).toEqual(['s47', 's48']);
  // Closed is closed: what differs is no question then. The hint names the session.
  const again = await world.run(['cod', 'close', 's47'], person);
  expect([again.exit, again.prompter.asked]).toEqual([12, []]);
  expect(again.stderr.replaceAll(/\s+/g, ' ')).toContain('`shopctl cod close s47 --undo');
});

it('closes a session with the sums that a person agreed to, or not at all', async () => {
  const world = await paidWorld([parcel(1, 350_000), parcel(2, 150_000)]);
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 330_000]]);
  const meanwhile = (does: () => Promise<unknown>) => ({
    terminal: true,
    answers: [
      async () => {
        await does();
        return true;
      },
    ],
  });
  // Another machine imports while the question stands.
  const more = meanwhile(() => world.pay('more.csv', [['SPX2', 's47', 'Thu hộ', 150_000]]));
  const changed = await world.run(['cod', 'close', 's47', '--by', 'Lan'], more);
  expect([changed.exit, changed.stdout, changed.prompter.asked]).toEqual([
    12,
    '',
    ['Close s47 as it is, with 330,000?'],
  ]);
  expect(changed.stderr).toContain('s47 was not closed: it changed meanwhile, from 330,000 to 480,000');
  // Or it takes the files away.
  const gone = meanwhile(async () => {
    for (const name of ['week.csv', 'more.csv']) await world.run(['cod', 'forget', name, '--yes']);
  });
  const nothing = await world.run(['cod', 'close', 's47', '--by', 'Lan'], gone);
  expect([nothing.exit, nothing.stderr]).toEqual([
    3,
    expect.stringContaining('no payment line belongs to a session s47'),
  ]);
  // Where nothing changed it is closed.
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 330_000]]);
  const agreed = await world.run(['cod', 'close', 's47', '--by', 'Lan', '--json'], { terminal: true, answers: [true] });
  expect(JSON.parse(agreed.stdout)).toMatchObject({ session: 's47', lines: 1, amount: 330_000 });
});

it('calls what the platform has settled by that, and not unpaid, without a session as with one', async () => {
  const world = await paidWorld([
    parcel(1, 100_000),
    parcel(2, 200_000, { platform_payment_status: 'P' }),
    parcel(3, 90_000),
  ]);
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 100_000]]);
  const reconciled = async (...words: readonly string[]) => {
    const { exit, stdout } = await world.run(['cod', 'reconcile', '--grace', '0d', '--json', ...words]);
    const { parcels, left_out: left } = JSON.parse(stdout);
    const classes = parcels.map((one: { shipping_code: string; class: string }) => [one.shipping_code, one.class]);
    return [exit, classes, left.map((one: { shipping_code: string }) => one.shipping_code)];
  };
  const unpaid = ['SPX3', 'unpaid'];
  expect(await reconciled()).toEqual([11, [['SPX2', 'settled'], unpaid, ['SPX1', 'paid']], ['SPX3']]);
  expect(await reconciled('--differing')).toEqual([11, [unpaid], ['SPX3']]);
  expect(await reconciled('--session', 's47')).toEqual([11, [['SPX1', 'paid']], ['SPX3']]);
  await world.pay('rest.csv', [['SPX3', 's48', 'Thu hộ', 90_000]]);
  expect((await reconciled('--differing')).slice(0, 2)).toEqual([0, []]);
});

it('closes a session on a page with the sum that its dry run has shown, and with no other', async () => {
  const world = await paidWorld([parcel(1, 350_000), parcel(2, 150_000)]);
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 300_000]]);
  const { run } = await openedConsole(world);
  const input = { session: 's47', by: 'Lan' };
  const seen = 'Close s47 as it is, with 300,000?';
  const look = await run('cod.close', { input, look: true });
  expect(look).toMatchObject({ kind: 'look', questions: [seen] });
  // What the terminal says before its question.
  const differs = '2 parcels of s47 still differ: short 1 (-50,000); left out 1 (-150,000)';
  expect(look).toMatchObject({ notices: [differs] });
  expect((await world.run(['cod', 'close', 's47', '--dry-run'])).stderr).toContain(differs);
  await world.pay('more.csv', [['SPX2', 's47', 'Thu hộ', 150_000]]);
  const now = 'Close s47 as it is, with 450,000?';
  expect(await run('cod.close', { input, agreed: [seen] })).toMatchObject({
    kind: 'asks',
    question: now,
    notices: ['1 parcel of s47 still differs: short 1 (-50,000)', `this has changed since; it was: ${seen}`],
  });
  expect((await world.run(['cod', 'list', '--json'])).stdout).not.toMatch(/"closed":\["s47/);
  expect(await run('cod.close', { input, agreed: [now] })).toMatchObject({ kind: 'record' });
  // A script has nobody to ask.
  await world.pay('third.csv', [['SPX2', 's48', 'Thu hộ', 90_000]]);
  expect((await world.run(['cod', 'close', 's48'])).exit).toBe(0);
});

it('says what goes with a file before it is forgotten, refuses a closed session before it asks, and answers in a sentence', async () => {
  const world = await paidWorld([parcel(1, 350_000), parcel(2, 150_000)]);
  await world.pay('week.csv', [['SPX1', 's47', 'Thu hộ', 350_000]]);
  await world.pay('more.csv', [
    ['SPX1', 's47', 'Phí giao hàng', -22_000],
    ['SPX2', 's48', 'Thu hộ', 150_000],
  ]);
  await world.run(['cod', 'close', 's47']);
  const closed = await world.run(['cod', 'forget', 'more.csv'], { terminal: true, answers: [] });
  expect([closed.exit, closed.prompter.asked]).toEqual([12, []]);
  const opened = await world.run(['cod', 'close', 's47', '--undo'], { terminal: true });
  expect(opened.stdout + opened.stderr).toContain('s47 is open again, with 328,000');
  const asked = await world.run(['cod', 'forget', 'more.csv'], { terminal: true, answers: [true] });
  expect(asked.prompter.asked[0]?.replaceAll(/\s+/g, ' ')).toContain(
    'more.csv (file more.csv); 2 lines of s47, s48, 128,000 in all, are deleted with it; nothing else is in s48, and lines that were replaced there do not come back',
  );
  expect(asked.stdout + asked.stderr).toContain('more.csv and its lines were deleted');
});

it('says whether a session is closed in the list of files, at 80 columns, and where it is reconciled', async () => {
  const world = await paidWorld([parcel(1, 350_000), parcel(2, 150_000)]);
  await world.pay('carrier-week-47.csv', [['SPX1', 'GHTK 04-12', 'Thu hộ', 350_000]]);
  await world.pay('more.csv', [
    ['SPX1', 'GHTK 04-12', 'Phí giao hàng', -22_000],
    ['SPX2', 's48', 'Thu hộ', 150_000],
  ]);
  const state = async () => {
    const { stdout } = await world.run(['cod', 'list'], { terminal: true, columns: 80 });
    const told = (await world.run(['cod', 'reconcile', '--session', 's48'])).stderr;
    return [stdout, told] as const;
  };
  const [before, open] = await state();
  expect(before).toMatch(/more\.csv +GHTK 04-12, s48 +open [\s\S]*week-47\.csv +GHTK 04-12 +open /);
  expect(open).toContain('s48 is open');
  await world.run(['cod', 'close', 's48', '--by', 'Lan']);
  const [after, closed] = await state();
  expect(after).toMatch(/more\.csv +GHTK 04-12, s48 +partly closed [\s\S]*week-47\.csv +GHTK 04-12 +open /);
  expect(closed).toMatch(/s48 is closed, by Lan at .*, with 150,000/);
});

it('advises the layout that is read by its places with everything else that was typed', async () => {
  const world = await shopWorld();
  await world.run(['profiles', 'use', 'shop']);
  const rows = ['a,b,c,d,e,f,g', '1,x,VTP1,350000,22000,328000,25/11/2026', '2,x,VTP2,150000,18000,132000,26/11/2026'];
  writeFileSync(join(world.directory, 'vtp.csv'), `${rows.join('\n')}\n`);
  const ran = await world.run(['cod', 'import', 'vtp.csv', '--session', 'VTP 04/12', '--adds']);
  expect([ran.exit, ran.stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringContaining("`shopctl cod import vtp.csv --layout vtp '--session=VTP 04/12' --adds"),
  ]);
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { errorOf } from '../../support/stderr-lines.ts';
import { type PaidRow, paidWorld, parcel } from './paid-world.ts';

const week: readonly PaidRow[] = [
  ['SPX1', 's47', 'Thu hộ', 350_000],
  ['SPX2', 's47', 'Thu hộ', 150_000],
  ['SPX3', 's47', 'Thu hộ', 200_000],
  ['', 's47', 'Công nợ kỳ trước', -50_000],
];
/** What the carrier writes instead: 20,000 less for one parcel. */
const corrected: readonly PaidRow[] = week.map(([code, ...rest]) =>
  code === 'SPX2' ? ['SPX2', 's47', 'Thu hộ', 130_000] : [code, ...rest],
);

/** What a file adds up to, read by plain code. */
const sumIn = (path: string) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0);

async function world() {
  const made = await paidWorld([parcel(1, 350_000), parcel(2, 150_000), parcel(3, 200_000), parcel(4, 90_000)]);
  const layout = resolve('examples/payments/spx.yaml');
  const write = (name: string, rows: readonly PaidRow[]) => {
    const lines = ['Mã vận đơn,Phiên đối soát,Loại giao dịch,Số tiền', ...rows.map((cells) => cells.join(','))];
    writeFileSync(join(made.directory, name), `${lines.join('\n')}\n`);
  };
  const again = (name: string, words: readonly string[], how = {}) =>
    made.run(['cod', 'import', name, '--layout', layout, ...words, ...('terminal' in how ? [] : ['--json'])], how);
  const expected = async (session: string) => {
    const ran = await made.run(['cod', 'reconcile', '--session', session, '--received', '0', '--json']);
    return JSON.parse(ran.stdout).received.expected;
  };
  return { ...made, write, again, expected, path: (name: string) => join(made.directory, name) };
}

it('a file with half of its parcels in a session is refused without a word on it, and changes nothing', async () => {
  const { pay, write, again, expected } = await world();
  expect((await pay('week.csv', week)).exit).toBe(0);
  write('corrected.csv', corrected);
  const { exit, stdout, stderr } = await again('corrected.csv', ['--yes']);
  expect([exit, stdout]).toEqual([2, '']);
  const error = errorOf(stderr);
  expect(error).toMatchObject({ code: 'usage', field_errors: [{ path: 'replaces' }] });
  expect(error.message).toContain('D3 SPX2 cod 130,000, and 150,000 at week.csv D3');
  expect(error.message).toContain('D2 SPX1 at week.csv D2');
  expect(error.message).toContain('answer with --replaces s47, --adds');
  expect(await expected('s47')).toBe(650_000);
  // One of two is at least half, and not two; two of five are less than half.
  expect(
    (
      await pay('one.csv', [
        ['SPX1', 's48', 'Thu hộ', 1_000],
        ['SPX4', 's48', 'Thu hộ', 90_000],
      ])
    ).exit,
  ).toBe(0);
  const strangers = ['A', 'B', 'C'].map((code): PaidRow => [code, 's49', 'Thu hộ', 9_000]);
  const two: readonly PaidRow[] = [
    ['SPX1', 's49', 'Thu hộ', 1_000],
    ['SPX2', 's49', 'Thu hộ', 2_000],
  ];
  expect((await pay('few.csv', [...two, ...strangers])).exit).toBe(0);
  const half = [...two.map(([code, , ...rest]): PaidRow => [code, 's50', ...rest])];
  const others = ['D', 'E'].map((code): PaidRow => [code, 's50', 'Thu hộ', 9_000]);
  expect((await pay('half.csv', [...half, ...others])).exit).toBe(2);
});

it('--replaces puts a file in the place of a session, --adds beside it, and neither counts an equal line twice', async () => {
  const { pay, write, again, expected, path, run } = await world();
  await pay('week.csv', [...week, ['SPX4', 's46', 'Thu hộ', 90_000]]);
  write('corrected.csv', corrected);
  const replaced = await again('corrected.csv', ['--replaces', 's47']);
  expect([replaced.exit, JSON.parse(replaced.stdout)]).toMatchObject([0, [{ replaced: 4, lines: 4, repeated: 0 }]]);
  expect(replaced.stderr).toContain('4 lines of s47 were replaced');
  expect(await expected('s47')).toBe(sumIn(path('corrected.csv')));
  expect(await expected('s46')).toBe(90_000);
  const mirrored = await run([
    'mirror',
    'sql',
    'select sum(amount) as sum from payment_lines where deleted_at is null',
    '--json',
  ]);
  expect(JSON.parse(mirrored.stdout)).toEqual([{ sum: sumIn(path('corrected.csv')) + 90_000 }]);
  // The same content again changes nothing; put in the place of its own session it is the same.
  expect((await again('corrected.csv', [])).stderr).toContain('was imported before');
  expect((await again('corrected.csv', ['--replaces', 's47'])).exit).toBe(0);
  expect(await expected('s47')).toBe(sumIn(path('corrected.csv')));
  write('more.csv', [
    ...corrected.slice(0, 2),
    ['SPX1', 's47', 'Phí giao hàng', -22_000],
    ['SPX2', 's47', 'Thu hộ', 5_000],
  ]);
  const added = await again('more.csv', ['--adds']);
  expect([added.exit, JSON.parse(added.stdout)]).toMatchObject([9, [{ lines: 2, repeated: 2, amount: -17_000 }]]);
  expect(added.stderr).toContain('repeats corrected.csv D2 of the same session: cod 350,000 is counted once');
  expect(await expected('s47')).toBe(sumIn(path('corrected.csv')) - 17_000);
});

it('another amount in another file of a session is asked about, a day and a debt included', async () => {
  const { pay, expected } = await world();
  await pay('week.csv', week);
  const one = await pay('one.csv', [['SPX2', 's47', 'Thu hộ', 130_000]]);
  expect([one.exit, one.stderr]).toEqual([
    2,
    expect.stringContaining('D2 SPX2 cod 130,000, and 150,000 at week.csv D3'),
  ]);
  const debt = await pay('debt.csv', [['', 's47', 'Công nợ kỳ trước', -60_000]]);
  expect([debt.exit, debt.stderr]).toEqual([2, expect.stringContaining('D2 debt -60,000, and -50,000 at week.csv D5')]);
  // What is there already is reported, what is new of its kind is added, and nobody is asked.
  const same = await pay('same.csv', [
    ['SPX2', 's47', 'Thu hộ', 150_000],
    ['SPX2', 's47', 'Tạm thu', -30_000],
  ]);
  expect([same.exit, JSON.parse(same.stdout)]).toMatchObject([9, [{ lines: 1, repeated: 1 }]]);
  expect(await expected('s47')).toBe(650_000 - 30_000);
});

it('a person answers at a terminal', async () => {
  const { pay, write, again, expected } = await world();
  await pay('week.csv', week);
  write('corrected.csv', corrected);
  // Enter alone changes nothing.
  const stopped = await again('corrected.csv', ['--yes'], { terminal: true, answers: ['stop here'] });
  expect([stopped.exit, await expected('s47')]).toEqual([2, 650_000]);
  expect(stopped.stderr).not.toContain('at a terminal shopctl asks');
  const [, replaced = '', added = ''] = stopped.prompter.offered;
  expect(replaced).toMatch(/^replace all lines of s47 \(week\.csv, [\d-]{10}, 4 lines, 650,000\)$/);
  const replacing = { terminal: true, answers: [replaced] };
  expect((await again('corrected.csv', ['--yes'], replacing)).exit).toBe(0);
  expect(await expected('s47')).toBe(630_000);
  write('again.csv', [...week, ['', 's47', 'Chuyển khoản', -1]]);
  expect(
    (
      await again('again.csv', ['--yes'], {
        terminal: true,
        answers: [added.replace('week', 'corrected').replace('650', '630')],
      })
    ).exit,
  ).toBe(9);
  // The 150,000 come to the 130,000.
  expect(await expected('s47')).toBe(630_000 + 150_000);
});

it('names each session by its files, their day and their sum, and offers to replace only one that is open', async () => {
  const { pay, write, again, run } = await world();
  await pay('week.csv', [
    ['SPX1', 's47', 'Thu hộ', 350_000],
    ['SPX2', 's47', 'Thu hộ', 150_000],
  ]);
  await pay('later.csv', [['SPX3', 's48', 'Thu hộ', 200_000]]);
  expect((await run(['cod', 'close', 's47'])).exit).toBe(0);
  write(
    'all.csv',
    week.slice(0, 3).map(([code, , ...rest]): PaidRow => [code, 's49', ...rest]),
  );
  const asked = await again('all.csv', [], { terminal: true, answers: ['stop here'] });
  expect([asked.exit, asked.prompter.offered]).toEqual([
    2,
    [
      'stop here',
      expect.stringMatching(/^replace all lines of s48 \(later\.csv, \d{4}-\d\d-\d\d, 1 line, 200,000\)$/),
      expect.stringMatching(
        /^add its lines to s47 \(week\.csv, [\d-]+, 2 lines, 500,000, closed\); s48 \(later\.csv, [\d-]+, 1 line, 200,000\)$/,
      ),
    ],
  ]);
  const error = errorOf((await again('all.csv', [])).stderr);
  expect(error.message).toContain('answer with --replaces s48, --adds');
});

it('says of added lines which are repeated, which differ and which are new, and calls no repeated one a difference', async () => {
  const { pay, write, again, run } = await world();
  await pay('week.csv', week.slice(0, 2));
  write('more.csv', [...week.slice(0, 3), ['SPX4', 's47', 'Thu hộ', 90_000]]);
  const asked = errorOf((await again('more.csv', [])).stderr);
  expect(asked.message).toContain(
    '2 of its 4 amounts are equal, 0 differ, 2 are new (D4 SPX3 cod 200,000; D5 SPX4 cod',
  );
  const added = await again('more.csv', ['--adds']);
  expect(JSON.parse(added.stdout)).toMatchObject([{ lines: 2, repeated: 2, amount: 290_000 }]);
  const ran = await run(['cod', 'reconcile', '--json']);
  expect(ran.exit).toBe(0);
  expect(ran.stderr).toContain('2 parcels have lines that are repeated: each is counted once');
  expect((await run(['cod', 'close', 's47'])).stderr).toBe('');
});

it('names what is new in a corrected file, and what the session has more', async () => {
  const { pay, write, again } = await world();
  await pay('week.csv', week);
  write('corrected.csv', [...week.slice(0, 2), ['SPX9', 's47', 'Thu hộ', 70_000]]);
  const asked = errorOf((await again('corrected.csv', [])).stderr).message;
  expect(asked).toMatch(/2 of its 3 amounts are equal, 0 differ, 1 is new \(D4 SPX9 cod 70,000\); the session has/);
  expect(asked).toMatch(
    /has more, which is not in this file: D4 SPX3 cod 200,000; D5 .+ -50,000; the first that both have: /,
  );
});

it('a closed session, one without lines, several files and both answers are refused', async () => {
  const { pay, write, again, run, expected } = await world();
  await pay('week.csv', week);
  write('corrected.csv', corrected);
  write('other.csv', corrected.slice(1));
  expect(await again('corrected.csv', ['--replaces', 's1'])).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining('no payment line belongs to a session s1'),
  });
  expect((await again('corrected.csv', ['--replaces', 's47', '--adds'])).exit).toBe(2);
  const several = await run(['cod', 'import', 'corrected.csv', 'other.csv', '--replaces', 's47', '--json']);
  expect([several.exit, several.stderr]).toEqual([2, expect.stringContaining('is about one file')]);
  await run(['cod', 'close', 's47']);
  const closed = await again('corrected.csv', ['--replaces', 's47']);
  expect([closed.exit, closed.stderr]).toEqual([expect.any(Number), expect.stringContaining('is closed')]);
  expect(closed.exit).not.toBe(0);
  expect(await expected('s47')).toBe(650_000);
});

it('lines of a file that names no session come into the one that it replaces', async () => {
  const { run, directory, expected } = await world();
  const layout = resolve('examples/payments/jt.yaml');
  const jt = (name: string, cash: number) => {
    writeFileSync(
      join(directory, name),
      `Số vận đơn,Số tiền COD,Ngày phát\nSPX1,${cash},16/01/2026\nSPX2,150000,16/01/2026\n`,
    );
    return ['cod', 'import', name, '--layout', layout, '--json'];
  };
  await run(jt('jt.csv', 350_000));
  expect((await run(jt('jt-new.csv', 340_000))).exit).toBe(2);
  const { stdout } = await run([...jt('jt-new.csv', 340_000), '--replaces', 'jt']);
  expect(JSON.parse(stdout)).toMatchObject([{ sessions: ['jt'], replaced: 2 }]);
  expect(await expected('jt')).toBe(490_000);
});

it('a person reads what stands in a session already on lines of their own, at most five, and what adds nothing has its session', async () => {
  const { run, path } = await world();
  const layout = resolve('examples/payments/jt.yaml');
  const jt = (name: string, more: string, words: readonly string[], how = {}) => {
    const rows = Array.from({ length: 12 }, (_, at) => `SPX${at + 1},${350_000 + at},16/01/2026`);
    writeFileSync(path(name), `Số vận đơn,Số tiền COD,Ngày phát\n${rows.join('\n')}\n${more}`);
    return run(['cod', 'import', name, '--layout', layout, ...words], how);
  };
  expect((await jt('k1.csv', '', [])).exit).toBe(0);
  const { exit, stderr } = await jt('k2.csv', '\n', []);
  const [first, ...lines] = stderr.split('\n');
  expect([exit, first]).toEqual([2, '12 of its 12 amounts are equal, 0 differ: B2 SPX1 at k1.csv B2']);
  expect(lines.slice(0, 5)).toEqual([
    ...[3, 4, 5, 6].map((row) => `B${row} SPX${row - 1} at k1.csv B${row}`),
    '… and 7 more',
  ]);
  expect(stderr).toContain('payments of this file\'s parcels were imported before: session "k1" has 12; does the file');
  const asked = await jt('k2.csv', '\n', [], { terminal: true, columns: 80, answers: ['stop here'] });
  expect(asked.prompter.asked).toEqual([expect.stringContaining('session "k1" has 12; does the file')]);
  expect(asked.stderr.match(/… and 7 more/g)).toHaveLength(1);
  expect((await jt('k2.csv', '\n', ['--adds', '-q'])).exit).toBe(9);
  expect(JSON.parse((await run(['cod', 'list', '--json'])).stdout)).toMatchObject([
    { file: 'k2.csv', sessions: ['k1'], lines: 0, amount: 0 },
    { file: 'k1.csv', sessions: ['k1'], lines: 12, amount: 4_200_066 },
  ]);
});

it('--adds of a file that names no session adds to the one that has its parcels, and no equal line a second time', async () => {
  const { run, path, expected } = await world();
  const layout = resolve('examples/payments/jt.yaml');
  const jt = (name: string, rows: readonly string[], ...words: readonly string[]) => {
    writeFileSync(path(name), `Số vận đơn,Số tiền COD,Ngày phát,Ghi chú\n${rows.join('\n')}\n`);
    return run(['cod', 'import', name, '--layout', layout, '--json', ...words]);
  };
  const first = ['SPX1,350000,16/01/2026,', 'SPX2,150000,16/01/2026,'];
  expect((await jt('k1.csv', first)).exit).toBe(0);
  // Saved again, with other bytes and equal cells.
  const asked = await jt('saved.csv', [...first, ',,,']);
  expect([asked.exit, errorOf(asked.stderr).message]).toEqual([
    2,
    expect.stringContaining('2 of its 2 amounts are equal, 0 differ: B2 SPX1 at k1.csv B2'),
  ]);
  const again = await jt('saved.csv', [...first, ',,,'], '--adds');
  expect(JSON.parse(again.stdout)).toMatchObject([{ sessions: ['k1'], lines: 0, repeated: 2, amount: 0 }]);
  expect(again.stderr).toContain('all 2 lines are in k1 already: nothing was added');
  expect(await expected('k1')).toBe(500_000);
  // A line that stands twice in the file is none of the others that were added.
  const twice = await jt('twice.csv', [...first, first[1] ?? ''], '--adds');
  expect(twice.stderr).toContain('all 2 lines are in k1 already: nothing was added');
  const more = [...first, 'SPX3,200000,16/01/2026,'];
  const both = await jt('more.csv', more);
  expect(errorOf(both.stderr).message).toContain('2 of its 3 amounts are equal, 0 differ, 1 is new');
  const added = await jt('more.csv', more, '--adds');
  expect(JSON.parse(added.stdout)).toMatchObject([{ sessions: ['k1'], lines: 1, repeated: 2, amount: 200_000 }]);
  expect(added.stderr).toContain('2 of 3 lines are in k1 already, and the others were added');
  expect(await expected('k1')).toBe(700_000);
  // The same bytes under another name, or stored in another session, say nothing else.
  for (const [name, rows] of [
    ['copy of k1.csv', first],
    ['saved.csv', [...first, ',,,']],
  ] as const) {
    const same = await jt(name, rows);
    expect([same.exit, same.stderr]).toEqual([0, expect.stringContaining('nothing changed')]);
    expect(same.stderr).not.toContain('something else');
  }
  // What a person names is taken as it is said.
  const named = await jt('named.csv', [...first, ',,,x'], '--adds', '--session', 'k2');
  expect(JSON.parse(named.stdout)).toMatchObject([{ sessions: ['k2'], lines: 2, repeated: 0 }]);
});

it('files of one name of two layouts are asked about where nothing tells the carrier, and neither replaces the other', async () => {
  const { run, path, expected } = await world();
  for (const name of ['ghn', 'ghtk'])
    writeFileSync(path(`${name}.yaml`), 'command: cod import\ntitle: X\ncolumns:\n  Ma: shipping_code\n  Tien: cod\n');
  const cod = (layout: string, file: string, code: string, ...words: readonly string[]) => {
    writeFileSync(path(file), `Ma,Tien\n${code},8500\n`);
    return run(['cod', 'import', file, '--layout', path(`${layout}.yaml`), ...words]);
  };
  expect((await cod('ghn', 'ky1.csv', 'G1')).exit).toBe(0);
  const other = await cod('ghtk', 'ky1.tsv', 'T1', '--format', 'csv');
  expect([other.exit, other.stderr]).toEqual([
    2,
    expect.stringMatching(/ky1.csv is of ghn, and this file of ghtk.*answer with --session NAME, --adds$/m),
  ]);
  const replacing = await cod('ghtk', 'ky1.tsv', 'T1', '--format', 'csv', '--replaces', 'ky1');
  expect([replacing.exit, replacing.stderr]).toEqual([
    12,
    expect.stringContaining('nothing was replaced in ky1: ky1.csv is of ghn, and this file of ghtk'),
  ]);
  expect(await expected('ky1')).toBe(8_500);
  expect((await cod('ghn', 'ky1-2.csv', 'G2', '--session', 'ky1')).exit).toBe(0);
  expect(await expected('ky1')).toBe(17_000);
});

it('names what a session leaves out, which is no parcel of it, and no parcel of a later day or another carrier', async () => {
  const day = (closed: string) => ({ closed_at: closed });
  const made = await paidWorld([
    parcel(1, 350_000, day('2026-01-16T03:00:00Z')),
    parcel(2, 150_000, day('2026-01-16T16:59:59Z')),
    parcel(3, 200_000, day('2026-01-16T17:00:00Z')),
    parcel(4, 90_000, { ...day('2026-01-10T03:00:00Z'), carrier: 'jt' }),
    parcel(5, 80_000, { ...day('2026-01-10T03:00:00Z'), shipping_state: 'returned', actual_cod_amount: 0 }),
    parcel(6, 70_000, day('2026-01-10T03:00:00Z')),
  ]);
  writeFileSync(join(made.directory, 'jt.csv'), 'Số vận đơn,Số tiền COD,Ngày phát\nSPX1,350000,16/01/2026\n');
  writeFileSync(join(made.directory, 'old.csv'), 'Số vận đơn,Số tiền COD,Ngày phát\nSPX6,70000,10/01/2026\n');
  const layout = resolve('examples/payments/jt.yaml');
  await made.run(['cod', 'import', 'jt.csv', 'old.csv', '--layout', layout]);
  const all = await made.run(['cod', 'reconcile', '--json']);
  const left = [{ shipping_code: 'SPX2', carrier: 'spx', session: 'jt', due: 150_000 }];
  expect([all.exit, JSON.parse(all.stdout)]).toMatchObject([11, { left_out: left }]);
  expect(JSON.parse(all.stdout).left_out).toHaveLength(1);
  expect(all.stderr).toContain('left out: 1 delivered parcel with 150,000 due, paid in no session (SPX2 by jt)');
  const one = await made.run(['cod', 'reconcile', '--session', 'jt', '--json']);
  expect([one.exit, JSON.parse(one.stdout)]).toMatchObject([
    11,
    { left_out: left, parcels: [{ shipping_code: 'SPX1' }], totals: { parcels: 1 } },
  ]);
  const old = await made.run(['cod', 'reconcile', '--session', 'old', '--json']);
  expect([old.exit, JSON.parse(old.stdout).left_out]).toEqual([0, []]);
});

it('a file that is there already tells what is stored of it, and what it would say as it is read now', async () => {
  const { run, path } = await world();
  const layout = (name: string, more: string) =>
    writeFileSync(
      path(name),
      `command: cod import\ntitle: X\ncolumns:\n  Ma: shipping_code\n  Tien: { field: cod${more} }\n`,
    );
  layout('wrong.yaml', '');
  layout('right.yaml', ', unit: thousand');
  writeFileSync(path('p7.csv'), 'Ma,Tien\nABC1,1850\n');
  const cod = (...words: readonly string[]) => run(['cod', 'import', path('p7.csv'), '--json', ...words]);
  const reported = { sessions: ['p7'], amount: 1_850, kinds: { cod: 1_850 }, layout: expect.stringContaining('wrong') };
  const first = await cod('--layout', path('wrong.yaml'));
  expect([first.exit, JSON.parse(first.stdout)]).toMatchObject([0, [{ ...reported, new: true }]]);
  const same = await cod('--layout', path('wrong.yaml'));
  expect(same.stderr).not.toContain('something else');
  const again = await cod('--layout', path('right.yaml'), '--session', 'S2');
  expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, [{ ...reported, new: false }]]);
  expect(again.stderr).toMatch(
    /says something else.*right.*session S2, 1,850,000 in all.*wrong.*session p7, 1,850 in all/,
  );
  expect(again.stderr).toContain('`--replaces p7` stores what it says now');
  const replaced = await cod('--layout', path('right.yaml'), '--session', 'S2', '--replaces', 'p7');
  expect(JSON.parse(replaced.stdout)).toMatchObject([{ sessions: ['S2'], amount: 1_850_000, new: true }]);
});

it('a file of which nothing could be read is read anew, and what is added says where', async () => {
  const { run, path, pay, write, again } = await world();
  const header = 'STT;Số vận đơn;Người nhận;Tiền COD;Cước;Thực nhận;Ngày phát';
  writeFileSync(path('red.csv'), `${header}\n1;SPX1;Lê Thu Hà;350.000;36.000;314.000;28/11/2026\n`);
  // Names stand where Viettel Post has its codes: that it could be read so is no advice.
  const unknown = await run(['cod', 'import', 'red.csv']);
  expect([unknown.exit, unknown.stderr]).toEqual([2, expect.not.stringContaining('stand where those of Viettel Post')]);
  const layout = `command: cod import\ncolumns:\n  Số vận đơn: fulfillment_id\n  Người nhận: shipping_code\n  Tiền COD: cod\n  Cước: null\n  Thực nhận: null\n`;
  writeFileSync(path('wrong.yaml'), layout);
  const cod = async (...words: readonly string[]) => {
    const ran = await run(['cod', 'import', 'red.csv', '--json', ...words]);
    return [ran.exit, JSON.parse(ran.stdout)] as const;
  };
  const nothing = [{ lines: 0, unread: 1, new: true }];
  expect(await cod('--layout', path('wrong.yaml'))).toMatchObject([9, nothing]);
  expect(await cod('--layout', path('wrong.yaml'))).toMatchObject([9, [{ lines: 0, new: false }]]);
  await run(['cod', 'map', 'red.csv', '--save', 'red']);
  const read = [{ lines: 2, amount: 314_000, sessions: ['red'], new: true }];
  expect(await cod('--layout', 'red')).toMatchObject([0, read]);
  expect(JSON.parse((await run(['cod', 'list', '--json'])).stdout)).toHaveLength(1);
  // What the session has already is told in few lines, below what is wrong with others.
  const seven = Array.from({ length: 6 }, (_, at): PaidRow => [`X${at}`, 's47', 'Thu hộ', 1_000 + at]);
  await pay('seven.csv', seven);
  write('all.csv', [...seven, ['X9', 's47', 'Phí lạ', 5_000]]);
  const told = (await again('all.csv', ['--adds'], { terminal: true, columns: 200 })).stderr;
  expect(told.match(/repeats seven\.csv/g)).toHaveLength(3);
  expect(told).toContain('all.csv: and 3 more');
  expect(told.indexOf('is not a kind in the layout')).toBeLessThan(told.indexOf('repeats seven.csv'));
  // Another amount of a parcel is added where the parcel is, and that is said.
  await pay('week.csv', week);
  write('other.csv', [['SPX3', 's47', 'Thu hộ', 10_000]]);
  expect((await again('other.csv', ['--adds'])).stderr).toContain('1 line was added to s47');
});

it('files of one name of two carriers are asked about, and get sessions of their own', async () => {
  const { run, path, expected } = await world();
  const cod = (carrier: string, code: string, words: readonly string[] = [], how = {}) => {
    const layout = `command: cod import\ntitle: X\ncolumns:\n  Ma: shipping_code\n  Tien: cod\n`;
    writeFileSync(path('own.yaml'), layout);
    mkdirSync(path(carrier), { recursive: true });
    writeFileSync(join(path(carrier), '2026-11-20.csv'), `Ma,Tien\n${code},8500\n`);
    const file = join(path(carrier), '2026-11-20.csv');
    return run(['cod', 'import', file, '--layout', path('own.yaml'), '--carrier', carrier, ...words], how);
  };
  expect((await cod('ghn', 'G1')).exit).toBe(0);
  const other = await cod('ghtk', 'T1');
  expect([other.exit, other.stderr]).toEqual([
    2,
    expect.stringMatching(/2026-11-20.csv is of ghn, and this file of ghtk.*answer with --session NAME, --adds$/m),
  ]);
  expect(await expected('2026-11-20')).toBe(8_500);
  // Of the same carrier, and what nobody says the carrier of, it is one session.
  expect((await cod('ghn', 'G2')).exit).toBe(0);
  expect((await cod('ghtk', 'T1', ['--session', 'ghtk 2026-11-20'])).exit).toBe(0);
  expect([await expected('2026-11-20'), await expected('ghtk 2026-11-20')]).toEqual([17_000, 8_500]);
  expect((await cod('vtp', 'V1', ['--adds'])).exit).toBe(0);
  expect(await expected('2026-11-20')).toBe(25_500);
  const asked = { terminal: true, answers: ['a session of its own', 'jt 2026-11-20'] };
  expect((await cod('jt', 'J1', [], asked)).exit).toBe(0);
  expect([await expected('2026-11-20'), await expected('jt 2026-11-20')]).toEqual([25_500, 8_500]);
});

it('sums of pages, running sums and charges in words are no parcels, and a code in small letters is that in capitals', async () => {
  const { write, again, expected } = await world();
  write('pages.csv', [
    ['SPX8', 's9', 'Thu hộ', 150_000],
    ['spx9', 's9', 'Thu hộ', 250_000],
    ['Tổng trang 1', 's9', 'Thu hộ', 400_000],
    ['SPX10', 's9', 'Thu hộ', 100_000],
    ['Cộng trang 2', 's9', 'Thu hộ', 100_000],
    ['Lũy kế', 's9', 'Thu hộ', 500_000],
  ]);
  const read = await again('pages.csv', []);
  expect([read.exit, await expected('s9')]).toEqual([0, 500_000]);
  expect(read.stderr).toContain('is read as SPX9');
  write('words.csv', [['Phí chuyển khoản', 's10', 'Thu hộ', 5_500]]);
  const words = await again('words.csv', []);
  expect([words.exit, words.stderr]).toEqual([9, expect.stringContaining('is no code of a parcel')]);
});

it('a folder stands for the payment files in it, and one that cannot be read stops none of the others', async () => {
  const { write, again, run, path, expected } = await world();
  mkdirSync(path('pay'));
  expect(await again('pay', [])).toMatchObject({
    exit: 0,
    stdout: '[]\n',
    stderr: expect.stringContaining('no payment'),
  });
  write('pay/week.csv', week);
  write('pay/.~lock.week.csv', corrected);
  write('pay/notes.txt', corrected);
  const first = await again('pay', []);
  expect([first.exit, JSON.parse(first.stdout).map(({ file, new: isNew }: never) => [file, isNew])]).toEqual([
    0,
    [['week.csv', true]],
  ]);
  // A question about the one new file is no question about the folder.
  write('pay/corrected.csv', corrected);
  const second = await again('pay', []);
  expect([second.exit, JSON.parse(second.stdout).map(({ new: isNew }: never) => isNew)]).toEqual([9, [false]]);
  expect(second.stderr).toContain('corrected.csv was not imported');
  expect(await expected('s47')).toBe(650_000);
  expect((await run(['cod', 'import', 'nowhere'])).exit).toBe(2);
});

it('a file is forgotten by its content where it is called otherwise than it was imported as', async () => {
  const { run, pay, write, path } = await world();
  expect((await pay('week.csv', week)).exit).toBe(0);
  write('bản sao.csv', week);
  write('other.csv', corrected);
  const other = await run(['cod', 'forget', 'other.csv', '--yes']);
  expect([other.exit, other.stderr]).toEqual([3, expect.stringContaining('has the name or id other.csv')]);
  const { exit, stdout, stderr } = await run(['cod', 'forget', path('bản sao.csv'), '--yes', '--json']);
  expect([exit, JSON.parse(stdout).file]).toEqual([0, 'week.csv']);
  expect(stderr).toContain('bản sao.csv was imported as week.csv');
  expect(JSON.parse((await run(['cod', 'list', '--json'])).stdout)).toEqual([]);
});

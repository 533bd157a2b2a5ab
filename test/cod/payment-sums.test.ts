import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureSchema } from '../../src/mirror/store/ensure-tables.ts';
import { fc } from '../support/fast-check.ts';
import { mirrorKinds } from '../support/mirrors.ts';
import { mirroredOrigin } from '../support/synced-shop.ts';
import { type CodWorld, codWorld, shopId } from './cod-world.ts';
import { filesFor, shops, textOfFile } from './meant-files.ts';

const fees = ['delivery', 'return', 'redelivery', 'insurance', 'address_change', 'discount', 'other'];

const rowsOf = ({ mirror }: CodWorld, table: string) =>
  mirror.read((session) => session.run(`select * from ${mirror.dialect.table(table)} where shop_id = ?`, [shopId]));

/** What the copied lines add up to, by plain code. */
async function added(world: CodWorld) {
  const sums = new Map<string, number[]>();
  const sessions = new Map<string, string[]>();
  for (const line of await rowsOf(world, 'payment_lines')) {
    const { shipping_code: code, fulfillment_id: id, kind, repeats, session } = line;
    if (line.deleted_at !== null || (code === '' && id === '')) continue;
    const [key, amount, counts] = [`${code}|${id}`, Number(line.amount), repeats === null];
    const isFee = counts && fees.includes(String(kind));
    const adds = [
      counts ? amount : 0,
      counts && kind === 'cod' ? amount : 0,
      isFee ? amount : 0,
      counts && kind === 'return' ? amount : 0,
      isFee ? 1 : 0,
      counts && String(kind).startsWith('provisional') ? amount : 0,
      !counts && amount !== 0 ? 1 : 0,
      Number(line.late),
    ];
    sums.set(
      key,
      (sums.get(key) ?? adds.map(() => 0)).map((sum, index) => sum + (adds[index] ?? 0)),
    );
    sessions.set(key, [...(sessions.get(key) ?? []), String(session)].sort());
  }
  return [...sums].map(([key, own]) => [key, sessions.get(key)?.at(0), sessions.get(key)?.at(-1), ...own]).sort();
}

async function stored(world: CodWorld) {
  const names = ['amount', 'paid', 'fees', 'return_fees', 'fee_lines', 'provisional', 'doubled', 'late'];
  const rows = await rowsOf(world, 'payment_parcels');
  return rows
    .map((row) => [
      `${row.shipping_code}|${row.fulfillment_id}`,
      row.first_session,
      row.last_session,
      ...names.map((name) => Number(row[name])),
    ])
    .sort();
}

const paid = 'Mã đơn hàng,Mã đơn hàng KH,Ngày tạo,Ngày giao hàng thành công,Người nhận,Địa chỉ,COD\nGR1,,,,,,1000\n';

it('of one file are added up without a look at the lines of all others', async () => {
  const [sqlite] = mirrorKinds();
  if (sqlite === undefined) throw new TypeError('there is no SQLite');
  const world = await codWorld(sqlite);
  onTestFinished(async () => {
    await world.close();
    await sqlite.end();
  });
  await world.import('a.csv', paid);
  const run: string[] = [];
  await world.copy((sql) => run.push(sql));
  const adding = run.filter((sql) => sql.startsWith('insert into payment_parcels'));
  expect(adding).toHaveLength(1);
  const plan = await world.mirror.read((session) => session.run(`explain query plan ${adding[0]}`, ['', '']));
  const steps = plan.map(({ detail }) => String(detail)).filter((detail) => /payment_lines|\bl\b/.test(detail));
  expect(steps).toEqual(['SEARCH l USING PRIMARY KEY (file_id=?)', 'SCAN l']);
});

const steps = fc.array(fc.record({ does: fc.constantFrom('import', 'remove', 'close', 'reopen'), which: fc.nat(3) }), {
  minLength: 2,
  maxLength: 10,
});
const scenario = shops.chain((parcels) => fc.record({ files: filesFor(parcels), steps }));

for (const kind of mirrorKinds()) {
  describe.skipIf(kind.missing !== undefined)(`the sums of payment lines in ${kind.name}`, () => {
    it('are those of a file that was removed and imported again, also if nothing was copied in between', async () => {
      const world = await codWorld(kind);
      onTestFinished(() => world.close());
      const removed = async () => {
        const [file] = await world.payments.files(shopId);
        if (file !== undefined) await world.payments.remove(shopId, file);
      };
      for (const session of ['S1', 'S2', 'S1', 'S3']) {
        await removed();
        await world.import('a.csv', paid, { session });
        await world.copy();
        const lines = await rowsOf(world, 'payment_lines');
        expect(lines.map((line) => [line.session, line.deleted_at])).toEqual([[session, null]]);
        expect(await world.copy()).toBe(0);
      }
    });

    it('are those of the lines, whatever is imported, deleted, closed and opened again', async () => {
      const world = await codWorld(kind);
      onTestFinished(async () => {
        await world.close();
        await kind.end();
      });
      await fc.assert(
        fc.asyncProperty(scenario, async ({ files, steps: all }) => {
          await world.clear();
          for (const { does, which } of all) {
            const file = files[which % files.length];
            if (file === undefined || file.layout === 'vtp') continue;
            const by = { at: '2026-11-20T11:00:00.000Z', name: 'Lan', note: '' };
            if (does === 'import') {
              const name = `${which}.${file.layout === 'ghn' ? 'tsv' : 'csv'}`;
              await world.import(name, textOfFile(file), { session: file.session, answers: { adds: true } });
            } else if (does === 'close') await world.payments.close(shopId, file.session, by);
            else if (does === 'reopen') await world.payments.reopen(shopId, file.session);
            else {
              const [newest] = await world.payments.files(shopId);
              if (newest !== undefined) await world.payments.remove(shopId, newest);
            }
            await world.copy();
            expect(await stored(world)).toEqual(await added(world));
          }
        }),
        { numRuns: kind.name === 'SQLite' ? 30 : 8 },
      );
      // A mirror of a version without them gets them with its next use.
      const { mirror } = world;
      await mirror.write(async (session) => {
        await session.run(`drop table ${mirror.dialect.table('payment_parcels')}`);
        await session.run(`update ${mirror.dialect.table('mirror_facts')} set value = '' where name = 'schema'`);
      });
      await ensureSchema(mirror, mirroredOrigin);
      expect(await stored(world)).toEqual(await added(world));
    });
  });
}

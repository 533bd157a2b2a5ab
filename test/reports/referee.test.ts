import { afterAll, describe, expect, it } from 'vitest';
import { runQuery } from '../../src/mirror/store/query.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { reports } from '../../src/reports/declared/reports.ts';
import { prepareReport, runReport } from '../../src/reports/run-report.ts';
import { kindsHere } from '../support/mirrors.ts';
import { randomShop, servingShop } from '../support/random-shop.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { syncedShop } from '../support/synced-shop.ts';
import { type Question, referees, totalReferees } from './referee.ts';

/** The reports, and the lists of those that have one. */
const everyReport = reports.flatMap((report) => [report, ...(report.list === undefined ? [] : [report.list])]);

const SHOPS = Number(process.env.SHOPCTL_TEST_SHOPS ?? 1);
const rollupZone = 'Asia/Ho_Chi_Minh';
/** Zones without rollups: one whose clocks are changed within the span, and one that is not whole hours away. */
const otherZones = ['Europe/Berlin', 'Asia/Kathmandu'];

/** Numbers without the order in which a database and JavaScript compare texts. */
const byText = (rows: readonly Record<string, unknown>[]) => rows.map((row) => JSON.stringify(row)).sort();

for (const kind of kindsHere()) {
  describe.skipIf(kind.missing !== undefined)(`the reports of random shops in ${kind.name}`, () => {
    afterAll(() => kind.end());

    it('are what plain code finds in the JSON of the records, with sums per day and without', async () => {
      const random = seededRandom('reports');
      for (let count = 0; count < SHOPS; count += 1) {
        // A Sunday evening in UTC is a Monday in the shop; Berlin's clocks went back on 25 October.
        const now = Date.parse('2026-11-22T18:30:00Z') + Math.floor(random() * 3) * 3_600_000;
        const shop = randomShop(random, now, 150 + Math.floor(random() * 150));
        const service = await openTestSandbox();
        const place = await kind.place();
        const { mirror, setup, sync } = await syncedShop(service, place, servingShop(shop, now));
        await sync();
        for (const timeZone of [rollupZone, ...otherZones]) {
          for (const by of ['day', 'week', 'month'] as const) {
            const asked = { since: '2026-10-20', until: '2026-11-24', by, timeZone };
            for (const report of everyReport) {
              const prepared = await prepareReport(mirror, setup.shopId, { report, ...asked });
              expect(prepared.isFromRecords).toBe(report.about === 'span' && timeZone !== rollupZone);
              const result = await runReport(mirror, prepared);
              const question: Question = { shop, now: prepared.scope.now, ...asked };
              const rows = referees[report.name]?.(question) ?? [];
              // Equal carriers come in the order of their names, which each database has its own idea of.
              const inOrder = (all: typeof rows) => (report.name === 'carriers' ? byText(all) : all);
              expect([report.name, timeZone, by, inOrder(result.rows)]).toEqual([
                report.name,
                timeZone,
                by,
                inOrder(rows),
              ]);
              expect(rows.length).toBeGreaterThan(0);
              expect(result.totals).toMatchObject(totalReferees[report.name]?.(rows) ?? {});
            }
          }
        }
        // Each statement is one that a person can run, and has the rows of its report.
        for (const report of everyReport.filter(({ gather }) => gather === undefined)) {
          const prepared = await prepareReport(mirror, setup.shopId, { report, timeZone: rollupZone });
          const { rows } = await runReport(mirror, prepared);
          const signal = new AbortController().signal;
          const query = await runQuery({ place, sql: prepared.sql, clock: systemClock, signal });
          const found: Record<string, unknown>[] = [];
          for await (const row of query.rows)
            found.push(Object.fromEntries(query.columns.map((name, index) => [name, row[index] ?? null])));
          expect(byText(found)).toEqual(byText(rows));
        }
      }
    });
  });
}

import { afterAll, describe, expect, it } from 'vitest';
import { mirrorQuestions } from '../../src/mirror/store/describe-tables.ts';
import { runQuery } from '../../src/mirror/store/query.ts';
import { mirrorViews } from '../../src/mirror/store/views.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { kindsHere } from '../support/mirrors.ts';
import { openTestSandbox } from '../support/sandbox.ts';
import { syncedShop } from '../support/synced-shop.ts';

for (const kind of kindsHere()) {
  describe.skipIf(kind.missing !== undefined)(`the questions of the documentation, in ${kind.name}`, () => {
    afterAll(() => kind.end());

    it('are answered, and so is every view', async () => {
      const place = await kind.place();
      await (await syncedShop(await openTestSandbox({ seed: 'demo' }), place)).sync();
      const signal = new AbortController().signal;
      const counts: [string, number][] = [];
      const views = mirrorViews.map(({ name, columns }) => ({ question: name, sql: `select * from ${name}`, columns }));
      const questions = mirrorQuestions.map((one) => ({ ...one, columns: undefined }));
      for (const { question, sql, columns: described } of [...questions, ...views]) {
        const { rows, columns } = await runQuery({ place, sql, clock: systemClock, signal });
        if (described !== undefined) expect([question, described.map(({ name }) => name)]).toEqual([question, columns]);
        let count = 0;
        for await (const _ of rows) count += 1;
        counts.push([question, count]);
      }
      const empty = counts.filter(([, count]) => count === 0).map(([question]) => question);
      // The record of the last question is made up.
      expect(empty.filter((question) => !/before\?/.test(question))).toEqual([]);
    });
  });
}

import { afterAll, describe, expect, it } from 'vitest';
import { openMirror } from '../../../src/workspace/mirror/open-mirror.ts';
import { mirrorKinds } from '../../support/mirrors.ts';
import { SERVER_HOOK_MS } from '../../support/postgres-cluster.ts';
import { openTestSandbox } from '../../support/sandbox.ts';
import { mirroredOrigin, syncedShop } from '../../support/synced-shop.ts';

const INDICES = {
  SQLite: "select name from sqlite_schema where type = 'index' and name not like 'sqlite_%' order by 1",
  PostgreSQL: "select indexname as name from pg_indexes where schemaname = 'mirror' order by 1",
};

for (const kind of mirrorKinds()) {
  describe.skipIf(kind.missing !== undefined)(`the first copy of a shop in ${kind.name}`, () => {
    afterAll(() => kind.end(), SERVER_HOOK_MS);

    it('has its indexes at its end, and after one that was interrupted once it is opened again', async () => {
      const service = await openTestSandbox({ seed: 'demo' });
      const place = await kind.place();
      let isCut = true;
      const duringCopy: string[][] = [];
      const shop = await syncedShop(service, place, (transport) => async (request) => {
        if (!request.url.endsWith('ListFulfillments')) return transport(request);
        duringCopy.push(await indices());
        return isCut ? { status: 412, headers: {}, body: '{"code":"aborted","msg":"cut"}' } : transport(request);
      });
      const indices = async () => (await shop.rows(INDICES[kind.name])).map(({ name }) => String(name));
      const whole = await indices();
      expect(whole).toContain('orders_created');

      await expect(shop.sync()).rejects.toThrow();
      const left = duringCopy.at(-1) ?? whole;
      expect(left).not.toContain('orders_created');
      // What every page looks up stays.
      expect(left).toContain('fulfillments_order');
      expect(await indices()).toEqual(left);
      await (await openMirror(place, mirroredOrigin)).close();
      expect(await indices()).toEqual(whole);

      isCut = false;
      await shop.sync();
      // Others may read a mirror that has records: it keeps them.
      expect(duringCopy.at(-1)).toEqual(whole);

      const another = await syncedShop(service, await kind.place());
      await another.sync();
      expect((await another.rows(INDICES[kind.name])).map(({ name }) => String(name))).toEqual(whole);
    });
  });
}

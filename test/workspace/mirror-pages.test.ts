import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areaNamed } from '../../src/mirror/store/declared-areas.ts';
import type { Mirror } from '../../src/mirror/store/mirror.ts';
import { openMirror } from '../../src/mirror/store/open-mirror.ts';
import { daysIn } from '../../src/mirror/store/write/days.ts';
import { PageWriter, type SeenPage } from '../../src/mirror/store/write/write-page.ts';
import { mirroredOrigin } from '../support/synced-shop.ts';

const minute = 60_000;
const midday = Date.parse('2026-01-31T12:00:00Z');
/** So many minutes after noon. */
const at = (minutes: number) => midday + minutes * minute;

let directory: string;
let mirror: Mirror;
let writer: PageWriter;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'shopctl-pages-'));
  mirror = await openMirror(join(directory, 'mirror.db'), mirroredOrigin);
  writer = new PageWriter(mirror.dialect, daysIn('Asia/Ho_Chi_Minh'), { keepsNews: true });
});
afterAll(async () => {
  await mirror.close();
  rmSync(directory, { recursive: true });
});

let shops = 0;

/** A shop with one customer, of whom pages are written; `minutes` after noon. */
function customerOfAShop() {
  const area = areaNamed('customers');
  if (area === undefined) throw new Error('no such area');
  shops += 1;
  const shopId = `shop${shops}`;
  const run = (sql: string) => mirror.read((session) => session.run(sql, [shopId]));
  const write = (minutes: number, page: Partial<SeenPage>) => {
    const seen = { area, shopId, seen: at(minutes), source: 'list', records: [], isPresent: false } as const;
    return mirror.write((session) => writer.write(session, { ...seen, ...page }));
  };
  /** The customer as it was changed that many minutes after noon. */
  const changed = (minutes: number, full_name = `of ${minutes}`) => ({
    records: [{ id: '1', full_name, updated_at: new Date(at(minutes)).toISOString() }],
  });
  return {
    write,
    changed,
    listed: (minutes: number, more: Partial<SeenPage> = {}) => write(minutes, { ...changed(minutes), ...more }),
    brought: (minutes: number) => write(minutes, { ...changed(minutes), source: 'webhook' }),
    deleted: (minutes: number, more: Partial<SeenPage> = {}) =>
      write(minutes, { gone: ['1'], source: 'webhook', ...more }),
    async name() {
      const [row] = await run('select full_name, deleted_at from customers where shop_id = ?');
      return row?.deleted_at === null ? row.full_name : 'deleted';
    },
    async walk() {
      const [row] = await run('select walk from mirror_records where shop_id = ?');
      return Number(row?.walk);
    },
    async news() {
      const rows = await run('select change_type, changed, looks from mirror_news where shop_id = ?');
      return rows.map(({ change_type, changed: when, looks: lookups }) => [
        change_type,
        (Number(when) - midday) / minute,
        Number(lookups),
      ]);
    },
    /** A poll has looked at what is new. */
    looked: () =>
      mirror.write((session) => session.run('update mirror_news set looks = looks + 1 where shop_id = ?', [shopId])),
  };
}

describe('a deletion', () => {
  it('that is older than the record removes nothing, whether a webhook brings it or a list has its stub', async () => {
    const { listed, deleted, write, name } = customerOfAShop();
    await listed(10);
    expect(await deleted(9)).toEqual({ created: [], updated: [], deleted: [] });
    expect(await write(9, { records: [{ id: '1', deleted: true }], source: 'webhook' })).toMatchObject({ deleted: [] });
    expect(await name()).toBe('of 10');
  });

  it('of the same moment is from before the answer of the service, and not from before another webhook', async () => {
    const [listedOne, broughtOne] = [customerOfAShop(), customerOfAShop()];
    await listedOne.listed(10);
    await listedOne.deleted(10);
    await broughtOne.brought(10);
    await broughtOne.deleted(10);
    expect([await listedOne.name(), await broughtOne.name()]).toEqual(['of 10', 'deleted']);
  });

  it('that is newer removes the record once, and older versions do not bring it back, a newer one does', async () => {
    const { listed, deleted, brought, name } = customerOfAShop();
    await listed(10);
    expect(await deleted(11)).toMatchObject({ deleted: ['1'] });
    expect(await deleted(12)).toMatchObject({ deleted: [] });
    await brought(10.5);
    expect(await name()).toBe('deleted');
    expect(await brought(13)).toMatchObject({ created: ['1'], updated: [] });
    expect(await name()).toBe('of 13');
  });

  it('is what a whole walk finds, whatever the clock says, but not of a record that the same page has', async () => {
    const { listed, deleted, write, changed, name } = customerOfAShop();
    await listed(10);
    await write(9, { ...changed(10), gone: ['1'], isPresent: true });
    expect(await name()).toBe('of 10');
    expect(await deleted(9, { isPresent: true, source: 'list' })).toMatchObject({ deleted: ['1'] });
    expect(await name()).toBe('deleted');
  });
});

describe('the mark of a whole walk', () => {
  it('is set on what is new, changed and unchanged, and stays when a webhook or a list brings a change', async () => {
    const { listed, brought, write, changed, walk } = customerOfAShop();
    await listed(10, { walk: 3 });
    expect(await walk()).toBe(3);
    await brought(11);
    await listed(12);
    expect(await walk()).toBe(3);
    await write(13, { ...changed(12), walk: 4 });
    expect(await walk()).toBe(4);
    await write(14, { ...changed(14), walk: 5 });
    expect(await walk()).toBe(5);
    await write(15, changed(14));
    expect(await walk()).toBe(5);
  });

  it('is none on what no walk has met', async () => {
    const { brought, walk } = customerOfAShop();
    await brought(10);
    expect(await walk()).toBe(0);
  });
});

describe('what a list has changed', () => {
  it('is news with its time, which were not looked at since', async () => {
    const { listed, looked, news } = customerOfAShop();
    await listed(10);
    expect(await news()).toEqual([['create', 10, 0]]);
    await looked();
    expect(await news()).toEqual([['create', 10, 1]]);
    await listed(20);
    expect(await news()).toEqual([['create', 20, 0]]);
  });

  it('is an update of what was there, and a deletion whatever was before', async () => {
    const { brought, listed, deleted, looked, news } = customerOfAShop();
    await brought(10);
    expect(await news()).toEqual([]);
    await listed(20);
    expect(await news()).toEqual([['update', 20, 0]]);
    await looked();
    await deleted(30, { source: 'list', isPresent: true });
    expect(await news()).toEqual([['delete', 30, 0]]);
    await listed(40, { isPresent: true });
    expect(await news()).toEqual([['create', 40, 0]]);
  });

  it('is no news where nothing is different', async () => {
    const { listed, write, changed, looked, news } = customerOfAShop();
    await listed(10);
    await looked();
    await write(20, changed(10));
    expect(await news()).toEqual([['create', 10, 1]]);
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqlite, type SqliteDriver } from '../../src/platform/sqlite/sqlite.ts';
import { createGroupCommit } from '../../src/sandbox/engine/store/group-commit.ts';
import { sqliteDrivers } from '../support/sqlite-drivers.ts';

/** A group commit on a table of names in a file, and all that its connection was told. */
async function openGroup(driver: SqliteDriver, { counted = false, begun = (): number => 0 } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'shopctl-group-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const sqlite = await openSqlite(join(directory, 'data'), driver);
  onTestFinished(() => sqlite.close());
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE names (name TEXT UNIQUE)');
  const reported: string[] = [];
  const exec = (sql: string) => {
    sqlite.exec(sql);
    reported.push(sql.split(' ')[0] ?? '');
  };
  let writes = 0;
  const group = createGroupCommit({ ...sqlite, exec }, (work) => work(), {
    begun,
    ...(counted ? { written: () => writes } : {}),
  });
  const insert = (name: string) => {
    writes += 1;
    sqlite.prepare('INSERT INTO names VALUES (?)').run([name]);
  };
  const names = () => (sqlite.prepare('SELECT name FROM names').all([]) as { name: string }[]).map(({ name }) => name);
  return { sqlite, group, reported, insert, names };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe.each(sqliteDrivers)('writes on %s', (driver) => {
  it('that come together share one commit, and none is told before it', async () => {
    const { group, reported, insert, names } = await openGroup(driver);
    const writes = ['a', 'b', 'c'].map((name) =>
      group.write(() => insert(name)).then(() => reported.push(`told ${name}`)),
    );
    expect([names(), reported]).toEqual([[], []]);
    await Promise.all(writes);
    const each = ['SAVEPOINT', 'RELEASE'];
    expect(reported).toEqual(['BEGIN', ...each, ...each, ...each, 'COMMIT', 'told a', 'told b', 'told c']);
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  it('that come among other work wait until there is none, but not longer than for some of it', async () => {
    let begun = 0;
    const { group, reported, insert, names } = await openGroup(driver, { counted: true, begun: () => begun });
    const first = group.write(() => insert('a'));
    begun += 1;
    await turn();
    const second = group.write(() => insert('b'));
    begun += 1;
    await turn();
    expect(reported).toEqual([]);
    await Promise.all([first, second]);
    expect([reported, names()]).toEqual([
      ['BEGIN', 'COMMIT'],
      ['a', 'b'],
    ]);
    let isReported = false;
    const third = group.write(() => insert('c')).then(() => (isReported = true));
    let turns = 0;
    while (!isReported && turns < 1000) {
      begun += 1;
      turns += 1;
      await turn();
    }
    await third;
    expect(turns).toBeGreaterThan(10);
    expect(turns).toBeLessThan(100);
  });

  it('that are counted share one commit without savepoints until one of them fails after it wrote', async () => {
    const { group, reported, insert, names } = await openGroup(driver, { counted: true });
    const refuse = () => {
      throw new Error('refused');
    };
    const ran: string[] = [];
    const write = (name: string, fails = false) =>
      group.write(() => {
        ran.push(name);
        insert(name);
        if (fails) refuse();
      });
    const first = await Promise.allSettled([write('a'), group.write(refuse), write('b')]);
    expect(first.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([reported, ran, names()]).toEqual([
      ['BEGIN', 'COMMIT'],
      ['a', 'b'],
      ['a', 'b'],
    ]);

    reported.length = ran.length = 0;
    const second = await Promise.allSettled([write('c'), write('lost', true), write('d')]);
    expect(second.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(names()).toEqual(['a', 'b', 'c', 'd']);
    expect(ran).toEqual(['c', 'lost', 'c', 'lost', 'd']);
    const each = ['SAVEPOINT', 'RELEASE'];
    expect(reported).toEqual(['BEGIN', 'ROLLBACK', 'BEGIN', ...each, 'SAVEPOINT', 'ROLLBACK', ...each, 'COMMIT']);

    reported.length = 0;
    await Promise.all([write('e'), write('f')]);
    expect(reported).toEqual(['BEGIN', ...each, ...each, 'COMMIT']);
    for (let commit = 0; commit < 100; commit += 1) await Promise.all([write(`e${commit}`), write(`f${commit}`)]);
    reported.length = 0;
    await Promise.all([write('g'), write('h')]);
    expect(reported).toEqual(['BEGIN', 'COMMIT']);
  });

  it('that come alone wait for nobody', async () => {
    const { group, reported, insert } = await openGroup(driver);
    const done = group.write(() => insert('a')).then(() => reported.push('told'));
    await turn();
    expect(reported).toEqual(['BEGIN', 'COMMIT', 'told']);
    await done;
  });

  it.each([false, true])('undo their own part alone when they fail (counted: %s)', async (counted) => {
    const { group, reported, insert, names } = await openGroup(driver, { counted });
    const results = await Promise.allSettled([
      group.write(() => insert('a')),
      group.write(() => {
        insert('lost');
        throw new Error('refused');
      }),
      group.write(() => insert('a')),
      group.write(() => insert('b')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(names()).toEqual(['a', 'b']);
    expect(reported.filter((word) => word === 'COMMIT')).toHaveLength(1);
  });

  it.each([false, true])(
    'fail alone when the disk is full, or when the commit fails (counted: %s)',
    async (counted) => {
      const { sqlite, group, reported, insert, names } = await openGroup(driver, { counted });
      const [{ page_count }] = sqlite.prepare('PRAGMA page_count').all([]) as [{ page_count: number }];
      sqlite.exec(`PRAGMA max_page_count = ${page_count + 8}`);
      const full = group.write(() => insert('x'.repeat(400_000)));
      const small = ['a', 'b'].map((name) => group.write(() => insert(name)));
      await expect(full).rejects.toThrow('full');
      await Promise.all(small);
      expect(names()).toEqual(['a', 'b']);

      // A reference that is checked at the end fails the commit of all: each is then written again, by itself.
      sqlite.exec('PRAGMA foreign_keys = ON');
      sqlite.exec('CREATE TABLE owners (id TEXT PRIMARY KEY)');
      sqlite.exec('CREATE TABLE owned (owner TEXT REFERENCES owners DEFERRABLE INITIALLY DEFERRED)');
      reported.length = 0;
      const orphan = group.write(() => sqlite.prepare('INSERT INTO owned VALUES (?)').run(['nobody']));
      const sound = group.write(() => insert('c'));
      await expect(orphan).rejects.toThrow('FOREIGN KEY');
      await sound;
      expect(names()).toEqual(['a', 'b', 'c']);
      expect(sqlite.prepare('SELECT * FROM owned').all([])).toEqual([]);
    },
  );

  it('are committed in groups of a bounded size, and all of them before closing', async () => {
    const { group, reported, insert, names } = await openGroup(driver);
    const all = Array.from({ length: 70 }, (_, index) => group.write(() => insert(String(index))));
    await Promise.all(all);
    expect(reported.filter((word) => word === 'COMMIT')).toHaveLength(3);
    const last = group.write(() => insert('last'));
    group.flush();
    expect(names().at(-1)).toBe('last');
    await last;
  });
});

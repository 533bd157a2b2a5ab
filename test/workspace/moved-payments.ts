/* The payments of a workspace join those of another one: stories that each pair of databases is told. */
import { expect, it } from 'vitest';
import { Payments } from '../../src/cod/payments.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import { filled, type Made, moved, opened } from './moved-changes.ts';

const SHOP = '7';

/** Imports a file: its content is its id, a line is a parcel and an amount in thousands. */
const imported = (workspace: Workspace, content: string, session: string, lines: Readonly<Record<string, number>>) =>
  new Payments(workspace).add({
    file: {
      shop_id: SHOP,
      id: content,
      name: `${content}.csv`,
      layout: 'own',
      carrier: '',
      imported_at: '2026-11-20T10:00:00.000Z',
      rows: Object.keys(lines).length,
      unread: 0,
      problems: '[]',
    },
    lines: Object.entries(lines).map(([parcel, amount], index) => ({
      session,
      parcel,
      shipping_code: parcel,
      fulfillment_id: '',
      kind: 'cod',
      amount: amount * 1000,
      cell: `B${index + 2}`,
      day: null,
      cells: '',
      repeats: null,
    })),
  });

const close = (workspace: Workspace, session: string) =>
  new Payments(workspace).close(SHOP, session, { at: '2026-11-21T10:00:00.000Z', name: 'Lan', note: '' });

/** What is stored: the names of files, what each session says in all, and which are closed. */
async function standing(workspace: Workspace) {
  const payments = new Payments(workspace);
  const sums = new Map<string, number>();
  for (const { session, amount } of await payments.kinds(SHOP)) {
    sums.set(session, (sums.get(session) ?? 0) + Number(amount) / 1000);
  }
  return {
    files: (await payments.files(SHOP)).map(({ name }) => name).sort(),
    sums: Object.fromEntries([...sums].sort()),
    closed: (await payments.closed(SHOP)).map(({ session }) => session),
  };
}

const refused = (text: string) => ({ code: 'workspace_unusable', message: expect.stringContaining(text) });

/** The stories about payments. */
export function tellOfPayments(from: Made, to: Made): void {
  it('brings files, lines and closed sessions, and an equal file or line is one', async () => {
    const source = await filled(from, async (workspace) => {
      await imported(workspace, 'both', 's1', { A: 1, B: 2 });
      await imported(workspace, 'theirs', 's2', { C: 3 });
      await imported(workspace, 'as-a-workbook', 's3', { D: 4, E: 5 });
      await close(workspace, 's2');
    });
    const target = await opened(to);
    await imported(target, 'ours', 's4', { F: 6 });
    await imported(target, 'both', 's1', { A: 1, B: 2 });
    await imported(target, 'as-text', 's3', { D: 4, E: 5 });
    await moved(source, target);
    expect(await standing(target)).toEqual({
      files: ['as-a-workbook.csv', 'as-text.csv', 'both.csv', 'ours.csv', 'theirs.csv'],
      sums: { s1: 3, s2: 3, s3: 9, s4: 6 },
      closed: ['s2'],
    });
    // What repeated a line counts once that is gone.
    const payments = new Payments(target);
    const text = (await payments.files(SHOP)).find(({ id }) => id === 'as-text');
    if (text === undefined) throw new TypeError('a file is gone');
    expect(await payments.remove(SHOP, text)).toEqual([]);
    expect((await standing(target)).sums).toMatchObject({ s3: 9 });
    expect(await imported(target, 'new', 's5', { G: 7 })).toMatchObject({ kind: 'stored' });
  });

  it.each([
    ['an equal file that was read otherwise', 'both', 's1', { A: 850 }, 'both.csv'],
    ['another amount of a parcel in its session', 'theirs', 's1', { A: 850 }, 's1'],
    ['most of its parcels in another session', 'theirs', 's9', { A: 1, B: 2 }, 's1'],
  ] as const)('moves nothing if there is %s, and all once that is gone', async (_, content, session, lines, named) => {
    const source = await filled(from, (workspace) => imported(workspace, content, session, lines));
    const target = await opened(to);
    await imported(target, 'both', 's1', { A: 1, B: 2 });
    await expect(moved(source, target)).rejects.toMatchObject(refused(named));
    expect((await standing(target)).sums).toEqual({ s1: 3 });
    const before = await from.open(source.place);
    expect((await standing(before)).files).toEqual([`${content}.csv`]);
    await before.close();
    const payments = new Payments(target);
    const [file] = await payments.files(SHOP);
    if (file !== undefined) await payments.remove(SHOP, file);
    await moved(source, target);
    expect((await standing(target)).files).toEqual([`${content}.csv`]);
  });

  it('names what is to be decided in its order, and of much of it the beginning', async () => {
    const contents = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));
    const fill = async (workspace: Workspace, amount: number) => {
      for (const content of contents) await imported(workspace, content, `s-${content}`, { [content]: amount });
    };
    const source = await filled(from, (workspace) => fill(workspace, 1));
    const target = await opened(to);
    await fill(target, 2);
    const message = await moved(source, target).catch((error: Error) => error.message);
    expect(String(message).match(/\b[a-l]\.csv|and \d+ more/g)).toEqual([
      ...contents.slice(0, 10).map((content) => `${content}.csv`),
      'and 2 more',
    ]);
  });

  it.each([
    ['there', (source: Workspace, _: string) => imported(source, 'theirs', 's1', { Z: 9 }), false],
    [
      'here',
      async (source: Workspace) => {
        await imported(source, 'both', 's1', { A: 1 });
        await close(source, 's1');
      },
      true,
    ],
  ] as const)('moves nothing while a session that was closed %s has other lines', async (where, fill, hasMore) => {
    const source = await filled(from, (workspace) => fill(workspace, where));
    const target = await opened(to);
    await imported(target, 'both', 's1', { A: 1 });
    if (hasMore) await imported(target, 'ours', 's1', { Y: 8 });
    else await close(target, 's1');
    await expect(moved(source, target)).rejects.toMatchObject(refused('the session s1 is closed'));
  });
}

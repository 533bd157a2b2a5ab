/* What a workspace has received and been paid joins what another one has: stories that each pair of databases is told. */
import { expect, it } from 'vitest';
import { countForgettable, forgetSome } from '../../src/events/store/forget.ts';
import { removeTarget } from '../../src/events/store/targets.ts';
import type { Workspace } from '../../src/store/workspace.ts';
import {
  accept,
  accountIn,
  begin,
  filled,
  listen,
  type Made,
  moved,
  opened,
  receive,
  revisionIn,
  stored,
  waitingFor,
} from './moved-changes.ts';

const later = '2026-02-01T00:00:00.000Z';
const url = 'http://127.0.0.1:1/a';

/** Forgets every change that no target needs. */
const prune = (workspace: Workspace) =>
  workspace.write((database) => forgetSome(database, accountIn(workspace), later, Date.parse(later)));

/** The stories about received changes. */
export function tellOfChanges(from: Made, to: Made): void {
  it('brings changes, and lets each target have what it has not accepted', async () => {
    const source = await filled(from, async (workspace) => {
      await begin(workspace, url, 'shop', 'theirs');
      await receive(workspace, 'h1', 'b', 'c');
      await accept(workspace, 'shop', ['c']);
      await receive(workspace, 'h1', 'd', 'e');
    });
    const target = await opened(to);
    await begin(target, url, 'shop', 'ours');
    await receive(target, 'h2', 'a');
    for (const name of ['shop', 'ours']) await accept(target, name);
    await receive(target, 'h2', 'b', 'f', 'd');
    const before = await revisionIn(target);
    const { rows } = await moved(source, target);
    expect(rows.events).toBe(4);
    expect(await stored(target)).toEqual(['a', 'b', 'f', 'd', 'c', 'e']);
    expect(await waitingFor(target, 'shop')).toEqual(['b', 'f', 'd', 'c', 'e']);
    expect(await waitingFor(target, 'ours')).toEqual(['b', 'f', 'd']);
    expect(await waitingFor(target, 'theirs')).toEqual(['b', 'd', 'c', 'e']);
    expect(await revisionIn(target)).not.toBe(before);
    await receive(target, 'h2', 'g');
    for (const name of ['shop', 'ours', 'theirs']) expect((await waitingFor(target, name)).at(-1)).toBe('g');
    // Once more changes nothing.
    await moved(source, target);
    expect(await stored(target)).toHaveLength(7);
  });

  it('takes a target from the listener that serves it, so that it is taken up as it is now', async () => {
    const source = await filled(from, async (workspace) => {
      await begin(workspace, url, 'shop');
      await receive(workspace, 'h1', 'b');
    });
    const target = await opened(to);
    await begin(target, url, 'shop');
    await target.write((database) => database.updateTable('event_targets').set({ worker: 'w' }).execute());
    await moved(source, target);
    const targets = await target.read((database) => database.selectFrom('event_targets').selectAll().execute());
    expect(targets).toMatchObject([{ name: 'shop', worker: null }]);
  });

  it('knows what came through each webhook: a repeat is one, and a change that comes back is not', async () => {
    const source = await filled(from, (workspace) => receive(workspace, 'h1', 'x', 'y', 'x 2'));
    const target = await opened(to);
    await receive(target, 'h2', 'x', 'z');
    await moved(source, target);
    expect(await stored(target)).toEqual(['x', 'z', 'y', 'x 2']);
    expect(await receive(target, 'h2', 'x 2', 'y')).toEqual([]);
    expect(await receive(target, 'h1', 'x 3')).toHaveLength(1);
    expect(await receive(target, 'h1', 'z')).toEqual([]);
    expect(await receive(target, 'h2', 'x 3', 'y 2')).toHaveLength(1);
  });

  it('numbers what comes behind what was pruned, here and there', async () => {
    const source = await filled(from, async (workspace) => {
      await begin(workspace, url, 'theirs');
      await receive(workspace, 'h1', 'a', 'b', 'c');
      await accept(workspace, 'theirs');
      await prune(workspace);
    });
    const target = await opened(to);
    await begin(target, url, 'ours');
    await receive(target, 'h2', 'd', 'e');
    await accept(target, 'ours');
    await prune(target);
    await moved(source, target);
    await receive(target, 'h2', 'f');
    expect([await waitingFor(target, 'ours'), await waitingFor(target, 'theirs')]).toEqual([['f'], ['f']]);
    const { kept } = await target.read((database) => countForgettable(database, accountIn(target), later));
    expect(kept).toBe(1);
  });

  it('moves nothing while a target of one name is another one there, and all once it is gone', async () => {
    const source = await filled(from, async (workspace) => {
      await begin(workspace, url, 'shop');
      await receive(workspace, 'h1', 'b');
    });
    const target = await opened(to);
    await begin(target, `${url}/other`, 'shop');
    await receive(target, 'h2', 'a');
    await expect(moved(source, target)).rejects.toMatchObject({
      code: 'workspace_unusable',
      message: expect.stringMatching(/nothing was moved.*the target shop is another one there/),
    });
    expect(await stored(target)).toEqual(['a']);
    const again = await from.open(source.place);
    expect(await waitingFor(again, 'shop')).toEqual(['b']);
    await again.close();
    await target.write((database) => removeTarget(database, { account: accountIn(target), name: 'shop' }));
    await moved(source, target);
    expect([await stored(target), await waitingFor(target, 'shop')]).toEqual([['a', 'b'], ['b']]);
  });

  it('names a listener that goes on under the path it has there', async () => {
    const source = await filled(from, async (workspace) => {
      await listen(workspace, 'shop', 'theirs');
      await listen(workspace, 'other', 'o');
    });
    const target = await opened(to);
    await listen(target, 'shop', 'ours');
    expect((await moved(source, target)).left).toMatchObject([{ what: 'the path of the listener shop' }]);
    expect([await listen(target, 'shop', 'new'), await listen(target, 'other', 'new')]).toEqual(['ours', 'o']);
  });
}

/* A rolling sheet: what was made and has ended since is left out and listed, and sent again only as a person says. */
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../support/stderr-lines.ts';
import { EndedWorld } from './ended-world.ts';

describe.each(['shop', 'test'] as const)('a rolling sheet, with the key of profile %s', (profile) => {
  it('sends nothing again that an undo has ended', async () => {
    const world = await EndedWorld.made(profile);
    const { batch } = await world.sheet([1, 2]);
    const undone = await world.run(['batch', 'undo', batch]);
    expect(undone.stderr).toContain('--resend-ended undone');
    const again = await world.sheet([1, 2, 3]);
    expect([again.exit, again.counts]).toMatchObject([0, { rows: 3, done: 1, ended: 2, undone: 0 }]);
    expect(again.stderr).toContain('(SO-1) is not sent again: undone on ');
    expect(again.stderr).toContain('3 rows: 1 to send, 2 ended (2 undone)');
    expect(await world.made()).toEqual({ 'SO-1': 1, 'SO-2': 1, 'SO-3': 1 });
  });

  it('sends nothing again that somebody has cancelled, and says when and why', async () => {
    const world = await EndedWorld.made(profile);
    await world.sheet([1, 2, 3]);
    await world.cancel('SO-2');
    const plan = await world.plan([1, 2, 3, 4]);
    expect(plan.counts).toMatchObject({ rows: 4, left: 1, existed: 2, ended: 1 });
    expect(plan.ended).toMatchObject([{ cell: 'line 3', name: 'SO-2', kind: 'cancelled', why: 'khách hủy' }]);
    const again = await world.sheet([1, 2, 3, 4]);
    expect([again.exit, again.counts]).toMatchObject([0, { done: 1, existed: 2, ended: 1 }]);
    expect(await world.made()).toEqual({ 'SO-1': 1, 'SO-2': 1, 'SO-3': 1, 'SO-4': 1 });
  });

  it('sends it again once as a person says so, and never a third time', async () => {
    const world = await EndedWorld.made(profile);
    await world.sheet([1, 2, 3]);
    await world.cancel('SO-2');
    const resend = ['--resend-ended', 'cancelled'];
    for (const counts of [
      { done: 1, existed: 2, ended: 0 },
      { existed: 3, ended: 0 },
    ]) {
      const ran = await world.sheet([1, 2, 3], ...resend);
      expect([ran.exit, ran.counts], ran.stderr).toMatchObject([0, counts]);
    }
    const last = await world.sheet([1, 2, 3, 4], ...resend);
    expect(last.counts).toMatchObject({ done: 1, existed: 3 });
    expect(await world.made()).toEqual({ 'SO-1': 1, 'SO-2': 2, 'SO-3': 1, 'SO-4': 1 });
  });

  it('leaves out what came back, and sends it again under a name that is free', async () => {
    const world = await EndedWorld.made(profile);
    await world.sheet([1, 2]);
    await world.move('SO-1', 'delivering', 'returned');
    const again = await world.sheet([1, 2, 3]);
    expect(again.counts).toMatchObject({ done: 1, existed: 1, ended: 1 });
    const other = await world.sheet([1, 2, 3], '--resend-ended', 'cancelled');
    expect(other.counts).toMatchObject({ existed: 2, ended: 1 });
    for (const done of [1, 0]) {
      const resent = await world.sheet([1, 2, 3], '--resend-ended', 'returned');
      expect([resent.exit, resent.counts], resent.stderr).toMatchObject([0, { done, existed: 3 - done, ended: 0 }]);
    }
    expect(await world.made()).toEqual({ 'SO-1': 2, 'SO-2': 1, 'SO-3': 1 });
  });

  it('gets no slip with its batch, and that is said', async () => {
    const world = await EndedWorld.made(profile);
    const { batch } = await world.sheet([1, 2, 3]);
    const area = profile === 'shop' ? 'orders' : 'shipping';
    const id = await world.idOf('SO-2');
    const cancelled = await world.run([area, 'cancel', id, '--cancel-reason', 'khách hủy']);
    expect([cancelled.exit, cancelled.stderr]).toEqual([0, expect.anything()]);
    const slips = await world.run(['slips', '--batch', batch, '--to', 'slips.pdf']);
    expect([slips.exit, slips.stderr]).toEqual([0, expect.stringContaining('gets no slip: it is cancelled')]);
    expect(JSON.parse(slips.stdout)).toMatchObject({ slips: 2, left_out: [{ reason: 'it is cancelled' }] });
  });

  it('calls a parcel that was lost by its own word, which alone sends it again', async () => {
    const world = await EndedWorld.made(profile);
    await world.sheet([1, 2]);
    await world.move('SO-1', 'delivering', 'undeliverable');
    const again = await world.sheet([1, 2], '--resend-ended', 'returned');
    expect(again.counts).toMatchObject({ existed: 1, ended: 1 });
    expect(again.stderr).toContain('(SO-1) is not sent again: lost, or given up as undeliverable');
    expect(again.stderr).toContain('--resend-ended undeliverable');
    const resent = await world.sheet([1, 2], '--resend-ended', 'undeliverable');
    expect(resent.counts).toMatchObject({ done: 1, existed: 1, ended: 0 });
    expect(await world.made()).toEqual({ 'SO-1': 2, 'SO-2': 1 });
  });

  it('is sent again by a retry too, where its fee was refused before', async () => {
    const world = await EndedWorld.made(profile);
    await world.sheet([1, 2]);
    await world.move('SO-1', 'delivering', 'returned');
    const dear = await world.sheet([1, 2], '--resend-ended', 'returned', '--max-fee', '1', '--skip-bad');
    expect(dear.counts, dear.stderr).toMatchObject({ done: 0, existed: 1, skipped: 1 });
    const { batch } = JSON.parse(dear.stdout);
    const retried = await world.run(['batch', 'retry', batch, '--max-fee', '1000000', '--yes', '-o', 'json']);
    expect(JSON.parse(retried.stdout).counts, retried.stderr).toMatchObject({ done: 1, existed: 1, skipped: 0 });
    expect(await world.made()).toEqual({ 'SO-1': 2, 'SO-2': 1 });
  });

  it('sends an order whose parcel travels on by its name alone', async () => {
    const world = await EndedWorld.made(profile);
    await world.sheet([1, 2]);
    await world.move('SO-1', 'holding');
    await world.cancel('SO-1');
    await world.move('SO-2', 'delivering', 'delivered');
    await world.cancel('SO-2');
    const kinds = ['undone', 'cancelled', 'returned'].flatMap((kind) => ['--resend-ended', kind]);
    const again = await world.sheet([1, 2, 3], ...kinds);
    expect(again.counts).toMatchObject({ done: 1, ended: 2 });
    expect(again.stderr).toContain('ended (2 travelling)');
    const refused = await world.sheet([1, 2, 3], '--resend-ended', 'travelling');
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('by their names')]);
    const unknown = await world.sheet([1, 2, 3], '--resend-ended', 'SO-7');
    expect([unknown.exit, unknown.stderr]).toEqual([2, expect.stringContaining('SO-7')]);
    for (const { stderr } of [refused, unknown]) {
      const error = errorOf(stderr);
      expect([error.hint, error.field_errors]).toMatchObject([
        expect.stringContaining('--resend-ended'),
        [{ path: 'resend_ended', message: error.message }],
      ]);
    }
    for (const done of [1, 0]) {
      const resent = await world.sheet([1, 2, 3], '--resend-ended', 'SO-2');
      expect([resent.exit, resent.counts], resent.stderr).toMatchObject([0, { done, ended: 1 }]);
    }
    expect(await world.made()).toEqual({ 'SO-1': 1, 'SO-2': 2, 'SO-3': 1 });
  });
});

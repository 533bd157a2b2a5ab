import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openWorkspace } from '../../src/workspace/open-workspace.ts';
import { testMachine } from '../support/context.ts';
import { newBatch } from '../support/new-batch.ts';
import { workspaceKinds } from '../support/workspaces.ts';

for (const kind of workspaceKinds()) {
  it.skipIf(kind.missing !== undefined)(`is shown and checked: ${kind.name}`, async () => {
    onTestFinished(() => kind.end());
    const place = await kind.place();
    const { workspace, batches } = await openWorkspace(place);
    const { number } = await batches.create(newBatch);
    const { run } = testMachine(() => {
      throw new Error('nothing is to be sent');
    });
    const env = { SHOPCTL_WORKSPACE: place };
    const shown = await run(['workspace', 'show', '--json'], { env });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      place,
      shared: kind.name === 'PostgreSQL' ? 'yes' : 'no',
      batches: 1,
    });
    const fine = await run(['workspace', 'check', '--json'], { env });
    const found: { check: string; result: string; found: string }[] = JSON.parse(fine.stdout);
    expect([fine.exit, found.filter(({ result }) => result !== 'ok')]).toEqual([0, []]);
    await workspace.write(async (database) => {
      await database.updateTable('batches').set({ reserved: -5, state: 'open' }).execute();
      await database.insertInto('batch_contents').values({ batch: number, row: 7, cells: '', payload: '' }).execute();
      await database.insertInto('event_contents').values({ seq: 3, change: '{}' }).execute();
    });
    const wrong = await run(['workspace', 'check', '--json'], { env });
    const seen: typeof found = JSON.parse(wrong.stdout);
    expect(wrong.exit).not.toBe(0);
    expect(seen.filter(({ result }) => result === 'wrong').map(({ check, found: count }) => [check, count])).toEqual([
      ['texts have their row', '1'],
      ['fees stay within their limit', '1'],
      ['texts have their change', '1'],
    ]);
    await workspace.close();
  });
}

it('is backed up while it is in use, into a new file of its user alone, which is a workspace itself', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'shopctl-backup-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [place, copy] = [join(directory, 'workspace.db'), join(directory, 'copy.db')];
  const { workspace, batches } = await openWorkspace(place);
  await batches.create(newBatch);
  const { run } = testMachine(() => {
    throw new Error('nothing is to be sent');
  });
  const env = { SHOPCTL_WORKSPACE: place };
  expect(await run(['workspace', 'backup', copy], { env })).toMatchObject({ exit: 0 });
  await workspace.close();
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const again = await run(['workspace', 'backup', copy], { env });
  expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);
  const restored = await run(['workspace', 'show', '--json'], { env: { SHOPCTL_WORKSPACE: copy } });
  expect(JSON.parse(restored.stdout)).toMatchObject({ place: copy, batches: 1 });
});

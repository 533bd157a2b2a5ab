import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { printedSlipsOf } from '../../src/slips/actions/make-slips.ts';
import { workspaceKinds } from '../support/workspaces.ts';

const ids = Array.from({ length: 5000 }, (_, index) => `91234567890123${String(index).padStart(5, '0')}`);

for (const kind of workspaceKinds()) {
  describe.skipIf(kind.missing !== undefined)(`printed slips on ${kind.name}`, () => {
    afterAll(() => kind.end());

    it('are remembered for each account, however many and however often', async () => {
      const workspace = await kind.open(await kind.place());
      onTestFinished(() => workspace.close());
      const printed = printedSlipsOf(workspace);
      await printed.add('shop 1', ids, '2026-11-21T08:00:00Z');
      await printed.add('shop 1', [ids[0] ?? '', ids[0] ?? ''], '2026-11-21T09:00:00Z');
      expect((await printed.among('shop 1', [...ids, '1'])).size).toBe(5000);
      expect((await printed.among('shop 2', ids)).size).toBe(0);
    });
  });
}

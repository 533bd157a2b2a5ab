import { describe, expect, it } from 'vitest';
import { openShopCalls } from '../../support/shop-calls.ts';

describe('GetChanges', () => {
  it('answers 501 unimplemented, also when there are changes', async () => {
    const { made, own } = await openShopCalls();
    await made('CustomerGroup/CreateGroup', { name: 'VIP' });
    const { status, body } = await own('History/GetChanges', {});
    expect([status, body.code]).toEqual([501, 'unimplemented']);
  });
});

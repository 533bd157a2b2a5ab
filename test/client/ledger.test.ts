import { expect, it } from 'vitest';
import { WriteLedger } from '../../src/client/ledger.ts';

it('reports a write of unknown outcome before one that was applied, and that before none', () => {
  const ledger = new WriteLedger();
  const enter = (name: string) => ledger.enter('shop.Customer/CreateCustomer', JSON.stringify({ external_id: name }));
  enter('refused')('not_applied');
  expect(ledger.gravest).toBeUndefined();
  enter('made')('applied');
  expect(ledger.gravest).toMatchObject({ outcome: 'applied', names: { external_id: 'made' } });
  enter('lost');
  enter('made later')('applied');
  expect(ledger.gravest).toMatchObject({ outcome: 'unknown', names: { external_id: 'lost' } });
  ledger.settle('shop.Customer/CreateCustomer', 'lost', 'applied');
  expect(ledger.gravest).toMatchObject({ outcome: 'applied', names: { external_id: 'made later' } });
});

import type { RowRule } from '../../src/workspace/batches/row-keys.ts';

/** Rows that create records of one account, each under a key of its own. */
export const creating: RowRule = {
  account: 'shop 1',
  resource: 'order',
  family: 'shop',
  creates: true,
  ends: false,
  equals: undefined,
  now: () => Date.parse('2026-01-31T08:00:00Z'),
  hasPassed: () => true,
  digestsOf: (payload) => ({ request: payload, equal: null }),
  endedName: () => undefined,
  differences: () => ['everything'],
  renumbered: (row, number) => ({ ...row, name: `${row.name}-${number}`, identity: `${row.identity}-${number}` }),
};

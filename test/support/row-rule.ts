import type { RowRule } from '../../src/batch/store/row-keys.ts';

const START = Date.parse('2026-01-31T08:00:00Z');

/** Rows that create records of one account, each under a key of its own. */
export const creating: RowRule = {
  account: 'shop 1',
  resource: 'order',
  family: 'shop',
  creates: true,
  ends: false,
  equals: undefined,
  now: () => ({ at: START, localAt: START }),
  hasPassed: () => true,
  digestsOf: (payload) => ({ request: payload, equal: null }),
  changesOf: (id) => id,
  endedRecord: () => ({}),
  differences: () => ['everything'],
  renumbered: (row, number) => ({ ...row, name: `${row.name}-${number}`, identity: `${row.identity}-${number}` }),
};

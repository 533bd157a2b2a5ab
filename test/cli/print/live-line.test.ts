import { expect, it } from 'vitest';
import { liveLine } from '../../../src/cli/print/table.ts';

const view = {
  columns: [
    { path: 'at', kind: 'time' },
    { path: 'entity' },
    { path: 'record' },
    { path: 'shop', optional: true },
    { path: 'time', kind: 'time', optional: true },
  ],
} as const;
const row = {
  at: '2026-11-22T04:13:05Z',
  entity: 'customer',
  record: '2795320784455000927',
  shop: '2790136756991001495',
  time: '2026-11-22T04:13:04Z',
};
const settings = { format: 'table', colour: false, terminal: true, quiet: false, timeZone: 'UTC' } as const;
const whole = '2026-11-22 04:13Z  customer  2795320784455000927  2790136756991001495  2026-11-22 04:13Z\n';

it('shows a row that came on one line of the terminal, without what is optional and does not fit', () => {
  expect(liveLine(row, view, { ...settings, columns: 80 })).toBe(
    '2026-11-22 04:13Z  customer  2795320784455000927  2790136756991001495\n',
  );
  expect(liveLine(row, view, { ...settings, columns: 60 })).toBe('2026-11-22 04:13Z  customer  2795320784455000927\n');
});

it('leaves out from the last on, so that what stands in one place means the same in every line', () => {
  expect(liveLine({ ...row, entity: 'customer_group_of_shop' }, view, { ...settings, columns: 80 })).toBe(
    '2026-11-22 04:13Z  customer_group_of_shop  2795320784455000927\n',
  );
});

it('shows all of it where there is room, no terminal, or its width is not known, and what was asked for by name', () => {
  expect(liveLine(row, view, { ...settings, columns: 120 })).toBe(whole);
  expect(liveLine(row, view, settings)).toBe(whole);
  expect(liveLine(row, view, { ...settings, columns: 0 })).toBe(whole);
  expect(liveLine(row, view, { ...settings, columns: 20, fields: ['record', 'shop'] })).toBe(
    '2795320784455000927  2790136756991001495\n',
  );
});

it('leaves out what is empty', () => {
  expect(liveLine({ ...row, shop: null }, view, { ...settings, columns: 80 })).toBe(
    '2026-11-22 04:13Z  customer  2795320784455000927  2026-11-22 04:13Z\n',
  );
});

it('names the zone of its times once, and drops nothing for that', () => {
  const inZone = { ...settings, timeZone: 'Asia/Ho_Chi_Minh' };
  const line = '2026-11-22 11:13  customer  2795320784455000927  2790136756991001495\n';
  const lines = (columns: number) => {
    const times = { timeZone: inZone.timeZone, naming: { isNamed: false } };
    return [1, 2].map(() => liveLine(row, view, { ...inZone, columns }, times));
  };
  expect(lines(70)).toEqual([`times in GMT+7\n${line}`, line]);
  expect(lines(80)).toEqual([line.replace('11:13', '11:13 (GMT+7)'), line]);
});

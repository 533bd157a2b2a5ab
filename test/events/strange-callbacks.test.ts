import { expect, it } from 'vitest';
import { readCallback } from '../../src/events/listen/receiver.ts';

const read = (body: string) => readCallback('hook', Buffer.from(body), '2026-11-22T00:00:00Z');
const change = (entity: string) => ({ entity, change_type: 'create', latest: { [entity]: { id: '7' } } });

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'a_new_entity'])(
  'lets a change of the unknown entity %s pass',
  (entity) => {
    const callback = read(`{"changes":[${JSON.stringify(change('x')).replaceAll('"x"', JSON.stringify(entity))}]}`);
    expect(callback?.changes.map((one) => one.entity)).toEqual([entity]);
  },
);

it.each([5_000, 1_000_000])('refuses a change of %i levels', (levels) => {
  const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(read(`{"changes":[{"entity":"order","change_type":"create","latest":${deep}}]}`)).toBeUndefined();
});

it('refuses far more changes than a service sends at once', () => {
  const changes = (count: number) => JSON.stringify({ changes: Array.from({ length: count }, () => change('order')) });
  expect(read(changes(1_000))?.changes).toHaveLength(1_000);
  expect(read(changes(10_001))).toBeUndefined();
});

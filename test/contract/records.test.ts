import { expect, it } from 'vitest';
import { isOver } from '../../src/client/settle/found-record.ts';
import type { JsonSchema } from '../../src/contract/schema/json-schema.ts';
import { readTable } from './read-table.ts';
import { recordSchemas } from './record-schemas.ts';

const namesOf = (schema: JsonSchema | undefined) => Object.keys(schema?.properties ?? {}).sort();

const words = (list = '') => list.split(', ').filter((word) => word !== '');

const listed = readTable('records.tsv');

it('has a schema for each record that is listed', () => {
  expect(listed.map(({ record }) => record)).toEqual(Object.keys(recordSchemas));
});

it.each(listed)('$record has the fields of the contract, and those that are settled', (row) => {
  const schema = recordSchemas[row.record ?? ''];
  expect(namesOf(schema)).toEqual([...words(row.fields), ...words(row.settled)].sort());
  if (row.required !== '') expect([...(schema?.required ?? [])].sort()).toEqual(words(row.required).sort());
});

/** Whether the status of a record is one of those that say how far it has come: only they have one for what came back. */
const isCourse = (schema: JsonSchema | undefined) => JSON.stringify(schema?.properties?.status ?? {}).includes('"NS"');

it.each(Object.entries(recordSchemas).filter(([, schema]) => schema?.properties?.status !== undefined))(
  '%s has ended by its status N only if that is the status of an order, a shipment or a delivery',
  (_, schema) => {
    const record = Object.fromEntries(namesOf(schema).map((name) => [name, null]));
    expect(isOver({ ...record, status: 'N' })).toBe(isCourse(schema));
    expect([isOver({ ...record, status: 'P' }), isOver({ ...record, deleted: true })]).toEqual([false, true]);
  },
);

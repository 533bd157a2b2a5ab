import { expect, it } from 'vitest';
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

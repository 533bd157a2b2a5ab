import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allOperations, areas, loadOperation } from '../../src/contract/areas.ts';
import { operationPath } from '../../src/contract/operation.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { credentialsByWords, generatedFiles } from './generated-files.ts';
import { readTable } from './read-table.ts';

const listed = readTable('operations.tsv').map(({ path = '', credential = '', effect }) => ({
  path,
  credential: credentialsByWords[credential],
  effect,
}));

const declared = (await allOperations()).map(({ id, credential, effect }) => ({
  path: operationPath(id),
  credential,
  effect,
}));

it('declares the operations of the contract, each with its path, credential and effect', () => {
  const byPath = (left: { path: string }, right: { path: string }) => (left.path < right.path ? -1 : 1);
  expect(declared.sort(byPath)).toEqual([...listed].sort(byPath));
  expect(listed.length).toBeGreaterThanOrEqual(68);
});

it('gives them in one order, whoever loads them: area by area, by name within one', async () => {
  const ids = (await allOperations()).map(({ id }) => id);
  const inOrder = Object.keys(areas).flatMap((area) => ids.filter((id) => id.startsWith(`${area}/`)).sort());
  expect(ids).toEqual(inOrder);
});

it('lists each operation and each field that is declared, as the page does: `npm run generate` writes them', async () => {
  for (const [path, text] of await generatedFiles()) expect(text, path).toBe(readFileSync(path, 'utf8'));
});

it.each(readTable('lists.tsv'))('gives $operation its filters, its key and its switches', async (row) => {
  const { operation: id = '', filters = '', items, include_deleted, paging } = row;
  const operation = await loadOperation(id);
  const { properties = {} } = jsonSchema(operation.request);
  expect(Object.keys(properties.filter?.properties ?? {})).toEqual(filters.split(', '));
  expect('include_deleted' in properties).toBe(include_deleted === 'yes');
  expect(operation.page).toEqual({ items, cursors: paging === 'yes' });
});

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allOperations, loadOperation } from '../../src/contract/areas.ts';
import { type Credential, operationPath } from '../../src/contract/operation.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { readTable } from './read-table.ts';

const credentials: Readonly<Record<string, Credential>> = {
  'shop API key': 'shop-api-key',
  'API key': 'partner-api-key',
  'shop key': 'shop-key',
};

const listed = readTable('operations.tsv').map(({ path = '', credential = '', effect }) => ({
  path,
  credential: credentials[credential],
  effect,
}));

const declared = (await allOperations()).map(({ id, credential, effect }) => ({
  path: operationPath(id),
  credential,
  effect,
}));

const isListed = ({ path }: { readonly path: string }) => listed.some((row) => row.path === path);

it('declares the operations of the contract, each with its path, credential and effect', () => {
  const byPath = (left: { path: string }, right: { path: string }) => (left.path < right.path ? -1 : 1);
  expect(declared.filter(isListed).sort(byPath)).toEqual([...listed].sort(byPath));
  expect(listed.length).toBeGreaterThanOrEqual(68);
});

it('lists each operation that is declared (-u adds a row for a new one, and changes none)', async () => {
  const rows = declared
    .filter((operation) => !isListed(operation))
    .map(({ path, credential, effect }) => {
      const [, family = '', area = '', name = ''] = /^\/v1\/(\w+)\.(\w+)\/(\w+)$/.exec(path) ?? [];
      const [key = ''] = Object.entries(credentials).find(([, kind]) => kind === credential) ?? [];
      return `${[family, area, name, path, key, effect, 'see the section', 'see the section'].join('\t')}\n`;
    });
  const current = readFileSync(new URL('operations.tsv', import.meta.url), 'utf8');
  await expect([current, ...rows].join('')).toMatchFileSnapshot('operations.tsv');
});

it.each(readTable('lists.tsv'))('gives $operation its filters, its key and its switches', async (row) => {
  const { operation: id = '', filters = '', items, include_deleted, paging } = row;
  const operation = await loadOperation(id);
  const { properties = {} } = jsonSchema(operation.request);
  expect(Object.keys(properties.filter?.properties ?? {})).toEqual(filters.split(', '));
  expect('include_deleted' in properties).toBe(include_deleted === 'yes');
  expect(operation.page).toEqual({ items, cursors: paging === 'yes' });
});

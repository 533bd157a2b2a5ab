import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allOperations, areas, findOperation, isAreaKey, loadArea, loadOperation } from '../../src/contract/areas.ts';
import type { Effect, Operation } from '../../src/contract/operation.ts';
import { jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { everyField } from './every-field.ts';

const operations = await allOperations();
const each = operations.map((operation) => [operation.id, operation] as const);

/** The effects of the verbs that everybody knows; another verb has that of the operations that use it. */
const knownEffects: Readonly<Record<string, Effect>> = {
  Create: 'create',
  Update: 'update',
  Delete: 'delete',
  Get: 'read',
  List: 'read',
  create: 'create',
  add: 'create',
  update: 'update',
  delete: 'delete',
  remove: 'delete',
  list: 'read',
  get: 'read',
  show: 'read',
};

const lastWord = ({ command }: Operation) => command.split(' ').at(-1) ?? '';
const firstWord = ({ id }: Operation) => /\/([A-Z][a-z]+)/.exec(id)?.[1] ?? '';

describe('all declarations together', () => {
  it('have ids of their own', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  it.each([
    ['name', firstWord],
    ['command', lastWord],
  ])('have a verb in their %s that stands for one effect', (_, verbOf) => {
    const effects = new Map<string, Effect>();
    for (const operation of operations) {
      const verb = verbOf(operation);
      expect(effects.get(verb) ?? operation.effect, `${verb} in ${operation.id}`).toBe(operation.effect);
      effects.set(verb, operation.effect);
    }
  });

  it('have commands of their own in their family', () => {
    const homes = operations.map(({ id, command }) => `${id.split('.')[0]} ${command}`);
    expect(new Set(homes).size).toBe(homes.length);
  });

  it('are exported under their own names, from the file of their area, and nothing else is', async () => {
    for (const key of Object.keys(areas)) {
      if (!isAreaKey(key)) throw new Error(key);
      for (const [name, operation] of Object.entries(await loadArea(key))) expect(operation.id).toBe(`${key}/${name}`);
      const [family, area = ''] = key.split('.');
      const file = area.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
      expect(areas[key].toString()).toMatch(new RegExp(`/${family}/(?:\\w+/)?${file}\\.ts`));
    }
  });

  it('are found by id, and nothing else is', async () => {
    for (const operation of operations) expect(await findOperation(operation.id)).toBe(operation);
    for (const id of ['', 'shop.Order', 'shop.Order/', 'shop.Order/Nothing', 'shop.Order/GetOrder/x', '__proto__/x']) {
      expect(await findOperation(id)).toBeUndefined();
    }
    await expect(loadOperation('shop.Nothing/GetNothing')).rejects.toThrow(RangeError);
  });
});

it('loads nothing before an area is asked for', () => {
  const source = readFileSync(new URL('../../src/contract/areas.ts', import.meta.url), 'utf8');
  const statics = source.split('\n').filter((line) => line.startsWith('import '));
  expect(statics.filter((line) => !line.startsWith('import type '))).toEqual([]);
});

describe.each(each)('%s', (id, operation) => {
  const request = jsonSchema(operation.request);
  const response = jsonSchema(operation.response);
  const fields = [...everyField(request), ...everyField(response)];
  const { page, settlement } = operation;

  it('has a summary that is one imperative line without a full stop', () => {
    expect(operation.summary).toMatch(/^[A-Z][a-z]+ [^\n]*[^.\n]$/);
    expect(operation.summary.length).toBeLessThanOrEqual(90);
    const [verb = ''] = operation.summary.split(' ');
    expect(verb).not.toMatch(/(?:s|ing|ed)$/);
    if (operation.description !== undefined) expect(operation.description).toMatch(/^[A-Z].*\.$/);
  });

  it('has the effect of its name, and a command that says so', () => {
    expect(operation.command).toMatch(/^[a-z]+( [a-z]+){1,2}$/);
    for (const verb of [firstWord(operation), lastWord(operation)]) {
      expect(knownEffects[verb] ?? operation.effect, verb).toBe(operation.effect);
    }
  });

  it('describes every field', () => {
    for (const { path, schema } of fields) {
      const described =
        schema.type === 'array' && schema.items?.properties === undefined ? [schema, schema.items] : [schema];
      for (const each of described) expect(each?.description, path).toMatch(/^\S.*[^.\s]$/);
    }
  });

  it('gives every number a unit', () => {
    for (const { path, schema } of fields) {
      if (schema.type === 'integer' || schema.type === 'number') expect(schema.unit, path).toBeTruthy();
    }
  });

  it('has an int64 wherever a field is an id', () => {
    for (const { path, name, schema } of fields) {
      // The contract has this one as plain text, so that a wrong one is refused by the service.
      if (name === 'external_id' || (id === 'partner.Shop/AuthorizeShop' && path === 'shop_id')) continue;
      if (name === 'id' || name.endsWith('_id')) {
        const format = path.startsWith('filter.') ? 'int64-list' : 'int64';
        expect(schema, path).toMatchObject({ type: 'string', format });
      }
      if (name.endsWith('_ids')) expect(schema, path).toMatchObject({ type: 'array', items: { format: 'int64' } });
    }
  });

  it('has moments in date-time format', () => {
    for (const { path, name, schema } of fields) {
      if (name.endsWith('_at') || name === 'time') expect(schema, path).toMatchObject({ format: 'date-time' });
    }
  });

  it('is a page exactly where its command is a list', () => {
    expect(page !== undefined).toBe(['list', 'services'].includes(lastWord(operation)));
  });

  if (page !== undefined) {
    it('has its records in a list, and asks by pages where it says so', () => {
      expect(response.properties?.[page.items]).toMatchObject({ type: 'array' });
      expect('paging' in (request.properties ?? {})).toBe(page.cursors);
      // A list of the contract answers where it stands, also the one that is not asked for page by page.
      const isList = /\/List/.test(operation.id);
      expect('paging' in (response.properties ?? {})).toBe(isList);
    });
  }

  it('takes the id of the one record that it acts on as its positional', () => {
    const names = Object.keys(request.properties ?? {});
    if (names.includes('id')) expect(operation.positional).toBe('id');
    if (operation.positional !== undefined) expect(names).toContain(operation.positional);
    if (operation.effect === 'delete' || operation.effect === 'transition') {
      const pair = request.required?.length === names.length && names.length === 2;
      expect(operation.positional !== undefined || pair).toBe(true);
    }
  });

  it('names only fields of its request in its rules', () => {
    const paths = new Set(everyField(request).map(({ path }) => path));
    for (const { path } of operation.rules?.({ url: '', entities: [] }) ?? []) expect(paths).toContain(path);
  });

  if (settlement !== undefined) {
    it('settles a lost answer by a field that the lookup takes too', async () => {
      const { by, lookup } = settlement;
      const found = await loadOperation(lookup);
      expect(operation.effect).toBe('create');
      expect(found.effect).toBe('read');
      expect(found.credential).toBe(operation.credential);
      expect(Object.keys(request.properties ?? {})).toContain(by);
      expect(Object.keys(jsonSchema(found.request).properties ?? {})).toContain(by);
    });
  }
});

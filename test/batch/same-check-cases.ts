import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { fc } from '../support/fast-check.ts';
import { shippedOrder } from '../support/order-request.ts';
import { twoStops } from '../support/shipnow.ts';
import { shopWorld } from '../support/shop-world.ts';
import { fieldErrorsOf } from '../support/stderr-lines.ts';

const words = fc.constantFrom(
  'An',
  'Nguyễn Thị Ánh Tuyết',
  'x',
  'Ô',
  'null',
  '__proto__',
  '=1+1',
  'a,b;c',
  '0',
  'true',
);
const anything = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.trim().normalize('NFC'))
  .filter((text) => text !== '' && !/^['=@-]|[\r\0]/.test(text));

/**
 * What people write into a field, by its type and name. Notations that only sheets have (yes and x, an enum in other
 * letters, 2,0, a leading apostrophe) are tested with the sheets.
 */
function written({ type, format, enum: names }: JsonSchema, name: string): fc.Arbitrary<string> {
  if (names !== undefined) return fc.constantFrom(...names.filter((each) => each !== ''), 'nonsense', '1');
  if (type === 'boolean') return fc.constantFrom('true', 'false');
  if (type === 'number') return fc.constantFrom('10.5', '-3.25', '0', 'north', '1.2.3');
  if (type === 'integer') {
    return fc.constantFrom('5', '0', '-3', 'five', '1.350.000', '1,350,000', '450k', '1.35', '9'.repeat(20), '500 g');
  }
  if (format === 'int64') {
    return fc.constantFrom('1', '1234567890123456789', '9223372036854775808', 'DH000001', '-1', '1.5', '8.9E+17');
  }
  if (/email/.test(name)) return fc.constantFrom('lan@example.com', 'x@@y', 'lan', 'lan@gmail.con', 'lan@example');
  if (/phone/.test(name))
    return fc.constantFrom('0901234567', '12', 'call me', '901234567', '+84 901 234 567', '0901/090');
  if (/birthday/.test(name)) return fc.constantFrom('1990-05-17', '31/02/1990', '2999-01-01', 'in May', '17/05/1990');
  return fc.oneof(words, anything);
}

interface Scalar {
  /** The steps to it; the first entry of a list is `0`. */
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

const FIRST = '0';
/** A key of a map, as in the attributes of a product. */
const KEY = 'Màu';

/** Every scalar field, also those of the entries of lists and maps. */
function scalars({ properties = {} }: JsonSchema, path: readonly string[] = []): Scalar[] {
  return Object.entries(properties).flatMap(([name, schema]) => within(schema, [...path, name]));
}

function within(schema: JsonSchema, path: readonly string[]): Scalar[] {
  if (schema.items !== undefined) return within(schema.items, [...path, FIRST]);
  if (schema.additionalProperties !== undefined) return within(schema.additionalProperties, [...path, KEY]);
  return schema.properties === undefined ? [{ path, schema }] : scalars(schema, path);
}

/** Whether a field has a flag of its own: what is in lists and maps has not. */
const hasFlag = ({ path }: Pick<Scalar, 'path'>) => !path.includes(FIRST) && !path.includes(KEY);

/** A request that the contract accepts, with every required field. */
const wholes: Readonly<Record<string, object>> = {
  'orders create': { ...shippedOrder, shipping: undefined, external_id: undefined },
  'shipping create': { ...shippedOrder, external_id: undefined },
  'products create': { name: 'Anything' },
  'shipnow create': { ...twoStops, shipping_service_code: 'S1', shipping_service_fee: 30 },
};

function sample({ type, format, enum: names, properties = {}, required = [], items }: JsonSchema, name = ''): unknown {
  if (names !== undefined) return names.find((each) => each !== '');
  if (type === 'object')
    return Object.fromEntries(
      required.flatMap((each) => [[each, sample(properties[each] ?? { type: 'string' }, each)]]),
    );
  if (type === 'array') return items === undefined ? [] : [sample(items, name)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  if (format === 'int64') return '1234567890123456789';
  return /phone/.test(name) ? '0901234567' : 'Anything';
}

/** The value of an entry or field, with whatever a new one needs beside it. */
function withAt(value: unknown, [head = '', ...rest]: readonly string[], put: unknown, schema: JsonSchema): unknown {
  const { items, additionalProperties, properties = {} } = schema;
  const inner = items ?? additionalProperties ?? properties[head] ?? { type: 'string' };
  const at = (whole: unknown) => (rest.length === 0 ? put : withAt(whole, rest, put, inner));
  if (items !== undefined) {
    const [first = sample(items), ...others] = Array.isArray(value) ? value : [];
    return [at(first), ...others];
  }
  const fields: Readonly<Record<string, unknown>> = { ...(value ?? (sample(schema) as object)) };
  return { ...fields, [head]: at(fields[head]) };
}

const isSingle = ({ page, effect, credential }: Operation) =>
  page === undefined && (effect === 'create' || effect === 'update') && credential !== 'partner-api-key';

const kebab = (name: string) => name.replaceAll('_', '-');

/** Every operation that creates or updates one record. */
export const operations = (await allOperations()).filter(isSingle);

/** Of each family, the profile whose key it takes. */
const profileOf = ({ id }: Operation) => (id.startsWith('partner.') ? 'test' : 'shop');

/** A switch has no value on the command line. */
function flagOf({ path, schema }: Scalar, value: string): string {
  const name = path.map(kebab).join('.');
  if (schema.type !== 'boolean') return `--${name}=${value}`;
  return value === 'true' ? `--${name}` : `--no-${name}`;
}

const RAW = '<raw>';

/** A record with one field as somebody wrote it: a number without quotes, if JSON can be written so. */
function recordWith({ path }: Scalar, written: Written, own: object, request: JsonSchema): string {
  const { text, isRaw } = written;
  if (!isRaw) return JSON.stringify(withAt(own, path, text, request));
  return JSON.stringify(withAt(own, path, RAW, request)).replace(JSON.stringify(RAW), text);
}

interface Written {
  readonly text: string;
  /** Without quotes. */
  readonly isRaw: boolean;
}

const canBeRaw = ({ type }: JsonSchema, text: string) =>
  type === 'boolean' || ((type === 'integer' || type === 'number') && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text));

/** What a command said of each record: the exit code and the paths. */
const reported = (exit: number, paths: readonly string[]) => `exit ${exit}, ${[...new Set(paths)].sort().join(' ')}`;

const pathsIn = (stderr: string): readonly string[] => fieldErrorsOf(stderr).map(({ path }) => path);

/** The paths of the bad cells of a plan, by line. */
function badLines(stderr: string): ReadonlyMap<number, readonly string[]> {
  const bad = new Map<number, string[]>();
  for (const cell of pathsIn(stderr)) {
    const [, line = '', path = ''] = /^line (\d+)(?:, (.*))?$/.exec(cell) ?? [];
    bad.set(Number(line), [...(bad.get(Number(line)) ?? []), path]);
  }
  return bad;
}

/** The cells of a record whose lists have one entry, by their columns; lists within lists have no columns. */
function cellsOf(value: unknown, path: readonly string[] = []): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) return cellsOf(value[0], path);
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [[path.join('.'), String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => cellsOf(inner, [...path, name]));
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Whether a field stands in a list that is not within another one. */
const isInList = ({ path }: Scalar) => path.filter((step) => step === FIRST).length === 1 && !path.includes(KEY);

/** Those whose lists have columns in a sheet. */
export const withLists = operations.filter(
  ({ request, command }) => command !== 'shipnow create' && scalars(jsonSchema(request)).some(isInList),
);

/** The same values are refused one record at a time and in a batch, in columns too: so many values of each field. */
export function sameChecks(valuesPerField: number): void {
  it.each(withLists.map((operation) => [operation.id, operation] as const))(
    '%s refuses the same values in the columns of a list and in a list',
    async (_, operation) => {
      const { command, effect } = operation;
      const { run, directory } = await shopWorld();
      const schema = jsonSchema(operation.request);
      const whole = wholes[command] ?? (sample(schema) as object);
      const values = scalars(schema)
        .filter(isInList)
        .flatMap((column, index) => {
          const texts = fc.sample(written(column.schema, column.path.at(-1) ?? ''), {
            numRuns: valuesPerField * 2,
            seed: index + 77,
          });
          return [...new Set(texts)].map((text) => ({ column, text }));
        });
      const records = values.map(({ column, text }, index) => {
        const own = effect === 'update' ? { ...whole, id: String(1000 + index) } : whole;
        return withAt(own, column.path, text, schema);
      });
      const cells = records.map((record) => new Map(cellsOf(record)));
      const header = [...new Set(cells.flatMap((row) => [...row.keys()]))];
      const lines = cells.map((row) => header.map((name) => quoted(row.get(name) ?? '')).join(','));
      const plan = async (name: string, text: string) => {
        const path = join(directory, name);
        writeFileSync(path, text);
        const words = ['batch', 'plan', path, '--do', command, '--profile', profileOf(operation), '-o', 'json'];
        return badLines((await run(words)).stderr);
      };
      const asRecords = await plan('rows.jsonl', `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
      const asCells = await plan('rows.csv', `${[header.map(quoted).join(','), ...lines].join('\n')}\n`);
      const said = values.map(({ column, text }, index) => ({
        value: `${column.path.join('.')}=${text}`,
        list: asRecords.get(index + 1)?.map((path) => path.replaceAll(/\[\d+\]/g, '')) ?? [],
        columns: asCells.get(index + 2)?.map((path) => path.replace(/^column /, '')) ?? [],
      }));
      expect(said.filter(({ list, columns }) => new Set([...list, ...columns]).size !== new Set(list).size)).toEqual(
        [],
      );
      expect(said.map(({ columns }) => columns.length > 0)).toEqual(said.map(({ list }) => list.length > 0));
      const canBeWrong = values.some(
        ({ column: { schema }, text }) =>
          schema.type === 'integer' || schema.enum !== undefined || /^nan$|^null$/i.test(text),
      );
      expect(said.some(({ list }) => list.length > 0)).toBe(canBeWrong);
    },
  );

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s refuses the same values at the same fields, one record at a time and in a batch',
    async (_, operation) => {
      const { command, effect } = operation;
      const { run, directory } = await shopWorld();
      const profile = ['--profile', profileOf(operation), '-o', 'json'];
      const schema = jsonSchema(operation.request);
      const whole = wholes[command] ?? (sample(schema) as object);
      const values = scalars(schema).flatMap((column, index) => {
        const name = column.path.findLast((step) => step !== FIRST && step !== KEY) ?? '';
        const texts = fc.sample(written(column.schema, name), { numRuns: valuesPerField, seed: index + 7 });
        return [...new Set(texts)].map((text, nth) => ({
          column,
          text,
          isRaw: !hasFlag(column) && nth % 2 === 0 && canBeRaw(column.schema, text),
        }));
      });
      const file = join(directory, 'rows.jsonl');
      const single = join(directory, 'one.json');
      // Each row is a record of its own, so that no two of them are the same one.
      const rows = values.map(({ column, ...written }, index) =>
        recordWith(column, written, effect === 'update' ? { ...whole, id: String(1000 + index) } : whole, schema),
      );
      writeFileSync(file, `${rows.join('\n')}\n`);
      const planned = await run(['batch', 'plan', file, '--do', command, ...profile]);
      const bad = badLines(planned.stderr);
      const differing: string[][] = [];
      for (const [index, { column, text }] of values.entries()) {
        const flags = hasFlag(column) ? [flagOf(column, text)] : [];
        writeFileSync(single, flags.length > 0 ? JSON.stringify(whole) : (rows[index] ?? ''));
        const one = await run([...command.split(' '), '--input', single, ...flags, '--dry-run', '--yes', ...profile]);
        const inBatch = bad.get(index + 1) ?? [];
        const both = [reported(inBatch.length > 0 ? 2 : 0, inBatch), reported(one.exit, pathsIn(one.stderr))];
        if (both[0] !== both[1]) differing.push([`${command} ${column.path.join('.')}=${text}`, ...both]);
      }
      expect(differing).toEqual([]);
    },
  );
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { allOperations } from '../../src/contract/areas.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../src/contract/schema/json-schema.ts';
import { shippedOrder } from '../support/order-request.ts';
import { twoStops } from '../support/shipnow.ts';
import { shopWorld } from '../support/shop-world.ts';

/** `SHOPCTL_TEST_VALUES=20 npx vitest run test/batch/same-checks.test.ts` for a long run: so many values a field. */
const valuesPerField = Number(process.env.SHOPCTL_TEST_VALUES ?? 2);

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
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** Every scalar field that has a flag and can be a column: not those in lists and maps. */
function scalars({ properties = {} }: JsonSchema, path: readonly string[] = []): Scalar[] {
  return Object.entries(properties).flatMap(([name, schema]): Scalar[] => {
    if (schema.type === 'array' || schema.additionalProperties !== undefined) return [];
    const here = [...path, name];
    return schema.properties === undefined ? [{ path: here, schema }] : scalars(schema, here);
  });
}

/** A request that the contract accepts, with every required field. */
const wholes: Readonly<Record<string, object>> = {
  'orders create': { ...shippedOrder, shipping: undefined, external_id: undefined },
  'shipping create': { ...shippedOrder, external_id: undefined },
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

function withAt(value: object, [head = '', ...rest]: readonly string[], put: string): object {
  const inner = (value as Readonly<Record<string, unknown>>)[head];
  return { ...value, [head]: rest.length === 0 ? put : withAt((inner ?? {}) as object, rest, put) };
}

const isSingle = ({ page, effect, credential, command }: Operation) =>
  page === undefined &&
  (effect === 'create' || effect === 'update') &&
  credential !== 'partner-api-key' &&
  // Its rows name their own webhook targets, which are no sheet's business.
  !command.startsWith('webhooks');

const kebab = (name: string) => name.replaceAll('_', '-');

const operations = (await allOperations()).filter(
  (operation, index, all) =>
    isSingle(operation) &&
    all.findIndex(({ command, id }) => command === operation.command && id.startsWith('shop.')) === index,
);

/** A switch has no value on the command line. */
function flagOf({ path, schema }: Scalar, value: string): string {
  const name = path.map(kebab).join('.');
  if (schema.type !== 'boolean') return `--${name}=${value}`;
  return value === 'true' ? `--${name}` : `--no-${name}`;
}

const pathsIn = (stderr: string): readonly string[] => {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) return [];
  const { field_errors: errors = [] } = JSON.parse(line).error;
  return errors.map(({ path }: { path: string }) => path);
};

it('covers every create and update that a batch can do', () => {
  expect(operations.map(({ command }) => command).sort()).toMatchInlineSnapshot(`
    [
      "addresses create",
      "addresses update",
      "collections create",
      "collections members add",
      "collections update",
      "customers create",
      "customers update",
      "groups create",
      "groups members add",
      "groups update",
      "orders create",
      "products create",
      "products update",
      "shipnow create",
      "shipping create",
      "variants create",
      "variants update",
    ]
  `);
});

it.each(operations.map((operation) => [operation.command, operation] as const))(
  '%s refuses the same values at the same fields, one record at a time and in a batch',
  async (command, operation) => {
    const { run, directory } = await shopWorld();
    const schema = jsonSchema(operation.request);
    const whole = wholes[command] ?? (sample(schema) as object);
    const columns = scalars(schema);
    const values = columns.flatMap((column, index) =>
      fc
        .sample(written(column.schema, column.path.at(-1) ?? ''), { numRuns: valuesPerField, seed: index + 7 })
        .map((value) => ({ column, value })),
    );
    const file = join(directory, 'rows.jsonl');
    const single = join(directory, 'one.json');
    writeFileSync(single, JSON.stringify(whole));
    // Each row is a record of its own, so that no two of them are the same one.
    const rows = values.map(({ column, value }, index) => {
      const own = operation.effect === 'update' ? { ...whole, id: String(1000 + index) } : whole;
      return JSON.stringify(withAt(own, column.path, value));
    });
    writeFileSync(file, `${rows.join('\n')}\n`);
    const planned = await run(['batch', 'plan', file, '--do', command, '--profile', 'shop', '-o', 'json']);
    const bad = new Map<number, string[]>();
    for (const cell of pathsIn(planned.stderr)) {
      const [, line = '', path = ''] = /^line (\d+)(?:, (.*))?$/.exec(cell) ?? [];
      bad.set(Number(line), [...(bad.get(Number(line)) ?? []), path]);
    }
    const differing: string[][] = [];
    for (const [index, { column, value }] of values.entries()) {
      const one = await run([
        ...command.split(' '),
        '--input',
        single,
        flagOf(column, value),
        ...['--dry-run', '--yes', '--profile', 'shop', '-o', 'json'],
      ]);
      const told = [...new Set(pathsIn(one.stderr))].sort();
      const batch = bad.get(index + 1) ?? [];
      const what = `${command} ${flagOf(column, value)}`;
      const seen = (exit: number, paths: readonly string[]) => `${what}: exit ${exit}, ${paths.join(' ')}`;
      differing.push(
        ...[[seen(batch.length > 0 ? 2 : 0, [...new Set(batch)].sort()), seen(one.exit, told)]].filter(
          ([inBatch, alone]) => inBatch !== alone,
        ),
      );
    }
    expect(differing).toEqual([]);
  },
  120_000,
);

import { describe, expect, it } from 'vitest';
import { loadTree } from '../../src/cli/tree/tree.ts';
import { testMachine } from '../support/context.ts';
import { scripted } from '../support/scripted-transport.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
}

const { commands } = await loadTree();
const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'];

/** The paths of a schema that say nothing of what may stand there. */
function unsaid(schema: Schema, path: string): string[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description === undefined || field.description === '' ? [`${path}.${name} has no description`] : []),
    ...unsaid(field, `${path}.${name}`),
  ]);
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((option) => unsaid(option, path));
  return [
    ...(schema.type !== undefined && types.includes(schema.type) ? [] : [`${path} has no type`]),
    ...inner,
    ...(schema.items === undefined ? [] : unsaid(schema.items, `${path}[]`)),
  ];
}

/** The paths of the objects of a schema whose fields are not told. */
function untold(schema: Schema, path: string): string[] {
  const { type, properties, items, additionalProperties, anyOf = [] } = schema;
  const within = Object.entries(properties ?? {}).flatMap(([name, field]) => untold(field, `${path}.${name}`));
  const isBare = type === 'object' && properties === undefined && additionalProperties === undefined;
  return [
    ...(isBare ? [path] : []),
    ...within,
    ...(items === undefined ? [] : untold(items, `${path}[]`)),
    ...anyOf.flatMap((option) => untold(option, path)),
  ];
}

/** What is a record of any operation, or of none. */
const anything: Readonly<Record<string, readonly string[]>> = {
  api: ['output'],
  'batch find': ['output[].sheet'],
  'batch rows': ['output[].sheet'],
  'sandbox log': ['output[].request', 'output[].response'],
};

describe('schema COMMAND', () => {
  it.each(commands.map(({ command, ...data }) => [command, data] as const))(
    'gives what it takes and what it gives: %s',
    async (command, { flags }) => {
      const { exit, stdout } = await testMachine(scripted().transport).run(['schema', ...command.split(' ')]);
      expect(exit).toBe(0);
      const given = JSON.parse(stdout);
      expect(given).toMatchObject({
        command,
        input: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
      });
      expect(unsaid(given.input, 'input')).toEqual([]);
      // What shows nothing says so by null, and not by a schema that takes anything.
      if (given.output !== null) expect(unsaid(given.output, 'output')).toEqual([]);
      const bare = [...untold(given.input, 'input'), ...untold(given.output ?? {}, 'output')];
      expect(bare).toEqual(anything[command] ?? []);
      // An operation's schema is of the wire; what the command line adds to its lists is not part of that.
      if (given.operation !== null) return;
      const taken = flags.flatMap(({ field }) => field?.split('.')[0] ?? []);
      expect(Object.keys(given.input.properties)).toEqual(expect.arrayContaining(taken));
    },
  );

  it.each([
    ['ship', 'input.properties.order'],
    ['quote', 'input.properties.order.items'],
    ['totals fill', 'output.items'],
  ])("%s tells an order's fields, of which none must be there", async (command, query) => {
    const { stdout } = await testMachine(scripted().transport).run(['schema', ...command.split(' '), '--query', query]);
    const order = JSON.parse(stdout);
    expect(order.properties.lines.items.properties.quantity).toMatchObject({ type: 'integer', unit: 'items' });
    expect(order.properties.shipping.properties.pickup_address.properties.phone.type).toBe('string');
    expect(stdout).not.toContain('"required"');
  });
});

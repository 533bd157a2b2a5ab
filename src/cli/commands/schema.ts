import { findOperation } from '../../contract/areas.ts';
import { type JsonSchema, jsonSchema } from '../../contract/json-schema.ts';
import type { Operation } from '../../contract/operation.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import type { Group, Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { groups } from '../groups.ts';
import { beforeSending } from '../printing.ts';
import { UsageError } from '../usage-error.ts';

const view: View = {
  columns: ['command', 'operation', 'input', 'output'].map((path) => ({ path })),
  name: 'operation',
};

const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' } as const;

const documented = (schema: JsonSchema) => ({ ...dialect, ...schema });

function unknown(words: readonly string[], known: readonly string[]): UsageError {
  const near = nearestName(words.join(' '), known);
  const hint = near === undefined ? `one of: ${known.join(', ')}` : `did you mean \`shopctl schema ${near}\`?`;
  return new UsageError(`there is no command ${JSON.stringify(words.join(' '))} that calls an operation`, { hint });
}

/** The operations of the command that the words name. */
async function operationsOf(words: readonly string[]): Promise<Operation[]> {
  const [group = '', ...rest] = words;
  const entry = groups.find(({ name }) => name === group);
  if (entry === undefined)
    throw unknown(
      words,
      groups.map(({ name }) => name),
    );
  const calling = (await entry.load()).commands.filter(({ operations = [] }) => operations.length > 0);
  const command = calling.find((candidate) => candidate.words.join(' ') === rest.join(' '));
  if (command === undefined)
    throw unknown(
      words,
      calling.map((candidate) => [group, ...candidate.words].join(' ')),
    );
  const found = await Promise.all((command.operations ?? []).map(findOperation));
  return found.filter((operation) => operation !== undefined);
}

/** One operation: the one named by its id, else the command's of the family in force. */
async function operationOf({ session, given }: Invocation): Promise<Operation> {
  const words = given.arguments.flatMap((argument) => argument.split(/\s+/)).filter((word) => word !== '');
  const [first = ''] = words;
  const named = first.includes('/') ? await findOperation(first) : undefined;
  if (named !== undefined) return named;
  const operations = await operationsOf(words);
  const chosen = session.choose(operations);
  const family = chosen.id.split('.')[0];
  const alike = operations.filter(({ id }) => id.startsWith(`${family}.`));
  if (alike.length === 1) return chosen;
  throw new UsageError(`${words.join(' ')} calls several operations`, {
    hint: `name one: ${alike.map(({ id }) => `shopctl schema ${id}`).join(', ')}`,
  });
}

async function run(invocation: Invocation): Promise<Result> {
  const listed = await beforeSending(invocation.context, invocation.session, view);
  if (listed !== undefined) return listed;
  const { id, command, request, response } = await operationOf(invocation);
  const value = {
    command,
    operation: id,
    input: documented(jsonSchema(request)),
    output: documented(jsonSchema(response)),
  };
  return { document: { kind: 'record', value, view }, defaultFormat: 'json' };
}

/** `shopctl schema`: what a command's operation takes and answers, as JSON Schema. */
export const group: Group = {
  commands: [
    {
      words: [],
      summary: 'Print the JSON Schema of what a command sends and gets',
      description:
        'Where both families offer the operation, --as chooses. Fields that are not required may be null; a `unit` tells what a number counts.',
      arguments: [
        {
          name: 'command',
          description: 'a command, for example orders create, or the id of an operation',
          required: true,
          variadic: true,
        },
      ],
      examples: [
        'shopctl schema orders create',
        'shopctl schema shipping create --as shop --query input',
        'shopctl schema shop.Order/ListOrders --query output',
      ],
      run,
    },
  ],
};

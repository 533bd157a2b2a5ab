import * as z from 'zod';
import { action, silence } from '../../action/action.ts';
import { type Consequences, consequences, type Declared } from '../../action/declared.ts';
import { consequencesOf } from '../../action/effects.ts';
import type { Ports, UserInterface } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { findOperation } from '../../contract/areas.ts';
import type { Operation } from '../../contract/operation.ts';
import { fullSchema } from '../../contract/schema/json-schema.ts';
import { saidBy } from '../../contract/schema/rules.ts';
import { list, text } from '../../contract/schema/scalars.ts';
import type { Schema } from '../../contract/schema/structure.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { actionOf } from './derive.ts';
import { say } from './texts.ts';

const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' } as const;

const documented = async (schema: Schema) => ({ ...dialect, ...(await fullSchema(schema)) });

/** What the checks ask of a request besides, as far as a schema can say it. */
const ruled = ({ rules }: Operation) => {
  const parts = saidBy(rules);
  return parts.length === 0 ? {} : { allOf: parts };
};

interface Described extends Consequences {
  readonly command: string;
  readonly operation: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>> | null;
}

/** The wire format of an operation. */
async function ofOperation(operation: Operation, action: Declared): Promise<Described> {
  const { id, command, request, response } = operation;
  return {
    command,
    operation: id,
    ...consequencesOf([action], [operation]),
    input: { ...(await documented(request)), ...ruled(operation) },
    output: await documented(response),
  };
}

/** The input and output of one of our actions. */
async function ofAction(action: Declared): Promise<Described> {
  const { words, input, output, operations = [] } = action;
  const known = await Promise.all(operations.map(findOperation));
  return {
    command: words.join(' '),
    operation: null,
    ...consequencesOf(
      [action],
      known.filter((operation) => operation !== undefined),
    ),
    input: await documented(input),
    output: output === silence ? null : await documented(output),
  };
}

/** The actions that the words name; throws a Refusal `command_unknown` with the most likely command. */
async function actionsNamed(words: readonly string[], ui: UserInterface): Promise<readonly Declared[]> {
  const [group = ''] = words;
  const actions = await ui.actionsOf(group);
  const named = actions.filter((candidate) => candidate.words.join(' ') === words.join(' '));
  if (named.length > 0) return named;
  const meantGroup = actions.length > 0 ? group : nearestName(group, ui.groups());
  const ofGroup = actions.length > 0 || meantGroup === undefined ? actions : await ui.actionsOf(meantGroup);
  const commands = ofGroup.map((candidate) => candidate.words.join(' '));
  const known = commands.length > 0 ? commands : ui.groups();
  const near = nearestName([meantGroup ?? group, ...words.slice(1)].join(' '), known);
  throw new Refusal('command_unknown', say().noCommand({ words: JSON.stringify(words.join(' ')) }), {
    facts: { known: [...new Set(known)], ...(near === undefined ? {} : { near }) },
  });
}

/** The requested subject: an operation by its id, otherwise the command's action for the family in force. */
async function meant(words: readonly string[], { ui, settings }: Ports): Promise<Described> {
  const [first = ''] = words;
  const named = first.includes('/') ? await findOperation(first) : undefined;
  if (named !== undefined) {
    const actions = await ui.actionsOf(named.command.split(' ')[0] ?? '');
    return ofOperation(named, actions.find(({ id }) => id === named.id) ?? actionOf(named));
  }
  const actions = await actionsNamed(words, ui);
  const family = settings.as?.value ?? 'partner';
  const chosen = actions.find(({ id }) => id.startsWith(`${family}.`)) ?? actions[0];
  if (chosen === undefined) throw new TypeError('a command without an action');
  const operation = await findOperation(chosen.id);
  return operation === undefined ? ofAction(chosen) : ofOperation(operation, chosen);
}

const schema = action({
  id: 'schema',
  words: ['schema'],
  summary: 'Print the JSON Schema of a command, and what it does',
  description:
    'For an operation of the service, it is what goes over the wire. Where both families offer it, --as chooses. Fields that are not required may be null; a `unit` tells what a number counts.',
  examples: [
    'shopctl schema orders create',
    'shopctl schema shipping create --as shop --query input',
    'shopctl schema sandbox advance',
    'shopctl schema shop.Order/ListOrders --query output',
  ],
  effect: 'read',
  needs: [],
  input: z.object({
    command: list(text('A word'), 'a command, for example orders create, or the id of an operation'),
  }),
  output: z.object({
    command: text('Its words'),
    operation: z.nullable(text('Id of the operation; null where the command is not an operation of the service')),
    ...consequences,
    input: z.looseObject({}).meta({ description: 'Schema of what it takes' }),
    output: z.nullable(z.looseObject({})).meta({ description: 'Schema of what it gives; null where it gives nothing' }),
  }),
  view: {
    columns: ['command', 'operation', 'effect', 'undo', 'confirm', 'input', 'output'].map((path) => ({ path })),
    name: 'operation',
  },
  format: 'json',
  positional: ['command'],
  hints: { command: { offers: 'commands' } },
  run: ({ command }, ports) =>
    meant(
      command.flatMap((word) => word.split(/\s+/)).filter((word) => word !== ''),
      ports,
    ),
});

/** The input and output of a command, as JSON Schema. */
export const actions = [schema];

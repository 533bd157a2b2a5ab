import type { Action } from '../actions/action.ts';
import { actionsOfAreas } from '../actions/operations/derive.ts';
import { viewOf } from '../actions/operations/views.ts';
import { loadOperation } from '../contract/areas.ts';
import { jsonSchema } from '../contract/json-schema.ts';
import type { Command, Group, Invocation, Result } from './command.ts';
import { sendCreate, withExternalId } from './create.ts';
import { examplesOf } from './examples.ts';
import { beforeSending } from './how-to-print.ts';
import { commandsOf } from './interpret/command.ts';
import { readInput } from './interpret/input.ts';
import { previewOf } from './preview.ts';
import { skeletonResult } from './skeleton.ts';

/** A create that can be settled, which the command line still sends by a way of its own. */
async function create(action: Action, invocation: Invocation): Promise<Result> {
  const { session, given, context } = invocation;
  const operation = await loadOperation(action.id);
  if (given.flags.skeleton === true) return skeletonResult(jsonSchema(operation.request), invocation, action.words);
  const listed = await beforeSending(context, session, viewOf(operation));
  if (listed !== undefined) return listed;
  const { input } = await readInput({ ...action, check: (draft) => draft }, invocation);
  return (
    (await previewOf(invocation, operation, withExternalId(invocation, input))) ??
    sendCreate(invocation, operation, input)
  );
}

async function withOwnCreate(command: Command, actions: readonly Action[]): Promise<Command> {
  const own = actions.filter(({ id }) => command.operations?.some((operation) => operation === id));
  const settled = await Promise.all(own.map(async ({ id }) => (await loadOperation(id)).settlement !== undefined));
  if (!settled.includes(true)) return command;
  const run = (invocation: Invocation) => {
    const family = invocation.session.settings.as?.value ?? 'partner';
    const action = own.find(({ id }) => id.startsWith(`${family}.`)) ?? own[0];
    return action === undefined ? command.run(invocation) : create(action, invocation);
  };
  return { ...command, run };
}

/** The commands of a group, made from the operations of some areas that have their home there. */
export async function groupOfAreas(group: string, areas: readonly string[]): Promise<Group> {
  const actions = await actionsOfAreas(group, areas);
  const commands = commandsOf(actions).map((command) => ({
    ...command,
    examples: examplesOf([group, ...command.words].join(' ')),
  }));
  return { commands: await Promise.all(commands.map((command) => withOwnCreate(command, actions))) };
}

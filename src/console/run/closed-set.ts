import type { Action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { jsonSchema } from '../../contract/schema/json-schema.ts';
import { structureOf } from '../../contract/schema/structure.ts';
import { listFileFormats } from '../../operations/actions/list-to-file.ts';
import type { ActionData, Shape } from '../wire.ts';
import { asidesOf, choiceOf, downloadOf, formOf } from './form.ts';

/** Whether an action changes nothing, neither at the service nor here. */
export const reads = ({ effect }: Pick<Action, 'effect'>) => effect === 'read';

/** What an action returns. */
export function shapeOf({ output }: Action): Shape {
  const { kind } = structureOf(output);
  if (kind === 'list') return 'list';
  return kind === 'record' || kind === 'map' ? 'record' : 'nothing';
}

/** Whether the service of the profile is a sandbox of this machine. */
async function isSandbox({ sandboxes, settings }: Ports): Promise<boolean> {
  const meant = await sandboxes.meant();
  return meant !== undefined && meant.base_url === settings.baseUrl?.value;
}

const isOffered = (action: Action, { settings }: Ports) =>
  action.page !== undefined && (!settings.readOnly.value || reads(action));

const needsSandbox = ({ needs }: Action) => needs.includes('sandbox');

/**
 * The actions that may be run from a page: those that declare it, without writes in read-only mode, and without the
 * sandbox's where the service is not one.
 */
export async function closedSet(actions: readonly Action[], ports: Ports): Promise<readonly Action[]> {
  const sandbox = await isSandbox(ports);
  return actions.filter((action) => isOffered(action, ports) && (sandbox || !needsSandbox(action)));
}

/** Whether an action is of that closed set. */
export async function mayRun(action: Action, ports: Ports): Promise<boolean> {
  return isOffered(action, ports) && (!needsSandbox(action) || (await isSandbox(ports)));
}

const known = new WeakMap<Action, ActionData>();

/** An action as data, without its input; what it declares never changes. */
export function dataOf(action: Action): ActionData {
  const data = known.get(action) ?? read(action);
  known.set(action, data);
  return data;
}

function read(action: Action): ActionData {
  const { id, words, summary, description, positional = [], page } = action;
  const [group, ...rest] = words;
  const { schema, uploads } = formOf(action);
  const download = downloadOf(action);
  const shape = shapeOf(action);
  const choice = choiceOf(action);
  const { about, beside } = typeof page === 'object' ? page : {};
  return {
    id,
    group,
    words: rest,
    summary,
    ...(description === undefined ? {} : { description }),
    reads: reads(action),
    destructive: action.destructive === true,
    creates: action.effect === 'create' || (uploads.length > 0 && !reads(action)),
    shape,
    positional,
    required: schema.required ?? [],
    uploads,
    ...(about === undefined ? {} : { about }),
    ...(beside === undefined ? {} : { beside }),
    ...(choice === undefined ? {} : { choice }),
    asides: asidesOf(action),
    formats: download?.formats ?? (shape === 'list' ? listFileFormats : []),
    isFile: download !== undefined && (jsonSchema(action.input).required ?? []).includes(download.field),
  };
}

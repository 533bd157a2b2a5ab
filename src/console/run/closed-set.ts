import type { Action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { invalidInput } from '../../client/refusal.ts';
import { labels } from '../../contract/labels.ts';
import type { Hint, PageField } from '../../contract/schema/hint.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import { structureOf } from '../../contract/schema/structure.ts';
import type { Fields } from '../../domain/json/values.ts';
import { listFileFormats } from '../../operations/actions/list-to-file.ts';
import { say } from '../texts.ts';
import type { ActionData, FormData, Shape } from '../wire.ts';

const hintsOf = ({ hints }: Action): Readonly<Record<string, Hint | undefined>> => hints ?? {};

const pageOf = (action: Action, name: string): PageField | undefined => {
  const hints = hintsOf(action);
  return Object.hasOwn(hints, name) ? hints[name]?.page : undefined;
};

const isObject = (page: PageField | undefined) => (typeof page === 'object' ? page : undefined);

/** The field that names a file to write, and the formats of such a file; undefined if the action writes none. */
export function downloadOf(
  action: Action,
): { readonly field: string; readonly formats: readonly string[] } | undefined {
  const [found] = Object.keys(hintsOf(action)).flatMap((field) => {
    const page = isObject(pageOf(action, field));
    return page !== undefined && 'download' in page ? [{ field, formats: page.download }] : [];
  });
  return found;
}

/** The fields with a hint: those that ask for something else about the same input, or name the same record. */
const hinted = (action: Action, which: 'aside' | 'alias'): readonly string[] =>
  Object.entries(hintsOf(action)).flatMap(([name, hint]) => (hint?.[which] === true ? [name] : []));

/** A field as a page offers it; undefined if it does not. */
function offered(action: Action, name: string, field: JsonSchema): JsonSchema | undefined {
  const page = pageOf(action, name);
  if (page === 'never' || hinted(action, 'aside').includes(name)) return undefined;
  if (typeof page !== 'object') return field;
  return 'values' in page ? { ...field, enum: page.values } : undefined;
}

/** The input of an action for a form: without what a page never gives. */
export function formOf(action: Action): FormData {
  const schema = jsonSchema(action.input);
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = offered(action, name, field);
    return own === undefined ? [] : [[name, own] as const];
  });
  const properties = Object.fromEntries(fields);
  const required = (schema.required ?? []).filter((name) => Object.hasOwn(properties, name));
  const uploads = fields.map(([name]) => name).filter((name) => pageOf(action, name) === 'upload');
  return { schema: { ...schema, properties, required }, uploads };
}

/** A form whose fields are labelled and explained in the language of the page. */
export const spokenForm = ({ schema, ...rest }: FormData): FormData => ({ schema: spokenField(schema), ...rest });

function spokenField(field: JsonSchema, name?: string): JsonSchema {
  const { description, properties, items } = field;
  const title = name === undefined ? undefined : say().label(name, description);
  const inner = Object.entries(properties ?? {}).map(([each, schema]) => [each, spokenField(schema, each)] as const);
  return {
    ...field,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description: labels().sentence(description) }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(inner) }),
    ...(items === undefined ? {} : { items: spokenField(items) }),
  };
}

/** The field that chooses among a few things to read, if nothing else is required: each is shown by itself. */
function choiceOf(action: Action): { readonly field: string; readonly values: readonly string[] } | undefined {
  const { required: [field, ...others] = [], properties = {} } = formOf(action).schema;
  const values = field === undefined ? undefined : properties[field]?.enum;
  return !reads(action) || field === undefined || values === undefined || others.length > 0
    ? undefined
    : { field, values };
}

/** Throws a Refusal if an input names a file of this machine, or gives what a page never gives. */
export function refusePaths(action: Action, input: Fields): void {
  const given = Object.keys(input).filter((name) => {
    const page = pageOf(action, name);
    return page === 'upload' || page === 'never' || (page !== undefined && 'download' in Object(page));
  });
  if (given.length === 0) return;
  throw invalidInput(given.map((path) => ({ path, message: say().given.notFromPage })));
}

/** The input with the paths of files that a page has sent. Throws a Refusal for a field that takes none. */
export function withUploads(action: Action, input: Fields, files: Readonly<Record<string, readonly string[]>>): Fields {
  const { properties = {} } = jsonSchema(action.input);
  const paths = Object.entries(files).map(([name, values]): readonly [string, unknown] => {
    if (pageOf(action, name) !== 'upload') throw invalidInput([{ path: name, message: say().given.noFile }]);
    return [name, properties[name]?.type === 'array' ? values : values[0]];
  });
  return { ...input, ...Object.fromEntries(paths) };
}

/** Whether an action changes nothing, neither at the service nor here, or stores only what it found. */
export const reads = ({ effect, page }: Pick<Action, 'effect' | 'page'>) =>
  effect === 'read' || (typeof page === 'object' && page.isLook === true);

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
  action.page !== undefined && (settings.readOnly.value === false || reads(action));

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

/** An action as data, without its input; what it declares never changes, and is said in the language of the page. */
export function dataOf(action: Action): ActionData {
  const data = known.get(action) ?? read(action);
  known.set(action, data);
  const { summary, description, tells } = data;
  return {
    ...data,
    summary: labels().sentence(summary),
    ...(description === undefined ? {} : { description: labels().sentence(description) }),
    ...(tells === undefined
      ? {}
      : { tells: { ...tells, title: Object.keys(tells.given).map(say().telling).join(', ') } }),
  };
}

function read(action: Action): ActionData {
  const { id, words, summary, description, positional = [], page } = action;
  const [group, ...rest] = words;
  const { schema, uploads } = formOf(action);
  const download = downloadOf(action);
  const shape = shapeOf(action);
  const choice = choiceOf(action);
  const { about, aboutWith, beside, tells } = typeof page === 'object' ? page : {};
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
    ...(aboutWith === undefined ? {} : { aboutWith }),
    ...(beside === undefined ? {} : { beside }),
    ...(tells === undefined ? {} : { tells: { ...tells, title: '' } }),
    aliases: hinted(action, 'alias'),
    ...(choice === undefined ? {} : { choice }),
    asides: hinted(action, 'aside'),
    formats: download?.formats ?? (shape === 'list' ? listFileFormats : []),
    isFile: download !== undefined && (jsonSchema(action.input).required ?? []).includes(download.field),
  };
}

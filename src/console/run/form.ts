import type { Action } from '../../action/action.ts';
import { invalidInput } from '../../client/connection.ts';
import type { Hint, PageField } from '../../contract/schema/hint.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import type { FormData } from '../wire.ts';

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

/** The flags that ask for something else about the same input. */
export const asidesOf = (action: Action): readonly string[] =>
  Object.entries(hintsOf(action)).flatMap(([name, hint]) => (hint?.aside === true ? [name] : []));

/** A field as a page offers it; undefined if it does not. */
function offered(action: Action, name: string, field: JsonSchema): JsonSchema | undefined {
  const page = pageOf(action, name);
  if (page === 'never' || asidesOf(action).includes(name)) return undefined;
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

/** The field that chooses among a few things to read, if nothing else is required: each is shown by itself. */
export function choiceOf(action: Action): { readonly field: string; readonly values: readonly string[] } | undefined {
  const { required: [field, ...others] = [], properties = {} } = formOf(action).schema;
  const values = field === undefined ? undefined : properties[field]?.enum;
  return action.effect !== 'read' || field === undefined || values === undefined || others.length > 0
    ? undefined
    : { field, values };
}

/** Throws a Refusal if an input names a file of this machine, or gives what a page never gives. */
export function refusePaths(action: Action, input: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(input).filter((name) => {
    const page = pageOf(action, name);
    return page === 'upload' || page === 'never' || (page !== undefined && 'download' in Object(page));
  });
  if (given.length === 0) return;
  throw invalidInput(given.map((path) => ({ path, message: 'cannot be given from a page' })));
}

/** The input with the paths of files that a page has sent. Throws a Refusal for a field that takes none. */
export function withUploads(
  action: Action,
  input: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, unknown>> {
  const { properties = {} } = jsonSchema(action.input);
  const paths = Object.entries(files).map(([name, values]): readonly [string, unknown] => {
    if (pageOf(action, name) !== 'upload') throw invalidInput([{ path: name, message: 'takes no file' }]);
    return [name, properties[name]?.type === 'array' ? values : values[0]];
  });
  return { ...input, ...Object.fromEntries(paths) };
}

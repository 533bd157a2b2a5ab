import { labels } from '../../contract/labels.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { AMOUNT_UNIT, unitText } from '../../contract/schema/scalars.ts';
import { fieldsIn } from '../../domain/json/values.ts';
import { say } from '../errors/texts.ts';
import type { Flag, FlagType, Invocation, Result } from './command.ts';

/** A field name as a flag: kebab-case. */
export function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

function typeOf(schema: JsonSchema): FlagType {
  if (schema.type === 'array') return schema.items?.properties === undefined ? 'list' : 'objects';
  if (schema.properties !== undefined) return 'object';
  if (schema.type === 'object') return 'map';
  if (schema.format === 'int64') return 'id';
  if (schema.format === 'int64-list') return 'ids';
  return schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean' ? schema.type : 'string';
}

function describe(schema: JsonSchema): string {
  const unit = schema.unit === undefined ? '' : ` (${unitText(schema.unit)})`;
  return `${schema.description ?? ''}${unit}`;
}

function flagOf(schema: JsonSchema, path: readonly string[], required: boolean): Flag {
  const values = schema.enum ?? schema.items?.enum;
  const entries = schema.items?.properties ?? schema.properties;
  return {
    name: path.map(kebab).join('.'),
    type: typeOf(schema),
    description: describe(schema),
    path,
    required,
    ...(schema.type === 'integer' && schema.unit === AMOUNT_UNIT ? { amount: true } : {}),
    ...(schema.items !== undefined && (schema.items.enum ?? schema.items.format) !== undefined ? { commas: true } : {}),
    // `unknown` is a value for reading; nobody wants to send it.
    ...(values === undefined ? {} : { values: values.filter((value) => value !== '' && value !== 'unknown') }),
    ...(entries === undefined ? {} : { entries: fieldFlags(schema.items ?? schema, []) }),
  };
}

/** The flags of a request's fields, in the contract's order; an object gets its own flag, followed by its fields. */
export function fieldFlags(schema: JsonSchema, path: readonly string[] = []): Flag[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = [...path, name];
    const flag = flagOf(field, here, required.has(name));
    return field.properties === undefined ? [flag] : [flag, ...fieldFlags(field, here)];
  });
}

/** The flag that shows a skeleton, and the one that includes all fields in it. */
export const skeletonFlags = [
  { name: 'skeleton', type: 'boolean', description: 'print a request to fill in, as YAML; -o json for JSON' },
  {
    name: 'all-fields',
    type: 'boolean',
    description: 'with --skeleton -o json: also the fields that may be left out, as null, which is not sent',
  },
] as const;

/** Fields that must stay empty are not included. */
const fieldsOf = ({ properties = {} }: JsonSchema) =>
  Object.entries(properties).filter(([, field]) => field.maxItems !== 0);

/**
 * A JSON request to fill in: null in every required field, so that it is refused until they are filled in. Optional
 * fields are omitted, or null, which means the same: a field that is not filled in changes nothing.
 */
export function skeletonOf(schema: JsonSchema, allFields = false): unknown {
  const { properties, items, required = [] } = schema;
  if (properties !== undefined) {
    const fields = fieldsOf(schema).filter(([name]) => allFields || required.includes(name));
    return Object.fromEntries(
      fields.map(([name, field]) => [name, required.includes(name) ? openField(field, allFields) : null]),
    );
  }
  return items?.properties === undefined ? null : [skeletonOf(items, allFields)];
}

/** A record without required fields is null as a whole: an empty one would be sent. */
function openField(field: JsonSchema, allFields: boolean): unknown {
  const isOpen = field.properties !== undefined && (field.required ?? []).length === 0 && !allFields;
  return isOpen ? null : skeletonOf(field, allFields);
}

/** A line of YAML: its indentation, and the column of its comment if it is one. */
interface Line {
  readonly column: number;
  readonly commentAt: number | undefined;
  readonly text: string;
}

function noteOn({ description = '', unit, enum: values, items, type, additionalProperties }: JsonSchema): string {
  const known = (values ?? items?.enum)?.filter((value) => value !== '');
  return [
    labels().sentence(unit === undefined ? description : `${description} (${unitText(unit)})`),
    ...(known === undefined ? [] : [`(${known.join(', ')})`]),
    ...(type === 'array' && items?.properties === undefined ? [say().skeleton.list] : []),
    ...(additionalProperties === undefined ? [] : [say().skeleton.names]),
  ].join(' ');
}

/** The lines of a field; an optional field is commented out, starting at the field's column. */
function linesOfField(name: string, field: JsonSchema, column: number, commentAt: number | undefined): Line[] {
  const own = { column, commentAt, text: `${name}: # ${noteOn(field)}` };
  if (field.properties !== undefined) return [own, ...linesOf(field, column + 2, commentAt)];
  if (field.items?.properties === undefined) return [own];
  const [first, ...rest] = linesOf(field.items, column + 4, commentAt);
  return first === undefined ? [own] : [own, { ...first, column: first.column - 2, text: `- ${first.text}` }, ...rest];
}

function linesOf(
  schema: JsonSchema,
  column: number,
  commentAt: number | undefined,
  given: Readonly<Record<string, unknown>> = {},
): Line[] {
  const required = new Set(schema.required ?? []);
  return fieldsOf(schema).flatMap(([name, field]) => {
    // JSON is YAML; given values are sent unchanged.
    if (Object.hasOwn(given, name)) {
      return [{ column, commentAt, text: `${name}: ${JSON.stringify(given[name])} # ${noteOn(field)}` }];
    }
    const isNeeded = required.has(name);
    const lines = linesOfField(name, field, column, commentAt ?? (isNeeded ? undefined : column));
    if (commentAt === undefined || !isNeeded) return lines;
    return lines.map((line, index) =>
      index === 0 ? { ...line, text: `${line.text}; ${say().skeleton.needed}` } : line,
    );
  });
}

/**
 * A YAML request to fill in: required fields are left empty, so that it is refused until they are filled in; optional
 * fields are commented out, and given values are included. `title` says what it is for.
 */
export function skeletonText(schema: JsonSchema, title: string, given: Readonly<Record<string, unknown>> = {}): string {
  const lines = linesOf(schema, 0, undefined, given).map(({ column, commentAt, text }) => {
    if (commentAt === undefined) return `${' '.repeat(column)}${text}`;
    return `${' '.repeat(commentAt)}# ${' '.repeat(column - commentAt)}${text}`;
  });
  return `${[`# ${say().skeleton.title({ title })}`, ...lines].join('\n')}\n`;
}

/** The result of `--skeleton`: YAML, or JSON if that format is in force; includes the given part of the request. */
export function skeletonResult(
  schema: JsonSchema,
  invocation: Invocation,
  words: readonly string[],
  filled: Readonly<Record<string, unknown>>,
): Result {
  const { session, given } = invocation;
  const { value: format } = session.settings.output;
  const allFields = given.flags['all-fields'] === true;
  if (format !== 'json' && format !== 'jsonl' && !allFields) {
    return { document: { kind: 'text', text: skeletonText(schema, `shopctl ${words.join(' ')}`, filled) } };
  }
  return {
    document: {
      kind: 'record',
      value: { ...fieldsIn(skeletonOf(schema, allFields)), ...filled },
      view: { columns: [] },
    },
    defaultFormat: 'json',
  };
}

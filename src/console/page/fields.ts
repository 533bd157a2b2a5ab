import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { say } from './texts.ts';

/** One field of a flat form: a filter. */
export interface Filter {
  /** Dotted path in the input. */
  readonly path: string;
  readonly schema: JsonSchema;
}

/** Fields that say how much of a list is read: the page reads a hundred, then the next hundred. */
const EXTENT = new Set([
  'limit',
  'all',
  'page_size',
  'after',
  'before',
  'paging',
  'newest_first',
  'sandbox',
  'follow',
  'wait_ms',
]);

/** Filters that people look for first. */
const FIRST = ['match', 'status', 'state', 'since', 'until'];

const rank = ({ path }: Filter) => {
  const at = FIRST.findIndex((name) => path === name || path.endsWith(`_${name}`) || path.endsWith(`.${name}`));
  return at < 0 ? FIRST.length : at;
};

function leaves(schema: JsonSchema, prefix = ''): readonly Filter[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): readonly Filter[] => {
    const path = `${prefix}${name}`;
    if (prefix === '' && EXTENT.has(name)) return [];
    if (field.properties !== undefined) return leaves(field, `${path}.`);
    const isFlat = field.type !== 'object' && field.items?.properties === undefined;
    return isFlat ? [{ path, schema: field }] : [];
  });
}

/** The filters of a list, those that people look for first. */
export function filtersOf(schema: JsonSchema, fixed: readonly string[]): readonly Filter[] {
  const all = leaves(schema).filter(({ path }) => !fixed.includes(path));
  return [...all].sort((one, other) => rank(one) - rank(other));
}

/** A field's name for people, as its form has it or from its name. */
export const labelOf = (path: string, { title }: Pick<JsonSchema, 'title'> = {}) => {
  if (title !== undefined) return title;
  const words = path
    .replace(/^filter\./, '')
    .replaceAll(/[._]/g, ' ')
    .replace(/\btz\b/, 'time zone');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A label with the unit of its field, unless the label has one itself. */
export function measured(label: string, { unit }: Pick<JsonSchema, 'unit'>): string {
  // The contract does not name the one currency of its amounts.
  const shown = unit === 'currency units' ? '₫' : say().choice(unit ?? '');
  return shown === '' || label.endsWith(`(${shown})`) ? label : `${label} (${shown})`;
}

/** What a form calls the field at a path, with those that it stands in; undefined for one that the form does not have. */
function labelAt(path: string, controls: Controls): string | undefined {
  const [name = '', ...rest] = path.split(/[.[\]]+/).filter((part) => part !== '');
  const schema = Object.hasOwn(controls, name) ? controls[name] : undefined;
  if (schema === undefined) return undefined;
  const [index = ''] = rest;
  const isEntry = schema.items !== undefined && /^\d+$/.test(index);
  const label = isEntry ? `${labelOf(name, schema)} ${Number(index) + 1}` : labelOf(name, schema);
  const within = (isEntry ? rest.slice(1) : rest).join('.');
  if (within === '') return label;
  const inner = labelAt(within, (schema.items ?? schema).properties ?? {});
  return inner === undefined ? undefined : `${label} · ${inner}`;
}

/**
 * A text in which the fields of a form, those at fault and those that are meant by their flags, are called as the form does;
 * commands to copy keep them.
 */
export const namingControls = (text: string, controls: Controls, faults: readonly { readonly path: string }[] = []) =>
  text.replaceAll(
    /`[^`]*`|(?<![\w-])--[a-z][a-z-]*(?:\.[a-z\d-]+)*|(?<![\w-])[a-z_][a-z_\d]*(?:[.[\]]+\w+\]?)*/g,
    (found) => {
      const isFault = faults.some(({ path }) => path === found);
      const flag = found.startsWith('--') ? found.slice(2).replaceAll('-', '_') : undefined;
      const label = isFault || flag !== undefined ? labelAt(flag ?? found, controls) : undefined;
      return label === undefined ? found : `“${label}”`;
    },
  );

/** The fields of a form, by their names. */
export type Controls = Readonly<Record<string, JsonSchema>>;

/**
 * A text as a value of its field. A text that does not fit stays one, for the check to read or to report: 150.000 is no
 * number here, but an amount as people write it.
 */
export function readText(schema: JsonSchema, text: string): unknown {
  if (schema.type === 'array') {
    const items = schema.items ?? { type: 'string' };
    return text.split(/[,\n]/).map((part) => readText(items, part.trim()));
  }
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  const number = Number(text);
  if (schema.type === 'integer') return /^-?\d+$/.test(text) && Number.isSafeInteger(number) ? number : text;
  return schema.type === 'number' && text.trim() !== '' && Number.isFinite(number) ? number : text;
}

type Draft = Readonly<Record<string, unknown>>;

const partOf = (value: unknown): Draft => (typeof value === 'object' && value !== null ? { ...value } : {});

/** A draft with one value set, or taken out if it is undefined. */
export function withValue(draft: Draft, path: readonly string[], value: unknown): Draft {
  const [head = '', ...rest] = path;
  const { [head]: old, ...others } = draft;
  const inner = rest.length === 0 ? value : withValue(partOf(old), rest, value);
  const isNothing = inner === undefined || (rest.length > 0 && Object.keys(partOf(inner)).length === 0);
  return isNothing ? others : { ...others, [head]: inner };
}

/** The input that the texts of filters make. */
export function inputOf(schema: JsonSchema, texts: Readonly<Record<string, string>>): Draft {
  const known = new Map(leaves(schema).map((filter) => [filter.path, filter.schema]));
  return Object.entries(texts).reduce<Draft>((input, [path, text]) => {
    const field = known.get(path);
    return withValue(input, path.split('.'), field === undefined ? text : readText(field, text));
  }, {});
}

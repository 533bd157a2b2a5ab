import * as z from 'zod';

export type Schema = z.core.$ZodType;

/** The structure of one layer of a declared schema. */
export type Structure =
  /** `isPlain` if it has no rule besides those of its fields. */
  | {
      readonly kind: 'record';
      readonly fields: Readonly<Record<string, Schema>>;
      readonly isPlain: boolean;
      /** The fields that may be neither absent nor null. */
      readonly required: readonly string[];
    }
  | { readonly kind: 'list'; readonly item: Schema; readonly bounds: Bounds }
  | { readonly kind: 'map'; readonly values: Schema }
  | { readonly kind: 'name'; readonly values: readonly string[] }
  | {
      readonly kind: 'scalar';
      readonly type: string;
      readonly whole: boolean;
      readonly fits: Fits;
      /** What a value that can be taken must be like besides, to be as the contract says. */
      readonly isFaithful?: Fits;
      /** The alternatives of a union. */
      readonly options?: readonly Schema[];
    }
  /** "This or null", "this or nothing", "this by default". */
  | { readonly kind: 'around'; readonly inner: Schema; readonly otherwise?: unknown };

/** Whether a value certainly matches the scalar and can be taken unchanged; the schema judges any other. */
export type Fits = (given: unknown) => boolean;

const isText: Fits = (given) => typeof given === 'string';
const isSwitch: Fits = (given) => typeof given === 'boolean';
const isWhole: Fits = (given) => Number.isSafeInteger(given);
/** Digits that are certainly a 64-bit id; the schema judges those near the maximum. */
const isCommonId: Fits = (given) => typeof given === 'string' && /^(?:[1-9]\d{0,17}|[1-8]\d{18})$/.test(given);
const never: Fits = () => false;

const MOMENT = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/;

/** A date with a time and its zone, which is how the contract writes moments; any text can be read as one. */
const isMoment: Fits = (given) => typeof given === 'string' && MOMENT.test(given);

/** Most of a response is free text, booleans and integers, for each of which zod takes ten times as long. */
function fitsOf(def: ReturnType<typeof definitionOf>, reported: z.core.GlobalMeta | undefined): Fits {
  if (reported?.format === 'int64' && reported.type === 'string') return isCommonId;
  if ('checks' in def && def.checks !== undefined && def.checks.length > 0) return never;
  if (def.type === 'boolean') return isSwitch;
  if (def.type === 'string') return 'format' in def ? never : isText;
  return def.type === 'number' && 'format' in def && def.format === 'safeint' ? isWhole : never;
}

/** Minimum and maximum length of a list. */
export interface Bounds {
  readonly minItems?: number;
  readonly maxItems?: number;
}

function boundsOf({ checks = [] }: z.core.$ZodArrayDef): Bounds {
  const bounds: { minItems?: number; maxItems?: number } = {};
  for (const check of checks) {
    const { def } = check._zod;
    if ('minimum' in def && typeof def.minimum === 'number') bounds.minItems = def.minimum;
    if ('maximum' in def && typeof def.maximum === 'number') bounds.maxItems = def.maximum;
  }
  return bounds;
}

const known = new WeakMap<Schema, Structure>();

/**
 * The only place that inspects a schema. Readers and plain data are built from its result and not from further schemas,
 * since a command reads one response and exits: creating schemas costs more than everything it reads.
 */
export function structureOf(schema: Schema): Structure {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const structure = structureFrom(schema);
  known.set(schema, structure);
  return structure;
}

/** Zod's own schemas are the only ones that are declared with. */
const definitionOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

function structureFrom(schema: Schema): Structure {
  const def = definitionOf(schema);
  switch (def.type) {
    case 'object':
      return {
        kind: 'record',
        fields: def.shape,
        isPlain: (def.checks ?? []).length === 0,
        required: Object.entries(def.shape).flatMap(([name, { _zod }]) => (_zod.def.type === 'optional' ? [] : [name])),
      };
    case 'array':
      return { kind: 'list', item: def.element, bounds: boundsOf(def) };
    case 'record':
      return { kind: 'map', values: def.valueType };
    case 'enum':
      return { kind: 'name', values: Object.values(def.entries).map(String) };
    case 'optional':
    case 'nullable':
      return { kind: 'around', inner: def.innerType };
    case 'default':
      return { kind: 'around', inner: def.innerType, otherwise: def.defaultValue };
    default:
      return scalarFrom(schema);
  }
}

function scalarFrom(schema: Schema): Structure {
  const def = definitionOf(schema);
  const reported = z.globalRegistry.get(schema);
  return {
    kind: 'scalar',
    type: def.type,
    whole: def.type === 'number' && 'format' in def,
    fits: fitsOf(def, reported),
    ...(reported?.format === 'date-time' ? { isFaithful: isMoment } : {}),
    ...(def.type === 'union' ? { options: def.options } : {}),
  };
}

/** Whether a required field is absent or null. */
export function lacks(required: readonly string[], given: Readonly<Record<string, unknown>>): boolean {
  return required.some((name) => (Object.hasOwn(given, name) ? (given[name] ?? null) : null) === null);
}

/** Whether an entry of a list or map can be read although it is null: a text, a number, an id, but no object. */
export function mayBeNull(entry: Schema): boolean {
  const { kind } = structureOf(entry);
  return kind === 'scalar' || kind === 'name';
}

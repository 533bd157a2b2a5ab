import type * as z from 'zod';

export type Schema = z.core.$ZodType;

/** How one layer of a declared schema is built. */
export type Structure =
  | { readonly kind: 'record'; readonly fields: Readonly<Record<string, Schema>> }
  | { readonly kind: 'list'; readonly item: Schema; readonly bounds: Bounds }
  | { readonly kind: 'map'; readonly values: Schema }
  | { readonly kind: 'name'; readonly values: readonly string[] }
  | { readonly kind: 'scalar'; readonly type: string; readonly whole: boolean }
  /** "This or null", "this or nothing", "this unless given". */
  | { readonly kind: 'around'; readonly inner: Schema; readonly otherwise?: unknown };

/** How many items a list may have. */
export interface Bounds {
  readonly minItems?: number;
  readonly maxItems?: number;
}

function boundsOf({ checks = [] }: z.core.$ZodArrayDef): Bounds {
  const bounds: { minItems?: number; maxItems?: number } = {};
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    if (def.check === 'min_length') bounds.minItems = def.minimum;
    if (def.check === 'max_length') bounds.maxItems = def.maximum;
  }
  return bounds;
}

/**
 * The only place that looks into a schema. Readers and the plain data are made from what it says and not from further
 * schemas, for a command reads one answer and ends: making schemas costs it more than all that they read.
 */
export function structureOf(schema: Schema): Structure {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return { kind: 'record', fields: def.shape };
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
      return { kind: 'scalar', type: def.type, whole: def.type === 'number' && 'format' in def };
  }
}

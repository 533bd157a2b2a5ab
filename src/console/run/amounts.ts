import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { AMOUNT_UNIT } from '../../contract/schema/scalars.ts';
import { isRecord } from '../../domain/json/value-at.ts';

/** The amounts of money in a request that are not zero, by the paths of their fields. */
export function amountsIn(schema: JsonSchema, value: unknown, path = ''): readonly (readonly [string, number])[] {
  if (Array.isArray(value)) {
    const items = schema.items ?? { type: 'object' };
    return value.flatMap((item, index) => amountsIn(items, item, `${path} ${index + 1}`));
  }
  if (!isRecord(value)) {
    return schema.unit === AMOUNT_UNIT && typeof value === 'number' && value !== 0 ? [[path.trim(), value]] : [];
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    Object.hasOwn(value, name) ? amountsIn(field, value[name], `${path} ${name.replaceAll('_', ' ')}`) : [],
  );
}

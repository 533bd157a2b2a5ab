import type { JsonSchema } from '../../src/contract/schema/json-schema.ts';

/** An answer with every field filled; enums have a value that the contract does not know. */
export function filledAnswer(schema: JsonSchema): unknown {
  if (schema.items !== undefined) return [filledAnswer(schema.items)];
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, filledAnswer(field)]));
  }
  if (schema.enum !== undefined) return 'a value of tomorrow';
  if (schema.format === 'int64') return '1234567890123456789';
  const values = { string: 'text', integer: 7, number: 1.5, boolean: true, array: [], object: { key: 'value' } };
  return values[schema.type];
}

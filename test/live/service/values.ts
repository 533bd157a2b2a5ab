import { enumerations, fieldsOf } from './tables.ts';

/** A JSON object. */
export type Fields = Record<string, unknown>;

/** How scalars are made: each turn another value. */
export interface Making {
  turn: number;
  /** Milliseconds of the first time. */
  readonly start: number;
}

/** An id of 19 digits that no floating-point number holds exactly. */
export const idOf = (turn: number) => String(1_234_567_890_123_450_001n + BigInt(turn) * 2n);

/** A value for a type of the tables, with everything in it set. */
export function madeValue(type: string, path: string, making: Making): unknown {
  making.turn += 1;
  const { turn, start } = making;
  const names = enumerations[type];
  if (names !== undefined) return names[turn % names.length];
  const fields = fieldsOf(type);
  if (fields !== undefined) return recordOf(type, path, making);
  switch (type) {
    case 'id':
      return idOf(turn);
    case 'int':
      return 1000 + turn;
    case 'float':
      return 21.5;
    case 'bool':
      return turn % 2 === 0;
    case 'time':
      return new Date(start + turn * 60_000).toISOString().replace('.000Z', 'Z');
    case 'map':
      return { key: `value ${turn}` };
    default:
      return `${path} ${turn}`;
  }
}

/** A record of the tables with every field set. */
export function recordOf(name: string, path: string, making: Making): Fields {
  const fields = fieldsOf(name) ?? [];
  return Object.fromEntries(
    fields.map(({ name: field, type, isList }) => {
      const place = path === '' ? field : `${path}.${field}`;
      if (type === 'none') return [field, []];
      // A product holds variants that hold no product: nothing here is endless.
      return [field, isList ? [madeValue(type, place, making)] : madeValue(type, place, making)];
    }),
  );
}

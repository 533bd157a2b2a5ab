import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { smallCash } from '../../domain/amounts/cash-on-delivery.ts';
import type { Fields } from '../../domain/json/values.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { type Field, fieldNamed, fieldNames } from '../fields.ts';
import { SheetError } from '../formats/sheet.ts';
import { say } from '../texts.ts';
import { readCell } from '../values.ts';
import type { Mapping } from './mapping.ts';

/** A field with the same value in every row; the value is as the request has it. */
export interface Constant {
  readonly path: Field['path'];
  readonly value: unknown;
}

/**
 * The constants of a mapping, read by the declarations of their fields. Throws a SheetError that names what is wrong.
 */
export function constantsOf(mapping: Mapping | undefined, schema: JsonSchema): readonly Constant[] {
  return Object.entries(mapping?.constants ?? {}).map(([name, given]) => {
    const field = fieldNamed(schema, name);
    if (field === undefined) {
      const message = say().column.noField({ nearest: nearestName(name, fieldNames(schema)) });
      throw new SheetError(say().mapping.constant({ name, message }));
    }
    const read = readCell(given, field.schema, field.path.at(-1) ?? '');
    if (read.kind !== 'value') {
      const message = read.kind === 'wrong' ? read.message : say().cell.blank;
      throw new SheetError(say().mapping.constant({ name, message }));
    }
    const small = typeof read.value === 'number' ? smallCash(name, read.value) : undefined;
    if (small !== undefined) throw new SheetError(say().mapping.constant({ name, message: small }));
    return { path: field.path, value: read.value };
  });
}

type Holder = Record<string, unknown>;

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

function filled(holder: Holder, [step = '', ...rest]: readonly string[], value: unknown): unknown {
  if (step === '*') {
    return Array.isArray(holder) ? holder.map((item) => (isHolder(item) ? filled(item, rest, value) : item)) : holder;
  }
  const inner = Object.hasOwn(holder, step) ? holder[step] : undefined;
  if (rest.length === 0) return inner === undefined ? { ...holder, [step]: value } : holder;
  // A list's entries come from the lines of the sheet: a constant adds none.
  if (inner === undefined && rest[0] === '*') return holder;
  if (inner !== undefined && !isHolder(inner)) return holder;
  return { ...holder, [step]: filled(inner ?? {}, rest, value) };
}

/** A record with its constants, where no cell says otherwise; those of a list's entries apply to each entry. */
export function withConstants(value: Fields, constants: readonly Constant[]): Fields {
  return constants.reduce<Holder>((at, constant) => filled(at, constant.path, constant.value) as Holder, value);
}

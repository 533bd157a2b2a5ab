import { fieldPath } from '../../contract/schema/hint.ts';
import type { JsonSchema } from '../../contract/schema/json-schema.ts';
import { type Fields, isRecord } from '../../domain/json/values.ts';
import type { RowWork } from '../../ledger/work.ts';
import type { CodeLookup, FoundBy, FoundKind, SourceRow } from '../../sheets/source-row.ts';
import { say } from '../texts.ts';
import { withOwnAmounts } from './own-amounts.ts';
import { withWholeAddresses } from './whole-address.ts';

type Path = readonly (string | number)[];

/** A field by which a row names a record, in place of its id. */
interface Finder {
  readonly name: string;
  readonly by: FoundBy;
}

/** An id, and the fields that find it. */
interface FoundId {
  readonly id: string;
  readonly of: FoundKind;
  readonly finders: readonly Finder[];
}

const kinds: readonly FoundKind[] = ['product', 'variant', 'customer'];

const described: Readonly<Record<FoundBy, (of: FoundKind) => string>> = {
  code: (of) => `Code${of === 'customer' ? '' : ' (SKU)'} of the ${of}, in place of its id`,
  external_id: (of) => `Id of the ${of} in your own system, in place of its id`,
  phone: (of) => `Phone number of the ${of}, in place of its id`,
};

/** What finds the record that a row changes; the service itself finds what is deleted by its code. */
function targetOf({ operation, resource, targets }: RowWork): readonly FoundId[] {
  const of = kinds.find((kind) => kind === resource.toLowerCase());
  if (of === undefined || !targets.includes('id')) return [];
  const finders: Finder[] = [
    { name: 'code', by: 'code' },
    { name: 'external_id', by: 'external_id' },
  ];
  const ofPhone: Finder[] = of === 'customer' ? [{ name: 'phone', by: 'phone' }] : [];
  return [{ id: 'id', of, finders: operation.effect === 'update' ? [...finders, ...ofPhone] : ofPhone }];
}

/** What finds the records that a row refers to, by the fields that hold their ids. */
function referencesIn({ properties = {} }: JsonSchema): readonly FoundId[] {
  return kinds.flatMap((of) => {
    if (properties[`${of}_id`] === undefined) return [];
    const ofPhone: Finder[] = of === 'customer' ? [{ name: 'customer_phone', by: 'phone' }] : [];
    const finders: Finder[] = [{ name: `${of}_code`, by: 'code' }, ...ofPhone];
    return [{ id: `${of}_id`, of, finders: finders.filter(({ name }) => properties[name] === undefined) }];
  });
}

function withFinders(schema: JsonSchema, target: readonly FoundId[] = []): JsonSchema {
  const { properties, items } = schema;
  if (items !== undefined) return { ...schema, items: withFinders(items) };
  if (properties === undefined) return schema;
  const own = [...target, ...referencesIn(schema)].flatMap(({ of, finders }) =>
    finders.map(({ name, by }) => [name, { type: 'string', description: described[by](of) }] as const),
  );
  const inner = Object.entries(properties).map(([name, one]) => [name, withFinders(one)] as const);
  return { ...schema, properties: { ...Object.fromEntries(own), ...Object.fromEntries(inner) } };
}

/** The fields of a row: those of the request, and those that find the records which the request names by their ids. */
export const rowSchemaOf = (work: RowWork): JsonSchema =>
  withOwnAmounts(withWholeAddresses(withFinders(work.schema, targetOf(work))));

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Whether a name that the service itself can look up is given beside a target's id. */
const hasNativeName = (value: Fields, { properties = {} }: JsonSchema, { id, finders }: FoundId) =>
  id === 'id' &&
  ['code', 'external_id'].some(
    (name) => properties[name] !== undefined && !finders.some((one) => one.name === name) && textOf(value[name]) !== '',
  );

/** The finders of one row. */
class RowFinders {
  readonly lookups: CodeLookup[] = [];
  readonly #row: SourceRow;
  readonly #target: readonly FoundId[];

  constructor(row: SourceRow, target: readonly FoundId[]) {
    this.#row = row;
    this.#target = target;
  }

  /** A part of the row without finders. */
  without(value: Fields, schema: JsonSchema, path: Path): Fields {
    let found = value;
    for (const one of [...(path.length === 0 ? this.#target : []), ...referencesIn(schema)]) {
      found = this.#withoutOne(found, schema, path, one);
    }
    const entries = Object.entries(found).map(([name, one]) => {
      return [name, this.#inner(one, schema.properties?.[name], [...path, name])] as const;
    });
    return Object.fromEntries(entries);
  }

  #inner(value: unknown, schema: JsonSchema | undefined, path: Path): unknown {
    if (schema?.items !== undefined && Array.isArray(value)) {
      return value.map((item, index) => this.#inner(item, schema.items, [...path, index]));
    }
    return schema?.properties !== undefined && isRecord(value) ? this.without(value, schema, path) : value;
  }

  /** Takes the finders of one id out of a record, and adds the look-up that they ask for. */
  #withoutOne(value: Fields, schema: JsonSchema, path: Path, found: FoundId): Fields {
    const { id, of, finders } = found;
    const given = finders.filter(({ name }) => textOf(value[name]) !== '');
    const hasId = textOf(value[id]) !== '';
    const used = hasId || hasNativeName(value, schema, found) ? undefined : given[0];
    // A field of the request stays, unless it has found the record: then it changes nothing.
    const goes = (name: string) =>
      finders.some((one) => one.name === name) && (schema.properties?.[name] === undefined || name === used?.name);
    for (const { name, by } of hasId || used !== undefined ? given : []) {
      if (!goes(name)) continue;
      const cell = this.#row.cellOf(fieldPath([...path, name]));
      const beside = name === used?.name ? {} : { isBeside: true as const };
      this.lookups.push({ cell, path: [...path, id], of, by, code: textOf(value[name]), ...beside });
    }
    return Object.fromEntries(Object.entries(value).filter(([name]) => !goes(name)));
  }
}

/** Whether a value has a field of one of these names, at any depth. */
function mentions(value: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((inner) => mentions(inner, names));
  if (!isRecord(value)) return false;
  // Asked of each row: without a list of its fields.
  for (const name in value) if (names.has(name) || mentions(value[name], names)) return true;
  return false;
}

/** The names that find records. */
const finderNames = (schema: JsonSchema, target: readonly FoundId[] = []): string[] => [
  ...[...target, ...referencesIn(schema)].flatMap(({ finders }) => finders.map(({ name }) => name)),
  ...Object.values(schema.properties ?? {}).flatMap((inner) => finderNames(inner)),
  ...(schema.items === undefined ? [] : finderNames(schema.items)),
];

/** Reads rows that name records: without these names, and with the look-ups that they ask for. */
export function finderReader(work: RowWork): (row: SourceRow) => SourceRow {
  const target = targetOf(work);
  const [named] = target.filter(({ finders }) => finders.length > 1);
  const known = new Set(finderNames(work.schema, target));
  return (row) => {
    if ((named === undefined || textOf(row.value.id) !== '') && !mentions(row.value, known)) return row;
    const finders = new RowFinders(row, target);
    const value = finders.without(row.value, work.schema, []);
    const { lookups } = finders;
    if (named !== undefined && textOf(value.id) === '' && !lookups.some(({ path }) => path.length === 1)) {
      const message = say().cell.idRequired({ names: named.finders.map(({ name }) => name) });
      return { ...row, value, faults: [...row.faults, { cell: row.cellOf('id'), value: '', message, path: 'id' }] };
    }
    return { ...row, value, asRead: row.asRead ?? row.value, lookups: [...(row.lookups ?? []), ...lookups] };
  };
}

import type * as z from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { type JsonSchema, jsonSchema } from '../../contract/schema/json-schema.ts';
import { structureOf } from '../../contract/schema/structure.ts';
import type { Column, ColumnKind, View } from '../../contract/view.ts';
import {
  eachOf,
  endedOrderPaths,
  layouts,
  ofList,
  paidOfOrder,
  servicesOfParcel,
  servicesOnDemand,
  shippedOrderColumns,
} from './written-views.ts';

/** The command group whose lists show the ids that a contract field takes, by field name. */
export const groupsOf: Readonly<Record<string, string>> = {
  collection_id: 'collections',
  customer_id: 'customers',
  fulfillment_id: 'fulfillments',
  group_id: 'groups',
  order_id: 'orders',
  product_id: 'products',
  variant_id: 'variants',
};

const MOST_COLUMNS = 8;
const MOST_COLUMNS_OF_EACH = 5;

/** What is worked on has more than one status: an order is done, a customer is active. */
const isWorkedOn = (fields: Readonly<Record<string, JsonSchema>>) =>
  Object.keys(fields).some((name) => /_(?:status|state)$/.test(name));

function kindOf(name: string, schema: JsonSchema, fields: Readonly<Record<string, JsonSchema>>): ColumnKind {
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean') return 'flag';
  if (/(^|_)state$/.test(name)) return 'state';
  if (name === 'status' && !isWorkedOn(fields)) return 'activity';
  if (/(^|_)status$/.test(name)) return 'status';
  if (schema.enum === undefined) return 'text';
  return name === 'try_on' ? 'inspection' : 'state';
}

function columnsOf(schema: JsonSchema): Column[] {
  const { properties = {} } = schema;
  return Object.entries(properties)
    .filter(([, field]) => field.type !== 'array' && field.type !== 'object')
    .map(([path, field]) => ({ path, kind: kindOf(path, field, properties) }));
}

/** The columns for each record in a nested list: as declared, otherwise its first fields. */
function eachColumns(name: string, item: JsonSchema): readonly Column[] {
  return eachOf[name] ?? columnsOf(item).slice(0, MOST_COLUMNS_OF_EACH);
}

/** Every field of a record, including nested ones; lists take one line per entry. */
function sheetColumns(schema: JsonSchema, prefix = ''): Column[] {
  const { properties = {} } = schema;
  return Object.entries(properties).flatMap(([name, field]): Column[] => {
    const path = `${prefix}${name}`;
    if (field.properties !== undefined) return sheetColumns(field, `${path}.`);
    if (field.type === 'object') return [];
    if (field.type !== 'array') {
      const group = Object.hasOwn(groupsOf, name) ? groupsOf[name] : undefined;
      return [{ path, kind: kindOf(name, field, properties), ...(group !== undefined && { of: { group } }) }];
    }
    const { items } = field;
    if (items?.enum !== undefined) return [{ path, kind: 'state' }];
    return items?.properties === undefined ? [{ path }] : [{ path, each: eachColumns(name, items) }];
  });
}

/** The field of a record that consists only of a list of records. */
function onlyList({ properties = {} }: JsonSchema): { name: string; item: JsonSchema } | undefined {
  const [[name, field] = ['', undefined], ...others] = Object.entries(properties);
  const item = field?.items;
  return others.length === 0 && item?.properties !== undefined ? { name, item } : undefined;
}

/** Every path in a record, nested ones dotted, through lists as well. */
export function pathsOf(schema: JsonSchema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    return [path, ...pathsOf(field.items ?? field, `${path}.`)];
  });
}

/** A relationship has no id of its own, so its first id identifies it. */
function nameOf(schema: JsonSchema): string {
  const names = Object.keys(schema.properties ?? {});
  return names.find((name) => name === 'id') ?? names.find((name) => name.endsWith('_id')) ?? names[0] ?? 'id';
}

/** The layout of the records of an operation's area, if there is one. */
function layoutOf(id: string): Pick<View, 'layout'> {
  const found = layouts[id.slice(0, id.indexOf('/'))];
  return found === undefined ? {} : { layout: found };
}

function viewOfRecord(schema: JsonSchema, { id, shows, before }: Operation): View & { readonly name: string } {
  if (schema.properties?.order !== undefined && schema.properties.fulfillments !== undefined) {
    const brief = before === undefined ? {} : { brief: endedOrderPaths };
    return { columns: shippedOrderColumns, name: 'order.id', layout: layouts.order, beside: [paidOfOrder], ...brief };
  }
  const listed = onlyList(schema);
  if (listed !== undefined) {
    const view = viewOfItem(listed.name, listed.item);
    return { ...view, list: listed.name, name: `${listed.name}.${view.name}` };
  }
  return {
    columns: [...sheetColumns(schema), ...(shows?.columns ?? [])],
    name: nameOf(schema),
    ...layoutOf(id),
    ...(shows?.beside === undefined ? {} : { beside: shows.beside }),
  };
}

function viewOfServices(item: JsonSchema): View {
  return item.properties?.carrier === undefined ? servicesOnDemand : servicesOfParcel;
}

/** How the records of a list are displayed, by the list's name in the contract. */
function viewOfItem(items: string, item: JsonSchema): View & { readonly name: string } {
  const fallback = {
    columns: columnsOf(item)
      .slice(0, MOST_COLUMNS)
      .map((column, index) => ({ ...column, optional: index > 2 })),
    name: nameOf(item),
  };
  const written = items === 'services' ? viewOfServices(item) : ofList[items];
  return { name: 'id', ...(written ?? fallback) };
}

function madeView(operation: Operation): View & Required<Pick<View, 'name' | 'fields'>> {
  const response = jsonSchema(operation.response);
  if (operation.page === undefined) return { ...viewOfRecord(response, operation), fields: pathsOf(response) };
  const item = response.properties?.[operation.page.items]?.items ?? { type: 'object' };
  return { ...viewOfItem(operation.page.items, item), fields: pathsOf(item) };
}

/** The default view of an action's output: the fields of its record, or of its list's records. */
export function viewOfOutput(output: z.ZodType): View {
  const structure = structureOf(output);
  if (structure.kind === 'scalar') return { columns: [] };
  const schema = jsonSchema(output);
  const item = schema.items ?? schema;
  return { columns: columnsOf(item), name: nameOf(item), fields: pathsOf(item) };
}

/**
 * How an operation's records are displayed: as declared, otherwise all fields in order. Computed lazily, which JSON
 * output without `--fields` never needs.
 */
export function viewOf(operation: Operation): View {
  let made: ReturnType<typeof madeView> | undefined;
  const view = () => {
    made ??= madeView(operation);
    return made;
  };
  return {
    get columns() {
      return view().columns;
    },
    get name() {
      return view().name;
    },
    get fields() {
      return view().fields;
    },
    get beside() {
      return view().beside ?? [];
    },
    get list() {
      return view().list;
    },
    get pageColumns() {
      return view().pageColumns;
    },
    get layout() {
      return view().layout;
    },
    get brief() {
      return view().brief;
    },
  };
}

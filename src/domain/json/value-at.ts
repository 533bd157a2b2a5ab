/**
 * The value at a dotted path; arrays on the way are mapped (`lines.quantity` returns a list). Undefined when absent.
 */
export function valueAt(value: unknown, path: string): unknown {
  return follow(value, path.split('.'));
}

/** `valueAt` with a fixed path, for many values. */
export function readerOf(path: string): (value: unknown) => unknown {
  const steps = path.split('.');
  const [key = ''] = steps;
  if (steps.length > 1) return (value) => follow(value, steps);
  return (value) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : follow(value, steps));
}

function follow(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => follow(item, path));
  return isRecord(value) && Object.hasOwn(value, key) ? follow(value[key], rest) : undefined;
}

/** Whether the value is an object with named fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NO_FIELDS: Readonly<Record<string, unknown>> = {};

/** The fields of a value; empty if it is not a record. */
export const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : NO_FIELDS);

/** The records in a list; empty if the value is not a list. */
export const recordsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** A JSON text that this program wrote itself, of a value of that type: it is trusted. Throws a SyntaxError. */
export const readOwn = <Value>(json: string): Value => JSON.parse(json);

/** The fields of a record stored as JSON. Throws a SyntaxError. */
export const readFields = (json: string): Readonly<Record<string, unknown>> => fieldsIn(JSON.parse(json));

/**
 * The entries of a list, or those of a record of records with what each is called there as its `key`; undefined for any
 * other value.
 */
export function entriesOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, entry]) => (isRecord(entry) ? [{ key, ...entry }] : []));
  return entries.length > 0 && entries.length === Object.keys(value).length ? entries : undefined;
}

/**
 * Sets a field of an object as its own, whatever it is named: assigning to `__proto__` would replace the prototype, and
 * the fields inherited from there would count as given.
 */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  } else target[name] = value;
}

/** The value at a dotted path; arrays on the way are mapped (`lines.quantity` gives a list). Undefined when absent. */
export function valueAt(value: unknown, path: string): unknown {
  return follow(value, path.split('.'));
}

/** `valueAt` of one path, for many values. */
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

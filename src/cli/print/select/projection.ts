import { isRecord } from '../../../domain/json/value-at.ts';

/** The requested fields as a tree; `true` takes the whole value. */
type FieldTree = Map<string, FieldTree | true>;

/**
 * A function that keeps only the requested paths of a record, nested as before, in the requested order. Lists on the
 * way keep their length (`lines.quantity` returns objects with a quantity each). Missing values become null, so that
 * every record has the same shape.
 */
export function projectTo(fields: readonly string[]): (record: unknown) => unknown {
  const tree: FieldTree = new Map();
  for (const path of fields) plant(tree, path.split('.'));
  return (record) => project(record, tree);
}

function plant(tree: FieldTree, path: readonly string[]): void {
  const [key = '', ...rest] = path;
  const branch = tree.get(key);
  if (rest.length === 0 || branch === true) {
    tree.set(key, true);
    return;
  }
  const next: FieldTree = branch ?? new Map();
  tree.set(key, next);
  plant(next, rest);
}

function project(value: unknown, tree: FieldTree | true): unknown {
  if (value === undefined) return null;
  if (tree === true) return value;
  if (Array.isArray(value)) return value.map((item) => project(item, tree));
  if (!isRecord(value)) return value === null ? null : undefined;
  return Object.fromEntries(
    [...tree].map(([key, branch]) => [key, project(Object.hasOwn(value, key) ? value[key] : undefined, branch)]),
  );
}

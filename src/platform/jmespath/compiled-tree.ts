/** The functions that a compiled expression calls. */
export function calledFunctions(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const own = 'type' in tree && tree.type === 'Function' && 'name' in tree ? [String(tree.name)] : [];
  return [...own, ...Object.values(tree).flatMap(calledFunctions)];
}

/**
 * The name that a compiled expression gives a value outside `let`, with one = where two compare: the package accepts
 * that, and the result is the value, so a filter lets everything pass. Undefined if there is none.
 */
export function strayAssignment(tree: unknown): string | undefined {
  if (typeof tree !== 'object' || tree === null) return undefined;
  if ('type' in tree && tree.type === 'Binding') return 'variable' in tree ? String(tree.variable) : '';
  const { bindings = [], ...rest }: { bindings?: unknown } = tree;
  // Those of `let` are meant; what they are given may hold another.
  const meant = Array.isArray(bindings) ? bindings.map(({ reference }) => reference) : [];
  for (const part of [...meant, ...Object.values(rest)]) {
    const name = strayAssignment(part);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** What a compiled expression compares, joins or gives to a function: what of it is asked of the whole value. */
const ofWhole = new Set(['AndExpression', 'OrExpression', 'NotExpression', 'Comparator', 'Function']);

/** The paths of fields that a compiled expression asks of the whole value: `change.latest.order`. */
export function pathsOfWhole(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null || !('type' in tree)) return [];
  const path = pathOf(tree);
  if (path !== undefined) return [path];
  return ofWhole.has(String(tree.type)) ? Object.values(tree).flat().flatMap(pathsOfWhole) : [];
}

/** The path that a tree of fields alone stands for. */
function pathOf(tree: unknown): string | undefined {
  if (typeof tree !== 'object' || tree === null || !('type' in tree)) return undefined;
  if (tree.type === 'Field' && 'name' in tree) return String(tree.name);
  if (tree.type !== 'Subexpression' || !('left' in tree) || !('right' in tree)) return undefined;
  const [left, right] = [pathOf(tree.left), pathOf(tree.right)];
  return left === undefined || right === undefined ? undefined : `${left}.${right}`;
}

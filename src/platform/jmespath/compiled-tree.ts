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

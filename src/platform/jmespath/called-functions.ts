/** The functions that a compiled expression calls. */
export function calledFunctions(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const own = 'type' in tree && tree.type === 'Function' && 'name' in tree ? [String(tree.name)] : [];
  return [...own, ...Object.values(tree).flatMap(calledFunctions)];
}

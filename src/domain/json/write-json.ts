/**
 * Like JSON.stringify, for values that came from JSON, but at any depth: JSON.stringify throws a RangeError when the
 * nesting overflows the stack. `indent` is the number of spaces per level; values nested that deep are written on one
 * line.
 */
export function writeJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null';
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return writeDeep(value);
  }
}

/** Text that is written verbatim, queued among the values still to be written. */
class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function writeDeep(value: unknown): string {
  const pieces: string[] = [];
  const left: unknown[] = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (next instanceof Written) pieces.push(next.text);
    else if (typeof next !== 'object' || next === null) pieces.push(JSON.stringify(next) ?? 'null');
    else for (const part of partsOf(next).reverse()) left.push(part);
  }
  return pieces.join('');
}

/** The parts of a container: its punctuation, and between it the values it holds. */
function partsOf(container: object): unknown[] {
  const isArray = Array.isArray(container);
  const parts: unknown[] = [new Written(isArray ? '[' : '{')];
  for (const [name, inner] of Object.entries(container)) {
    if (!isArray && inner === undefined) continue;
    const comma = parts.length === 1 ? '' : ',';
    parts.push(new Written(isArray ? comma : `${comma}${JSON.stringify(name)}:`), inner);
  }
  parts.push(new Written(isArray ? ']' : '}'));
  return parts;
}

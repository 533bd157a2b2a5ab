import type { JSONValue } from '@jmespath-community/jmespath';
import { valueAt } from '../../domain/json/values.ts';
import { openQuote } from '../../domain/open-quote.ts';
import { calledFunctions, pathsOfWhole, strayAssignment } from '../../platform/jmespath/compiled-tree.ts';
import { TooLongError, withinTime } from '../../platform/jmespath/within-time.ts';
import { say } from '../actions/texts.ts';

/** How long an expression may take for one change; no signal is delivered meanwhile. */
const MOST_MS = 500;

/** Tells whether a value matches, and which of its paths no value had so far. */
export type Expectation = ((value: unknown) => boolean) & { readonly absent: () => readonly string[] };

/** Thrown for an invalid expression. */
export class ExpressionError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ExpressionError';
  }
}

/** The expectation of a JMESPath expression: its result must be true in JMESPath's sense. Throws an ExpressionError. */
export async function expectationOf(expression: string): Promise<Expectation> {
  const { compile, getRegisteredFunctions, search } = await import('@jmespath-community/jmespath');
  const failed = (error: unknown) => new ExpressionError(error instanceof Error ? error.message : String(error));
  const open = openQuote(expression);
  if (open !== undefined) throw new ExpressionError(say().expression.openQuote({ at: open + 1 }));
  let tree: unknown;
  try {
    tree = compile(expression);
  } catch (error) {
    // The package's own words name what its reader met, and not what is missing.
    const { message } = failed(error);
    if (/\bEOF\b/.test(message)) throw new ExpressionError(say().expression.endsEarly);
    if (/\(Number\)/.test(message)) throw new ExpressionError(say().expression.number);
    throw failed(error);
  }
  const assigned = strayAssignment(tree);
  if (assigned !== undefined) throw new ExpressionError(say().expression.assigned({ name: assigned }));
  const known: readonly string[] = getRegisteredFunctions();
  const unknown = calledFunctions(tree).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ExpressionError(say().expression.noFunction({ name: unknown }));
  const absent = new Set(pathsOfWhole(tree));
  const matches = (value: unknown) => {
    for (const path of absent) if ((valueAt(value, path) ?? null) !== null) absent.delete(path);
    let found: unknown;
    try {
      found = withinTime(() => search(value as JSONValue, expression), MOST_MS);
    } catch (error) {
      if (error instanceof TooLongError) throw new ExpressionError(say().expression.tooLong);
      // A function was given a value of another type: this change is not of the expected kind.
      return false;
    }
    return isTrue(found);
  };
  return Object.assign(matches, { absent: () => [...absent] });
}

function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

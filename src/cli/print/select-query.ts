import type { JSONValue } from '@jmespath-community/jmespath';
import { nearestNames } from '../../domain/nearest-name.ts';
import { openQuote } from '../../domain/open-quote.ts';
import { calledFunctions, strayAssignment } from '../../platform/jmespath/compiled-tree.ts';
import { TooLongError, withinTime } from '../../platform/jmespath/within-time.ts';
import { UsageError } from '../errors/usage-error.ts';
import { say } from './texts.ts';

type Jmespath = typeof import('@jmespath-community/jmespath');

/** How long an expression is read; no signal is delivered meanwhile. */
const MOST_READING_MS = 500;
/** So many characters are read without a limit: it would end by how busy the machine is, not by the expression. */
const SHORT = 2_000;

/** Throws a UsageError with the position if the expression is not valid JMESPath, or calls an unknown function. */
export async function checkQuery(expression: string, mostMs = MOST_READING_MS): Promise<void> {
  const jmespath = await import('@jmespath-community/jmespath');
  try {
    if (expression.length <= SHORT) refuseInvalid(expression, jmespath);
    else withinTime(() => refuseInvalid(expression, jmespath), mostMs);
  } catch (error) {
    if (!(error instanceof TooLongError)) throw error;
    throw new UsageError(say().query.tooLong({ length: expression.length }));
  }
}

function refuseInvalid(expression: string, jmespath: Jmespath): void {
  const open = openQuote(expression);
  if (open !== undefined) {
    const message = say().query.openQuote({ at: open + 1, expression: JSON.stringify(expression) });
    throw new UsageError(message, { hint: say().query.whereToRead });
  }
  let tree: unknown;
  try {
    tree = jmespath.compile(expression);
  } catch (error) {
    const why = reasonOf(error);
    const at = positionOf(expression, jmespath) + 1;
    const isNumber = /\(Number\)/.test(why + expression);
    throw new UsageError(say().query.wrong({ why, at, expression: JSON.stringify(expression) }), {
      hint: isNumber ? say().query.number : say().query.whereToRead,
    });
  }
  const assigned = strayAssignment(tree);
  if (assigned !== undefined) {
    const message = say().query.assigned({ name: assigned, expression: JSON.stringify(expression) });
    throw new UsageError(message, { hint: say().query.compare({ name: assigned }) });
  }
  const known = jmespath.getRegisteredFunctions();
  for (const name of calledFunctions(tree)) {
    if (known.includes(name)) continue;
    const position = expression.search(new RegExp(`\\b${name}\\s*\\(`)) + 1;
    const near = nearestNames(name, known);
    throw new UsageError(say().query.noFunction({ name, at: position }), {
      hint: near.length > 0 ? say().didYouMean({ names: near }) : say().query.whereToRead,
    });
  }
}

/**
 * Applies a checked expression to a whole result. A value that a function does not accept is a UsageError; throws an
 * InterruptedError once the signal is aborted.
 */
export async function runQuery(expression: string, value: unknown, signal?: AbortSignal): Promise<unknown> {
  const { searchJson } = await import('../../platform/jmespath/search.ts');
  try {
    return await searchJson({ value: value as JSONValue, expression }, { signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new UsageError(say().query.failed({ why: reasonOf(error) }));
  }
}

function reasonOf(error: unknown): string {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/^syntax(?: error)?[:,] /i, '');
  return /\bEOF\b|end of JSON/.test(reason) ? say().query.endsEarly : reason;
}

/**
 * Offset of the first syntax error. The package does not report it, so it is found by compiling ever longer prefixes:
 * one that merely ends too early is valid so far, and the first that fails otherwise ends with the culprit.
 */
function positionOf(expression: string, { compile, tokenize }: Jmespath): number {
  let readable = expression.length;
  while (readable > 0 && !succeeds(() => tokenize(expression.slice(0, readable)))) readable -= 1;
  if (readable < expression.length) return readable;
  const tokens = tokenize(expression);
  for (const [index, token] of tokens.entries()) {
    const beginning = expression.slice(0, tokens[index + 1]?.start ?? expression.length);
    if (!succeeds(() => compile(beginning), /\bEOF\b/)) return token.start;
  }
  return expression.length;
}

function succeeds(attempt: () => unknown, tolerated?: RegExp): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    return tolerated?.test(error instanceof Error ? error.message : '') ?? false;
  }
}

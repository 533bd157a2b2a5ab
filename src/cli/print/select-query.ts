import type { JSONValue } from '@jmespath-community/jmespath';
import { nearestNames } from '../../domain/nearest-name.ts';
import { openQuote } from '../../domain/open-quote.ts';
import { calledFunctions, strayAssignment } from '../../platform/jmespath/compiled-tree.ts';
import { TooLongError, withinTime } from '../../platform/jmespath/within-time.ts';
import { UsageError } from '../errors/usage-error.ts';

type Jmespath = typeof import('@jmespath-community/jmespath');

const whereToRead = 'the language is described at https://jmespath.site';

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
    throw new UsageError(`--query: the expression of ${expression.length} characters takes too long to read`);
  }
}

function refuseInvalid(expression: string, jmespath: Jmespath): void {
  const open = openQuote(expression);
  if (open !== undefined) {
    const place = `at character ${open + 1} of ${JSON.stringify(expression)}`;
    throw new UsageError(`--query: a quote is not closed ${place}`, { hint: whereToRead });
  }
  let tree: unknown;
  try {
    tree = jmespath.compile(expression);
  } catch (error) {
    const message = `--query: ${reasonOf(error)} at character ${positionOf(expression, jmespath) + 1} of ${JSON.stringify(expression)}`;
    const isNumber = /\(Number\)/.test(message);
    throw new UsageError(message, { hint: isNumber ? 'a number stands in backquotes: [?fee > `5`]' : whereToRead });
  }
  const assigned = strayAssignment(tree);
  if (assigned !== undefined) {
    const message = `--query: one = after ${assigned} compares nothing in ${JSON.stringify(expression)}`;
    throw new UsageError(message, { hint: `compare with ==: ${assigned} == …` });
  }
  const known = jmespath.getRegisteredFunctions();
  for (const name of calledFunctions(tree)) {
    if (known.includes(name)) continue;
    const position = expression.search(new RegExp(`\\b${name}\\s*\\(`)) + 1;
    const near = nearestNames(name, known);
    throw new UsageError(`--query: there is no function ${name}(), at character ${position}`, {
      hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : whereToRead,
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
    throw new UsageError(`--query: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/^syntax(?: error)?[:,] /i, '');
  return /\bEOF\b|end of JSON/.test(reason) ? 'the expression ends too early or something is left open' : reason;
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

import { allOperations, areas, findOperation, isAreaKey, loadArea } from '../../contract/areas.ts';
import type { Operation } from '../../contract/operation.ts';
import { type ErrorCode, errorStatus } from '../../contract/records/error.ts';
import { keysOf } from '../../domain/json/keys-of.ts';
import { nearestName } from '../../domain/nearest-name.ts';
import { parseUrl } from '../engine/parsed-url.ts';
import { invalid } from '../engine/refusal.ts';

/** A set of operations: one by its id, all of an area (`shop.Order/*`), or all of them (`*`). */
export type OperationPattern = string;

const OPERATION_PATH = '/v1/';

/** The operation of a url; undefined if the contract has none there. */
export async function operationOf(url: string): Promise<Operation | undefined> {
  const { pathname = '' } = parseUrl(url) ?? {};
  return pathname.startsWith(OPERATION_PATH) ? findOperation(pathname.slice(OPERATION_PATH.length)) : undefined;
}

/** Whether a pattern matches an operation. */
export function matchesOperation(pattern: OperationPattern, id: string): boolean {
  if (pattern === '*' || pattern === id) return true;
  return pattern.endsWith('/*') && id.startsWith(pattern.slice(0, -1));
}

/** Parses a pattern; refuses one that matches nothing in the contract with 400 and a suggestion. */
export async function parsePattern(text: string): Promise<OperationPattern> {
  const pattern = text.trim();
  if (pattern === '*') return pattern;
  const [area = '', name] = pattern.split('/');
  if (!isAreaKey(area)) {
    const ids = (await allOperations()).map(({ id }) => id);
    const ofName = ids.filter((id) => id.toLowerCase().endsWith(`/${(name ?? area).toLowerCase()}`)).reverse();
    const near = nearestName(area, Object.keys(areas));
    const [inNear] = ofName.filter((id) => id.startsWith(`${near}/`));
    if (ofName.length > 0) throw unknownOperation(text, inNear ?? ofName.join(' or '));
    throw unknownOperation(text, near === undefined ? undefined : `${near}/${name || '*'}`);
  }
  if (name === '*' && pattern === `${area}/*`) return pattern;
  if ((await findOperation(pattern)) !== undefined) return pattern;
  const near = nearestName(name ?? '', Object.keys(await loadArea(area)));
  throw unknownOperation(text, `${area}/${near ?? '*'}`);
}

function unknownOperation(given: string, meant: string | undefined) {
  const hint =
    meant === undefined
      ? 'an id is shop.Order/GetOrder, all of an area shop.Order/*, all are *'
      : `did you mean ${meant}?`;
  return invalid('operation', `is not in the contract: ${JSON.stringify(given)}; ${hint}`);
}

/** What a fault does to a call. Times are real: the business clock does not affect them. */
export type FaultAction =
  /** The connection is closed before any work is done. */
  | { readonly kind: 'drop-before' }
  /** The work is done, and the connection is closed without an answer. */
  | { readonly kind: 'drop-after-commit' }
  /** The work is done, and the connection is closed after half of the answer's body. */
  | { readonly kind: 'half-answer' }
  /** The work is done at once, and the answer is delayed. */
  | { readonly kind: 'late-after-commit'; readonly delayMs: number }
  /** Both the work and the answer are delayed. */
  | { readonly kind: 'delay'; readonly delayMs: number }
  /** An HTML page instead of JSON, as from a proxy; no work is done. */
  | { readonly kind: 'html'; readonly status: number }
  /** An error of the service; no work is done. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code: string;
      readonly retryAfterSeconds: number | undefined;
    };

/** The syntax of an action, for help and errors. */
export const ACTION_GRAMMAR =
  'drop-before, drop-after-commit, half-answer, late-after-commit[=MS], html[=STATUS], delay=MS or status=503[,code=unavailable][,retry-after=2]';

/** Longer than a client's default timeout, which is half of it (`--timeout`). */
const LATE_MS = 60_000;
const LONGEST_DELAY_MS = 3_600_000;
const LONGEST_RETRY_AFTER = 86_400;

/** Parses an action; refuses an invalid one with 400 and the reason. */
export function parseAction(text: string): FaultAction {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  const { name: kind, value } = settingOf(first);
  if (kind === 'status') return statusAction(value, others);
  if (others.length > 0) throw wrong(`${JSON.stringify(others[0])} goes with status alone`);
  switch (kind) {
    case 'drop-before':
    case 'drop-after-commit':
    case 'half-answer':
      if (value !== undefined) throw wrong(`${kind} takes no value`);
      return { kind };
    case 'late-after-commit':
      return { kind, delayMs: value === undefined ? LATE_MS : milliseconds(kind, value) };
    case 'delay':
      return { kind, delayMs: milliseconds(kind, value) };
    case 'html':
      return { kind, status: value === undefined ? 502 : statusOf(value, 200) };
    default:
      throw wrong(`${JSON.stringify(kind)} is not an action: ${ACTION_GRAMMAR}`);
  }
}

/** An action as text; `parseAction` reads it back. */
export function writeAction(action: FaultAction): string {
  switch (action.kind) {
    case 'late-after-commit':
    case 'delay':
      return `${action.kind}=${action.delayMs}`;
    case 'html':
      return `html=${action.status}`;
    case 'status': {
      const { status, code, retryAfterSeconds } = action;
      return `status=${status},code=${code}${retryAfterSeconds === undefined ? '' : `,retry-after=${retryAfterSeconds}`}`;
    }
    default:
      return action.kind;
  }
}

function statusAction(value: string | undefined, others: readonly string[]): FaultAction {
  const status = statusOf(value, 300);
  let code: string = codeOfStatus(status);
  let retryAfterSeconds: number | undefined;
  for (const other of others) {
    const setting = settingOf(other);
    if (setting.name === 'code' && /^[a-z_]{1,64}$/.test(setting.value ?? '')) code = setting.value ?? code;
    else if (setting.name === 'retry-after') {
      retryAfterSeconds = wholeNumber('retry-after', setting.value, LONGEST_RETRY_AFTER, 'seconds');
    } else if (setting.name === 'code') throw wrong('code must be letters and _, for example unavailable');
    else throw wrong(`${JSON.stringify(other)} is not a setting of status: code=CODE or retry-after=SECONDS`);
  }
  return { kind: 'status', status, code, retryAfterSeconds };
}

/** The code that the service would most likely return with a status (decisions, section 2). */
function codeOfStatus(status: number): ErrorCode {
  if (status === 429) return 'resource_exhausted';
  return keysOf(errorStatus).find((code) => errorStatus[code] === status) ?? (status > 500 ? 'unavailable' : 'unknown');
}

function settingOf(text: string): { readonly name: string; readonly value: string | undefined } {
  const at = text.indexOf('=');
  return at < 0 ? { name: text, value: undefined } : { name: text.slice(0, at), value: text.slice(at + 1) };
}

function milliseconds(kind: string, value: string | undefined): number {
  return wholeNumber(kind, value, LONGEST_DELAY_MS, 'milliseconds');
}

function wholeNumber(name: string, value: string | undefined, most: number, unit: string): number {
  const number = Number(value);
  if (value === undefined || !/^\d{1,9}$/.test(value) || number > most) {
    throw wrong(`${name} must be from 0 to ${most} ${unit}, for example ${name}=2`);
  }
  return number;
}

function statusOf(value: string | undefined, least: number): number {
  const status = Number(value);
  if (/^\d{3}$/.test(value ?? '') && status >= least && status <= 599) return status;
  throw wrong(`status must be from ${least} to 599, for example status=503`);
}

function wrong(problem: string) {
  return invalid('do', `is wrong: ${problem}`);
}

import { allOperations, areas, findOperation, isAreaKey, loadArea } from '../../../contract/areas.ts';
import type { Operation } from '../../../contract/operation.ts';
import { nearestName } from '../../../domain/nearest-name.ts';
import { parseUrl } from '../../engine/http/parsed-url.ts';
import { invalid } from '../../engine/refusal.ts';

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

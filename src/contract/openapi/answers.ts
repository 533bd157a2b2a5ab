import { keysOf } from '../../domain/json/keys-of.ts';
import type { Credential, Effect } from '../operation.ts';
import { type ErrorCode, errorStatus } from '../records/error.ts';

/** The keys of calls as OpenAPI security schemes (decisions, section 3). */
export const securitySchemes: Readonly<Record<Credential, object>> = {
  'partner-api-key': bearer("A partner's API key: <partner_id>:<secret>"),
  'shop-api-key': bearer("A shop's own API key: <shop_id>:<secret>"),
  'shop-key': bearer("A partner's key for one shop, from AuthorizeShop: shop<shop_id>:<secret>"),
};

function bearer(description: string) {
  return { type: 'http', scheme: 'bearer', description };
}

/** Error codes by status, lowest status first. */
function codesByStatus(): [status: number, codes: ErrorCode[]][] {
  const codes = keysOf(errorStatus);
  const statuses = [...new Set(Object.values(errorStatus))].sort((one, other) => one - other);
  return statuses.map((status) => [status, codes.filter((code) => errorStatus[code] === status)]);
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** The error responses by status; clients branch on `code`, since several codes share a status. */
export function errorResponses(): Readonly<Record<string, object>> {
  return Object.fromEntries([
    ...codesByStatus().map(([status, codes]) => [
      nameOfStatus(status),
      { description: `An error: ${codes.join(', ')}`, content: errorContent },
    ]),
    ['error', { description: 'Any other error', content: errorContent }],
  ]);
}

function nameOfStatus(status: number): string {
  return `error-${status}`;
}

const always: readonly ErrorCode[] = ['invalid_argument', 'unauthenticated', 'not_found'];

/** Further errors of an operation, by its effect on the records. */
const byEffect: Readonly<Record<Effect, readonly ErrorCode[]>> = {
  read: ['failed_precondition'],
  create: ['already_exists', 'failed_precondition'],
  update: ['already_exists', 'failed_precondition'],
  delete: ['failed_precondition'],
  transition: ['failed_precondition'],
  authorize: ['permission_denied'],
};

/** References to the error responses of operations with that effect. */
export function errorReferences(effect: Effect): Readonly<Record<string, object>> {
  const statuses = [...new Set([...always, ...byEffect[effect]].map((code) => errorStatus[code]))];
  const reference = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(
      statuses.sort((one, other) => one - other).map((status) => [status, reference(nameOfStatus(status))]),
    ),
    default: reference('error'),
  };
}

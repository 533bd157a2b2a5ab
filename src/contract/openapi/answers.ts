import type { Credential, Effect } from '../operation.ts';
import { type ErrorCode, errorStatus } from '../records/error.ts';

/** The keys that calls carry, as OpenAPI's security schemes (decisions, section 3). */
export const securitySchemes: Readonly<Record<Credential, object>> = {
  'partner-api-key': bearer("A partner's API key: <partner_id>:<secret>"),
  'shop-api-key': bearer("A shop's own API key: <shop_id>:<secret>"),
  'shop-key': bearer("A partner's key for one shop, from AuthorizeShop: shop<shop_id>:<secret>"),
};

function bearer(description: string) {
  return { type: 'http', scheme: 'bearer', description };
}

/** The codes of each status, the lowest status first. */
function codesByStatus(): [status: number, codes: ErrorCode[]][] {
  const codes = Object.keys(errorStatus) as ErrorCode[];
  const statuses = [...new Set(Object.values(errorStatus))].sort((one, other) => one - other);
  return statuses.map((status) => [status, codes.filter((code) => errorStatus[code] === status)]);
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/** The answers that are errors, by status; clients branch on `code`, for several codes share a status. */
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

/** What an operation may refuse with beyond that, by what it does to the records. */
const byEffect: Readonly<Record<Effect, readonly ErrorCode[]>> = {
  read: ['failed_precondition'],
  create: ['already_exists', 'failed_precondition'],
  update: ['already_exists', 'failed_precondition'],
  delete: ['failed_precondition'],
  transition: ['failed_precondition'],
  authorize: ['permission_denied'],
};

/** References to the errors that an operation of that effect may answer with. */
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

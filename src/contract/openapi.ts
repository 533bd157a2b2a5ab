import { keysOf } from '../domain/json/keys-of.ts';
import { allOperations } from './areas.ts';
import { namedSchemas, schemaObject, wholeSchemaObject } from './openapi-schema.ts';
import { type Credential, type Effect, type Operation, operationPath } from './operation.ts';
import { callback } from './records/change.ts';
import { type ErrorCode, errorStatus } from './records/error.ts';
import { jsonSchema } from './schema/json-schema.ts';
import { saidBy } from './schema/rules.ts';

/** The keys of calls as OpenAPI security schemes (decisions, section 3). */
const securitySchemes: Readonly<Record<Credential, object>> = {
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
function errorResponses(): Readonly<Record<string, object>> {
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
function errorReferences(effect: Effect): Readonly<Record<string, object>> {
  const statuses = [...new Set([...always, ...byEffect[effect]].map((code) => errorStatus[code]))];
  const reference = (name: string) => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(
      statuses.sort((one, other) => one - other).map((status) => [status, reference(nameOfStatus(status))]),
    ),
    default: reference('error'),
  };
}

/** An OpenAPI 3.1 document, as JSON. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** The default service address: the sandbox's default. */
const USUAL_URL = 'http://127.0.0.1:4010';

/** The whole contract as an OpenAPI 3.1 document, generated from the declarations. */
export async function openApiDocument(baseUrl = USUAL_URL): Promise<OpenApiDocument> {
  const operations = await allOperations();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shop Commerce and Partner Integration Interface',
      version: 'v1',
      summary: 'A shop back end, and what partners need to ship for its shops',
      description:
        'Every operation is a POST with a JSON object. Ids are strings of up to 19 digits. Amounts are integers of one currency. ' +
        'A field that is not required may be null or absent; both mean the same. Unknown fields are ignored.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(areaOf))].map((name) => ({ name })),
    paths: Object.fromEntries(
      operations.map((operation) => [operationPath(operation.id), { post: operationObject(operation) }]),
    ),
    webhooks: { changes: { post: changesWebhook() } },
    components: {
      schemas: Object.fromEntries(namedSchemas().map(([name, schema]) => [name, wholeSchemaObject(schema)])),
      responses: errorResponses(),
      securitySchemes,
    },
  };
}

function areaOf({ id }: Operation): string {
  return id.slice(0, id.indexOf('/'));
}

function jsonContent(schema: object) {
  return { 'application/json': { schema } };
}

/** The request of an operation, with what its rules ask for besides the schema. */
function requestObject({ request, rules }: Operation) {
  const schema = schemaObject(jsonSchema(request));
  const parts = saidBy(rules);
  return parts.length === 0 ? schema : { ...schema, allOf: parts };
}

function operationObject(operation: Operation) {
  const { id, summary, description, credential, effect, response, command } = operation;
  return {
    operationId: id.replace('/', '.'),
    tags: [areaOf(operation)],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [{ [credential]: [] }],
    requestBody: { required: true, content: jsonContent(requestObject(operation)) },
    responses: {
      200: { description: 'It is done', content: jsonContent(schemaObject(jsonSchema(response))) },
      ...errorReferences(effect),
    },
    'x-command': `shopctl ${command}`,
  };
}

/** What the service sends to a webhook, and the expected response (contract, "Events"; decisions, section 8). */
function changesWebhook() {
  const accepted = { 'text/plain': { schema: { type: 'string', enum: ['ok', 'ok\n'] } } };
  return {
    operationId: 'changes',
    summary: 'Receive changes of the records that the webhook asked for',
    description:
      'Changes come strictly in order. Any answer but status 200 with the body ok is a failure: the same changes come again later, under another id.',
    security: [],
    requestBody: { required: true, content: jsonContent(schemaObject(jsonSchema(callback))) },
    responses: { 200: { description: 'The changes are accepted', content: accepted } },
  };
}

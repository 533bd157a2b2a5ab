import type { ControlOperation } from './control/operation.ts';
import * as operations from './control/operations.ts';
import type { OpenApiDocument } from './openapi.ts';
import { schemaObject } from './openapi-schema.ts';
import { jsonSchema } from './schema/json-schema.ts';

function jsonContent(schema: object) {
  return { 'application/json': { schema } };
}

function operationObject(name: string, { summary, description, method, command, input, output }: ControlOperation) {
  return {
    operationId: name,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(method === 'GET'
      ? {}
      : { requestBody: { required: true, content: jsonContent(schemaObject(jsonSchema(input))) } }),
    responses: {
      200: { description: 'It is done', content: jsonContent(schemaObject(jsonSchema(output))) },
    },
    'x-command': `shopctl ${command}`,
  };
}

/** The default address of a control plane. */
const USUAL_URL = 'http://127.0.0.1:4010/_sandbox';

/** The sandbox's control plane as an OpenAPI 3.1 document, generated from the declarations of its operations. */
export function controlDocument(controlUrl = USUAL_URL): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of the sandbox',
      version: 'v1',
      summary: 'What no operation of the service can do: sign a shop in, move a parcel, stop the clock',
    },
    servers: [{ url: controlUrl }],
    security: [{ control: [] }],
    paths: Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => [
        `/${operation.path}`,
        { [operation.method.toLowerCase()]: operationObject(name, operation) },
      ]),
    ),
    components: {
      securitySchemes: { control: { type: 'http', scheme: 'bearer', description: "The run's own token" } },
    },
  };
}

import { call } from '../../client/call.ts';
import { loadOperation } from '../../contract/areas.ts';
import { jsonSchema } from '../../contract/json-schema.ts';
import type { Operation } from '../../contract/operation.ts';
import { compareQuotes } from '../../flows/quotes.ts';
import type { Group, Invocation, Result } from '../command.ts';
import { previewOf } from '../preview.ts';
import { beforeSending } from '../printing.ts';
import { readRequest, requestFlags } from '../request-input.ts';
import { fieldFlags } from '../schema-flags.ts';
import { skeletonOf } from '../skeleton.ts';
import { serviceColumns } from '../views.ts';

const operations = () =>
  Promise.all([
    loadOperation('partner.Shipping/GetShippingServices'),
    loadOperation('shop.Shipping/GetShippingServices'),
  ]);

const view = {
  columns: [...serviceColumns, { path: 'hours', kind: 'number' }, { path: 'marks', header: '' }],
  name: 'code',
} as const;

async function run(invocation: Invocation): Promise<Result> {
  const { session, given } = invocation;
  const operation: Operation = session.choose((await operations()) as readonly Operation[]);
  if (given.flags.skeleton === true) {
    return {
      document: { kind: 'record', value: skeletonOf(jsonSchema(operation.request)), view: { columns: [] } },
      defaultFormat: 'json',
    };
  }
  const listed = await beforeSending(invocation.context, session, view);
  if (listed !== undefined) return listed;
  const request = await readRequest(invocation, operation, fieldFlags(jsonSchema(operation.request)));
  const preview = await previewOf(invocation, operation, request);
  if (preview !== undefined) return preview;
  const { services } = (await call(operation, request, session.connection())) as { services?: unknown };
  const rows = compareQuotes(Array.isArray(services) ? services : []);
  return { document: { kind: 'list', rows, view } };
}

/** `shopctl quote`: what the carriers offer for a parcel, side by side. */
export const group: Group = {
  commands: [
    {
      words: [],
      summary: 'Compare what the carriers offer for a parcel',
      description: 'The cheapest and the fastest offer are marked; `shipping create` takes carrier, code and fee.',
      flags: async () => [...fieldFlags(jsonSchema((await operations())[0].request)), ...requestFlags],
      operations: ['partner.Shipping/GetShippingServices', 'shop.Shipping/GetShippingServices'],
      examples: [
        'shopctl quote --input examples/quote.json',
        'shopctl quote --input examples/quote.json --json --query "[?contains(marks, \'cheapest\')].code | [0]"',
      ],
      run,
    },
  ],
};

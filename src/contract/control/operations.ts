import * as z from 'zod';
import { flag, text, time } from '../schema/scalars.ts';
import { controlOperation, nothing } from './operation.ts';

// All control operations. Routes, client, commands and OpenAPI use this module's exports.
export * from './accounts.ts';
export * from './clock.ts';
export * from './faults.ts';
export * from './requests.ts';
export * from './shipments.ts';
export * from './snapshots.ts';

export const serverStatus = controlOperation({
  method: 'GET',
  path: 'status',
  command: 'sandbox status',
  summary: 'Show the state of the sandbox',
  examples: ['shopctl sandbox status'],
  input: nothing,
  output: z.object({ base_url: text('Where the service is'), started_at: time('When it was started') }),
});

export const stop = controlOperation({
  method: 'POST',
  path: 'stop',
  command: 'sandbox stop',
  summary: 'Stop a running sandbox',
  examples: ['shopctl sandbox stop'],
  input: nothing,
  output: z.object({ stopping: flag('Whether it ends once the answer is on its way') }),
});

import * as z from 'zod';
import { action, silence } from '../../action/action.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { stop as stopOperation } from '../../contract/control/operations.ts';
import { flag, int, list, text, time } from '../../contract/schema/scalars.ts';
import { sandboxField, sandboxHint } from './name.ts';

const known = z.object({
  name: text('Its name'),
  running: flag('Whether it runs'),
  base_url: text('Where the service is'),
  control_url: text('Where its control plane is'),
  pid: int('Id of its process', 'processes'),
  data: z.nullable(text('Where its data is stored; null if it stores nothing')),
  started_at: time('When it was started'),
  console_url: z.nullable(text('Address of its console, which works once; null if none is served')),
});

export const status = action({
  id: 'sandbox.status',
  words: ['sandbox', 'status'],
  summary: 'List the sandboxes and whether they run',
  examples: ['shopctl sandbox status'],
  effect: 'read',
  needs: [],
  page: 'allowed',
  input: z.object({}),
  output: list(known, 'The sandboxes of this user, the newest first'),
  view: {
    columns: [
      { path: 'name' },
      { path: 'running' },
      { path: 'base_url', cut: 'never' },
      { path: 'pid', kind: 'text' },
      { path: 'started_at', kind: 'time', optional: true },
      { path: 'data', cut: 'start', optional: true },
      { path: 'console_url', header: 'console', cut: 'never', optional: true },
    ],
    name: 'name',
  },
  async run(_, { sandboxes, report, ui }) {
    const listed = await sandboxes.list();
    const all = await Promise.all(
      listed.map(async (one) => ({
        ...one,
        console_url: one.running ? ((await sandboxes.consoleOf(one.name)) ?? null) : null,
      })),
    );
    if (!all.some(({ running }) => running)) report.notice(`no sandbox runs: ${ui.advise('start_sandbox')}`);
    return all;
  },
});

export const stop = action({
  id: 'sandbox.stop',
  words: ['sandbox', 'stop'],
  summary: stopOperation.summary,
  examples: stopOperation.examples,
  // One that keeps nothing loses its records.
  effect: 'transition',
  mayAlso: ['destroy'],
  undo: 'sandbox start',
  needs: ['sandbox'],
  input: z.object(sandboxField),
  output: silence,
  hints: sandboxHint,
  async run({ sandbox }, { intend, sandboxes, report }) {
    const { method, path } = stopOperation;
    intend({ method, path, body: {} });
    const name = await sandboxes.stop(sandbox);
    report.notice(name === undefined ? 'no sandbox is running' : `the sandbox ${name} has stopped`);
    return undefined;
  },
});

export const openapi = action({
  id: 'sandbox.openapi',
  words: ['sandbox', 'openapi'],
  summary: 'Print the service as an OpenAPI 3.1 document',
  examples: ['shopctl sandbox openapi', 'shopctl sandbox openapi --control'],
  effect: 'read',
  needs: [],
  input: z.object({ control: z.optional(flag("the sandbox's control plane in place of the service")) }),
  output: z.looseObject({}),
  view: { columns: [] },
  format: 'json',
  async run({ control }, { sandboxes, settings }) {
    const { base_url = settings.baseUrl?.value, control_url } = (await sandboxes.meant()) ?? {};
    if (control === true) {
      return (await import('../../contract/openapi-control.ts')).controlDocument(control_url);
    }
    if (base_url !== undefined) checkedBaseUrl(base_url);
    return (await import('../../contract/openapi.ts')).openApiDocument(base_url);
  },
});

import type { Command, Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { localPreview } from '../preview.ts';
import { beforeSending } from '../printing.ts';
import { controlOf, nameFlag } from './control.ts';
import { openSandboxDoor } from './door.ts';
import { sandboxStates } from './run.ts';

const statusView: View = {
  columns: [
    { path: 'name' },
    { path: 'running' },
    { path: 'base_url' },
    { path: 'pid', kind: 'text' },
    { path: 'data' },
    { path: 'started_at', kind: 'time' },
  ],
  name: 'name',
};

async function status({ context, session }: Invocation): Promise<Result> {
  const listed = await beforeSending(context, session, statusView);
  if (listed !== undefined) return listed;
  const { listStates } = await openSandboxDoor();
  const found = await listStates(sandboxStates(session.places.state), context.children.isRunning);
  const rows = found.map(({ state: { control_token: _, ...state }, stale }) => ({ ...state, running: !stale }));
  return { document: { kind: 'list', rows, view: statusView } };
}

async function stop(invocation: Invocation): Promise<Result> {
  const preview = localPreview(invocation, { method: 'POST', path: 'stop', body: {} });
  if (preview !== undefined) return preview;
  await (await controlOf(invocation)).post('stop');
  return { document: { kind: 'none' }, notices: ['the sandbox stops'] };
}

async function openapi({ context, session }: Invocation): Promise<Result> {
  const view: View = { columns: [] };
  const listed = await beforeSending(context, session, view);
  if (listed !== undefined) return listed;
  const { openApiDocument } = await import('../../contract/openapi/document.ts');
  return { document: { kind: 'record', value: await openApiDocument(), view }, defaultFormat: 'json' };
}

/** Which sandboxes run, the end of one, and the service as an OpenAPI document. */
export const stateCommands: readonly Command[] = [
  {
    words: ['stop'],
    summary: 'Stop a running sandbox',
    flags: () => [nameFlag],
    examples: ['shopctl sandbox stop'],
    run: stop,
  },
  {
    words: ['status'],
    summary: 'List the sandboxes and whether they run',
    examples: ['shopctl sandbox status'],
    run: status,
  },
  {
    words: ['openapi'],
    summary: 'Print the service as an OpenAPI 3.1 document',
    examples: ['shopctl sandbox openapi'],
    run: openapi,
  },
];

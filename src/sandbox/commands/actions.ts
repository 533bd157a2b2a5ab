import * as z from 'zod';
import { type Action, action, silence } from '../../action/action.ts';
import { checkedBaseUrl } from '../../client/base-url.ts';
import { invalidInput } from '../../client/refusal.ts';
import { paymentFile } from '../../cod/actions/sandbox-payment-file.ts';
import type { ControlOperation } from '../../contract/control/operation.ts';
import * as operations from '../../contract/control/operations.ts';
import { log, stop as stopOperation } from '../../contract/control/operations.ts';
import { say } from '../../contract/control/texts.ts';
import { flag, int, list, text, time } from '../../contract/schema/scalars.ts';
import type { View } from '../../contract/view.ts';
import { type Fields, fieldsIn } from '../../domain/json/values.ts';
import { exec, start } from './start-actions.ts';
import { sandboxField, sandboxHint, trigger } from './trigger.ts';

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
    if (!all.some(({ running }) => running)) report.notice(say().noneRuns({ advice: ui.advise('start_sandbox') }));
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
    report.notice(name === undefined ? say().noneRunning : say().stoppedNamed({ name }));
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

type Values = Fields;

/** A refusal by the sandbox that concerns a field of the input is one of the input; any other is returned unchanged. */
export function asInputError(error: unknown, { input }: Pick<ControlOperation, 'input'>): unknown {
  const { code, message, meta } = fieldsIn(error);
  const { field } = fieldsIn(meta);
  if (code !== 'invalid_argument' || typeof message !== 'string' || typeof field !== 'string') return error;
  if (!Object.hasOwn(input.shape, field)) return error;
  const own = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  return invalidInput([{ path: field, message: say().refused({ message: own }) }]);
}

/** A control operation as an action: returns its output, or the list in it. */
function actionOf(operation: ControlOperation): Action {
  const { command, summary, description, examples, method, path, output, items, view, positional, hints } = operation;
  const { destructive, rules, single, page, undo, isSecret } = operation;
  const [group = '', ...words] = command.split(' ');
  const isRead = method === 'GET' || items !== undefined;
  const list = items === undefined ? undefined : output.shape[items];
  return {
    id: command.replaceAll(' ', '.'),
    words: [group, ...words],
    summary,
    ...(description === undefined ? {} : { description }),
    examples,
    input: z.object({ ...operation.input.shape, ...sandboxField }),
    output: list instanceof z.ZodType ? list : output,
    effect: isSecret === true ? 'secret' : isRead ? 'read' : 'update',
    ...(isRead ? {} : { undo: undo ?? { whyNot: 'the sandbox keeps the state before only in a snapshot' } }),
    needs: ['sandbox'],
    ...(page === undefined ? {} : { page: page === true ? 'allowed' : page }),
    ...(destructive === undefined ? {} : { destructive }),
    ...(view === undefined ? {} : { view }),
    ...(single === undefined ? {} : { view: (input) => (single.isNamed(input) ? single.view : (view ?? single.view)) }),
    ...(positional === undefined ? {} : { positional }),
    hints: { ...hints, ...sandboxHint },
    async run({ sandbox, ...input }, { intend, report, sandboxes }) {
      const wrong = rules?.(input) ?? [];
      if (wrong.length > 0) throw invalidInput(wrong);
      if (method === 'POST') intend({ method, path, body: input });
      const name = typeof sandbox === 'string' ? sandbox : undefined;
      const caller = await sandboxes.control(name);
      const answer: Values = await caller.call(operation, input).catch((error: unknown) => {
        throw asInputError(error, operation);
      });
      const reported = operation.tells?.(answer);
      if (reported !== undefined) report.notice(reported);
      if (caller.others && name === undefined) report.notice(say().within({ name: caller.name }));
      const result = items === undefined ? answer : answer[items];
      return single?.isNamed(input) === true && Array.isArray(result) ? result[0] : result;
    },
  };
}

/** Their order in the help. */
const reported: readonly ControlOperation[] = [
  operations.credentials,
  operations.signIn,
  operations.unlink,
  operations.advance,
  operations.clockStatus,
  operations.freezeClock,
  operations.setClock,
  operations.advanceClock,
  operations.runClock,
  operations.addFault,
  operations.listFaults,
  operations.clearFaults,
  operations.deliveries,
  operations.redeliver,
  operations.saveSnapshot,
  operations.restoreSnapshot,
  operations.listSnapshots,
  operations.removeSnapshot,
  operations.reset,
];

/** The control commands of a running sandbox. */
export const controlActions: readonly Action[] = reported.map(actionOf);

/** Long-poll interval of a follower, if no request arrives. */
const WAIT_MS = 25_000;

const shown: View = log.view ?? { columns: [] };

/** Without column headings a bare "yes" says nothing. */
const asItComes: View = { ...shown, columns: shown.columns.filter(({ kind }) => kind !== 'flag') };

/** The requests that the sandbox has received. */
const followLog = action({
  id: 'sandbox.log',
  words: ['sandbox', 'log'],
  summary: log.summary,
  description: log.description ?? '',
  examples: log.examples,
  effect: 'read',
  needs: ['sandbox'],
  page: {
    about: 'record',
    aboutWith: { writes: true },
    call(row) {
      const { operation, request } = fieldsIn(row);
      return typeof operation === 'string' ? { operation, body: request } : undefined;
    },
    news: {
      input: { follow: true, limit: 0, writes: true },
      of: ['key', 'sandbox'],
    },
  },
  input: z.object({
    ...log.input.shape,
    follow: z.optional(flag('then print each request as it arrives, until Ctrl-C')),
    ...sandboxField,
  }),
  output: log.output.shape.entries,
  view: ({ follow }) => (follow === true ? asItComes : shown),
  live: ({ follow }) => follow === true,
  hints: { ...log.hints, follow: { short: 'f' }, ...sandboxHint },
  async *run({ sandbox, follow, limit, ...filter }, { sandboxes, signal }) {
    const control = await sandboxes.control(sandbox);
    let page = await control.call(log, { ...filter, limit }).catch((error: unknown) => {
      throw asInputError(error, log);
    });
    yield* page.entries;
    while (follow === true && !signal.aborted) {
      try {
        page = await control.call(log, { ...filter, since: page.next, wait_ms: WAIT_MS });
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      yield* page.entries;
    }
  },
});

/** A sandbox of the whole service on this machine. */
export const actions = [start, exec, stop, status, openapi, ...controlActions, trigger, paymentFile, followLog];

import type { Command, Flag, Invocation, Result } from '../command.ts';
import type { View } from '../document.ts';
import { beforeSending } from '../printing.ts';
import { textFlag } from '../request-input.ts';
import { UsageError } from '../usage-error.ts';
import { controlOf, nameFlag } from './control.ts';

interface LogPage {
  readonly entries: readonly object[];
  readonly next: number;
  readonly lost: number;
}

const view: View = {
  columns: [
    { path: 'id', kind: 'number' },
    { path: 'time', kind: 'time' },
    { path: 'operation' },
    { path: 'account' },
    { path: 'status' },
    { path: 'code' },
    { path: 'duration_ms', header: 'ms', kind: 'number' },
    { path: 'fault' },
    { path: 'arrived', kind: 'flag' },
  ],
  name: 'id',
  fields: ['method', 'path', 'request', 'response'],
};

const flags: readonly Flag[] = [
  { name: 'operation', type: 'string', description: 'requests of an operation, of an area (shop.Order/*), or all (*)' },
  { name: 'status', type: 'string', description: 'a status, a class of them (4xx), or a code such as not_found' },
  { name: 'fault', type: 'string', description: 'what a fault befell: its id, or any' },
  { name: 'limit', type: 'integer', description: 'how many; 100 when absent' },
  { name: 'follow', short: 'f', type: 'boolean', description: 'go on with each request as it comes, until Ctrl-C' },
  nameFlag,
];

/** A follower asks again after this long without a request. */
const WAIT_MS = 25_000;

function limitOf(invocation: Invocation): number | undefined {
  const text = textFlag(invocation, 'limit');
  if (text !== undefined && !/^\d{1,4}$/.test(text)) throw new UsageError('--limit must be a whole number');
  return text === undefined ? undefined : Number(text);
}

async function* entries(invocation: Invocation): AsyncGenerator<object, void> {
  const { context, given } = invocation;
  const client = await controlOf(invocation);
  const filter = {
    operation: textFlag(invocation, 'operation'),
    status: textFlag(invocation, 'status'),
    fault: textFlag(invocation, 'fault'),
  };
  let page = (await client.post('log', { ...filter, limit: limitOf(invocation) })) as LogPage;
  yield* page.entries;
  while (given.flags.follow === true && !context.signal.aborted) {
    try {
      page = (await client.post('log', { ...filter, since: page.next, wait_ms: WAIT_MS })) as LogPage;
    } catch (error) {
      if (context.signal.aborted) return;
      throw error;
    }
    yield* page.entries;
  }
}

async function run(invocation: Invocation): Promise<Result> {
  const listed = await beforeSending(invocation.context, invocation.session, view);
  if (listed !== undefined) return listed;
  return { document: { kind: 'list', rows: entries(invocation), view } };
}

/** `sandbox log`: the requests that the service has seen. */
export const followLog: Command = {
  words: ['log'],
  summary: 'Show the requests that the sandbox has seen, keys left out',
  description: 'With --follow, -o jsonl prints each one as it comes; a table waits for more rows.',
  flags: () => flags,
  examples: ['shopctl sandbox log --status 4xx', 'shopctl sandbox log --follow -o jsonl'],
  run,
};

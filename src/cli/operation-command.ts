import { call } from '../client/call.ts';
import { isAreaKey, loadArea } from '../contract/areas.ts';
import { jsonSchema } from '../contract/json-schema.ts';
import type { Effect, Operation } from '../contract/operation.ts';
import { collectPages, shownRows } from './collect-pages.ts';
import type { Argument, Command, Flag, Group, Invocation, Result } from './command.ts';
import { confirmDestructive } from './confirm.ts';
import { sendCreate } from './create.ts';
import { examplesOf } from './examples.ts';
import { previewOf } from './preview.ts';
import { beforeSending } from './printing.ts';
import type { Draft } from './read-flags.ts';
import { readRequest, requestFlags } from './request-input.ts';
import { resultOf } from './result.ts';
import { fieldFlags } from './schema-flags.ts';
import { skeletonOf } from './skeleton.ts';
import { viewOf } from './views.ts';

const pagingFlags: readonly Flag[] = [
  { name: 'limit', type: 'integer', description: 'how many records in all; 100 when absent' },
  { name: 'all', type: 'boolean', description: 'every record there is' },
  { name: 'page-size', type: 'integer', description: 'how many records a request asks for' },
  { name: 'after', type: 'string', description: 'go on after this cursor', placeholder: 'CURSOR' },
  { name: 'before', type: 'string', description: 'what comes before this cursor', placeholder: 'CURSOR' },
  {
    name: 'sort',
    type: 'string',
    description: 'order: created_at or updated_at, with a leading - for the latest first',
    placeholder: 'FIELD',
  },
];

/** A list's filters stand at the top, and its paging has flags of its own. */
function listFlags(flags: readonly Flag[], cursors: boolean): Flag[] {
  const own = flags.filter(({ path }) => path?.[0] !== 'paging' && !(path?.[0] === 'filter' && path.length === 1));
  const named = own.map((flag) =>
    flag.path?.[0] === 'filter' ? { ...flag, name: flag.name.replace('filter.', '') } : flag,
  );
  return cursors ? [...named, ...pagingFlags] : named;
}

function flagsOfOperation(operation: Operation): Flag[] {
  const flags = fieldFlags(jsonSchema(operation.request));
  return operation.page === undefined ? flags : listFlags(flags, operation.page.cursors);
}

/** The fields of a request that a global flag's name stands for are given by `--input` alone. */
const reserved = new Set(['fields', 'shop', 'output', 'query']);

/** The flags of all operations of a command, each once, in the first one's order. */
function flagsOf(operations: readonly Operation[]): Flag[] {
  const flags = new Map<string, Flag>();
  for (const flag of operations.flatMap(flagsOfOperation)) {
    if (!flags.has(flag.name) && !reserved.has(flag.name)) flags.set(flag.name, flag);
  }
  return [...flags.values(), ...requestFlags];
}

function positionalOf(operation: Operation): Argument[] {
  const { positional } = operation;
  if (positional === undefined) return [];
  return [
    {
      name: positional,
      required: false,
      get description() {
        return jsonSchema(operation.request).properties?.[positional]?.description ?? '';
      },
    },
  ];
}

async function listResult(invocation: Invocation, operation: Operation, request: Draft): Promise<Result> {
  const view = viewOf(operation);
  if (operation.page?.cursors === true) return collectPages(invocation, operation, request, view);
  const answer = await call(operation, request, invocation.session.connection());
  const rows = (answer as Record<string, unknown>)[operation.page?.items ?? ''];
  return {
    document: { kind: 'list', rows: shownRows(invocation, operation, Array.isArray(rows) ? rows : []), view },
  };
}

/** Deletes and cancels. */
function takesAway({ effect, destructive }: Operation): boolean {
  return effect === 'delete' || destructive === true;
}

async function runOperation(operations: readonly Operation[], invocation: Invocation): Promise<Result> {
  const { session, given } = invocation;
  const operation = session.choose(operations);
  if (given.flags.skeleton === true) {
    return {
      document: { kind: 'record', value: skeletonOf(jsonSchema(operation.request)), view: { columns: [] } },
      defaultFormat: 'json',
    };
  }
  const listed = await beforeSending(invocation.context, session, viewOf(operation));
  if (listed !== undefined) return listed;
  const request = await readRequest(invocation, operation, flagsOfOperation(operation));
  const preview = await previewOf(invocation, operation, request);
  if (preview !== undefined) return preview;
  if (takesAway(operation)) await confirmDestructive(invocation, operation, request);
  if (operation.page !== undefined) return listResult(invocation, operation, request);
  if (operation.settlement !== undefined) return sendCreate(invocation, operation, request);
  return resultOf(operation, await call(operation, request, session.connection()));
}

function commandOf(operations: readonly [Operation, ...Operation[]]): Command {
  const [first] = operations;
  return {
    words: first.command.split(' ').slice(1),
    summary: first.summary,
    ...(first.description === undefined ? {} : { description: first.description }),
    examples: examplesOf(first.command),
    arguments: positionalOf(first),
    flags: () => flagsOf(operations),
    operations: operations.map(({ id }) => id),
    run: (invocation) => runOperation(operations, invocation),
  };
}

const effects: readonly Effect[] = ['read', 'create', 'update', 'transition', 'delete', 'authorize'];

/** Groups within the group come last; before them lists, then what reads, makes, changes and takes away. */
function rankOf({ command, page, effect }: Operation): number {
  return command.split(' ').length * 100 + (page === undefined ? 1 + effects.indexOf(effect) : 0);
}

/** In an order of their own: that of a module's exports differs between the bundle and the sources. */
function inOrder([one]: readonly [Operation, ...Operation[]], [other]: readonly [Operation, ...Operation[]]): number {
  return rankOf(one) - rankOf(other) || (one.command < other.command ? -1 : 1);
}

/** The commands of a group, made from the operations of some areas that have their home there. */
export async function groupOfAreas(group: string, areas: readonly string[]): Promise<Group> {
  const homes = new Map<string, [Operation, ...Operation[]]>();
  for (const area of areas.filter(isAreaKey)) {
    for (const operation of Object.values(await loadArea(area)) as Operation[]) {
      if (operation.command.split(' ')[0] !== group) continue;
      const sharers = homes.get(operation.command);
      if (sharers === undefined) homes.set(operation.command, [operation]);
      else sharers.push(operation);
    }
  }
  return { commands: [...homes.values()].sort(inOrder).map(commandOf) };
}

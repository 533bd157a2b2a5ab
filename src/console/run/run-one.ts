import type { Action, Rows } from '../../actions/action/action.ts';
import type { Ports, Report } from '../../actions/action/ports.ts';
import { besideRecords, besideRows, shownBeside } from '../../actions/operations/beside.ts';
import { viewOfOutput } from '../../actions/operations/views.ts';
import { jsonSchema } from '../../contract/schema/json-schema.ts';
import type { View } from '../../contract/view.ts';
import { fieldsIn, isRecord, valueAt } from '../../domain/json/value-at.ts';
import type { ConsoleMeans, Opened } from '../means.ts';
import type { More, Ran, RunRequest } from '../wire.ts';
import { amountsIn } from './amounts.ts';
import { shapeOf } from './closed-set.ts';
import { fieldsOf, isRows, tableOf } from './shown.ts';

/** Records of a page. */
const PAGE = 100;

type Input = Readonly<Record<string, unknown>>;

/** What an action says besides its value. */
interface Said {
  readonly notices: string[];
  rest: Readonly<Record<string, string>> | undefined;
  whenTold: (() => Promise<void>) | undefined;
}

const reportTo = (said: Said): Report => ({
  notice: (text) => void said.notices.push(text),
  say: (text) => void said.notices.push(text),
  insist: (text) => void said.notices.push(text),
  verdict: () => {},
  ready: async () => {},
  result: async () => {},
  onceTold(work) {
    said.whenTold = work;
  },
  passOn: () => {},
  rest(input) {
    said.rest = input;
  },
});

function viewFor({ view, output }: Action, input: Input): View {
  if (view === undefined) return viewOfOutput(output);
  return typeof view === 'function' ? view(input) : view;
}

/** The rows of one page, and whether there are more behind it. */
async function pageOf(rows: Rows<unknown>, from: number): Promise<{ page: unknown[]; isCut: boolean }> {
  const page: unknown[] = [];
  let at = 0;
  for await (const row of rows) {
    at += 1;
    if (at <= from) continue;
    if (page.length === PAGE) return { page, isCut: true };
    page.push(row);
  }
  return { page, isCut: false };
}

/** Where the next page begins: at a cursor, or behind the rows that were shown. */
function moreOf({ rest }: Said, isCut: boolean, from: number): More | undefined {
  if (rest !== undefined && Object.keys(rest).length > 0) return { input: rest, from: 0 };
  return isCut || rest !== undefined ? { input: {}, from: from + PAGE } : undefined;
}

/** The input of one page: as for a table, but far enough for the pages behind the first. */
function pagedInput(action: Action, input: Input, from: number): Input {
  if (shapeOf(action) !== 'list') return input;
  const seen = action.atFirstSight?.({ ...input }) ?? input;
  return from > 0 && input.limit === undefined && 'limit' in seen ? { ...seen, limit: from + PAGE } : seen;
}

interface Run {
  readonly action: Action;
  readonly input: Input;
  readonly from: number;
  readonly means: ConsoleMeans;
  readonly ports: Ports;
  readonly said: Said;
}

/** A result of `run` as the page shows it. */
async function shown(value: unknown, { action, input, from, means, ports, said }: Run): Promise<Shown> {
  const view = viewFor(action, input);
  const beside = shownBeside(
    view.beside,
    view.columns.map(({ path }) => path),
  );
  const listed = view.list === undefined ? undefined : valueAt(value, view.list);
  if (Array.isArray(listed)) {
    return {
      kind: 'list',
      table: tableOf(await besideRecords(listed, beside, ports), { ...view, name: 'id' }, means.cell),
    };
  }
  if (isRows(value) && typeof value !== 'string') {
    const complete = beside.length === 0 ? value : besideRows(value, beside, ports);
    const { page, isCut } = await pageOf(complete, from);
    const more = moreOf(said, isCut, from);
    return { kind: 'list', table: tableOf(page, view, means.cell), ...(more === undefined ? {} : { more }) };
  }
  if (value === undefined) return { kind: 'nothing' };
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (view.text !== undefined) return { kind: 'text', text: String(valueAt(value, view.text) ?? '') };
  const [record] = beside.length === 0 ? [value] : await besideRecords([value], beside, ports);
  const name = valueAt(record, view.name ?? 'id');
  return {
    kind: 'record',
    name: typeof name === 'string' ? name : '',
    fields: fieldsOf(record, view, means.cell),
  };
}

type Shown = Ran extends infer Each ? (Each extends unknown ? Omit<Each, 'command' | 'notices'> : never) : never;

/** What a dry run would have sent, and the money in it. */
function looked({ input }: Action, request: unknown, { cell }: ConsoleMeans): Shown {
  const body = fieldsIn(request).body;
  const amounts = amountsIn(jsonSchema(input), isRecord(body) ? body : request);
  return {
    kind: 'look',
    fields: fieldsOf(request, { columns: [] }, cell),
    amounts: amounts.map(([name, amount]) => ({ name, cell: cell(amount, 'number') })),
  };
}

/** Asks before something is removed, as the command line does; the question is the one to agree to. */
async function confirmRemoval(action: Action, input: Input, ports: Ports): Promise<void> {
  if (action.destructive !== true || ports.isLook) return;
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null);
  const named = given.map(([name, value]) => `${name} ${String(value)}`).join(', ');
  const told = await action.caution?.({ ...input }, ports);
  const message = [`${action.summary}${named === '' ? '' : ` (${named})`}: are you sure?`, told]
    .filter(Boolean)
    .join(' ');
  await ports.person.confirm({ what: action.words.join(' '), message });
}

/** Runs an action for the page: JSON in, what the page shows out. Throws nothing. */
export async function runOne(
  means: ConsoleMeans,
  action: Action,
  request: RunRequest,
  signal: AbortSignal,
): Promise<Ran> {
  const said: Said = { notices: [], rest: undefined, whenTold: undefined };
  const { look = false, agreed = [], from = 0 } = request;
  const command = means.typed(action, request.input);
  let opened: Opened | undefined;
  try {
    opened = await means.open({ isLook: look, agreed, signal, report: reportTo(said) });
    const { ports } = opened;
    const input = pagedInput(action, opened.check(action, request.input), from);
    await confirmRemoval(action, input, ports);
    const value = await action.run({ ...input }, ports);
    const result = await shown(value, { action, input, from, means, ports, said });
    await said.whenTold?.();
    return { ...result, command, notices: said.notices };
  } catch (thrown) {
    const end = await means.ending(thrown, action, opened);
    const rest = { command, notices: said.notices };
    if (end.kind === 'looked') return { ...looked(action, end.request, means), ...rest };
    if (end.kind === 'asked') return { kind: 'asks', question: end.question, ...rest };
    return { kind: 'error', error: end.error, ...rest };
  } finally {
    await opened?.end();
  }
}

import type { Argument, Command, Flag, Invocation, Result } from '../command.ts';
import type { Column, View } from '../document.ts';
import { localPreview } from '../preview.ts';
import { beforeSending } from '../printing.ts';
import { textFlag } from '../request-input.ts';
import { UsageError } from '../usage-error.ts';
import { controlOf, nameFlag } from './control.ts';

/** A command that tells the running sandbox something: a request of its control plane, and how its answer is shown. */
interface ControlCommand {
  readonly words: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly example: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  readonly method: 'GET' | 'POST';
  /** Below the control plane's address. */
  readonly path: string;
  readonly input?: (invocation: Invocation) => object;
  /** The key of the answer's list, where it answers one. */
  readonly items?: string;
  readonly columns: readonly Column[];
  readonly names: string;
}

const columns = (...paths: readonly string[]): Column[] => paths.map((path) => ({ path }));

function numberFlag(invocation: Invocation, name: string): number | undefined {
  const text = textFlag(invocation, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`--${name} must be a number`);
  return value;
}

/** The shop that a command is about, from `--shop` or the profile. */
function shopOf({ session }: Invocation): string {
  const shop = session.settings.shop?.value;
  if (shop !== undefined) return shop;
  throw new UsageError('--shop is missing', { hint: '`shopctl sandbox credentials` lists the shops' });
}

const first = ({ given }: Invocation) => given.arguments[0] ?? '';
const switchFlag = ({ given }: Invocation, name: string) => given.flags[name] === true;

const clockColumns = columns('mode', 'time', 'machine_time', 'next_due');
const snapshotColumns: Column[] = [
  ...columns('name'),
  { path: 'bytes', kind: 'number' },
  { path: 'saved_at', kind: 'time' },
];
const faultColumns: Column[] = [
  ...columns('id', 'operation', 'when', 'do'),
  { path: 'seen', kind: 'number' },
  { path: 'fired', kind: 'number' },
];
const snapshotName: Argument = { name: 'snapshot', description: 'name of the snapshot', required: true };

const declared: readonly ControlCommand[] = [
  {
    words: ['credentials'],
    summary: "Print the keys of the sandbox's accounts",
    description: 'They open nothing but this sandbox.',
    example: 'shopctl sandbox credentials --json',
    method: 'GET',
    path: 'credentials',
    columns: columns('base_url', 'partner.id', 'partner.api_key', 'shops.id', 'shops.name', 'shops.api_key'),
    names: 'partner.id',
  },
  {
    words: ['sign-in'],
    summary: 'Sign a shop in with a request token, as its owner would (--shop names the shop)',
    example: 'shopctl sandbox sign-in TOKEN --shop ID',
    arguments: [{ name: 'token', description: 'the request token of AuthorizeShop', required: true }],
    method: 'POST',
    path: 'sign-in',
    input: (invocation) => ({ token: first(invocation), shop_id: shopOf(invocation) }),
    columns: columns('shop_id', 'redirect_url'),
    names: 'shop_id',
  },
  {
    words: ['unlink'],
    summary: 'Remove the link of a shop (--shop) with its partners, which ends their keys',
    example: 'shopctl sandbox unlink --shop ID',
    method: 'POST',
    path: 'unlink',
    input: (invocation) => ({ shop_id: shopOf(invocation) }),
    columns: [{ path: 'removed', kind: 'number' }],
    names: 'removed',
  },
  {
    words: ['advance'],
    summary: 'Move a shipment as its carrier would, and emit its changes',
    description: 'Goes over each allowed step to the state; reconciled is delivered with its money settled.',
    example: 'shopctl sandbox advance 1234567890123456789 --to delivered',
    arguments: [{ name: 'id', description: 'id of an order, a shipment or an on-demand delivery', required: true }],
    flags: [
      { name: 'to', type: 'string', placeholder: 'STATE', description: 'a state of the shipment, or reconciled' },
      { name: 'substate', type: 'string', description: 'what is said of it there, for example delivery_fail' },
      { name: 'auto', type: 'boolean', description: 'by itself, each step at its time by the clock' },
    ],
    method: 'POST',
    path: 'advance',
    input: (invocation) => ({
      id: first(invocation),
      to: textFlag(invocation, 'to'),
      substate: textFlag(invocation, 'substate'),
      auto: switchFlag(invocation, 'auto'),
    }),
    columns: columns(
      'entity',
      'id',
      'order_ids',
      'shipping_state',
      'shipping_substate',
      'shipping_status',
      'status',
      'next_due',
    ),
    names: 'id',
  },
  {
    words: ['clock', 'show'],
    summary: 'Show the business clock and when something next happens by itself',
    example: 'shopctl sandbox clock show',
    method: 'GET',
    path: 'clock',
    columns: clockColumns,
    names: 'time',
  },
  {
    words: ['clock', 'freeze'],
    summary: 'Stop the business clock where it stands',
    example: 'shopctl sandbox clock freeze',
    method: 'POST',
    path: 'clock/freeze',
    columns: clockColumns,
    names: 'time',
  },
  {
    words: ['clock', 'set'],
    summary: 'Set the business clock',
    example: 'shopctl sandbox clock set 2026-02-01T08:00:00Z',
    arguments: [{ name: 'time', description: 'for example 2026-02-01T08:00:00Z', required: true }],
    method: 'POST',
    path: 'clock/set',
    input: (invocation) => ({ time: first(invocation) }),
    columns: clockColumns,
    names: 'time',
  },
  {
    words: ['clock', 'advance'],
    summary: 'Move the business clock on: retries, expiry and shipments follow it',
    example: 'shopctl sandbox clock advance 44h1m --until-idle',
    arguments: [{ name: 'duration', description: 'for example 30s, 15m, 44h1m', required: true }],
    flags: [
      {
        name: 'until-idle',
        type: 'boolean',
        description: 'stop at each moment at which something is due, until it is done',
      },
    ],
    method: 'POST',
    path: 'clock/advance',
    input: (invocation) => ({ by: first(invocation), until_idle: switchFlag(invocation, 'until-idle') }),
    columns: clockColumns,
    names: 'time',
  },
  {
    words: ['clock', 'real'],
    summary: "Set the business clock going with the machine's again",
    example: 'shopctl sandbox clock real',
    method: 'POST',
    path: 'clock/real',
    columns: clockColumns,
    names: 'time',
  },
  {
    words: ['faults', 'add'],
    summary: 'Script a fault: which calls it befalls, and what it does to them',
    description:
      'ACTION is drop-before, drop-after-commit, half-answer, late-after-commit[=MS], html[=STATUS], delay=MS, or status=503[,code=unavailable][,retry-after=2].',
    example: 'shopctl sandbox faults add partner.Shipping/CreateAndConfirmOrder --every 3 --do drop-after-commit',
    arguments: [
      { name: 'operation', description: 'an operation, all of an area (shop.Order/*), or *', required: true },
    ],
    flags: [
      { name: 'nth', type: 'integer', description: 'the call of this number' },
      { name: 'every', type: 'integer', description: 'each call whose number this divides' },
      { name: 'once', type: 'boolean', description: 'the next call' },
      { name: 'share', type: 'number', description: 'this share of the calls, 0 to 1, chosen by the seed' },
      { name: 'seed', type: 'string', description: 'what the share is chosen by' },
      { name: 'do', type: 'string', placeholder: 'ACTION', description: 'what happens to the call', required: true },
    ],
    method: 'POST',
    path: 'faults/add',
    input: (invocation) => ({
      operation: first(invocation),
      nth: numberFlag(invocation, 'nth'),
      every: numberFlag(invocation, 'every'),
      once: switchFlag(invocation, 'once'),
      share: numberFlag(invocation, 'share'),
      seed: textFlag(invocation, 'seed'),
      do: textFlag(invocation, 'do'),
    }),
    columns: faultColumns,
    names: 'id',
  },
  {
    words: ['faults', 'list'],
    summary: 'List the scripted faults and how often each has struck',
    example: 'shopctl sandbox faults list',
    method: 'GET',
    path: 'faults',
    items: 'faults',
    columns: faultColumns,
    names: 'id',
  },
  {
    words: ['faults', 'clear'],
    summary: 'Take a fault away, or all of them',
    example: 'shopctl sandbox faults clear',
    arguments: [{ name: 'fault', description: 'its id; all of them when absent', required: false }],
    method: 'POST',
    path: 'faults/clear',
    input: (invocation) => {
      const [id] = invocation.given.arguments;
      if (id === undefined) return {};
      if (!/^\d{1,9}$/.test(id)) throw new UsageError('the id of a fault is a number');
      return { id: Number(id) };
    },
    columns: [{ path: 'cleared', kind: 'number' }],
    names: 'cleared',
  },
  {
    words: ['deliveries'],
    summary: 'Show the attempts to deliver changes to webhooks, the newest first',
    example: 'shopctl sandbox deliveries',
    flags: [
      { name: 'webhook', type: 'id', description: 'those to this webhook' },
      { name: 'limit', type: 'integer', description: 'how many; 100 when absent' },
    ],
    method: 'POST',
    path: 'deliveries',
    input: (invocation) => ({ webhook_id: textFlag(invocation, 'webhook'), limit: numberFlag(invocation, 'limit') }),
    items: 'deliveries',
    columns: [
      ...columns('webhook_id', 'callback_id'),
      { path: 'changes', kind: 'number' },
      { path: 'attempt', kind: 'number' },
      { path: 'sent_at', kind: 'time' },
      ...columns('outcome', 'status', 'error'),
    ],
    names: 'callback_id',
  },
  {
    words: ['snapshot', 'save'],
    summary: 'Save the data as they are',
    example: 'shopctl sandbox snapshot save before-import',
    arguments: [snapshotName],
    flags: [{ name: 'replace', type: 'boolean', description: 'replace a snapshot of that name' }],
    method: 'POST',
    path: 'snapshots/save',
    input: (invocation) => ({ name: first(invocation), replace: switchFlag(invocation, 'replace') }),
    columns: snapshotColumns,
    names: 'name',
  },
  {
    words: ['snapshot', 'restore'],
    summary: 'Put the data back to a snapshot, and the business clock with them',
    example: 'shopctl sandbox snapshot restore before-import',
    arguments: [snapshotName],
    method: 'POST',
    path: 'snapshots/restore',
    input: (invocation) => ({ name: first(invocation) }),
    columns: snapshotColumns,
    names: 'name',
  },
  {
    words: ['snapshot', 'list'],
    summary: 'List the snapshots',
    example: 'shopctl sandbox snapshot list',
    method: 'GET',
    path: 'snapshots',
    items: 'snapshots',
    columns: snapshotColumns,
    names: 'name',
  },
  {
    words: ['snapshot', 'remove'],
    summary: 'Remove a snapshot',
    example: 'shopctl sandbox snapshot remove before-import',
    arguments: [snapshotName],
    method: 'POST',
    path: 'snapshots/remove',
    input: (invocation) => ({ name: first(invocation) }),
    columns: columns('removed'),
    names: 'removed',
  },
  {
    words: ['reset'],
    summary: 'Go back to what the sandbox began with; accounts and keys stay',
    example: 'shopctl sandbox reset',
    method: 'POST',
    path: 'reset',
    columns: columns('seed'),
    names: 'seed',
  },
];

async function tell(command: ControlCommand, invocation: Invocation): Promise<Result> {
  const view: View = { columns: command.columns, name: command.names };
  const listed = await beforeSending(invocation.context, invocation.session, view);
  if (listed !== undefined) return listed;
  const input = command.input?.(invocation) ?? {};
  const { method, path } = command;
  const preview = method === 'GET' ? undefined : localPreview(invocation, { method, path, body: input });
  if (preview !== undefined) return preview;
  const client = await controlOf(invocation);
  const answer = await (command.method === 'GET' ? client.get(command.path) : client.post(command.path, input));
  const applied = command.method === 'POST';
  if (command.items === undefined) return { document: { kind: 'record', value: answer, view }, applied };
  const rows = (answer as Record<string, unknown>)[command.items];
  return { document: { kind: 'list', rows: Array.isArray(rows) ? rows : [], view } };
}

function commandOf(declaration: ControlCommand): Command {
  const { words, summary, description, example, flags = [] } = declaration;
  return {
    words,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(declaration.arguments === undefined ? {} : { arguments: declaration.arguments }),
    flags: () => [...flags, nameFlag],
    examples: [example],
    run: (invocation) => tell(declaration, invocation),
  };
}

/** The commands that speak to a running sandbox over its control plane. */
export const controlCommands: readonly Command[] = declared.map(commandOf);

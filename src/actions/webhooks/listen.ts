import * as z from 'zod';
import { entity } from '../../contract/enums.ts';
import { documentedAs } from '../../contract/full-schema.ts';
import { flag, id, int, list, oneOf, record, text, time } from '../../contract/scalars.ts';
import { isLoopbackHost } from '../../platform/loopback-host.ts';
import type { Gap } from '../../workspace/events/listeners.ts';
import type { Target } from '../../workspace/events/targets.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { action } from '../action.ts';
import { millisecondsOf } from '../duration-field.ts';
import { openWorkspace } from '../open-workspace.ts';
import type { Ports } from '../ports.ts';
import { Refusal } from '../refusal.ts';
import { eventAccount } from './event-account.ts';
import { deskOperations, type StandingDesk, webhookDesk } from './webhook-desk.ts';

const DEFAULT_PORT = 4020;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_POLL = '5m';
const DEFAULT_GIVE_UP = '24h';
/** How long a run that ends by itself waits for its targets. */
const SETTLE_MS = 10_000;
/** How long taking the webhook away may take when the run ends. */
const FAREWELL_MS = 10_000;

const changeContent = documentedAs(
  z.unknown().meta({ type: 'object', description: 'The change as the service sent it' }),
  { partial: false, load: async () => (await import('../../contract/records/change.ts')).change },
);

/** A kept change, as lists and listeners show it. */
export const eventRecord = z.object({
  id: id('Id of the change in this workspace; a target gets it with each attempt'),
  received_at: time('When it was received, by this machine'),
  source: oneOf(['webhook'], 'How it came'),
  entity: text('Kind of the record'),
  change_type: text('What happened to the record'),
  record_id: text('Id of the record'),
  shop_id: z.nullable(text('Shop of the record, where the record tells it')),
  time: time('When it happened, by the service'),
  change: changeContent,
});

/** The columns of a kept change. */
export const eventView = {
  columns: [
    { path: 'id' },
    { path: 'received_at', header: 'received', kind: 'time' },
    { path: 'entity' },
    { path: 'change_type', header: 'change' },
    { path: 'record_id', header: 'record' },
    { path: 'shop_id', header: 'shop', optional: true },
    { path: 'time', kind: 'time', optional: true },
  ],
  name: 'id',
  fields: ['source', 'change'],
} as const;

/** What a listener is told. */
export const listenInput = record({
  port: int(`where to listen, 0 for a free one; ${DEFAULT_PORT} when absent`, 'port'),
  host: text(`address of this machine to listen at; ${DEFAULT_HOST} when absent`),
  entity: list(oneOf(entity, 'a kind of record'), 'only changes of such records; all when absent'),
  forward_to: list(text('a target'), 'hand each change on to a url, [ENTITY[.create|update|delete]=]URL; repeats'),
  target_name: list(text('a name'), 'name of a target, in the order of the targets'),
  accept: oneOf(['ok', '2xx'], 'what a target accepts with: 200 and ok as the service demands it, or any 2xx'),
  give_up: text(
    `for how long a change is tried that a target refuses, or does not answer while it answers others; ${DEFAULT_GIVE_UP} when absent`,
  ),
  exec: text('run a command line for each change, which stands on stdin; exit 0 accepts it'),
  register: flag('create the webhook at the service, keep it alive, and remove it at the end'),
  public_url: text('the address under which the service reaches this listener; https'),
  keep: flag('leave the webhook in place at the end'),
  name: text("name of this listener, which its secret and its webhook stay with; the profile's when absent"),
  poll: text(`how often to look whether the service has stopped the webhook; ${DEFAULT_POLL} when absent`),
  until_idle: text('end once nothing came for so long'),
  count: int('end after so many changes', 'changes'),
  expect: text('end when a change fits this JMESPath expression; exit 11 when none did'),
  within: text('how long to wait for that'),
});
type Input = z.output<typeof listenInput>;

/** How the texts of a listener's input are given. */
export const listenHints = {
  port: { placeholder: 'PORT' },
  forward_to: { placeholder: 'URL', from: 'path' },
  target_name: { placeholder: 'NAME', from: 'path' },
  give_up: { placeholder: 'DURATION', from: 'path' },
  exec: { placeholder: 'COMMAND', from: 'path' },
  public_url: { placeholder: 'URL', from: 'path' },
  poll: { placeholder: 'DURATION', from: 'path' },
} as const;
const endingHints = {
  until_idle: { placeholder: 'DURATION', from: 'path' },
  expect: { placeholder: 'JMESPATH', from: 'path' },
  within: { placeholder: 'DURATION', from: 'path' },
} as const;

const description = [
  'Each change is on disk before it is acknowledged, and kept once, whatever the service repeats. Targets get it as the service would have sent it, in order for each record, and again after a failure; `shopctl events` shows, replays and forgets.',
  'The service signs nothing: the secret in the path is all that tells it from anybody else, so treat the url as a key, and use https where it leaves this machine. What follows the secret in the path tells one webhook from another: give each webhook of your own making a path of its own, for example /SECRET/shop-1.',
  'With -o json the first line is {"event":"ready",…}.',
].join('\n\n');

/** A listener, started as the input says. */
export const listen = action({
  id: 'webhooks.listen',
  words: ['webhooks', 'listen'],
  summary: 'Receive changes, keep them, and hand them on',
  description,
  examples: [
    'shopctl webhooks listen --register',
    'shopctl webhooks listen --register --forward-to http://127.0.0.1:3000/hook --forward-to order=http://127.0.0.1:3001/orders',
    'shopctl webhooks listen --register --expect "entity == \'order\'" --within 30s -o json',
  ],
  effect: 'local',
  needs: ['workspace'],
  operations: deskOperations,
  input: listenInput,
  hints: { ...listenHints, ...endingHints },
  output: list(eventRecord, 'The changes as they come'),
  view: { ...eventView, columns: eventView.columns.filter(({ path }) => path !== 'id') },
  live: true,
  run: (given, ports) => rowsOf(given, ports),
});

/** What the input says, read and checked before anything is opened. */
async function read(given: Input, ports: Ports) {
  const duration = (path: keyof Input & string) => {
    const value = given[path];
    return typeof value === 'string' ? millisecondsOf(path, value) : undefined;
  };
  const { namedTargets, TargetError } = await import('../../flows/listen/index.ts');
  const wrong = (path: string, message: string) =>
    new Refusal('invalid_input', `${path} ${message}`, { fieldErrors: [{ path, message }] });
  const port = given.port ?? DEFAULT_PORT;
  if (port < 0 || port > 65_535) throw wrong('port', 'must be 0 to 65535');
  if (typeof given.count === 'number' && given.count < 1) throw wrong('count', 'must be at least 1');
  try {
    return {
      port,
      host: given.host ?? DEFAULT_HOST,
      entities: given.entity ?? [],
      name: given.name ?? ports.settings.profileName?.value ?? 'default',
      pollMs: Math.max(1000, duration('poll') ?? millisecondsOf('poll', DEFAULT_POLL)),
      idleMs: duration('until_idle'),
      withinMs: duration('within'),
      count: given.count ?? undefined,
      expectation: typeof given.expect === 'string' ? await expectationFrom(given.expect) : undefined,
      targets: namedTargets({
        forwardTo: given.forward_to ?? [],
        exec: given.exec ?? undefined,
        names: given.target_name ?? [],
        accept: given.accept ?? 'ok',
        giveUpMs: duration('give_up') ?? millisecondsOf('give_up', DEFAULT_GIVE_UP),
      }),
    };
  } catch (error) {
    if (error instanceof TargetError) throw wrong(error.path, error.message);
    throw error;
  }
}

async function expectationFrom(expression: string) {
  const { expectationOf, ExpressionError } = await import('../../flows/listen/index.ts');
  try {
    return await expectationOf(expression);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const message = `is no JMESPath expression: ${error.message}`;
    throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'expect', message }] });
  }
}

/** The url that the service is given. */
function publicUrlOf({ public_url: given }: Input, { settings }: Ports, origin: string, path: string): string {
  if (typeof given === 'string') {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const isLocal = url?.protocol === 'http:' && isLoopbackHost(url.hostname);
    if (url === undefined || (url.protocol !== 'https:' && !isLocal) || url.search !== '' || url.hash !== '') {
      const message = 'must be an https URL without a query';
      throw new Refusal('invalid_input', message, { fieldErrors: [{ path: 'public_url', message }] });
    }
    return `${given.replace(/\/+$/, '')}${path}`;
  }
  const base = settings.baseUrl?.value;
  if (base !== undefined && URL.canParse(base) && isLoopbackHost(new URL(base).hostname)) return `${origin}${path}`;
  throw new Refusal(
    'public_url_missing',
    'the service is on another machine and has to be told how it reaches this listener',
    {
      fieldErrors: [{ path: 'public_url', message: 'is missing: the service is on another machine' }],
    },
  );
}

/** How the person is told that changes are missing because a webhook is stopped. */
export function stoppedSentence(id: string, since: string): string {
  return `the service has stopped webhook ${id}: changes since ${since} are missing, until it is created anew with \`shopctl webhooks recover\``;
}

/** How the person is told of a time of which changes are missing. */
export function gapSentence({ from_time, to_time }: Pick<Gap, 'from_time' | 'to_time'>): string {
  return `changes between ${from_time} and ${to_time} are missing: the service had stopped sending and keeps no history; the lists tell the present state of the records, not what happened to them`;
}

async function* rowsOf(given: Input, ports: Ports): AsyncGenerator<z.output<typeof eventRecord>, void> {
  const { clock, random, randomBytes, report, signal, settings, env, workingDirectory, version } = ports;
  const wish = await read(given, ports);
  // What would be refused later is refused before anything is opened.
  if (given.register === true) publicUrlOf(given, ports, 'http://127.0.0.1:0', '/');
  ports.intend({
    listen: `${wish.host}:${wish.port}`,
    name: wish.name,
    register: given.register === true,
    targets: wish.targets.map(({ name }) => name),
  });
  if (given.register === true && settings.readOnly.value) {
    throw new Refusal('read_only', `registering writes, and only reading is allowed (${settings.readOnly.origin})`, {
      kind: 'policy',
    });
  }
  const { createBell, followEvents, listenForPosts, openHands, startListener } = await import(
    '../../flows/listen/index.ts'
  );
  const { workspace } = await openWorkspace(ports);
  const closing: (() => unknown)[] = [() => workspace.close()];
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    const account = await eventAccount(ports, workspace);
    const bell = createBell();
    const hands = openHands({ env, workingDirectory, userAgent: `shopctl/${version}` });
    closing.unshift(() => hands.close());
    const sayTrouble = saidOnce(report.say);
    const listener = await startListener({
      ...wish,
      workspace,
      account,
      clock,
      random,
      randomBytes,
      listen: listenForPosts,
      handFor: hands.handFor,
      onKept: bell.ring,
      onFailure: (target: Target, { id: change, error, dead }) =>
        report.say(`${target.name}: change ${change} ${dead ? 'was given up' : 'will be tried again'}: ${error}`),
      onTrouble: (error) => sayTrouble(`not acknowledged, the service will send it again: ${wordsOf(error)}`),
    });
    closing.unshift(() => listener.close());
    const url = `${listener.origin}${listener.path}`;
    const registration =
      given.register === true
        ? await register({ given, ports, wish, listener, workspace, account, signal: ending.signal })
        : undefined;
    if (registration !== undefined) closing.unshift(registration.close);
    else closing.unshift(await watch({ ports, wish, listener, workspace, account, signal: ending.signal }));
    if (settings.output.value === 'json') {
      const hooks = registration?.hooks() ?? [];
      await report.ready({ event: 'ready', url, hooks, workspace: workspace.place }, []);
    } else {
      report.say(`Listening at ${url}`);
    }
    const filter = {
      account,
      after: listener.begunAfter,
      ...(wish.entities.length === 1 ? { entity: wish.entities[0] } : {}),
    };
    let seen = 0;
    let isMet = false;
    const following = {
      ids: listener.ids,
      bell,
      clock,
      signal: ending.signal,
      ending: { idleMs: wish.idleMs, withinMs: wish.withinMs },
    };
    for await (const row of followEvents(workspace, filter, following)) {
      if (wish.entities.length > 1 && !wish.entities.some((one) => one === row.entity)) continue;
      yield row;
      seen += 1;
      isMet = wish.expectation?.(row) === true || (wish.count !== undefined && seen >= wish.count);
      if (isMet) break;
    }
    const isAwaited = wish.expectation !== undefined || wish.count !== undefined;
    if (isAwaited && !isMet) {
      signal.throwIfAborted();
      report.verdict('different');
      report.notice(
        wish.expectation === undefined ? `${seen} of ${wish.count} changes came` : 'no change that fits came',
      );
    }
    if (!signal.aborted && wish.targets.length > 0) {
      const waiting = new AbortController();
      await Promise.race([listener.targets.settled(), clock.wait(SETTLE_MS, waiting.signal).catch(() => {})]);
      waiting.abort();
    }
  } finally {
    signal.removeEventListener('abort', end);
    end();
    for (const step of closing) await step();
  }
}

/** What is wrong, in words; a cause says more than what it led to. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Says a thing once for as long as it stays the same: a disk that is full is full with every callback. */
function saidOnce(say: (text: string) => void): (text: string) => void {
  let last = '';
  return (sentence) => {
    if (sentence !== last) say(sentence);
    last = sentence;
  };
}

interface Watching {
  readonly ports: Ports;
  readonly wish: Awaited<ReturnType<typeof read>>;
  readonly listener: { readonly origin: string; readonly path: string; readonly secret: string };
  readonly workspace: Workspace;
  readonly account: string;
  readonly signal: AbortSignal;
}

/**
 * Says when the service has stopped a webhook that leads here, where there is a key to ask it with; answers how to wait for
 * the end of it.
 */
async function watch({ ports, wish, listener, workspace, account, signal }: Watching): Promise<() => Promise<void>> {
  const { clock, report, settings } = ports;
  if (settings.baseUrl === undefined) return async () => {};
  const key = ports.connection().key(settings.as?.value === 'shop' ? 'shop-api-key' : 'partner-api-key');
  if (key === undefined) return async () => {};
  const { hookInUrl, hookStandings, missingSince, watchWebhooks } = await import('../../flows/listen/index.ts');
  const sayTrouble = saidOnce(report.say);
  const watching = watchWebhooks(await webhookDesk(ports, signal), listener.secret, {
    everyMs: wish.pollMs,
    clock,
    signal,
    async onStopped(webhook) {
      const standings = await workspace.read((database) => hookStandings(database, account));
      const hook = standings.get(hookInUrl(wish.name, listener.secret, webhook.url));
      report.say(stoppedSentence(webhook.id, missingSince(webhook, hook?.change_time ?? null)));
    },
    onTrouble: (error) => sayTrouble(`could not look at the webhooks: ${wordsOf(error)}`),
  });
  return () => watching;
}

interface Registering extends Watching {
  readonly given: Input;
}

/** Registers the listener's webhook and keeps it registered. */
async function register({ given, ports, wish, listener, workspace, account, signal }: Registering) {
  const { clock, report } = ports;
  const { ensureRegistered, hookOf, hookStandings, keepRegistered, missingTime, rememberGap } = await import(
    '../../flows/listen/index.ts'
  );
  const desk: StandingDesk = await webhookDesk(ports, signal);
  const wanted = {
    url: publicUrlOf(given, ports, listener.origin, listener.path),
    entities: wish.entities.length > 0 ? wish.entities : [...entity],
    metadata: `shopctl webhooks listen, ${wish.name}`,
    secret: listener.secret,
  };
  let webhook: Awaited<ReturnType<typeof ensureRegistered>>['webhook'];
  const note = async (registered: Awaited<ReturnType<typeof ensureRegistered>>) => {
    webhook = registered.webhook;
    const standings = await workspace.read((database) => hookStandings(database, account));
    const missing = missingTime(registered, standings.get(hookOf(wish.name, listener.path))?.change_time ?? null);
    if (missing === undefined) return;
    const gap: Gap = {
      account,
      listener: wish.name,
      webhook_id: missing.webhookId,
      from_time: missing.from,
      to_time: missing.to,
      found_at: new Date(clock.now()).toISOString(),
    };
    await workspace.write((database) => rememberGap(database, gap));
    report.say(gapSentence(gap));
  };
  const registered = await ensureRegistered(desk, wanted);
  await note(registered);
  report.say(
    `${registered.isNew ? 'Registered' : 'Took over'} webhook ${registered.webhook.id} for ${wanted.entities.length} kinds of records`,
  );
  const sayTrouble = saidOnce(report.say);
  const keeping = keepRegistered(desk, wanted, {
    everyMs: wish.pollMs,
    clock,
    signal,
    onRegistered: async (again) => {
      await note(again);
      report.say(`The webhook had been stopped or removed: registered ${again.webhook.id} in its place`);
    },
    onTrouble: (error) => sayTrouble(`could not look after the webhook: ${wordsOf(error)}`),
  });
  return {
    hooks: () => [{ id: webhook.id, url: webhook.url, entities: webhook.entities }],
    async close() {
      await keeping;
      if (given.keep === true) return;
      // The run's own signal is over; what it made is taken away all the same.
      const farewell = AbortSignal.timeout(FAREWELL_MS);
      try {
        await (await webhookDesk(ports, farewell)).remove(webhook.id);
      } catch (error) {
        report.say(`webhook ${webhook.id} could not be removed: ${wordsOf(error)}`);
      }
    },
  };
}

import type * as z from 'zod';
import { action } from '../../action/action.ts';
import type { Ports } from '../../action/ports.ts';
import { Refusal } from '../../client/refusal.ts';
import { list } from '../../contract/schema/scalars.ts';
import { openWorkspace } from '../../ledger/open.ts';
import { InterruptedError } from '../../platform/process/interruptible.ts';
import { eventAccount, eventRecord, eventView, handOutcomes, seenAt } from './event-account.ts';
import {
  endingHints,
  type ListenInput,
  listenHints,
  listenInput,
  publicUrlOf,
  readListenInput,
} from './listen-input.ts';
import { registerListener, saidOnce, watchStopped, wordsOf } from './listen-webhook.ts';
import { say } from './texts.ts';
import { contextOperations } from './webhook-context.ts';

/** How long a run that ends by itself waits for its targets. */
const SETTLE_MS = 10_000;
const description = [
  'Each change is on disk before it is acknowledged, and stored once, even if the service repeats it. Targets get it as the service would have sent it, in order for each record, with retries after a failure; `events` lists, replays and deletes stored changes.',
  'The service signs nothing: the secret in the path is all that tells it from anybody else, so treat the url as a key, and use https where it leaves this machine. What follows the secret in the path tells one webhook from another: give each webhook of your own making a path of its own, for example /SECRET/shop-1.',
  'With -o json the first line is {"event":"ready",…}.',
].join('\n\n');

/** Starts a listener. */
export const listen = action({
  id: 'webhooks.listen',
  words: ['webhooks', 'listen'],
  summary: 'Receive changes, store them and forward them',
  description,
  examples: [
    'shopctl webhooks listen --register',
    'shopctl webhooks listen --register --forward-to http://127.0.0.1:3000/hook --forward-to order=http://127.0.0.1:3001/orders',
    'shopctl webhooks listen --register --expect "entity == \'order\'" --within 30s -o json',
    'shopctl webhooks listen --register --expect "change.latest.fulfillment.shipping_state == \'delivered\'" --within 1m',
  ],
  effect: 'store',
  adds: { register: 'create', exec: 'program', forward_to: 'program' },
  undo: { whyNot: 'what was received stays stored until it is pruned' },
  needs: ['workspace'],
  operations: contextOperations,
  input: listenInput,
  hints: { ...listenHints, ...endingHints },
  output: list(eventRecord, 'The changes as they come'),
  view: { ...eventView, columns: eventView.columns.filter(({ path }) => path !== 'id') },
  live: true,
  run: (given, ports) => rowsOf(given, ports),
});

/** Why an expectation was not met: nothing came, or nothing that fits. */
function noneMatched(seen: number, absent: readonly string[]): string {
  if (seen === 0) return say().listen.noneCame;
  const came = seen === 1 ? say().listen.oneUnmatched : say().listen.unmatched({ seen });
  if (absent.length === 0) return came;
  return say().listen.absent({ came, seen, fields: absent });
}

/** How long a listener that ends when nothing comes waits for another one. */
const MOST_WAIT_MS = 60_000;

/**
 * Waits for another listener of the same name: as long as it runs, but one that ends by itself only as long as it may listen,
 * or a minute. `over` throws a Refusal if that was why nothing began.
 */
function anotherListener(
  { name, withinMs, idleMs }: Awaited<ReturnType<typeof readListenInput>>,
  { clock, report }: Ports,
  ending: AbortController,
) {
  const waiting = new AbortController();
  const mostMs = withinMs ?? (idleMs === undefined ? undefined : Math.max(idleMs, MOST_WAIT_MS));
  let isLate = false;
  let who = '';
  return {
    onWait(pid: number | undefined) {
      who = say().listen.running({ name, pid });
      const most = mostMs === undefined ? undefined : Math.round(mostMs / 1000);
      report.say(say().listen.waiting({ name, pid, most }));
      if (mostMs === undefined) return;
      const late = () => {
        isLate = true;
        ending.abort();
      };
      clock.wait(mostMs, waiting.signal).then(late, () => {});
    },
    over() {
      waiting.abort();
      if (isLate) throw new Refusal('listener_running', who, { kind: 'conflict' });
    },
  };
}

async function* rowsOf(given: ListenInput, ports: Ports): AsyncGenerator<z.output<typeof eventRecord>, void> {
  const { clock, random, randomBytes, report, signal, settings, workingDirectory, version } = ports;
  const request = await readListenInput(given, ports);
  // What would be refused later is refused before anything is opened.
  if (given.register === true) publicUrlOf(given, ports, 'http://127.0.0.1:0', '/');
  ports.intend({
    listen: `${request.host}:${request.port}`,
    name: request.name,
    register: given.register === true,
    targets: request.targets.map(({ name }) => name),
  });
  const { createChangeSignal, followEvents, listenForPosts, openHands, startListener } = await import(
    '../listen/index.ts'
  );
  const workspace = await openWorkspace(ports);
  const closing: (() => unknown)[] = [() => workspace.close()];
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    const account = await eventAccount(ports, workspace);
    const changeSignal = createChangeSignal();
    const hands = openHands({
      env: ports.env,
      passesKeys: given.pass_keys === true,
      workingDirectory,
      userAgent: `shopctl/${version}`,
      says: report.ofProgram,
    });
    closing.unshift(() => hands.close());
    const outcomes = handOutcomes(report, clock);
    closing.unshift(outcomes.end);
    const sayTrouble = saidOnce(report.say);
    const another = anotherListener(request, ports, ending);
    const listener = await startListener({
      ...request,
      workspace,
      seenAt: await seenAt(ports),
      account,
      clock,
      random,
      randomBytes,
      listen: listenForPosts,
      signal: ending.signal,
      onWait: another.onWait,
      handFor: hands.handFor,
      onStored: changeSignal.ring,
      onOutcome: outcomes.onOutcome,
      onTrouble: (error) => sayTrouble(say().listen.notAcknowledged({ why: wordsOf(error) })),
    }).finally(another.over);
    closing.unshift(() => listener.close());
    const url = `${listener.origin}${listener.path}`;
    const registration =
      given.register === true
        ? await registerListener({ given, ports, request, listener, workspace, account, signal: ending.signal })
        : undefined;
    if (registration !== undefined) closing.unshift(registration.close);
    else closing.unshift(await watchStopped({ ports, request, listener, workspace, account, signal: ending.signal }));
    closing.unshift(
      await ports.pollChanges({
        workspace,
        account,
        entities: request.entities,
        everyMs: request.pollMs,
        signal: ending.signal,
        webhookSince: () => registration?.since(),
        onStored: () => {
          listener.targets.wake();
          changeSignal.ring();
        },
      }),
    );
    if (settings.output.value === 'json') {
      const hooks = registration?.hooks() ?? [];
      await report.ready({ event: 'ready', url, hooks, workspace: workspace.place }, []);
    } else {
      report.say(say().listen.at({ url }), { code: 'listening', url });
    }
    const filter = {
      account,
      after: listener.begunAfter,
      ...(request.entities.length === 1 ? { entity: request.entities[0] } : {}),
    };
    let seen = 0;
    let isMet = false;
    const following = {
      ids: listener.ids,
      changeSignal,
      clock,
      signal: ending.signal,
      ending: { idleMs: request.idleMs, withinMs: request.withinMs },
    };
    for await (const row of followEvents(workspace, filter, following)) {
      if (request.entities.length > 1 && !request.entities.some((one) => one === row.entity)) continue;
      yield row;
      seen += 1;
      isMet = request.expectation?.(row) === true || (request.count !== undefined && seen >= request.count);
      if (isMet) break;
    }
    const isAwaited = request.expectation !== undefined || request.count !== undefined;
    if (isAwaited && !isMet) {
      if (signal.aborted) throw new InterruptedError();
      report.verdict('different');
      report.notice(
        request.expectation === undefined
          ? say().listen.cameOf({ seen, count: request.count })
          : noneMatched(seen, request.expectation.absent()),
      );
    }
    if (!signal.aborted && request.targets.length > 0) {
      const waiting = new AbortController();
      await Promise.race([listener.targets.settled(), clock.wait(SETTLE_MS, waiting.signal).catch(() => {})]);
      waiting.abort();
    }
  } catch (error) {
    // A signal is how a listener that awaits nothing ends, whatever it was reading.
    const isAwaited = request.expectation !== undefined || request.count !== undefined;
    if (isAwaited || !signal.aborted || !(error instanceof InterruptedError)) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
    for (const step of closing) await step();
  }
}

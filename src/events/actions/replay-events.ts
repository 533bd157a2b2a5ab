import * as z from 'zod';
import { action } from '../../action/action.ts';
import { millisecondsOf } from '../../action/duration-field.ts';
import { Refusal } from '../../client/refusal.ts';
import { flag, id, int, list, record, requiring, text } from '../../contract/schema/scalars.ts';
import { keysOf } from '../../domain/json/keys-of.ts';
import { requireAllShops, shopAskedFor } from '../../settings/keys.ts';
import { handOutcomes, NoSuchTargetError, noTarget } from './event-account.ts';
import { momentOf, NoSuchEventError, numberOf, withEvents } from './list-events.ts';
import { say } from './texts.ts';

const DEFAULT_WAIT = '60s';
const MOST = 1_000_000;

const replayed = z.object({
  target: text('Name of the target'),
  changes: int('How many were forwarded again', 'changes'),
  left: int('How many changes it has not accepted yet', 'changes'),
  dead: int('How many failed for good', 'changes'),
});

/** `events replay`. */
export const replayEvents = action({
  id: 'events.replay',
  words: ['events', 'replay'],
  summary: 'Forward stored changes again, in order',
  description:
    'To every active target, or one. If a listener is running, it forwards them; otherwise this command does, and leaves what it cannot forward in time to the next listener. A target gets each change under the same id as before.',
  examples: [
    'shopctl events replay 1234567890123456789',
    'shopctl events replay --since 2026-01-31 --to 127.0.0.1:3000/hook',
  ],
  effect: 'program',
  mayAlso: ['store'],
  undo: { whyNot: 'what was delivered cannot be called back' },
  needs: ['workspace'],
  page: 'allowed',
  input: record({
    ids: list(id('an id'), 'ids of the changes'),
    since: text('all received at this time or later: a time, a day, or an age such as 2h'),
    until: text('and before this time; a day includes the whole day'),
    to: text('the target, by its name or address; every active one when absent'),
    pass_keys: flag('give the command of a target the keys in the environment, too'),
    wait: text(`how long this run may take; ${DEFAULT_WAIT} when absent`),
  }),
  positional: ['ids'],
  hints: {
    ids: { placeholder: 'ID', offers: 'ids events' },
    since: { placeholder: 'TIME', from: 'path' },
    until: { placeholder: 'TIME', from: 'path' },
    to: { placeholder: 'TARGET', from: 'path' },
    wait: { placeholder: 'DURATION', isStyle: true, from: 'path' },
    pass_keys: { page: 'never' },
  },
  output: list(replayed, 'One target each'),
  view: {
    columns: [
      { path: 'target' },
      { path: 'changes', kind: 'number' },
      { path: 'left', kind: 'number' },
      { path: 'dead', kind: 'number' },
    ],
    name: 'target',
  },
  run: (given, ports) =>
    withEvents(ports, async ({ workspace, ids, account }) => {
      const { clock, random, workingDirectory, version, report, intend } = ports;
      const wanted = given.ids ?? [];
      if (wanted.length === 0 && typeof given.since !== 'string') {
        throw new Refusal('invalid_input', say().stored.choose, {
          fieldErrors: [{ path: 'since', message: say().stored.sinceMissing }],
        });
      }
      const waitMs = millisecondsOf('wait', given.wait ?? DEFAULT_WAIT);
      const { storedNumbers, replayChanges, targetMeant, targetStandings, withNumbersOfTime } = await import(
        '../listen/index.ts'
      );
      const ofShop = { account, shopId: shopAskedFor(ports.settings) };
      const filter =
        typeof given.since === 'string'
          ? {
              ...ofShop,
              since: momentOf('since', given.since, ports),
              until: typeof given.until === 'string' ? momentOf('until', given.until, ports) : undefined,
            }
          : { ...ofShop, seqs: wanted.map((one) => numberOf(one, ids)) };
      const seqs = await workspace.read(async (database) =>
        storedNumbers(database, await withNumbersOfTime(database, filter), MOST),
      );
      if (typeof given.since !== 'string' && seqs.length < wanted.length) {
        const missing = wanted.find((one) => !seqs.includes(numberOf(one, ids)));
        throw new NoSuchEventError(missing ?? '');
      }
      const standings = await workspace.read((database) => targetStandings(database, account));
      const meant = typeof given.to === 'string' ? targetMeant(given.to, standings) : undefined;
      const targets = standings.filter((target) =>
        typeof given.to === 'string' ? target === meant : target.state === 'active',
      );
      if (targets.length === 0) {
        const message = typeof given.to === 'string' ? noTarget(given.to, standings) : say().targets.noneActive;
        const kind = typeof given.to === 'string' ? 'missing' : 'usage';
        throw new Refusal('no_target', message, { kind, fieldErrors: [{ path: 'to', message }] });
      }
      intend({ replay: seqs.length, targets: targets.map(({ name }) => name) });
      const { onOutcome } = handOutcomes(report, clock);
      const userAgent = `shopctl/${version}`;
      const hand = {
        env: ports.env,
        passesKeys: given.pass_keys === true,
        workingDirectory,
        userAgent,
        says: ports.report.ofProgram,
      };
      const means = { workspace, account, ids, clock, random, ...hand, waitMs, onOutcome };
      const rows = await replayChanges(means, targets, seqs);
      if (rows.some(({ isOurs }) => !isOurs)) report.notice(say().stored.listenerRuns);
      if (rows.some(({ isOurs, left, dead }) => isOurs && (left > 0 || dead > 0))) report.verdict('partial');
      return rows.map(({ isOurs: _, ...row }) => row);
    }),
});

const targetRow = z.object({
  name: text('Its name'),
  kind: text('url or command'),
  address: text('Its address; possible secrets in a url are redacted'),
  concerns: text('The changes that it gets'),
  state: text('active, resting because no listener names it, or paused'),
  behind: int('Changes that it has not accepted', 'changes'),
  waiting_since: z.nullable(text('When the oldest of them was received')),
  dead: int('Changes that failed for good', 'changes'),
  last_accepted_at: z.nullable(text('When it last accepted one')),
  last_error: z.nullable(text('The last error; null if the last attempt was accepted')),
});

/** `events targets`. */
export const listTargets = action({
  id: 'events.targets',
  words: ['events', 'targets'],
  summary: 'Show the targets, and how far each is behind',
  examples: ['shopctl events targets'],
  effect: 'read',
  agents: 'read',
  needs: ['workspace'],
  page: 'allowed',
  input: record({}),
  output: list(targetRow, 'One target each'),
  view: {
    columns: [
      { path: 'name' },
      { path: 'address', optional: true },
      { path: 'concerns', kind: 'state', optional: true },
      { path: 'state', kind: 'state' },
      { path: 'behind', kind: 'number' },
      { path: 'waiting_since', header: 'waiting since', kind: 'time', optional: true },
      { path: 'dead', kind: 'number' },
      { path: 'last_error', header: 'last error' },
    ],
    name: 'name',
    fields: ['kind', 'last_accepted_at'],
  },
  run: (_, ports) =>
    withEvents(ports, async ({ workspace, account }) => {
      const { shownAddress, targetStandings } = await import('../listen/index.ts');
      return (await workspace.read((database) => targetStandings(database, account))).map((target) => ({
        name: target.name,
        kind: target.kind,
        address: shownAddress(target),
        concerns: [target.entity ?? 'all', ...(target.change_type === null ? [] : [target.change_type])].join(' '),
        state: target.state,
        behind: target.backlog,
        waiting_since: target.waiting_since,
        dead: target.dead,
        last_accepted_at: target.last_accepted_at,
        last_error: target.last_error,
      }));
    }),
});

const changed = z.object({
  name: text('Name of the target'),
  state: text('How it ended'),
  changes: int('How many changes that concerns', 'changes'),
});

/** The actions on a target. */
const callbacks = {
  pause: { summary: 'Pause forwarding to a target', state: 'paused', undo: 'events targets resume' },
  resume: { summary: 'Resume forwarding to a target where it stopped', state: 'active', undo: 'events targets pause' },
  retry: {
    summary: 'Retry now everything that is waiting or has failed for a target',
    state: 'active',
    undo: { whyNot: 'what was delivered cannot be called back' },
  },
  remove: {
    summary: 'Remove a target, and the changes that it has not accepted',
    state: 'removed',
    undo: { whyNot: 'what is removed is gone' },
  },
} as const;

/** `events targets pause`, `resume`, `retry` and `remove`. */
export const targetActions = keysOf(callbacks).map((deed) =>
  action({
    id: `events.targets.${deed}`,
    words: ['events', 'targets', deed],
    summary: callbacks[deed].summary,
    examples: [`shopctl events targets ${deed} 127.0.0.1:3000/hook`],
    effect: deed === 'remove' ? 'remove' : 'store',
    undo: callbacks[deed].undo,
    needs: ['workspace'],
    page: 'allowed',
    destructive: deed === 'remove',
    input: requiring({ name: text('name of the target, or its address') }, {}),
    positional: ['name'],
    hints: { name: { placeholder: 'NAME', from: 'path' } },
    output: changed,
    view: {
      columns: [{ path: 'name' }, { path: 'state', kind: 'state' }, { path: 'changes', kind: 'number' }],
      name: 'name',
    },
    run: ({ name: given }, ports) =>
      withEvents(ports, async ({ workspace, account }) => {
        const { EVENTS, removeTarget, retryTarget, setTargetState, targetMeant, targetStandings } = await import(
          '../listen/index.ts'
        );
        const standings = await workspace.read((database) => targetStandings(database, account));
        const known = targetMeant(given, standings);
        if (known === undefined) throw new NoSuchTargetError(noTarget(given, standings));
        const { name } = known;
        ports.intend({ [deed]: name });
        const changes = known.backlog + known.dead;
        await workspace.write(async (database) => {
          await workspace.alone(database, EVENTS);
          if (deed === 'remove') await removeTarget(database, known);
          else if (deed === 'retry') await retryTarget(database, known);
          else await setTargetState(database, known, callbacks[deed].state === 'paused' ? 'paused' : 'active');
        });
        return { name, state: deed === 'retry' ? known.state : callbacks[deed].state, changes };
      }),
  }),
);

const pruned = z.object({
  forgotten: int('Changes that were removed', 'changes'),
  kept: int('Older changes that a target still needs', 'changes'),
});

/** `events prune`. */
export const pruneEvents = action({
  id: 'events.prune',
  words: ['events', 'prune'],
  summary: 'Remove changes that were received before a time',
  description:
    'Changes that a target has not accepted, waiting or failed, are never removed: remove the target or retry it first.',
  examples: ['shopctl events prune --before 90d'],
  effect: 'remove',
  undo: { whyNot: 'what is removed is gone' },
  needs: ['workspace'],
  destructive: true,
  input: requiring({ before: text('a time, a day, or an age such as 90d') }, {}),
  hints: { before: { placeholder: 'TIME', from: 'path' } },
  output: pruned,
  run: ({ before }, ports) =>
    withEvents(ports, async ({ workspace, account }) => {
      const { countForgettable, EVENTS, forgetSome } = await import('../listen/index.ts');
      requireAllShops(say().stored.ofAllShops, ports.settings);
      const moment = momentOf('before', before, ports);
      const counted = await workspace.read((database) => countForgettable(database, account, moment));
      ports.intend({ forget: counted.forgotten, keep: counted.kept });
      let forgotten = 0;
      for (;;) {
        ports.signal.throwIfAborted();
        const some = await workspace.write(async (database) => {
          await workspace.alone(database, EVENTS);
          return forgetSome(database, account, moment, ports.clock.now());
        });
        if (some === 0) break;
        forgotten += some;
      }
      if (counted.kept > 0) ports.report.notice(say().stored.kept({ count: counted.kept }));
      return { forgotten, kept: counted.kept };
    }),
});

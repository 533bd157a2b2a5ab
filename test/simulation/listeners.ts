// Worlds of listeners: webhooks call back, callbacks are lost and repeated, targets fail, listeners are killed.

import type { Hand, HandVerdict } from '../../src/events/listen/forward/queues.ts';
import { startListener } from '../../src/events/listen/listen.ts';
import { storedEvents } from '../../src/events/store/list.ts';
import type { PostReply, PostServerOptions } from '../../src/platform/server/http-server.ts';
import { openSqliteWorkspace } from '../../src/store/sqlite-workspace.ts';
import type { Dice } from '../promises/interleavings/world.ts';
import type { SimProcess, SimWorld } from './scheduler.ts';
import { clockOf } from './substitutes/clock.ts';
import { simulatedBytes, simulatedRandom } from './substitutes/globals.ts';

/** A change that the service has committed. */
interface Change {
  readonly record: string;
  readonly note: string;
  readonly sent: object;
}

/** A webhook: to which listener it leads, and what it has been told. */
interface Hook {
  readonly name: string;
  readonly place: string;
  path: string | undefined;
  passed: number;
  /** How many changes the callback has that was not acknowledged; they are sent again before any other. */
  open: number;
  /** The changes of the callback before it. */
  before: string;
}

/** A change at a target. */
interface Arrival {
  readonly target: string;
  readonly id: string;
  readonly record: string;
  readonly note: string;
  /** The process that handed it on. */
  readonly by: number;
  /** Whether that process has heard that it is accepted. */
  isHeard: boolean;
}

const RECORDS = ['1000000000000000001', '1000000000000000002', '1000000000000000003'];
const TARGETS = ['one', 'two'];
const YEAR_MS = 365 * 86_400_000;
const FLUSH_MS = 5_000;
const MOST_STEPS = 30_000;

const notesOf = (changes: readonly { readonly note: string }[]) => changes.map(({ note }) => note).join(', ');

/** Whether a record's changes were told in their order; those in doubt may be missing, or have come later. */
function areInOrder(
  reported: readonly { note: string }[],
  changes: readonly Change[],
  doubtful: ReadonlySet<Change>,
): boolean {
  const certain = changes.filter((change) => !doubtful.has(change)).map(({ note }) => note);
  const inDoubt = changes.filter((change) => doubtful.has(change)).map(({ note }) => note);
  for (const { note } of reported) {
    if (note === certain[0]) certain.shift();
    else if (inDoubt.includes(note)) inDoubt.splice(inDoubt.indexOf(note), 1);
    else return false;
  }
  return certain.length === 0;
}

const noteOf = (change: { change_type: string; changed: { customer_group: { id: string; name: string } } }) => ({
  record: change.changed.customer_group.id,
  note: `${change.change_type} ${change.changed.customer_group.name}`,
});

/** A listener in a process of its own. */
class Receiver {
  readonly name: string;
  readonly process: SimProcess;
  path: string | undefined;
  readonly #game: Listening;
  readonly #open = new Set<(reply: undefined) => void>();
  #server: PostServerOptions | undefined;
  #close: (() => Promise<void>) | undefined;

  constructor(name: string, game: Listening) {
    this.name = name;
    this.#game = game;
    this.process = game.world.process();
    this.process.onKilled = () => {
      this.#server = undefined;
      for (const lost of this.#open) lost(undefined);
    };
    void this.process.waitFor('start', `listen as ${name}`, () => {
      // Whoever cannot begin, since the disk is full, ends.
      this.#run().catch((error: Error) => {
        game.world.tell(`${name} ends: ${error.message}`);
        this.process.kill();
      });
    });
  }

  async #run(): Promise<void> {
    const { process } = this;
    const clock = clockOf(() => process);
    const workspace = await openSqliteWorkspace(this.#game.store, { clock });
    const listener = await startListener({
      workspace,
      clock,
      account: '',
      name: this.name,
      host: '127.0.0.1',
      port: 4020,
      targets: TARGETS.map((name) => ({
        ...{ name, kind: 'url', address: `http://${name}.example/`, entity: null, change_type: null, accept: 'ok' },
        give_up_ms: YEAR_MS,
      })),
      random: simulatedRandom,
      randomBytes: simulatedBytes,
      signal: new AbortController().signal,
      onWait: () => this.#game.world.count('listener waited for its name'),
      handFor: ({ name }) => this.#handTo(name),
      listen: async (options) => {
        this.#server = options;
        return {
          origin: 'http://127.0.0.1:4020',
          close: async () => {
            this.#server = undefined;
          },
        };
      },
    });
    this.path = listener.path;
    this.#close = async () => {
      await listener.close();
      await workspace.close();
      process.kill();
    };
  }

  get isListening(): boolean {
    return this.#server !== undefined && this.path !== undefined;
  }

  /** Ctrl-C; at once, if it has not begun to listen. */
  async leave(): Promise<void> {
    const close = this.#close;
    if (close === undefined) return this.process.kill();
    this.#close = undefined;
    await this.#game.world.as(this.process, () => void close());
  }

  /** What it answers; nothing if it dies before. */
  post(path: string, body: string): Promise<PostReply | undefined> {
    const server = this.#server;
    if (server === undefined || !server.isThere(path)) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#open.add(resolve);
      void this.process.waitFor('request', 'a callback', () => {
        server.answer(path, Buffer.from(body)).then((reply) =>
          this.process.waitFor('answer', `a callback ${reply.status}`, () => {
            this.#open.delete(resolve);
            resolve(reply);
          }),
        );
      });
    });
  }

  #handTo(target: string): Hand {
    return async ({ id, text }, signal) => {
      const change = `change ${id.slice(0, 8)}`;
      const [arrival, verdict] = await this.process.waitFor(
        'request',
        `${change} to ${target}`,
        () => this.#game.arrive(target, id, text, this.process.number),
        { signal },
      );
      return this.process.waitFor(
        'answer',
        `${change} ${verdict.accepted ? 'accepted' : 'not accepted'}`,
        () => {
          arrival.isHeard = verdict.accepted;
          return verdict;
        },
        { signal },
      );
    };
  }
}

/** One world of listeners under way. */
class Listening {
  readonly world: SimWorld;
  readonly dice: Dice;
  readonly store: string;
  readonly committed: Change[] = [];
  readonly arrivals: Arrival[] = [];
  /** Changes of a callback that nothing tells from a repeat of the one before: both have the same changes. */
  readonly doubtful = new Set<Change>();
  readonly hooks: Hook[];
  receivers: Receiver[] = [];
  #network: SimProcess;
  #isCalm = false;
  #callbacks = 0;

  constructor(world: SimWorld, dice: Dice, store: string) {
    this.world = world;
    this.dice = dice;
    this.store = store;
    this.#network = world.process();
    this.#network.isSpared = true;
    // Two webhooks of one listener, or of two, hear of the same changes.
    const names = dice.of([['main'], ['main', 'main'], ['main', 'side'], ['main', 'side']]);
    this.hooks = names.map((name, index) => ({
      name,
      place: `/${index}`,
      path: undefined,
      passed: 0,
      open: 0,
      before: '',
    }));
    for (const name of new Set(names)) this.start(name);
    for (const hook of this.hooks) void this.#callBack(hook);
  }

  start(name: string): void {
    this.world.tell(`a listener named ${name} starts`);
    this.receivers.push(new Receiver(name, this));
  }

  get alive(): readonly Receiver[] {
    return this.receivers.filter(({ process }) => process.alive);
  }

  #chance(share: number): boolean {
    return !this.#isCalm && this.dice.chance(share);
  }

  /** Some records change, now and then from one name to another and back within a second. */
  commit(): void {
    const { dice, world, committed } = this;
    const time = new Date(Math.floor(world.now / 1_000) * 1_000).toISOString();
    for (let many = dice.upTo(3); many > 0; many -= 1) {
      const id = dice.of(RECORDS);
      const last = committed.findLast(({ record }) => record === id);
      const type = last === undefined ? 'create' : 'update';
      const group = { id, shop_id: '2000000000000000001', name: last?.note.endsWith(' A') ? 'B' : 'A' };
      const of = { customer_group: group };
      const sent = { change_type: type, entity: 'customer_group', time, changed: of, latest: of };
      const text = JSON.stringify(sent);
      if (committed.some((one) => JSON.stringify(one.sent) === text)) world.count('equal changes within a second');
      committed.push({ record: id, note: `${type} ${group.name}`, sent });
    }
    world.tell(`${committed.length} changes at the service`);
  }

  /** The service calls a webhook back, in order, one callback at a time; what was not acknowledged comes again. */
  async #callBack(hook: Hook): Promise<void> {
    for (;;) {
      await this.#network.waitFor('timer', `webhook ${hook.place}`, () => {}, { due: this.world.now + FLUSH_MS });
      const { committed, dice } = this;
      if (hook.open === 0) {
        hook.open = Math.min(committed.length - hook.passed, dice.upTo(4));
        this.#doubt(hook);
      }
      const receiver = this.alive.find(({ name, isListening }) => name === hook.name && isListening);
      hook.path ??= receiver?.path === undefined ? undefined : `${receiver.path}${hook.place}`;
      if (hook.open === 0 || hook.path === undefined || receiver === undefined || this.#chance(0.1)) continue;
      this.#callbacks += 1;
      const changes = committed.slice(hook.passed, hook.passed + hook.open).map(({ sent }) => sent);
      const body = JSON.stringify({ id: `30000000000000${10_000 + this.#callbacks}`, changes });
      const path = hook.path;
      const copies = this.#chance(0.1) ? 2 : 1;
      const [reply] = await Promise.all(Array.from({ length: copies }, () => receiver.post(path, body)));
      const isAcknowledged = reply?.status === 200 && reply.body === 'ok';
      if (isAcknowledged && this.#chance(0.15)) {
        this.world.count('acknowledgement lost');
        continue;
      }
      if (!isAcknowledged) continue;
      hook.passed += hook.open;
      hook.open = 0;
    }
  }

  /** Notes a new callback that has the same changes as the one before it. */
  #doubt(hook: Hook): void {
    const changes = this.committed.slice(hook.passed, hook.passed + hook.open);
    if (changes.length === 0) return;
    const text = JSON.stringify(changes.map(({ sent }) => sent));
    if (text === hook.before) for (const change of changes) this.doubtful.add(change);
    hook.before = text;
  }

  /** A change arrives at a target, which answers one way or the other. */
  arrive(target: string, id: string, text: string, by: number): readonly [Arrival, HandVerdict] {
    const earlier = this.arrivals.findLast((one) => one.target === target);
    if (earlier !== undefined && earlier.by !== by) this.world.count('target taken over');
    if (this.arrivals.some((one) => one.target === target && one.id === id)) this.world.count('change handed on again');
    const arrival = { target, id, ...noteOf(JSON.parse(text).changes?.[0] ?? JSON.parse(text)), by, isHeard: false };
    this.arrivals.push(arrival);
    if (this.#chance(0.1)) return [arrival, { accepted: false, answered: true, error: 'status 500' }];
    if (this.#chance(0.1)) return [arrival, { accepted: false, answered: false, error: 'closed' }];
    return [arrival, { accepted: true, answer: 'ok' }];
  }

  async deed(): Promise<void> {
    const { dice, world } = this;
    const what = dice.of(['commit', 'commit', 'commit', 'kill', 'leave', 'start', 'second'] as const);
    const names = [...new Set(this.hooks.map(({ name }) => name))];
    const receiver = this.alive.length === 0 ? undefined : dice.of(this.alive);
    if (what === 'commit') this.commit();
    if (what === 'kill' && receiver !== undefined) {
      world.tell(`the listener named ${receiver.name} is killed`);
      receiver.process.kill();
    }
    if (what === 'leave' && receiver !== undefined) {
      world.tell(`the listener named ${receiver.name} leaves`);
      await receiver.leave();
    }
    // A second one of a name waits for the first.
    if (what === 'second' && this.alive.length < 4) this.start(dice.of(names));
    if (what === 'start') for (const name of names) if (!this.alive.some((one) => one.name === name)) this.start(name);
    for (let steps = dice.upTo(80); steps > 0; steps -= 1) await world.step();
  }

  /** Nothing befalls anybody any more, until everything that was committed is with every target. */
  async conclude(): Promise<void> {
    const { world, committed, doubtful } = this;
    this.#isCalm = true;
    world.calm();
    const names = new Set(this.hooks.map(({ name }) => name));
    const isOver = () =>
      this.hooks.every(({ passed }) => passed === committed.length) &&
      TARGETS.every((target) => {
        const heard = this.arrivals.filter((one) => one.target === target && one.isHeard);
        return new Set(heard.map(({ id }) => id)).size >= committed.length - doubtful.size;
      });
    while (!isOver() && world.steps < MOST_STEPS) {
      for (const name of names) if (!this.alive.some((one) => one.name === name)) this.start(name);
      await world.step();
    }
    // What comes twice comes soon.
    for (let steps = 200; steps > 0; steps -= 1) await world.step();
    for (const { process } of this.alive) process.kill();
  }

  async judge(): Promise<string[]> {
    const { committed, arrivals, doubtful, store } = this;
    const broken: string[] = [];
    const workspace = await openSqliteWorkspace(store);
    const rows = await workspace.read((database) => storedEvents(database, { account: '' }, { limit: 10_000 }));
    await workspace.close();
    const stored = rows.map(({ change }) => noteOf(JSON.parse(change)));
    for (const record of RECORDS) {
      const changes = committed.filter((one) => one.record === record);
      const isReported = (reported: readonly { note: string }[]) => areInOrder(reported, changes, doubtful);
      const kept = stored.filter((one) => one.record === record);
      if (!isReported(kept)) broken.push(`${record} has changed by ${notesOf(changes)}; stored is ${notesOf(kept)}`);
      for (const target of TARGETS) {
        const own = arrivals.filter((one) => one.target === target && one.record === record);
        const firsts = own.filter((one, index) => one.id !== own[index - 1]?.id);
        if (!isReported(firsts))
          broken.push(`${record} has changed by ${notesOf(changes)}; ${target} was handed ${notesOf(firsts)}`);
      }
    }
    for (const [index, { target, id, by, isHeard }] of arrivals.entries()) {
      const again = arrivals.slice(index + 1).find((one) => one.target === target && one.id === id && one.by === by);
      if (isHeard && again !== undefined) broken.push(`${id} was handed to ${target} again by ${by}, who knew better`);
    }
    return broken;
  }
}

/** Plays a world of listeners on a store, and returns what was not kept. */
export async function playListeners(world: SimWorld, dice: Dice, store: string): Promise<string[]> {
  const game = new Listening(world, dice, store);
  try {
    for (let callbacks = 6 + dice.upTo(10); callbacks > 0; callbacks -= 1) await game.deed();
    game.commit();
    await game.conclude();
    return await game.judge();
  } catch (error) {
    return [error instanceof Error ? String(error.stack) : String(error)];
  } finally {
    for (const { process } of game.alive) process.kill();
  }
}
